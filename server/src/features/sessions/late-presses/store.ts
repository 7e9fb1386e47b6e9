import { SAME_PRESS_SECONDS } from '@hourshare/contract/limits';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { addUse, sessionEnd, subtractUse } from '../../usage/sql.ts';
import { lockShareToRecord, type ShareToRecord } from '../edits/store.ts';
import { endSessions, type EndedSession } from '../presses/store.ts';
import type { Interval } from '../rules.ts';
import { anyOwnShare, wholeSession, type ShareOfMember, type StoredSession } from '../sql.ts';

/** As `lockSession`, for a share that is or was the member's, to which a start or an end shall be added late. */
export const lockOwnShare = (
  db: Database,
  share: ShareOfMember,
  times: { startedAt: Date; now: Date },
): Promise<ShareToRecord | undefined> => lockShareToRecord(db, anyOwnShare('sh', share), times);

/** A session with what decides whether a late end can end it. */
export interface SessionToEnd extends StoredSession {
  recorded_by_owner: boolean;
  start_added_at: Date | null;
  /** Whether no one pressed End: it ended at its limit, with its share, or when its asset was archived or no longer measured. */
  ended_automatically: boolean;
}

const sessionToEnd = sql`
  s.id, a.name as asset_name, s.started_at, s.ended_at, s.added_late, s.source, s.recorded_by_owner, s.start_added_at,
  s.source = 'pressed' and s.edited_at is null and s.added_late is distinct from 'end' and s.added_late is distinct from 'both' and (
    s.ended_at >= s.ends_by or s.ended_at >= sh.ended_at
    or exists (
      select 1 from archivals each
      where each.asset_id = a.id and each.since > s.started_at and each.since <= s.ended_at)
    or exists (
      select 1 from periods each
      where each.asset_id = a.id and not each.measured and each.starts_at = s.ended_at)
  ) is true as ended_automatically`;

const samePress = sql`make_interval(secs => ${SAME_PRESS_SECONDS}::int)`;

/** Returns the session of a locked share that the same press has already started: it began about then, and runs then. */
export async function findSameStart(
  db: Database,
  shareId: number,
  { pressed, now }: { pressed: Date; now: Date },
): Promise<SessionToEnd | undefined> {
  const at = sql`${pressed}::timestamptz`;
  const { rows } = await sql<SessionToEnd>`
    select ${sessionToEnd}
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.share_id = ${shareId} and ${sessionEnd('s', now)} > ${at}
      and s.started_at between ${at} - ${samePress} and ${at} + ${samePress}
    order by s.started_at, s.id
    limit 1`.execute(db);
  return rows[0];
}

/**
 * Returns the session of a locked share that an end pressed at an instant is about: the last that had begun by then or, because
 * instants of presses aren't exact, an active one that began just after.
 */
export async function findSessionToEnd(
  db: Database,
  shareId: number,
  { pressed, now }: { pressed: Date; now: Date },
): Promise<SessionToEnd | undefined> {
  const at = sql`${pressed}::timestamptz`;
  const { rows } = await sql<SessionToEnd>`
    select ${sessionToEnd}
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.share_id = ${shareId}
      and (s.started_at <= ${at} or s.ended_at is null and s.started_at <= ${at} + ${samePress})
    -- first the one that was running then
    order by s.started_at <= ${at} and ${sessionEnd('s', now)} > ${at} desc, s.started_at desc, s.id desc
    limit 1`.execute(db);
  return rows[0];
}

/** Adds a session to a locked share that was started offline, ended if anything has ended it since. */
export async function insertLate(
  db: Database,
  shareId: number,
  { startedAt, endedAt, limit, now }: { startedAt: Date; endedAt: Date | null; limit: Date; now: Date },
): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    with recorded as (
      insert into sessions (share_id, started_at, ended_at, ends_by, added_late, start_added_at)
      values (${shareId}, ${startedAt}::timestamptz, ${endedAt}::timestamptz, ${limit}::timestamptz, 'start',
        ${now}::timestamptz)
      on conflict (share_id) where ended_at is null do nothing
      returning id, share_id, started_at, ended_at, added_late, source
    ), stretch as (
      select sh.asset_id, recorded.* from recorded join shares sh on sh.id = recorded.share_id
    ), added as (${addUse(sql`(select * from stretch where ended_at is not null)`)})
    select recorded.id, a.name as asset_name, recorded.started_at, recorded.ended_at, recorded.added_late,
      recorded.source
    from recorded join stretch using (id) join assets a on a.id = stretch.asset_id`.execute(db);
  return rows[0];
}

const withLateEnd = sql`case when s.added_late in ('start', 'both') then 'both' else 'end' end`;

/** Ends an open session at the instant when that was pressed offline. Undefined if something else has just ended it. */
export async function endLate(
  db: Database,
  sessionId: number,
  { pressed, actorId, now }: { pressed: Date; actorId: number; now: Date },
): Promise<EndedSession | undefined> {
  const end = { cause: 'member', actorId, now, addedLate: withLateEnd } as const;
  const [ended] = await endSessions(db, sql`s.id = ${sessionId}`, sql`${pressed}::timestamptz`, end);
  return ended;
}

/** As `endLate`, for a session that has ended later than that because no one had pressed End. */
export async function shortenLate(db: Database, sessionId: number, pressed: Date): Promise<EndedSession | undefined> {
  await subtractUse(wholeSession(sessionId)).execute(db);
  const { rows } = await sql<EndedSession>`
    with shortened as (
      update sessions s set ended_at = greatest(s.started_at, ${pressed}::timestamptz), added_late = ${withLateEnd}
      from shares sh join assets a on a.id = sh.asset_id
      where sh.id = s.share_id and s.id = ${sessionId}
      returning s.id, s.share_id, sh.asset_id, a.name as asset_name, s.started_at, s.ended_at, s.added_late, s.source
    ), added as (${addUse(sql`shortened`)})
    select id, asset_name, started_at, ended_at, added_late, source from shortened`.execute(db);
  return rows[0];
}

/** Keeps the times that the server had of a session as its recorded ones, once a late end has taken time away. */
export async function traceLateEnd(
  db: Database,
  sessionId: number,
  { endedAt, now }: { endedAt: Date; now: Date },
): Promise<void> {
  await sql`
    update sessions set was_started_at = started_at, was_ended_at = ${endedAt}::timestamptz, edited_at = ${now}::timestamptz
    where id = ${sessionId}`.execute(db);
}

/** Marks that a late end was pressed for a session that ends as before. */
export async function markLateEnd(db: Database, sessionId: number): Promise<void> {
  await sql`update sessions s set added_late = ${withLateEnd} where id = ${sessionId}`.execute(db);
}

/**
 * Returns whether a stretch of time overlaps the recorded times of an edited or removed session, which may count again. A session that
 * gives way to those may overlap them after a late end.
 */
export async function overlapsRecordedTimes(
  db: Database,
  shareId: number,
  { startedAt, endedAt, givesWay }: Interval & { givesWay: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from (
      select was_started_at as started_at, was_ended_at as ended_at from sessions
      where share_id = ${shareId} and edited_at is not null
        and not (${givesWay} and added_late is not null and added_late <> 'start' and ended_at <= ${startedAt}::timestamptz)
      union all
      select started_at, ended_at from removed_sessions where share_id = ${shareId}
    ) recorded
    where started_at < ${endedAt}::timestamptz and ended_at > ${startedAt}::timestamptz
    limit 1`.execute(db);
  return rows.length > 0;
}
