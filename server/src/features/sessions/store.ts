import { SAME_PRESS_SECONDS } from '@hourshare/contract/limits';
import type { AddedLate } from '@hourshare/contract/sessions';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { belongsToManager } from '../assets/sql.ts';
import { addEvents, type SessionEndCause } from '../outbox/sql.ts';
import { closesAt, currentPeriod, hasOwned, ownedTimes } from '../periods/sql.ts';
import { isOpenShare } from '../shares/sql.ts';
import { addUse, subtractUse } from '../usage/sql.ts';
import { firstPeriodOf, lastObjection, type StoredObjection } from './sql.ts';
import type { Stretch } from './rules.ts';

/** When session `s` ended or, if it is open, when its limit ends it. */
const sessionEnd = sql`coalesce(s.ended_at, s.ends_by)`;

/** Condition: session `s` is active at an instant, neither ended nor past its limit. */
const isActive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(s.ended_at is null and s.ends_by > ${now}::timestamptz)`;

export interface StoredSession {
  id: number;
  asset_name: string;
  started_at: Date;
  /** Null while active; once the limit has passed, that instant even if nothing has recorded the end. */
  ended_at: Date | null;
  added_late: AddedLate | null;
}

/** A session as lists show it. */
export interface ListedSession extends StoredSession {
  recorded_by_owner: boolean;
}

type RunningSession = StoredSession & { ended_at: null };

interface ShareOfMember {
  shareId: number;
  memberId: number;
}

/** Condition: share `sh` of asset `a` is the member's, and not ended or archived. */
const acceptedShare = ({ shareId, memberId }: ShareOfMember) => sql`
  sh.id = ${shareId} and sh.member_id = ${memberId} and sh.accepted_at is not null and sh.ended_at is null
  and a.archived_at is null`;

/** Condition: share `sh` is or was the member's, also while the asset is archived. */
const anyOwnShare = ({ shareId, memberId }: ShareOfMember) => sql`
  sh.id = ${shareId} and sh.member_id = ${memberId} and sh.accepted_at is not null`;

/** As `acceptedShare`, for a share that may be only offered. */
const openShare = ({ shareId, memberId }: ShareOfMember, now: Date) => sql`
  sh.id = ${shareId} and sh.member_id = ${memberId} and ${isOpenShare(now)} and a.archived_at is null`;

const endUnlessActive = (now: Date) => sql<Date | null>`case when ${isActive(now)} then null else ${sessionEnd} end`;

export async function hasShare(db: Database, share: ShareOfMember, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select 1 from shares sh join assets a on a.id = sh.asset_id where ${openShare(share, now)}`.execute(db);
  return rows.length > 0;
}

/** Returns whether a member has been offered a share that they haven't accepted. */
export async function isOffered(db: Database, { shareId, memberId }: ShareOfMember): Promise<boolean> {
  const share = db.selectFrom('shares').select('id').where('id', '=', shareId).where('member_id', '=', memberId);
  return (await share.where('accepted_at', 'is', null).where('ended_at', 'is', null).executeTakeFirst()) !== undefined;
}

/**
 * Starts a session; undefined if the member has no such accepted share or a session is open, which the index on open sessions
 * decides. Locks the asset's and the share's rows, in the order in which deleting an asset does, so that neither is
 * archived or ended meanwhile.
 */
export async function insertSession(
  db: Database,
  share: ShareOfMember,
  now: Date,
): Promise<RunningSession | undefined> {
  const { rows } = await sql<RunningSession & { added_late: null }>`
    with share as (
      select sh.id, sh.asset_id, a.name, p.max_session_hours
      from shares sh join assets a on a.id = sh.asset_id
      cross join ${currentPeriod(now)}
      where ${acceptedShare(share)}
      for share of a for no key update of sh
    ), started as (
      insert into sessions (share_id, started_at, ends_by)
      select id, ${now}::timestamptz, ${now}::timestamptz + make_interval(hours => max_session_hours) from share
      on conflict (share_id) where ended_at is null do nothing
      returning id, started_at, ended_at, added_late
    ), told as (${addEvents(sql`started cross join share`, {
      kind: 'session.started',
      assetId: sql`share.asset_id`,
      shareId: sql`share.id`,
      actorId: share.memberId,
      data: sql`jsonb_build_object('session_id', started.id)`,
      happenedAt: now,
    })})
    select started.*, share.name as asset_name from started cross join share`.execute(db);
  return rows[0];
}

