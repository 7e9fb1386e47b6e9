import type { EditedSession, Statement } from '@hourshare/contract/statements';
import { useId } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { dateTimeText } from '../../platform/format/time.ts';
import { classes } from '../../ui/class-names.ts';
import { changeText } from './change-text.ts';
import { EditAnswer } from './edit-answer.tsx';

interface EditedSessionsProps {
  statement: Statement;
  className?: string;
}

/** Whose sessions of a month were edited, removed, or restored, and what became of objections and requests; nothing if none were. */
export function EditedSessions({ statement, className }: EditedSessionsProps) {
  const { edited_sessions: sessions } = statement;
  const id = useId();
  if (sessions.length === 0) return null;
  return (
    <div className={classes('text-[14px]', className)}>
      <p id={id} className="font-semibold">
        {t('Edited sessions')}
      </p>
      <ul role="list" aria-labelledby={id} className="mt-0.5 grid gap-1">
        {sessions.map((session, index) => (
          <li key={index} className="flex flex-wrap justify-between gap-x-4">
            <time dateTime={session.at} className="text-muted">
              {dateTimeText(session.at)}
            </time>
            <span className="figures min-w-0 [overflow-wrap:anywhere]">{changeText(session)}</span>
            {session.objection !== null && (
              <span className="basis-full text-muted">{objectionTexts[session.objection]()}</span>
            )}
            {session.request && <span className="basis-full text-muted">{requestTexts[session.request.status]()}</span>}
            {isAnsweredHere(statement) && <EditAnswer statement={statement} session={session} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Everyone answers on a statement with share of use. A deleted asset has no other screen for its owner. */
const isAnsweredHere = ({ split_method: method, deleted_at: deletedAt }: Statement): boolean =>
  method === 'share_of_use' || deletedAt !== null;

const objectionTexts: Record<NonNullable<EditedSession['objection']>, () => string> = {
  open: () => t('An objection is open.'),
  withdrawn: () => t('The objection was withdrawn, so the edit stands.'),
  agreed: () => t('Both agreed that the recorded times count.'),
  upheld: () => t('There was no agreement, so the recorded times count.'),
  not_upheld: () => t('The edit stands: the recorded times would change a closed month.'),
};

const requestTexts: Record<NonNullable<EditedSession['request']>['status'], () => string> = {
  open: () => t('Waiting for an answer. Without one, the recorded times count.'),
  accepted: () => t('The request was accepted.'),
  declined: () => t('The request was declined.'),
  withdrawn: () => t('The request was withdrawn.'),
  lapsed: () => t('No one answered the request.'),
};
