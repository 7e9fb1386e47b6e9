import type { LoggedSession, MemberSession, Session } from '@hourshare/contract/sessions';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { takeFocus } from '../../ui/focus.ts';
import type { NamedFile } from '../../platform/http/call.ts';
import { readResults } from '../../platform/http/lists.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { durationText, endText, momentText, timeOfDay, weekdayText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Clock } from '../../ui/clock.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { useAssetStatements } from '../statements/api.ts';
import { assetSessionsFile, sessionsFile, useAssetSessionLog, useRemoveSession, useSessionLog } from './log-api.ts';
import { Correction } from './correction.tsx';
import { MembersObjection, OwnersObjection } from './objection.tsx';
import { MembersRequest, OwnersRequest } from './edit-request.tsx';
import { editText } from './edit-text.ts';
import { addedLateText, byDay, endedMonth, isPossiblyOpen, openSince, type EndedMonth } from './rules.ts';

interface OwnSessionsProps {
  shareId: number;
  assetId: number;
}

interface SessionLogProps extends OwnSessionsProps {
  edit?: number | undefined;
  /** What is said if there are none. */
  none?: string;
}

/** The member's own sessions of a share; the one to edit opens with its form. */
export function SessionLog({
  shareId,
  assetId,
  edit,
  none = t('No sessions yet. Start one on the Usage tab.'),
}: SessionLogProps) {
  const log = useSessionLog(shareId);
  const others = loadedSessions(log).filter(isCounted);
  const months = useMonths(assetId);
  return (
    <SessionPages log={log} none={none} file={() => sessionsFile(shareId)}>
      {(session) => (
        <OwnSession
          key={session.id}
          shareId={shareId}
          session={session}
          others={others}
          {...months}
          editing={session.id === edit}
        />
      )}
    </SessionPages>
  );
}

/** The member's last ended session of a share, to edit where it was ended. */
export function LastSession({ shareId, assetId }: OwnSessionsProps) {
  const sessions = loadedSessions(useSessionLog(shareId)).filter(isCounted);
  const months = useMonths(assetId);
  const [corrected, setCorrected] = useState<number | null>(null);
  // Another session that ends doesn't take the place of one whose form is open.
  const last = sessions.find(({ id }) => id === corrected) ?? sessions.find(({ end_time }) => end_time !== null);
  if (!last) return null;
  return (
    <section aria-labelledby="last-session" className="mt-6 border-t border-line pt-4">
      <h3 id="last-session" className="font-semibold">
        {t('Last session')}
      </h3>
      <ul role="list">
        <OwnSession shareId={shareId} session={last} others={sessions} {...months} dated onCorrecting={setCorrected} />
      </ul>
    </section>
  );
}

/** Which months of an asset are closed, and which has ended. */
function useMonths(assetId: number): { since: number; ended: EndedMonth | null } {
  const statements = useAssetStatements(assetId).data ?? [];
  return { since: openSince(statements), ended: endedMonth(statements) };
}

const loadedSessions = <S extends Session>(log: UseInfiniteQueryResult<InfiniteData<{ results: S[] }>>): S[] =>
  log.data?.pages.flatMap(readResults) ?? [];

/** A removed session is listed while its owner objects to that. */
const isCounted = ({ edited }: LoggedSession) => edited?.kind !== 'removed';

/** All members' sessions, for the asset's owner. */
export function AssetSessionLog({ assetId }: { assetId: number }) {
  const log = useAssetSessionLog(assetId);
  const months = useMonths(assetId);
  return (
    <SessionPages
      log={log}
      none={t("No sessions yet. They'll appear here when a member starts one.")}
      file={() => assetSessionsFile(assetId)}
    >
      {(session) =>
        session.person && session.edited?.kind !== 'removed' ? (
          // Whether another session overlaps it, the server says.
          <EditableSession
            key={session.id}
            shareId={session.share_id}
            owned={{ assetId, who: session.username }}
            session={session}
            others={[]}
            {...months}
          >
            <EditNote session={session} />
            <OwnersRequest assetId={assetId} session={session} />
          </EditableSession>
        ) : (
          <li key={session.id} className="py-2">
            <SessionRow
              session={session}
              who={session.username}
              hue={session.hue}
              removed={session.edited?.kind === 'removed'}
            />
            <EditNote session={session} />
            {!session.person && !session.recorded_by_owner && <OwnersObjection assetId={assetId} session={session} />}
            <OwnersRequest assetId={assetId} session={session} />
          </li>
        )
      }
    </SessionPages>
  );
}

