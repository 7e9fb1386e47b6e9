import type { LoggedSession, MemberSession } from '@hourshare/contract/sessions';
import { useRef, type ReactNode, type RefObject } from 'react';
import { useUser } from '../../platform/auth/use-user.ts';
import { momentText } from '../../platform/format/time.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAnswerRequest, useWithdrawRequest } from './log-api.ts';
import { ownRequestText, requestText } from './rules.ts';

/** What became of a member's own request, and where they withdraw it. */
export function MembersRequest({ shareId, session }: { shareId: number; session: LoggedSession }) {
  const withdraw = useWithdrawRequest(shareId);
  const box = useRef<HTMLDivElement>(null);
  const text = session.request && ownRequestText(session.request);
  if (!session.request || text === null) return null;
  return (
    <Note box={box} text={text} error={withdraw.error}>
      {session.request.status === 'open' && (
        <Button
          look="outline"
          size="small"
          busy={withdraw.isPending}
          onClick={() => withdraw.mutate(session.id, { onSuccess: () => box.current?.focus() })}
        >
          {rich('Withdraw<hidden> the edit of the session from {start}</hidden>', {
            start: momentText(session.start_time),
            hidden,
          })}
        </Button>
      )}
    </Note>
  );
}

/** What a member asks for, and where the people it waits for answer. */
export function OwnersRequest({ assetId, session }: { assetId: number; session: MemberSession }) {
  const { request } = session;
  const username = useUser()?.username;
  const answer = useAnswerRequest(assetId);
  const box = useRef<HTMLDivElement>(null);
  if (request?.status !== 'open') return null;
  const waits = request.waits_for.some((name) => name === username);
  const values = { start: momentText(session.start_time), name: session.username, hidden };
  const send = (verb: 'accept' | 'decline') =>
    answer.mutate({ sessionId: session.id, verb }, { onSuccess: () => box.current?.focus() });
  return (
    <Note box={box} text={requestText(request, session.username)} error={answer.error}>
      {waits && (
        <Button look="outline" size="small" busy={answer.isPending} onClick={() => send('accept')}>
          {rich("Accept<hidden> {name}'s edit of the session from {start}</hidden>", values)}
        </Button>
      )}
      {(waits || session.person) && (
        <Button look="outline" size="small" busy={answer.isPending} onClick={() => send('decline')}>
          {waits
            ? rich("Decline<hidden> {name}'s edit of the session from {start}</hidden>", values)
            : rich('Withdraw<hidden> the edit of the session from {start}</hidden>', values)}
        </Button>
      )}
    </Note>
  );
}

interface NoteProps {
  box: RefObject<HTMLDivElement | null>;
  text: string;
  error: unknown;
  children: ReactNode;
}

const Note = ({ box, text, error, children }: NoteProps) => (
  <div ref={box} tabIndex={-1} className="mt-1.5 ps-11 text-[14px] outline-none">
    <div className="rounded-card bg-sunken px-3.5 py-3">
      <p className="[overflow-wrap:anywhere]">{text}</p>
      <div className="mt-2 flex flex-wrap gap-2 empty:hidden">{children}</div>
    </div>
    {error !== null && error !== undefined && (
      <p role="alert" className="mt-1.5 font-medium text-over-text">
        {errorText(error) || t("Couldn't save your answer. Please try again.")}
      </p>
    )}
  </div>
);