export type EndedSession = StoredSession & { ended_at: Date };

interface EndOfSession {
  cause: SessionEndCause;
  actorId?: number;
  now: Date;
  /** Which of the session's ends were pressed offline. */
  addedLate?: RawBuilder<unknown>;
}

/**
 * Ends open sessions `s` of shares `sh` of assets `a` that match a condition, not before their start or after their
 * limit, and adds them to their days of use. Every session ends here; of concurrent ends, the first to write wins.
 */
async function endSessions(
  db: Database,
  condition: RawBuilder<unknown>,
  endsAt: RawBuilder<unknown>,
  { cause, actorId, now, addedLate = sql`s.added_late` }: EndOfSession,
): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    with ended as (
      update sessions s
      set ended_at = least(s.ends_by, greatest(s.started_at, ${endsAt})), added_late = ${addedLate}
      from shares sh join assets a on a.id = sh.asset_id
      where sh.id = s.share_id and s.ended_at is null and ${condition}
      returning s.id, s.share_id, sh.asset_id, a.name as asset_name, s.started_at, s.ended_at, s.added_late
    ), added as (${addUse(sql`ended`)}), told as (${addEvents(sql`ended`, {
      kind: 'session.ended',
      assetId: sql`asset_id`,
      shareId: sql`share_id`,
      actorId,
      data: sql`jsonb_build_object('session_id', id, 'cause', ${cause}::text)`,
      happenedAt: now,
    })})
    select id, asset_name, started_at, ended_at, added_late from ended`.execute(db);
  return rows;
}

/** Ends the running session of a share and returns it, or undefined if there is none. */
export async function endSession(db: Database, share: ShareOfMember, now: Date): Promise<EndedSession | undefined> {
  const endsAt = sql`${now}::timestamptz`;
  const by = { cause: 'member', actorId: share.memberId, now } as const;
  const [ended] = await endSessions(db, sql`${acceptedShare(share)} and s.ends_by > ${endsAt}`, endsAt, by);
  return ended;
}

/** Ends an open session of a share that has passed its limit, at that limit. Returns whether there was one. */
export async function endExpired(db: Database, shareId: number, now: Date): Promise<boolean> {
  const ended = await endSessions(
    db,
    sql`s.share_id = ${shareId} and s.ends_by <= ${now}::timestamptz`,
    sql`s.ends_by`,
    { cause: 'limit', now },
  );
  return ended.length > 0;
}

/** Ends up to `limit` sessions that have passed their limit, each at that limit. Returns how many there were. */
export async function endAllExpired(db: Database, now: Date, limit: number): Promise<number> {
  const expired = sql`s.id in (
    select id from sessions where ended_at is null and ends_by <= ${now}::timestamptz
    order by id limit ${limit} for update skip locked
  )`;
  return (await endSessions(db, expired, sql`s.ends_by`, { cause: 'limit', now })).length;
}

/** Returns the number of active sessions. */
export async function countActive(db: Database, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('sessions as s')
    .where(isActive(now))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends the active session of a share, whose access ends at an instant. */
export async function endSessionOfShare(
  db: Database,
  shareId: number,
  { at, now }: { at: Date; now: Date },
): Promise<void> {
  await endSessions(db, sql`s.share_id = ${shareId}`, sql`${at}::timestamptz`, { cause: 'access', now });
}

/** Ends all active sessions of a member. */
export async function endSessionsOfMember(db: Database, memberId: number, now: Date): Promise<void> {
  await endSessions(db, sql`sh.member_id = ${memberId}`, sql`${now}::timestamptz`, { cause: 'account', now });
}

/** Ends all active sessions of an asset. */
export async function endSessionsOfAsset(db: Database, assetId: number, now: Date): Promise<void> {
  await endSessions(db, sql`sh.asset_id = ${assetId}`, sql`${now}::timestamptz`, { cause: 'asset', now });
}

export async function activeSession(
  db: Database,
  share: ShareOfMember,
  now: Date,
): Promise<RunningSession | undefined> {
  const { rows } = await sql<RunningSession>`
    select s.id, a.name as asset_name, s.started_at, s.ended_at, s.added_late
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${acceptedShare(share)} and ${isActive(now)}`.execute(db);
  return rows[0];
}

interface SessionOfMember extends ShareOfMember {
  sessionId: number;
}

export interface SessionToEdit {
  asset_name: string;
  started_at: Date;
  /** When it ended or its limit ended it; the instant of the limit while active. */
  ended_at: Date;
  ends_by: Date;
  active: boolean;
  asset_id: number;
  recorded_by_owner: boolean;
  added_late: AddedLate | null;
  shared_at: Date;
  share_ended_at: Date | null;
  /** Whether an edit of it has kept a period open longer. */
  extended: boolean;
  /** The start of the first period that can still be changed. */
  open_since: Date;
}

/** The start of the first period of asset `a` that can still be changed; now if none can, as of a deleted asset. */
const openSince = (now: Date) => sql<Date>`
  (select coalesce(min(p.starts_at), ${now}::timestamptz) from periods p
    where p.asset_id = a.id and p.closed_at is null and ${closesAt} > ${now}::timestamptz)`;

export interface ShareOfPerson {
  ownerId: number;
  assetId: number;
  shareId: number;
}

/** Condition: share `sh` of member `m` and asset `a` belongs to a person without an account, added by this owner. */
const isShareOfPerson = ({ ownerId, assetId, shareId }: ShareOfPerson) => sql`
  sh.id = ${shareId} and a.id = ${assetId} and m.keeper_id = ${ownerId}`;

/** Returns whether a user manages the asset of the share of a person without an account, which only the owner may change. */
export async function managesShareOfPerson(
  db: Database,
  { ownerId: userId, assetId, shareId }: ShareOfPerson,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    where sh.id = ${shareId} and a.id = ${assetId} and ${belongsToManager(userId)} and m.keeper_id is not null`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns the person without an account whose share it is or was; undefined if the owner has no such share. */
