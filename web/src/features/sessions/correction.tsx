import type { Session, SessionOrRequest } from '@hourshare/contract/sessions';
import { useEffect, useRef, useState, type ChangeEvent, type FormEvent, type KeyboardEvent } from 'react';
import { errorText, fieldText } from '../../platform/i18n/error-texts.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { fieldTime, type Which } from '../../platform/forms/local-times.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { durationText, endText, momentText } from '../../platform/format/time.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { WhichTime } from '../../ui/which-time.tsx';
import { useCorrectSession, useRemoveSession } from './log-api.ts';
import {
  askText,
  changedTimes,
  skippedProblem,
  takesFrom,
  timeProblem,
  type EndedMonth,
  type TimeProblem,
} from './rules.ts';

interface CorrectionProps {
  shareId: number;
  /** Set when the owner edits it, for someone without an account. */
  assetId?: number | undefined;
  session: Session & { end_time: string };
  /** The member's sessions of this share, of which no two may overlap. */
  others: Session[];
  /** Earlier months are closed. In milliseconds. */
  since: number;
  /** The ended month, of which edits that take time out are requests; null if none is open. */
  ended: EndedMonth | null;
  onDone: () => void;
}

/**
 * The form that edits or removes a member's own session in place. Says how long the session becomes, and what is wrong
 * with its times, before it is saved. The owner sees the change and the original times.
 */
export function Correction({ shareId, assetId, session, others, since, ended, onDone }: CorrectionProps) {
  // What edits are compared with. It stays when another tab saves the session; without edits, the form follows.
  const [opened, setOpened] = useState(session);
  const [times, setTimes] = useState<TypedTimes>(() => fieldTimes(session));
  const [asksDays, setAsksDays] = useState(false);
  const missing = missingFields(times);
  const isMissing = missing.length > 0;
  const start = { local: `${times.startDay}T${times.startTime}`, which: times.whichStart };
  const end = { local: `${times.endDay}T${times.endTime}`, which: times.whichEnd };
  const typed = isMissing ? {} : changedTimes(opened, { start, end });
  const skipped = skippedProblem(typed);
  const changes = {
    ...(typeof typed.start_time === 'string' && { start_time: typed.start_time }),
    ...(typeof typed.end_time === 'string' && { end_time: typed.end_time }),
  };
  const isDirty = isMissing || Object.keys(typed).length > 0;
  if (!isDirty && (session.start_time !== opened.start_time || session.end_time !== opened.end_time)) {
    setOpened(session);
    setTimes(fieldTimes(session));
  }
  // Most sessions begin and end on the same day, which their row shows.
  const withDays = asksDays || times.startDay !== times.endDay || spansDays(opened);
  const changed = { ...opened, ...changes };
  const known = isDirty && !isMissing ? (skipped ?? timeProblem(changed, { others, since, now: serverNow() })) : null;
  const [showsMissing, setShowsMissing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const correct = useCorrectSession(shareId, assetId);
  const remove = useRemoveSession(shareId, assetId);
  // The owner edits for someone without an account, and asks only others.
  const asked = ended && (assetId === undefined || ended.byAll) ? ended : null;
  const problems = known ? [known] : readProblems(correct.error);
  useUnsaved(isDirty, { isSaving: correct.isPending });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusField(form.current, asksDays ? 'startDay' : 'startTime'), [asksDays]);
  const latest = useRef(times);
  useEffect(() => {
    latest.current = times;
  }, [times]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (correct.isPending) return;
    setShowsMissing(isMissing);
    if (missing[0]) return focusField(form.current, missing[0]);
    if (known) return focusProblem(form.current, known);
    if (!isDirty) return onDone();
    // What was typed since stays, as an edit of the saved session.
    const onSuccess = ({ request }: SessionOrRequest) => {
      if (latest.current === times) onDone();
      else if (!request) setOpened(changed);
    };
    const onError = (error: unknown) => {
      const [first] = readProblems(error);
      const isRefused = error instanceof ApiError && error.status === 400;
      if (first && isRefused && latest.current === times) focusProblem(form.current, first);
    };
    correct.mutate({ sessionId: session.id, changes }, { onSuccess, onError });
  };
  const edit = ({ target }: ChangeEvent<HTMLInputElement>) => {
    if (correct.isError) correct.reset();
    const { whichStart, whichEnd, ...fields } = times;
    // A choice between two times is about the time as it was typed.
    const which = target.name.startsWith('start') ? { whichEnd } : { whichStart };
    setTimes({ ...fields, ...which, [target.name]: target.value });
  };
  // Without edits, Escape closes this form; with edits, it reaches the dialog, which asks.
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || removing || isDirty) return;
    event.stopPropagation();
    onDone();
  };
  const span = { start: momentText(session.start_time), end: endText(session.start_time, session.end_time) };
  const errorOf = (field: TimeProblem['field']) => problems.find((problem) => problem.field === field)?.text;
  const message = errorOf(null);
  const input = (name: Field, required: string, error?: string) => ({
    name,
    value: times[name],
    onChange: edit,
    error: showsMissing && missing.includes(name) ? required : error,
  });

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the fields inside
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onKeyDown={cancelOnEscape}
      className="mt-1 basis-full rounded-card bg-sunken p-3"
    >
      <div className={`grid items-start gap-3 ${withDays ? '' : 'sm:grid-cols-2'}`}>
        <div className={withDays ? 'grid grid-cols-2 items-start gap-2' : undefined}>
          <TextField
            label={t('Start [[time]]')}
            type="time"
            {...input('startTime', t('Start is required'), errorOf('start'))}
          />
          {withDays && (
            <TextField
              label={t('Start day')}
              type="date"
              max={LAST_DAY}
              {...input('startDay', t('Start day is required'))}
            />
          )}
        </div>
        <div className={withDays ? 'grid grid-cols-2 items-start gap-2' : undefined}>
          <TextField
            label={t('End [[time]]')}
            type="time"
            {...input('endTime', t('End is required'), errorOf('end'))}
          />
          {withDays && (
            <TextField label={t('End day')} type="date" max={LAST_DAY} {...input('endDay', t('End day is required'))} />
          )}
        </div>
      </div>
      {!isMissing && skipped === null && (
        <div className="mt-2 grid gap-2">
          <WhichTime
            label={t('Which start')}
            local={start.local}
            instant={toMinute(changed.start_time)}
            onChange={(whichStart) => setTimes({ ...times, whichStart })}
          />
          <WhichTime
            label={t('Which end')}
            local={end.local}
            instant={toMinute(changed.end_time)}
            onChange={(whichEnd) => setTimes({ ...times, whichEnd })}
          />
        </div>
      )}
      <div className={`flex flex-wrap items-center gap-x-3 text-[14px] ${withDays ? 'my-2' : 'mt-1 min-h-11'}`}>
        <p role="status" className={message === undefined ? 'figures text-muted' : 'font-medium text-over-text'}>
          {message ?? (isMissing || problems.length > 0 ? null : lengthText(changed))}
        </p>
        {!withDays && (
          <Button look="quiet" size="small" className="ms-auto -me-3" onClick={() => setAsksDays(true)}>
            {t('Change day')}
          </Button>
        )}
      </div>
      {asked && isDirty && !isMissing && problems.length === 0 && takesFrom(asked, opened, changed) && (
        <p className="mb-2 text-[14px]">{askText(asked)}</p>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <Button type="submit" size="small" busy={correct.isPending} busyText={t('Saving...')}>
          {t('Save')}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
        <Button look="plain" size="small" className="ms-auto" onClick={() => setRemoving(true)}>
          {t('Remove session')}
        </Button>
      </div>
      {removing && (
        <ConfirmDialog
          title={t('Remove this session?')}
          confirm={t('Remove session')}
          busyText={t('Removing...')}
          busy={remove.isPending}
          failure={readProblems(remove.error)[0]?.text ?? null}
          onConfirm={() => remove.mutate(session.id, { onSuccess: (answer) => answer && onDone() })}
          onCancel={() => setRemoving(false)}
        >
          <p className="first-letter:uppercase">
            {assetId === undefined
              ? t('{start}–{end} will no longer count. The owner can still see that you removed it.', span)
              : t('{start}–{end} will no longer count.', span)}
          </p>
          {asked && takesFrom(asked, session, null) && <p className="mt-2">{askText(asked)}</p>}
        </ConfirmDialog>
      )}
    </form>
  );
}

