import { OBJECTION_TEXT_MAX_LENGTH } from '@hourshare/contract/limits';
import type { LoggedSession, MemberSession, Objection as StoredObjection } from '@hourshare/contract/sessions';
import type { UseMutationResult } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { errorText, fieldText } from '../../platform/i18n/error-texts.ts';
import { takeFocus } from '../../ui/focus.ts';
import { formatNumber } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAgree, useObject, useReplyAsMember, useReplyAsOwner, useWithdraw } from './log-api.ts';
import { restoreLabel, restoreQuestion } from './objection-answer.tsx';
import { canObject } from './rules.ts';

type Change<Input> = UseMutationResult<unknown, Error, Input>;

/** Where an owner objects to the edit of a session, and what became of that. */
export function OwnersObjection({ assetId, session }: { assetId: number; session: MemberSession }) {
  const object = useObject(assetId);
  const reply = useReplyAsOwner(assetId);
  const withdraw = useWithdraw(assetId);
  const { username, start_time, edited, objection } = session;
  const start = momentText(edited?.start_time ?? start_time);
  return (
    <Thread
      session={session}
      reader="owner"
      member={username}
      reply={reply}
      end={withdraw}
      endLabel={rich('Withdraw<hidden> the objection to the session from {start}</hidden>', { start, hidden })}
      question={{
        title: t('Withdraw this objection?'),
        text: t("The edit then stands, and you can't object to it again."),
        confirm: t('Withdraw objection'),
      }}
      object={
        canObject(edited, session, objection)
          ? {
              change: object,
              label: rich("Object<hidden> to {name}'s edit of the session from {start}</hidden>", {
                name: username,
                start,
                hidden,
              }),
            }
          : undefined
      }
    />
  );
}

/** What a member reads of an objection to their edit, and where they answer it. */
export function MembersObjection({ shareId, session }: { shareId: number; session: LoggedSession }) {
  const reply = useReplyAsMember(shareId);
  const agree = useAgree(shareId);
  return (
    <Thread
      session={session}
      reader="member"
      member={null}
      reply={reply}
      end={agree}
      endLabel={restoreLabel(session.edited?.start_time ?? session.start_time)}
      question={restoreQuestion()}
    />
  );
}

interface ThreadProps {
  session: LoggedSession;
  reader: 'owner' | 'member';
  /** The member's name; null if they read it. */
  member: string | null;
  reply: Change<{ sessionId: number; text: string }>;
  end: Change<number>;
  endLabel: ReactNode;
  question: ReturnType<typeof restoreQuestion>;
  /** How to object; undefined if that can't be done. */
  object?: { change: Change<{ sessionId: number; text: string }>; label: ReactNode } | undefined;
}

