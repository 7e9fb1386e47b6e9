import type { Session } from '@hourshare/contract/sessions';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { announce } from '../../lib/announcements.ts';
import { errorText } from '../../lib/error-texts.ts';
import { fieldText } from '../../lib/field-texts.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { t } from '../../lib/messages.ts';
import { endText, momentText } from '../../lib/time.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useCorrectSession, useRemoveSession } from './api.ts';
import { changedTimes, fieldTime } from './rules.ts';

interface CorrectionProps {
  shareId: number;
  session: Session & { end_time: string };
  onDone: () => void;
}

/** The form that edits or removes a member's own session in place. The owner sees the change and the original times. */
export function Correction({ shareId, session, onDone }: CorrectionProps) {
  const [start, setStart] = useState(fieldTime(session.start_time));
  const [end, setEnd] = useState(fieldTime(session.end_time));
  const isDirty = start !== fieldTime(session.start_time) || end !== fieldTime(session.end_time);
  useUnsaved(isDirty);
  const [removing, setRemoving] = useState(false);
  const [missing, setMissing] = useState(false);
  const correct = useCorrectSession(shareId);
  const remove = useRemoveSession(shareId);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (correct.isPending) return;
    setMissing(start === '' || end === '');
    if (start === '' || end === '') return;
    const changes = changedTimes(session, { start, end });
    if (Object.keys(changes).length === 0) return onDone();
    correct.mutate(
      { sessionId: session.id, changes },
      {
        onSuccess: () => {
          announce(t('Session updated.'));
          onDone();
        },
      },
    );
  };
  // Without edits, Escape closes this form; with edits, it reaches the dialog, which asks.
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || removing || isDirty) return;
    event.stopPropagation();
    onDone();
  };
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const { fields, sentence } = readFailure(correct.error);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the fields inside
    <form
      noValidate
      onSubmit={submit}
      onKeyDown={cancelOnEscape}
      className="mt-1 basis-full rounded-card bg-sunken p-3"
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          ref={first}
          label={t('Start [[time]]')}
          type="datetime-local"
          step={1}
          value={start}
          onChange={(event) => setStart(event.target.value)}
          error={missing && start === '' ? t('Start is required') : fieldText(fields['start_time']?.[0] ?? '')}
        />
        <TextField
          label={t('End [[time]]')}
          type="datetime-local"
          step={1}
          value={end}
          onChange={(event) => setEnd(event.target.value)}
          error={missing && end === '' ? t('End is required') : fieldText(fields['end_time']?.[0] ?? '')}
        />
      </div>
      {sentence !== null && (
        <p role="alert" className="mt-2 text-[13.5px] font-medium text-over-text">
          {sentence}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
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
          failure={remove.isError ? readFailure(remove.error).sentence : null}
          onConfirm={() => remove.mutate(session.id, { onSuccess: () => announce(t('Session removed.')) })}
          onCancel={() => setRemoving(false)}
        >
          <p className="first-letter:uppercase">
            {t('{start}–{end} will no longer count. The owner can still see that you removed it.', {
              start: momentText(session.start_time),
              end: endText(session.start_time, session.end_time),
            })}
          </p>
        </ConfirmDialog>
      )}
    </form>
  );
}

function readFailure(error: unknown): { fields: Record<string, string[]>; sentence: string | null } {
  if (!error) return { fields: {}, sentence: null };
  if (!(error instanceof ApiError))
    return { fields: {}, sentence: t("Couldn't change the session. Please try again.") };
  const atField = 'start_time' in error.fields || 'end_time' in error.fields;
  return { fields: error.fields, sentence: atField ? null : errorText(error) };
}
