import type { RecordSessionRequest } from '@hourshare/contract/sessions';
import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { errorText, fieldText } from '../../platform/i18n/error-texts.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { fieldTime, type Which } from '../../platform/forms/local-times.ts';
import { t } from '../../platform/i18n/messages.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { durationText, skippedText } from '../../platform/format/time.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { WhichTime } from '../../ui/which-time.tsx';
import { lastHours, sessionTimes } from './rules.ts';

interface RecordFormProps {
  label: string;
  /** On the button that adds the session. */
  verb: string;
  record: UseMutationResult<unknown, Error, RecordSessionRequest>;
  /** Offers times until now, of so many hours, that need no typing. */
  recent?: readonly number[];
  onDone: () => void;
}

/** Browsers accept years of six digits unless told otherwise. */
const LAST_DAY = '9999-12-31';

/** Adds a past session. An end before the start is on the next day. */
export function RecordForm({ label, verb, record, recent = [], onDone }: RecordFormProps) {
  const [initial] = useState(() => ({ day: fieldTime(serverNow()).slice(0, 10), start: '', end: '' }));
  const [typed, setTyped] = useState(initial);
  const [which, setWhich] = useState<{ start?: Which; end?: Which }>({});
  const [showsMissing, setShowsMissing] = useState(false);
  const isDirty = typed.day !== initial.day || typed.start !== '' || typed.end !== '';
  useUnsaved(isDirty, { isSaving: record.isPending });
  const read = sessionTimes(typed, which);
  const skipped = typeof read === 'string' ? read : null;
  const times = typeof read === 'string' ? null : read;
  const form = useRef<HTMLFormElement>(null);
  const hasRecent = recent.length > 0;
  useEffect(() => focusField(form.current, hasRecent ? 'recent' : 'start'), [hasRecent]);

  const failure = record.error;
  const errorOf = (field: 'start' | 'end') => (skipped === field ? skippedText() : fieldText(failure, `${field}_time`));
  const startError = errorOf('start');
  const endError = errorOf('end');
  const hasFieldError = startError !== undefined || endError !== undefined;
  const general =
    failure && !hasFieldError ? errorText(failure) || t("Couldn't record the session. Please try again.") : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (record.isPending) return;
    setShowsMissing(times === null);
    if (times === null)
      return focusField(form.current, skipped ?? (typed.start === '' ? 'start' : typed.end === '' ? 'end' : 'day'));
    save(times);
  };
  const save = (request: RecordSessionRequest) =>
    record.mutate(request, {
      onSuccess: onDone,
      onError: (error) => {
        const isStart = error instanceof ApiError && error.fields['start_time'] !== undefined;
        focusField(form.current, isStart ? 'start' : 'end');
      },
    });
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
      setWhich({});
    },
    error: showsMissing && typed[field] === '' ? required : error,
  });

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the fields inside
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={submit}
      onKeyDown={cancelOnEscape}
      className="mt-1 rounded-card bg-sunken p-3"
    >
      {hasRecent && (
        <div className="mb-3 flex flex-wrap gap-2">
          {recent.map((hours) => (
            <Button
              key={hours}
              name="recent"
              look="outline"
              size="small"
              busy={record.isPending}
              onClick={() => save(lastHours(hours, serverNow()))}
            >
              {t('{hours, plural, one {The last hour} other {The last # hours}}', { hours })}
            </Button>
          ))}
        </div>
      )}
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <TextField label={t('Day [[session]]')} type="date" max={LAST_DAY} {...input('day', t('Day is required'))} />
        <TextField label={t('Start [[time]]')} type="time" {...input('start', t('Start is required'), startError)} />
        <TextField label={t('End [[time]]')} type="time" {...input('end', t('End is required'), endError)} />
      </div>
      {times && (
        <div className="mt-2 grid gap-2">
          <WhichTime
            label={t('Which start')}
            local={fieldTime(times.start_time)}
            instant={Date.parse(times.start_time)}
            onChange={(start) => setWhich({ ...which, start })}
          />
          <WhichTime
            label={t('Which end')}
            local={fieldTime(times.end_time)}
            instant={Date.parse(times.end_time)}
            onChange={(end) => setWhich({ ...which, end })}
          />
        </div>
      )}
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
          {verb}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

const focusField = (form: HTMLFormElement | null, field: string) =>
  form?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
