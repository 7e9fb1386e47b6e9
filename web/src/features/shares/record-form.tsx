import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { errorText } from '../../lib/error-texts.ts';
import { fieldText } from '../../lib/field-texts.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { t } from '../../lib/messages.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { durationText } from '../../lib/time.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useRecordSession } from '../sessions/log-api.ts';
import { sessionTimes } from './rules.ts';

interface RecordFormProps {
  assetId: number;
  shareId: number;
  name: string;
  onDone: () => void;
}

/** Browsers accept years of six digits unless told otherwise. */
const LAST_DAY = '9999-12-31';

const today = () => {
  const now = new Date(serverNow());
  const padTwo = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${padTwo(now.getMonth() + 1)}-${padTwo(now.getDate())}`;
};

/** Records a past session of someone without an account. An end before the start is on the next day. */
export function RecordForm({ assetId, shareId, name, onDone }: RecordFormProps) {
  const [initial] = useState(() => ({ day: today(), start: '', end: '' }));
  const [typed, setTyped] = useState(initial);
  const [showsMissing, setShowsMissing] = useState(false);
  const record = useRecordSession(assetId, shareId);
  const isDirty = typed.day !== initial.day || typed.start !== '' || typed.end !== '';
  useUnsaved(isDirty, { isSaving: record.isPending });
  const times = sessionTimes(typed);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusField(form.current, 'start'), []);

  const failure = record.error;
  const refused = failure instanceof ApiError ? failure.fields : {};
  const startError = refused['start_time']?.[0];
  const endError = refused['end_time']?.[0];
  const hasFieldError = startError !== undefined || endError !== undefined;
  const general =
    failure && !hasFieldError
      ? (failure instanceof ApiError ? errorText(failure) : '') || t("Couldn't record the session. Please try again.")
      : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (record.isPending) return;
    setShowsMissing(times === null);
    if (times === null)
      return focusField(form.current, typed.start === '' ? 'start' : typed.end === '' ? 'end' : 'day');
    record.mutate(times, {
      onSuccess: onDone,
      onError: (error) => {
        const isStart = error instanceof ApiError && error.fields['start_time'] !== undefined;
        focusField(form.current, isStart ? 'start' : 'end');
      },
    });
  };
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isDirty) return;
    event.stopPropagation();
    onDone();
  };
  const input = (field: keyof typeof typed, required: string, error?: string) => ({
    name: field,
    value: typed[field],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (record.isError) record.reset();
      setTyped({ ...typed, [field]: target.value });
    },
    error: showsMissing && typed[field] === '' ? required : error === undefined ? undefined : fieldText(error),
  });

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the fields inside
    <form
      ref={form}
      noValidate
      aria-label={t('Record a session of {name}', { name })}
      onSubmit={submit}
      onKeyDown={cancelOnEscape}
      className="mt-1 rounded-card bg-sunken p-3"
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <TextField label={t('Day [[session]]')} type="date" max={LAST_DAY} {...input('day', t('Day is required'))} />
        <TextField label={t('Start [[time]]')} type="time" {...input('start', t('Start is required'), startError)} />
        <TextField label={t('End [[time]]')} type="time" {...input('end', t('End is required'), endError)} />
      </div>
      <p
        role="status"
        className={`my-2 text-[14px] ${general === null ? 'figures text-muted' : 'font-medium text-over-text'}`}
      >
        {general ??
          (times && !hasFieldError
            ? t('Duration: {duration}', {
                duration: durationText((Date.parse(times.end_time) - Date.parse(times.start_time)) / 60_000),
              })
            : null)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={record.isPending} busyText={t('Saving...')}>
          {t('Record [[session]]')}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

const focusField = (form: HTMLFormElement | null, field: string) =>
  form?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus();
