import { OBJECTION_ENDS_HOURS } from '@hourshare/contract/limits';
import type { EditedSession, Statement } from '@hourshare/contract/statements';
import { useUser } from '../../platform/auth/use-user.ts';
import { momentText } from '../../platform/format/time.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAnswerRequest, useObject } from '../sessions/log-api.ts';

interface EditAnswerProps {
  statement: Pick<Statement, 'asset_id' | 'closed' | 'closes_at'>;
  session: EditedSession;
}

/** Where a participant answers a request, or objects to an edit, that costs them something. */
export function EditAnswer({ statement, session }: EditAnswerProps) {
  const answer = useAnswerRequest(statement.asset_id ?? 0);
  const object = useObject(statement.asset_id ?? 0);
  const username = useUser()?.username;
  const objectionsEnd = Date.parse(statement.closes_at) - OBJECTION_ENDS_HOURS * 3_600_000;
  if (statement.closed || statement.asset_id === null || session.username === username) return null;
  const values = { name: session.username, start: momentText(session.recorded_start), hidden };
  const send = (verb: 'accept' | 'decline') => answer.mutate({ sessionId: session.session_id, verb });
  const failure = answer.error ?? object.error;
  const canObject =
    (session.kind === 'corrected' || session.kind === 'removed') &&
    session.objection === null &&
    session.request?.status !== 'accepted' &&
    serverNow() < objectionsEnd;
  return (
    <span className="mt-1 flex basis-full flex-wrap gap-2 empty:hidden">
      {session.request?.waits_for_you && (
        <>
          <Button look="outline" size="small" busy={answer.isPending} onClick={() => send('accept')}>
            {rich("Accept<hidden> {name}'s edit of the session from {start}</hidden>", values)}
          </Button>
          <Button look="outline" size="small" busy={answer.isPending} onClick={() => send('decline')}>
            {rich("Decline<hidden> {name}'s edit of the session from {start}</hidden>", values)}
          </Button>
        </>
      )}
      {canObject && (
        <Button
          look="outline"
          size="small"
          busy={object.isPending}
          onClick={() => object.mutate({ sessionId: session.session_id, text: '' })}
        >
          {rich("Object<hidden> to {name}'s edit of the session from {start}</hidden>", values)}
        </Button>
      )}
      {failure && (
        <span role="alert" className="basis-full font-medium text-over-text">
          {errorText(failure) || t("Couldn't save your answer. Please try again.")}
        </span>
      )}
    </span>
  );
}
