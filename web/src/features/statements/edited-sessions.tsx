import type { EditedSession, Statement } from '@hourshare/contract/statements';
import { useId } from 'react';
import { dateFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { dateTimeText, exactDuration } from '../../platform/format/time.ts';
import { classes } from '../../ui/class-names.ts';
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

function changeText({ kind, username: name, by_owner: byOwner, request, ...times }: EditedSession) {
  const recorded = timesText(times.recorded_start, times.recorded_end);
  if (kind === 'requested')
    return typeof request?.start_time === 'string' && typeof request.end_time === 'string'
      ? t('{name} asked to change {recorded} to {counted}', {
          name,
          recorded,
          counted: timesText(request.start_time, request.end_time),
        })
      : t('{name} asked to remove {recorded}', { name, recorded });
  if (kind === 'removed' || times.start_time === null || times.end_time === null)
    return byOwner
      ? t("The owner removed {name}'s {recorded}", { name, recorded })
      : t('{name} removed {recorded}', { name, recorded });
  if (kind === 'restored') return t('Recorded times of {name} restored: {recorded}', { name, recorded });
  const counted = timesText(times.start_time, times.end_time);
  return byOwner
    ? t("The owner changed {name}'s {recorded} to {counted}", { name, recorded, counted })
    : t('{name} changed {recorded} to {counted}', { name, recorded, counted });
}

/** "30 h (Feb 3, 2026, 8:00 AM – Feb 4, 2026, 2:00 PM)", in the viewer's time zone. */
function timesText(start: string, end: string): string {
  const [from, to] = [new Date(start), new Date(end)];
  const range = dateFormat({ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const seconds = Math.floor(to.getTime() / 1000) - Math.floor(from.getTime() / 1000);
  return t('{duration} ({times})', { duration: exactDuration(seconds), times: range.formatRange(from, to) });
}

const objectionTexts: Record<NonNullable<EditedSession['objection']>, () => string> = {
  open: () => t('An objection is open.'),
  withdrawn: () => t('The objection was withdrawn, so the edit stands.'),
  agreed: () => t('Both agreed that the recorded times count.'),
  upheld: () => t('There was no agreement, so the recorded times count.'),
};

const requestTexts: Record<NonNullable<EditedSession['request']>['status'], () => string> = {
  open: () => t('Waiting for an answer. Without one, the recorded times count.'),
  accepted: () => t('The request was accepted.'),
  declined: () => t('The request was declined.'),
  withdrawn: () => t('The request was withdrawn.'),
  lapsed: () => t('No one answered the request.'),
};