function Thread({ session, reader, member, reply, end, endLabel, question, object }: ThreadProps) {
  const [form, setForm] = useState<'object' | 'reply' | null>(null);
  const [ending, setEnding] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { id, edited, objection } = session;
  const isOpen = objection?.status === 'open';
  const until = edited?.open_until ?? null;
  if (!edited || (!objection && !object)) return null;
  // The form gives way to what it has made.
  const close = () => {
    setForm(null);
    takeFocus(box.current);
  };
  const failure = [object?.change, reply, end].find((change) => change?.isError)?.error;
  return (
    <div ref={box} tabIndex={-1} className="mt-1.5 ps-11 text-[14px] outline-none">
      {objection && (
        <div className="rounded-card bg-sunken px-3.5 py-3">
          <p className="[overflow-wrap:anywhere]">
            <span className="font-semibold">{objectedText(objection, reader)}</span>{' '}
            {outcomeText(objection, until, member)}
          </p>
          {objection.messages.length > 0 && (
            <ul role="list" aria-label={t('Messages')} className="mt-2 grid gap-2">
              {objection.messages.map(({ username, text, at }, index) => (
                <li key={index}>
                  <p className="text-[13.5px] text-muted">
                    <bdi className="font-semibold">{username}</bdi> <time dateTime={at}>{momentText(at)}</time>
                  </p>
                  <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                    {text}
                  </p>
                </li>
              ))}
            </ul>
          )}
          {isOpen && until !== null && form === null && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Button look="outline" size="small" onClick={() => setForm('reply')}>
                {rich('Reply<hidden> about the session from {start}</hidden>', {
                  start: momentText(edited.start_time),
                  hidden,
                })}
              </Button>
              <Button look="outline" size="small" onClick={() => setEnding(true)}>
                {endLabel}
              </Button>
            </div>
          )}
          {isOpen && form === 'reply' && (
            <MessageForm label={t('Reply')} send={t('Send')} isRequired change={reply} sessionId={id} onDone={close} />
          )}
        </div>
      )}
      {object && form === null && (
        <Button look="quiet" size="small" className="-ms-3" onClick={() => setForm('object')}>
          {object.label}
        </Button>
      )}
      {object && until !== null && form === 'object' && (
        <div className="rounded-card bg-sunken p-3">
          <p>{t('Without agreement by {when}, the recorded times count.', { when: momentText(until) })}</p>
          <MessageForm
            label={t('Message (optional)')}
            send={t('Object')}
            change={object.change}
            sessionId={id}
            onDone={close}
          />
        </div>
      )}
      {failure && !ending && (
        <p role="alert" className="mt-1.5 font-medium text-over-text">
          {failureText(failure)}
        </p>
      )}
      {ending && (
        <ConfirmDialog
          title={question.title}
          confirm={question.confirm}
          look="primary"
          busyText={t('Saving...')}
          busy={end.isPending}
          failure={end.isError ? failureText(end.error) : null}
          onConfirm={() =>
            end.mutate(id, {
              onSuccess: () => {
                setEnding(false);
                box.current?.focus();
              },
            })
          }
          onCancel={() => {
            end.reset();
            setEnding(false);
          }}
        >
          <p>{question.text}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface MessageFormProps {
  label: string;
  send: string;
  isRequired?: boolean;
  change: Change<{ sessionId: number; text: string }>;
  sessionId: number;
  onDone: () => void;
}

function MessageForm({ label, send, isRequired = false, change, sessionId, onDone }: MessageFormProps) {
  const [text, setText] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const formId = useId();
  useUnsaved(text.trim() !== '', { isSaving: change.isPending });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const missing = isRequired && text.trim() === '';
    setIsMissing(missing);
    if (missing) return field.current?.focus();
    change.mutate({ sessionId, text: text.trim() }, { onSuccess: onDone });
  };
  const error = isMissing ? t('Write something first') : fieldText(change.error, 'text');
  return (
    <form id={formId} noValidate onSubmit={submit} className="mt-2 grid gap-2">
      <TextArea
        ref={field}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened the form is gone
        autoFocus
        label={label}
        rows={2}
        maxLength={OBJECTION_TEXT_MAX_LENGTH}
        value={text}
        onChange={({ target }) => setText(target.value)}
        error={error}
        hint={t('{count} of {max} characters', {
          count: formatNumber(text.length),
          max: formatNumber(OBJECTION_TEXT_MAX_LENGTH),
        })}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={change.isPending} busyText={t('Saving...')}>
          {send}
        </Button>
        <Button
          look="outline"
          size="small"
          onClick={() => {
            change.reset();
            onDone();
          }}
        >
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}

const failureText = (error: unknown) => errorText(error) || t("Couldn't save your answer. Please try again.");

const objectedText = ({ username: name, objected_at }: StoredObjection, reader: ThreadProps['reader']): string =>
  reader === 'owner'
    ? t('You objected {when}.', { when: momentText(objected_at) })
    : t('{name} objected {when}.', { name, when: momentText(objected_at) });

function outcomeText({ status }: StoredObjection, until: string | null, member: string | null): string {
  if (status === 'withdrawn') return t('The objection was withdrawn, so the edit stands.');
  if (status === 'not_upheld') return t('The edit stands: the recorded times would change a closed month.');
  if (status === 'agreed')
    return member === null
      ? t('You agreed, so the recorded times count.')
      : t('{name} agreed, so the recorded times count.', { name: member });
  return status === 'open' && until !== null
    ? t('Without agreement by {when}, the recorded times count.', { when: momentText(until) })
    : t('There was no agreement, so the recorded times count.');
}