export async function personOf(db: Database, share: ShareOfPerson): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select m.id from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    where ${isShareOfPerson(share)}`.execute(db);
  return rows[0]?.id;
}

export interface ShareToRecord {
  asset_id: number;
  asset_name: string;
  shared_at: Date;
  share_ended_at: Date | null;
  /** The session limit of the month in which the session starts. */
  limit_hours: number;
  open_since: Date;
}

/** As `lockSession`, for the share of a person without an account, in which a session shall be recorded. */
export const lockShareOfPerson = (
  db: Database,
  share: ShareOfPerson,
  times: { startedAt: Date; now: Date },
): Promise<ShareToRecord | undefined> => lockShare(db, isShareOfPerson(share), times);

/** As `lockSession`, for a share that is or was the member's, to which a start or an end shall be added late. */
export const lockOwnShare = (
  db: Database,
  share: ShareOfMember,
  times: { startedAt: Date; now: Date },
): Promise<ShareToRecord | undefined> => lockShare(db, anyOwnShare(share), times);

async function lockShare(
  db: Database,
  isShare: RawBuilder<unknown>,
  { startedAt, now }: { startedAt: Date; now: Date },
): Promise<ShareToRecord | undefined> {
  await sql`
    select 1 from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    where ${isShare}
    for share of a for no key update of sh`.execute(db);
  const { rows } = await sql<ShareToRecord>`
    select a.id as asset_id, a.name as asset_name, sh.accepted_at as shared_at, sh.ended_at as share_ended_at,
      p.max_session_hours as limit_hours, ${openSince(now)} as open_since
    from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    cross join ${currentPeriod(startedAt)}
    where ${isShare}`.execute(db);
  return rows[0];
}

/** A session with what decides whether a late end can end it. */
export interface SessionToEnd extends StoredSession {
  recorded_by_owner: boolean;
  /** Whether no one pressed End: it ended at its limit, with its share, or when its asset was archived. */
  ended_unpressed: boolean;
}

const sessionToEnd = sql`
  s.id, a.name as asset_name, s.started_at, s.ended_at, s.added_late, s.recorded_by_owner,
  s.edited_at is null and s.added_late is distinct from 'end' and s.added_late is distinct from 'both' and (
    s.ended_at >= s.ends_by or s.ended_at >= sh.ended_at
    or exists (
      select 1 from archivals each
      where each.asset_id = a.id and each.since > s.started_at and each.since <= s.ended_at)
  ) is true as ended_unpressed`;

const samePress = sql`make_interval(secs => ${SAME_PRESS_SECONDS}::int)`;

/** Returns the session of a locked share that the same press has already started: it began about then, and runs then. */
export async function findSameStart(db: Database, shareId: number, pressed: Date): Promise<SessionToEnd | undefined> {
  const at = sql`${pressed}::timestamptz`;
  const { rows } = await sql<SessionToEnd>`
    select ${sessionToEnd}
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.share_id = ${shareId} and ${sessionEnd} > ${at}
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
  pressed: Date,
): Promise<SessionToEnd | undefined> {
  const at = sql`${pressed}::timestamptz`;
  const { rows } = await sql<SessionToEnd>`
    select ${sessionToEnd}
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.share_id = ${shareId}
      and (s.started_at <= ${at} or s.ended_at is null and s.started_at <= ${at} + ${samePress})
    -- first the one that was running then
    order by s.started_at <= ${at} and ${sessionEnd} > ${at} desc, s.started_at desc, s.id desc
    limit 1`.execute(db);
  return rows[0];
}