/** Returns the minute of an instant, which is all that fields show. */
const toMinute = (instant: string) => Math.floor(Date.parse(instant) / 60_000) * 60_000;

/** Browsers accept years of six digits unless told otherwise. */
const LAST_DAY = '9999-12-31';

type Times = Pick<CorrectionProps['session'], 'start_time' | 'end_time'>;

function fieldTimes({ start_time, end_time }: Times) {
  const [startDay = '', startTime = ''] = fieldTime(start_time).split('T');
  const [endDay = '', endTime = ''] = fieldTime(end_time).split('T');
  return { startTime, startDay, endTime, endDay };
}

type FieldTimes = ReturnType<typeof fieldTimes>;
type TypedTimes = FieldTimes & { whichStart?: Which | undefined; whichEnd?: Which | undefined };
type Field = keyof FieldTimes;

const spansDays = (session: Times) => {
  const { startDay, endDay } = fieldTimes(session);
  return startDay !== endDay;
};

/** Returns the fields that are empty or contain no day or time, in the order in which they are shown. */
function missingFields({ startTime, startDay, endTime, endDay }: FieldTimes): Field[] {
  const instants = {
    startTime: `2000-01-01T${startTime}`,
    startDay: `${startDay}T00:00`,
    endTime: `2000-01-01T${endTime}`,
    endDay: `${endDay}T00:00`,
  };
  return (['startTime', 'startDay', 'endTime', 'endDay'] as const).filter((field) =>
    Number.isNaN(Date.parse(instants[field])),
  );
}

const focusField = (form: HTMLFormElement | null, field: Field) =>
  form?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.focus();

const focusProblem = (form: HTMLFormElement | null, { field }: TimeProblem) =>
  focusField(form, field === 'start' ? 'startTime' : 'endTime');

const lengthText = ({ start_time, end_time }: { start_time: string; end_time: string }) =>
  t('Duration: {duration}', { duration: durationText((Date.parse(end_time) - Date.parse(start_time)) / 60_000) });

/** Returns what the server refused, at the field it is about. */
function readProblems(error: unknown): TimeProblem[] {
  if (!error) return [];
  const unknown = t("Couldn't change the session. Please try again.");
  if (!(error instanceof ApiError)) return [{ field: null, text: unknown }];
  const atFields = (['start', 'end'] as const).flatMap((field) => {
    const text = fieldText(error, `${field}_time`);
    return text === undefined ? [] : { field, text };
  });
  return atFields.length > 0 ? atFields : [{ field: null, text: errorText(error) || unknown }];
}