const EditNote = ({ session: { edited } }: { session: MemberSession }) =>
  edited && <p className="mt-0.5 ps-11 text-[13.5px] text-muted">{editText(edited, momentText)}</p>;

interface SessionPagesProps<S extends LoggedSession> {
  log: UseInfiniteQueryResult<InfiniteData<{ results: S[] }>>;
  none: string;
  /** Fetches the CSV file of all sessions, not only the loaded pages. */
  file: () => Promise<NamedFile>;
  children: (session: S) => ReactNode;
}

/** The sessions by day, newest first, with a button that loads more. */
function SessionPages<S extends LoggedSession>({ log, none, file, children }: SessionPagesProps<S>) {
  if (log.isPending) return <Spinner label={t('Loading sessions')} className="py-8" />;
  if (log.data === undefined) return <Banner onRetry={() => void log.refetch()}>{t("Couldn't load sessions")}</Banner>;

  const sessions = loadedSessions(log);
  if (sessions.length === 0) return <p className="py-6 text-center text-muted">{none}</p>;
  return (
    <>
      {byDay(sessions, { isComplete: !log.hasNextPage }).map(({ date, minutes, sessions: ofDay }) => (
        // Not its first session: one that starts would take the forms of the others away.
        <section key={date} className="not-first:mt-4">
          <div className="flex items-baseline justify-between gap-3">
            <h3 className="title-3 first-letter:uppercase">{weekdayText(date)}</h3>
            {minutes !== null && <span className="figures text-small text-muted">{durationText(minutes)}</span>}
          </div>
          <ul
            role="list"
            aria-label={t('Sessions on {day}', { day: weekdayText(date) })}
            className="mt-1 divide-y divide-line border-t border-line"
          >
            {ofDay.map(children)}
          </ul>
        </section>
      ))}
      <LoadMore query={log} failure={t("Couldn't load sessions")} />
      <DownloadCsv file={file} subject={t('all sessions')} className="mt-2" />
    </>
  );
}

interface EditableSessionProps {
  shareId: number;
  /** Set when the owner edits it, for someone without an account. */
  owned?: { assetId: number; who: string };
  session: LoggedSession;
  others: Session[];
  since: number;
  ended: EndedMonth | null;
  editing?: boolean;
  /** Whether it stands alone, without the heading of its day. */
  dated?: boolean;
  /** Is told which session's form is opened, and null once it is closed. */
  onCorrecting?: (id: number | null) => void;
  children?: ReactNode;
}

function OwnSession(props: Omit<EditableSessionProps, 'owned' | 'children'>) {
  const { session, shareId } = props;
  return (
    <EditableSession {...props}>
      {session.edited && session.objection && (
        <>
          <p className="mt-0.5 text-[13.5px] text-muted">{editText(session.edited, momentText)}</p>
          <MembersObjection shareId={shareId} session={session} />
        </>
      )}
      <MembersRequest shareId={shareId} session={session} />
    </EditableSession>
  );
}

function EditableSession({
  shareId,
  owned,
  session,
  others,
  since,
  ended,
  editing = false,
  dated = false,
  onCorrecting,
  children,
}: EditableSessionProps) {
  // The session may give way to another, whose form is not open.
  const [corrected, setCorrected] = useState(editing ? session.id : null);
  const correcting = corrected === session.id;
  const correct = (id: number | null) => {
    setCorrected(id);
    onCorrecting?.(id);
  };
  // The address may name the session later, and no longer does once another tab is shown: the form stays.
  const [wasEditing, setWasEditing] = useState(editing);
  if (editing !== wasEditing) {
    setWasEditing(editing);
    if (editing) setCorrected(session.id);
  }
  const opener = useRef<HTMLButtonElement>(null);
  const shouldRestoreFocus = useRef(false);
  // The focused field is gone; return the focus to the button that opened the form.
  useEffect(() => {
    if (correcting || !shouldRestoreFocus.current) return;
    shouldRestoreFocus.current = false;
    takeFocus(opener.current);
  }, [correcting]);
  const { start_time, end_time } = session;
  const isRemoved = !isCounted(session);
  const isClosed = Date.parse(start_time) < since;
  return (
    <li className="py-2">
      <SessionRow session={session} removed={isRemoved} dated={dated} {...(owned && { who: owned.who })}>
        {isClosed ? (
          <span className="shrink-0 text-muted" title={t('Closed [[month]]')}>
            <Lock aria-hidden size={15} />
            {hidden(t('Closed [[month]]'))}
          </span>
        ) : (
          end_time !== null &&
          typeof session.day !== 'string' &&
          !isRemoved &&
          !correcting &&
          isPossiblyOpen(start_time, new Date(serverNow())) && (
            <Button ref={opener} look="quiet" size="small" className="-me-3" onClick={() => correct(session.id)}>
              {owned === undefined
                ? rich('Edit<hidden> the session from {start}</hidden>', { start: momentText(start_time), hidden })
                : rich("Edit<hidden> {name}'s session from {start}</hidden>", {
                    name: owned.who,
                    start: momentText(start_time),
                    hidden,
                  })}
            </Button>
          )
        )}
        {typeof session.day === 'string' && !isClosed && owned === undefined && (
          <RemoveDay shareId={shareId} session={session} />
        )}
      </SessionRow>
      {end_time !== null && correcting && !isClosed && (
        <Correction
          shareId={shareId}
          assetId={owned?.assetId}
          session={{ ...session, end_time }}
          others={others}
          since={since}
          ended={ended}
          onDone={() => {
            shouldRestoreFocus.current = true;
            correct(null);
          }}
        />
      )}
      {children}
    </li>
  );
}