/** Adds a session to a locked share that was started offline, ended if anything has ended it since. */
export async function insertLate(
  db: Database,
  shareId: number,
  { startedAt, endedAt, limit }: { startedAt: Date; endedAt: Date | null; limit: Date },
): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    with recorded as (
      insert into sessions (share_id, started_at, ended_at, ends_by, added_late)
      values (${shareId}, ${startedAt}::timestamptz, ${endedAt}::timestamptz, ${limit}::timestamptz, 'start')
      on conflict (share_id) where ended_at is null do nothing
      returning id, share_id, started_at, ended_at, added_late
    ), stretch as (
      select sh.asset_id, recorded.* from recorded join shares sh on sh.id = recorded.share_id
    ), added as (${addUse(sql`(select * from stretch where ended_at is not null)`)})
    select recorded.id, a.name as asset_name, recorded.started_at, recorded.ended_at, recorded.added_late
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
      returning s.id, s.share_id, sh.asset_id, a.name as asset_name, s.started_at, s.ended_at, s.added_late
    ), added as (${addUse(sql`shortened`)})
    select id, asset_name, started_at, ended_at, added_late from shortened`.execute(db);
  return rows[0];
}

/** Returns whether a stretch of time overlaps the recorded times of an edited or removed session, which may come to count again. */
export async function overlapsRecordedTimes(
  db: Database,
  shareId: number,
  { startedAt, endedAt }: Stretch,
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from (
      select was_started_at as started_at, was_ended_at as ended_at from sessions
      where share_id = ${shareId} and edited_at is not null
      union all
      select started_at, ended_at from removed_sessions where share_id = ${shareId}
    ) recorded
    where started_at < ${endedAt}::timestamptz and ended_at > ${startedAt}::timestamptz
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Records an ended session in a locked share of a person without an account. Returns its id. */
export async function insertRecorded(
  db: Database,
  shareId: number,
  { startedAt, endedAt, limitHours }: Stretch & { limitHours: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recorded as (
      insert into sessions (share_id, started_at, ended_at, ends_by, recorded_by_owner)
      values (${shareId}, ${startedAt}::timestamptz, ${endedAt}::timestamptz,
        ${startedAt}::timestamptz + make_interval(hours => ${limitHours}::int), true)
      returning id, share_id, started_at, ended_at
    ), stretch as (
      select sh.asset_id, recorded.* from recorded join shares sh on sh.id = recorded.share_id
    ), added as (${addUse(sql`stretch`)})
    select id from recorded`.execute(db);
  const [recorded] = rows;
  if (!recorded) throw new Error('The insert returned no session.');
  return recorded.id;
}

/**
 * Returns one of a member's own sessions with its row, its share's, and first its asset's locked. No other session of
 * the share can be edited or started meanwhile, and no period of the asset closed.
 */
export async function lockSession(
  db: Database,
  session: SessionOfMember,
  now: Date,
): Promise<SessionToEdit | undefined> {
  const { rows: locked } = await sql`
    select 1
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${anyOwnShare(session)} and s.id = ${session.sessionId}
    for share of a for no key update of sh for update of s`.execute(db);
  if (locked.length === 0) return undefined;
  // A separate statement, because one that waits for a lock sees other tables as they were before the wait.
  const { rows } = await sql<SessionToEdit>`
    select a.name as asset_name, s.started_at, ${sessionEnd} as ended_at, s.ends_by, ${isActive(now)} as active,
      a.id as asset_id, s.recorded_by_owner, s.added_late, sh.accepted_at as shared_at, sh.ended_at as share_ended_at, s.extended,
      ${openSince(now)} as open_since
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.id = ${session.sessionId}`.execute(db);
  return rows[0];
}

/** Returns whether another session of the share, running or ended, overlaps a stretch of time. */
export async function overlapsAnother(
  db: Database,
  { shareId, sessionId }: { shareId: number; sessionId?: number },
  { startedAt, endedAt }: Stretch,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sessions s
    where s.share_id = ${shareId} and s.id is distinct from ${sessionId ?? null}::bigint
      and s.started_at < ${endedAt}::timestamptz and ${sessionEnd} > ${startedAt}::timestamptz
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the first stretch in which an asset was archived during another; undefined if it wasn't. */
export async function archivedDuring(
  db: Database,
  assetId: number,
  { startedAt, endedAt }: Stretch,
): Promise<{ since: Date } | undefined> {
  return db
    .selectFrom('archivals')
    .select('since')
    .where('asset_id', '=', assetId)
    .where('since', '<', endedAt)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', startedAt)]))
    .orderBy('since')
    .executeTakeFirst();
}

/**
 * Returns whether a stretch of time overlaps the recorded times of another session of the share, edited or removed, that begin
 * in a later month than the session does now or did when it was recorded. Once the earlier month is closed, the session could
 * not give way if those recorded times were restored.
 */
export async function blocksRecordedTimes(
  db: Database,
  { shareId, sessionId }: SessionOfMember,
  { startedAt, endedAt }: Stretch,
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from (
      select id, share_id, was_started_at as started_at, was_ended_at as ended_at from sessions
      where share_id = ${shareId} and edited_at is not null
      union all
      select id, share_id, started_at, ended_at from removed_sessions where share_id = ${shareId}
    ) other
    join shares sh on sh.id = other.share_id
    join sessions s on s.id = ${sessionId}
    join periods p on p.asset_id = sh.asset_id and p.starts_at <= other.started_at and p.ends_at > other.started_at
    where other.id <> s.id and other.started_at < ${endedAt}::timestamptz and other.ended_at > ${startedAt}::timestamptz
      and least(${startedAt}::timestamptz, s.started_at, s.was_started_at) < p.starts_at
    limit 1`.execute(db);
  return rows.length > 0;
}

const wholeSession = (sessionId: number) => sql`(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at
  from sessions s join shares sh on sh.id = s.share_id
  where s.id = ${sessionId} and s.ended_at is not null
)`;

/** Changes the times of an ended session, keeping the original ones and the limit it was started under. */
export async function editSession(
  db: Database,
  sessionId: number,
  { startedAt, endedAt, now }: Stretch & { now: Date },
): Promise<void> {
  await subtractUse(wholeSession(sessionId)).execute(db);
  await sql`
    with edited as (
      update sessions s set
        started_at = ${startedAt}::timestamptz, ended_at = ${endedAt}::timestamptz,
        ends_by = ${startedAt}::timestamptz + (s.ends_by - s.started_at),
        was_started_at = coalesce(s.was_started_at, s.started_at), was_ended_at = coalesce(s.was_ended_at, s.ended_at),
        edited_at = ${now}::timestamptz, restored_at = null
      from shares sh
      where sh.id = s.share_id and s.id = ${sessionId}
      returning sh.asset_id, s.share_id, s.started_at, s.ended_at
    )
    ${addUse(sql`edited`)}`.execute(db);
}

/** Records that an edit of a session has kept a period open longer. */
export async function markExtended(db: Database, sessionId: number): Promise<void> {
  await db.updateTable('sessions').set({ extended: true }).where('id', '=', sessionId).execute();
}

/** Removes an ended session from every figure, keeping its original times for the owner. */
export async function removeSession(db: Database, sessionId: number, now: Date): Promise<void> {
  await subtractUse(wholeSession(sessionId)).execute(db);
  await sql`
    with removed as (
      delete from sessions s where s.id = ${sessionId}
      returning s.id, s.share_id, coalesce(s.was_started_at, s.started_at) as started_at,
        coalesce(s.was_ended_at, s.ended_at) as ended_at, s.recorded_by_owner, s.added_late
    )
    insert into removed_sessions (id, share_id, started_at, ended_at, recorded_by_owner, added_late, removed_at)
    select id, share_id, started_at, ended_at, recorded_by_owner, added_late, ${now}::timestamptz from removed`.execute(
    db,
  );
}

/**
 * Forgets the edits of what an owner recorded for a person, who is about to join: the times that they were last recorded with
 * are those that a later edit is compared with.
 */
export async function forgetEdits(db: Database, personId: number): Promise<void> {
  const shares = db.selectFrom('shares').select('id').where('member_id', '=', personId);
  const times = { was_started_at: null, was_ended_at: null, edited_at: null };
  await db
    .updateTable('sessions')
    .set(times)
    .where('share_id', 'in', shares)
    .where('edited_at', 'is not', null)
    .execute();
  await db.deleteFrom('removed_sessions').where('share_id', 'in', shares).execute();
}

/** A session's start in milliseconds since 1970, and its id; lists are in this order, newest first. */
export type SessionKey = [startedAt: number, id: number];

interface Page {
  now: Date;
  limit: number;
  /** The session after which the page starts; the newest comes first when undefined. */
  after: SessionKey | undefined;
  /** Reads no other session. */
  only?: number;
}

/** A row of a left join, whose columns are null without a match. */
type OrEmpty<Row> = { [Column in keyof Row]: Row[Column] | null };

export interface StoredLoggedSession extends ListedSession {
  username: string;
  share_id: number;
  person: boolean;
  edited_at: Date | null;
  was_started_at: Date | null;
  was_ended_at: Date | null;
  restored_at: Date | null;
  removed: boolean;
  /** When the first of the months that it is or was recorded in closes; null if it is closed, or the session not edited. */
  open_until: Date | null;
  objection: StoredObjection | null;
}

/**
 * Sessions of share `sh`, newest first, including removed ones that meet a condition on `s`: all, or those that were recorded at or
 * edited to certain times. The newest rows of each table are enough, and its index finds them without reading the rest.
 */
const newestSessions = (
  { now, limit, after, only }: Page,
  { removed = sql`true`, during }: { removed?: RawBuilder<unknown>; during?: RawBuilder<unknown> },
) => {
  const isAt = (startedAt: RawBuilder<unknown>, endedAt: RawBuilder<unknown>) =>
    sql`(${startedAt} is not null and (${during} @> ${startedAt} or ${during} && tstzrange(${startedAt}, ${endedAt})))`;
  const page = sql`
    ${after ? sql`and (s.started_at, s.id) < (${new Date(after[0])}::timestamptz, ${after[1]}::bigint)` : sql``}
    ${only === undefined ? sql`` : sql`and s.id = ${only}`}
    order by s.started_at desc, s.id desc limit ${limit}`;
  return sql`
    (select s.id, s.started_at, ${endUnlessActive(now)} as ended_at, s.edited_at, s.was_started_at, s.was_ended_at,
        s.restored_at, s.recorded_by_owner, s.added_late, false as removed
      from sessions s where s.share_id = sh.id ${
        during
          ? sql`and (${isAt(sql`s.started_at`, sessionEnd)} or ${isAt(sql`s.was_started_at`, sql`s.was_ended_at`)})`
          : sql``
      } ${page})
    union all
    (select s.id, s.started_at, s.ended_at, s.removed_at, s.started_at, s.ended_at, null,
        s.recorded_by_owner, s.added_late, true
      from removed_sessions s where s.share_id = sh.id and ${removed} ${
        during ? sql`and ${isAt(sql`s.started_at`, sql`s.ended_at`)}` : sql``
      } ${page})`;
};

/** The history of session `page` of asset `a`. */
const trace = (now: Date) => sql`
  case when page.edited_at is not null then (
    select ${closesAt} from ${firstPeriodOf(sql`a.id`, sql`least(page.started_at, page.was_started_at)`)}
    where p.closed_at is null and ${closesAt} > ${now}::timestamptz
  ) end as open_until,
  ${lastObjection} as objection`;

/**
 * Returns a share's sessions after a key, newest first; undefined if the member has and had no such share. Of the removed ones
 * only those to which the owner objects.
 */
export async function readSessions(
  db: Database,
  share: ShareOfMember,
  page: Page,
): Promise<StoredLoggedSession[] | undefined> {
  const isObjected = sql`exists (select 1 from objections ob where ob.session_id = s.id and ob.status = 'open')`;
  const { rows } = await sql<OrEmpty<StoredLoggedSession>>`
    select page.*, a.name as asset_name, ${trace(page.now)}
    from shares sh join assets a on a.id = sh.asset_id
    left join lateral (
      select s.*, m.username, sh.id as share_id, m.keeper_id is not null as person
      from (${newestSessions(page, { removed: isObjected })}) s join users m on m.id = sh.member_id
      order by s.started_at desc, s.id desc
      limit ${page.limit}
    ) page on true
    where ${openShare(share, page.now)} or ${anyOwnShare(share)}
    order by page.started_at desc, page.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredLoggedSession => row.id !== null);
}

/**
 * Returns all members' sessions in the months of an asset that a user manages as `readSessions` does, including all removed ones;
 * undefined if they manage none of it.
 */
export async function readAssetSessions(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
  page: Page,
): Promise<StoredLoggedSession[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredLoggedSession>>`
    select page.*, a.name as asset_name, ${trace(page.now)}
    from assets a cross join lateral (select ${ownedTimes(userId)} as times) owned
    left join lateral (
      select s.*, m.username, sh.id as share_id, m.keeper_id is not null as person
      from shares sh
      join users m on m.id = sh.member_id
      cross join lateral (${newestSessions(page, { during: sql`owned.times` })}) s
      where sh.asset_id = a.id
      order by s.started_at desc, s.id desc
      limit ${page.limit}
    ) page on true
    where a.id = ${assetId} and (${hasOwned(userId)} or ${belongsToManager(userId)})
    order by page.started_at desc, page.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredLoggedSession => row.id !== null);
}