/** What a meter counted of a day has no times to edit. */
function RemoveDay({ shareId, session }: { shareId: number; session: LoggedSession }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoveSession(shareId);
  const day = weekdayText(session.start_time);
  return (
    <>
      <Button look="quiet" size="small" className="-me-3" onClick={() => setAsking(true)}>
        {rich('Remove<hidden> what was counted on {day}</hidden>', { day, hidden })}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Remove what was counted on {day}?', { day })}
          confirm={t('Remove session')}
          busyText={t('Removing...')}
          busy={remove.isPending}
          failure={remove.isError ? errorText(remove.error) || t("Couldn't remove it. Please try again.") : null}
          onConfirm={() => remove.mutate(session.id, { onSuccess: () => setAsking(false) })}
          onCancel={() => setAsking(false)}
        >
          <p>{t("Nothing from that day will count, even if it's sent later.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface SessionRowProps {
  session: LoggedSession;
  who?: string;
  hue?: number | null;
  removed?: boolean;
  dated?: boolean;
  children?: ReactNode;
}

function SessionRow({ session, who, hue = null, removed = false, dated = false, children }: SessionRowProps) {
  const { start_time: startTime, end_time: endTime } = session;
  const start = dated ? momentText(startTime) : timeOfDay(startTime);
  const end = endTime === null ? null : endText(startTime, endTime);
  const isDay = typeof session.day === 'string';
  const time = (text: ReactNode) => (
    <time dateTime={startTime} className="inline-block first-letter:uppercase">
      {text}
    </time>
  );
  return (
    <div className="flex min-h-9 items-center gap-3">
      {who !== undefined && <Avatar name={who} hue={hue} live={end === null} />}
      <span className="min-w-0 flex-1">
        {who !== undefined && <span className="block truncate font-medium">{who}</span>}
        <span className={`figures block ${who === undefined ? 'font-medium' : 'text-small text-muted'}`}>
          {isDay
            ? t('Total for the day')
            : end === null
              ? rich('<time>{start}</time>, in progress', { start, time })
              : rich('<time>{start}</time>–{end}', { start, end, time })}
        </span>
        {session.added_late !== null && (
          <span className="block text-small text-muted">{addedLateText(session.added_late)}</span>
        )}
        {isDay && session.not_counted > 0 && (
          <span className="block text-small text-muted">
            {t('{time} not counted: beyond the allowance, or in other sessions', {
              time: durationText(session.not_counted),
            })}
          </span>
        )}
        {session.source === 'metered' && (
          <span className="block text-small text-muted">
            {session.meter === null ? t('By a meter') : t('By {meter}', { meter: session.meter })}
          </span>
        )}
        {session.source === 'added' && !session.recorded_by_owner && (
          <span className="block text-small text-muted">{t('Added afterwards')}</span>
        )}
        {who === undefined && session.recorded_by_owner && (
          <span className="block text-small text-muted">{t('Recorded by the owner')}</span>
        )}
      </span>
      {end === null ? (
        <span className="flex shrink-0 items-center gap-x-2.5 gap-y-1 max-[359px]:flex-col max-[359px]:items-end">
          <Badge tone="live">{t('Active')}</Badge>
          <Clock since={startTime} className="font-semibold text-live-text" />
        </span>
      ) : (
        <span className={`figures shrink-0 font-semibold ${removed ? 'text-muted' : ''}`}>
          {removed ? t('Removed [[session]]') : durationText(session.duration ?? 0)}
        </span>
      )}
      {children}
    </div>
  );
}
