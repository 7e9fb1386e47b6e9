import type { ObjectionStatus } from '@hourshare/contract/sessions';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { actsFor, isDecidedBy, isOfCoManager } from '../../assets/sql.ts';
import { closesAt, ownerAt } from '../../periods/sql.ts';
import { addUse, subtractUse } from '../../usage/sql.ts';
import { firstPeriodOf } from '../sql.ts';

interface ManagedSession {
  /** The owner or a co-manager of the asset. */
  userId: number;
  assetId: number;
  sessionId: number;
}

interface OwnSession {
  memberId: number;
  shareId: number;
  sessionId: number;
}

interface LockedShare {
  id: number;
  /** Whether the user may decide about its use. */
  decides: boolean;
  /** The user if they co-manage the asset; null if they own it or the share is theirs. */
  managerId: number | null;
}

/**
 * Locks the asset and the share of a session that was recorded to begin in a month that a user manages, or of the member's own. In the
 * meantime, the share's sessions can't be edited, restored, or started, and the asset's periods can't be closed.
 */
export async function lockShareOfSession(
  db: Database,
  key: ManagedSession | OwnSession,
): Promise<LockedShare | undefined> {
  const isOwn = 'memberId' in key;
  const owner = ownerAt(sql`s.recorded_start`);
  const scope = isOwn
    ? sql`sh.id = ${key.shareId} and sh.member_id = ${key.memberId} and sh.accepted_at is not null`
    : sql`a.id = ${key.assetId} and ${actsFor(key.userId, owner)}`;
  const find = (lock = sql``) => sql<LockedShare>`
    select sh.id, ${isOwn ? sql`true` : sql`(${owner} = ${key.userId} or ${isDecidedBy(key.userId)})`} as decides,
      ${isOwn ? sql`null` : sql`case when ${owner} <> ${key.userId} then ${key.userId}::bigint end`} as "managerId"
    from shares sh join assets a on a.id = sh.asset_id
    join (
      select share_id, coalesce(was_started_at, started_at) as recorded_start from sessions where id = ${key.sessionId}
      union all
      select share_id, started_at from removed_sessions where id = ${key.sessionId}
    ) s on s.share_id = sh.id
    where ${scope}
    ${lock}`;
  return (await lockThenRead(db, find(sql`for share of a for no key update of sh`), find()))[0];
}

/**
 * A table `s` of edited and removed sessions that meet a condition: `first` is the start of its current or recorded times. What
 * an owner recorded for someone without an account was never metered, so it isn't among them.
 */
const changedSessions = (condition: RawBuilder<unknown>) => sql`(
  select id, share_id, edited_at, least(started_at, was_started_at) as first,
    (started_at, ended_at) <> (was_started_at, was_ended_at) as changed
  from sessions where edited_at is not null and not recorded_by_owner and ${condition}
  union all
  select id, share_id, removed_at, started_at, true from removed_sessions where not recorded_by_owner and ${condition}
) s`;

export interface ObjectionState {
  /** Whether its edited times differ from the recorded ones. */
  changed: boolean;
  edited_at: Date;
  /** Whether the first of its months is open. */
  open: boolean;
  /** The last objection to it; null without one. */
  objection_id: number | null;
  status: ObjectionStatus | null;
  objected_at: Date | null;
}

/** Returns what may be done about the edit of a session; undefined if it wasn't edited. */
export async function readState(db: Database, sessionId: number, now: Date): Promise<ObjectionState | undefined> {
  const { rows } = await sql<ObjectionState>`
    select s.changed, s.edited_at, last.id as objection_id, last.status, last.objected_at,
      exists (
        select 1 from ${firstPeriodOf(sql`sh.asset_id`, sql`s.first`)}
        where p.closed_at is null and ${closesAt} > ${now}::timestamptz
      ) as open
    from ${changedSessions(sql`id = ${sessionId}`)}
    join shares sh on sh.id = s.share_id
    left join lateral (
      select id, status, objected_at from objections where session_id = s.id order by id desc limit 1
    ) last on true`.execute(db);
  return rows[0];
}

/** Records an objection and returns its id. */
export async function insertObjection(
  db: Database,
  { sessionId, shareId, managerId, now }: { sessionId: number; shareId: number; managerId: number | null; now: Date },
): Promise<number> {
  const row = { session_id: sessionId, share_id: shareId, manager_id: managerId, objected_at: now };
  return (await db.insertInto('objections').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function insertMessage(
  db: Database,
  message: { objection_id: number; by_owner: boolean; manager_id: number | null; text: string; sent_at: Date },
): Promise<void> {
  await db.insertInto('objection_messages').values(message).execute();
}

/** Transfers the objections and texts of a co-manager whose account is being deleted to its stand-in. */
export async function moveObjections(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  for (const table of ['objections', 'objection_messages'] as const)
    await db.updateTable(table).set({ manager_id: to }).where('manager_id', '=', from).execute();
}

/** Returns how many texts the owner, or the member, has written in an objection. */
export async function countMessages(db: Database, objectionId: number, byOwner: boolean): Promise<number> {
  const rows = await db
    .selectFrom('objection_messages')
    .select('id')
    .where('objection_id', '=', objectionId)
    .where('by_owner', '=', byOwner)
    .execute();
  return rows.length;
}

/** Ends the open objections to sessions. */
export async function resolveObjections(
  db: Database,
  sessionIds: number[],
  { status, now }: { status: Exclude<ObjectionStatus, 'open'>; now: Date },
): Promise<void> {
  await sql`
    update objections set status = ${status}, resolved_at = ${now}::timestamptz
    where session_id = any(${sessionIds}::bigint[]) and status = 'open'`.execute(db);
}

interface StoredEditedTimes {
  id: number;
  recorded_start: Date;
  recorded_end: Date;
  /** Null once removed. */
  started_at: Date | null;
  ended_at: Date | null;
  /** The start of the asset's first period that isn't closed. */
  open_since: Date;
}

/** Returns a share's edited and removed sessions that reach into open periods. */
export async function editedSessions(db: Database, shareId: number): Promise<StoredEditedTimes[]> {
  const { rows } = await sql<StoredEditedTimes>`
    select s.id, s.recorded_start, s.recorded_end, s.started_at, s.ended_at, open.since as open_since
    from (
      select share_id, id, was_started_at as recorded_start, was_ended_at as recorded_end, started_at, ended_at
      from sessions where share_id = ${shareId} and edited_at is not null
      union all
      select share_id, id, started_at, ended_at, null, null from removed_sessions where share_id = ${shareId}
    ) s
    join shares sh on sh.id = s.share_id
    cross join lateral (
      select min(starts_at) as since from periods where asset_id = sh.asset_id and closed_at is null
    ) open
    where greatest(s.recorded_end, s.ended_at) >= open.since`.execute(db);
  return rows;
}

const joinShare = (sessions: RawBuilder<unknown>) => sql`(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at from ${sessions} s join shares sh on sh.id = s.share_id
)`;

/** Makes the recorded times of edited and removed sessions count again. */
export async function restoreSessions(db: Database, sessionIds: number[], now: Date): Promise<void> {
  const ids = sql`any(${sessionIds}::bigint[])`;
  await subtractUse(joinShare(sql`(select * from sessions where id = ${ids})`)).execute(db);
  await sql`
    with corrected as (
      update sessions set
        started_at = was_started_at, ended_at = was_ended_at, ends_by = was_started_at + (ends_by - started_at),
        restored_at = ${now}::timestamptz
      where id = ${ids}
      returning share_id, started_at, ended_at
    ), removed as (
      delete from removed_sessions where id = ${ids} returning *
    ), returned as (
      insert into sessions (id, share_id, started_at, ended_at, ends_by, was_started_at, was_ended_at, edited_at,
        restored_at, added_late) overriding system value
      select r.id, r.share_id, r.started_at, r.ended_at,
        -- the limit it was started under, which isn't kept
        greatest(r.ended_at, r.started_at + make_interval(hours => p.max_session_hours)),
        r.started_at, r.ended_at, r.removed_at, ${now}::timestamptz, r.added_late
      from removed r
      join shares sh on sh.id = r.share_id
      cross join lateral ${firstPeriodOf(sql`sh.asset_id`, sql`r.started_at`)}
      returning share_id, started_at, ended_at
    ), restored as (
      select * from corrected union all select * from returned
    )
    ${addUse(joinShare(sql`restored`))}`.execute(db);
}

interface OpenObjection {
  share_id: number;
  session_id: number;
}

/** Returns open objections to sessions that start, or were recorded to start, in one of some periods. */
export async function openObjections(
  db: Database,
  periods: { asset_id: number; month: string }[],
): Promise<OpenObjection[]> {
  const { rows } = await sql<OpenObjection>`
    select ob.share_id, ob.session_id
    from unnest(
      ${periods.map((period) => period.asset_id)}::bigint[], ${periods.map(({ month }) => `${month}-01`)}::date[]
    ) closing (asset_id, month)
    join periods p on p.asset_id = closing.asset_id and p.month = closing.month
    join shares sh on sh.asset_id = p.asset_id
    join objections ob on ob.share_id = sh.id and ob.status = 'open'
    cross join lateral ${changedSessions(sql`id = ob.session_id`)}
    where s.first >= p.starts_at and s.first < p.ends_at
    order by ob.share_id, ob.session_id`.execute(db);
  return rows;
}

/** Returns whether a co-manager edited a session of a month, or of an earlier one, that can still be edited. */
export async function hasEditOfCoManager(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from periods p join assets a on a.id = p.asset_id join shares sh on sh.asset_id = a.id and ${isOfCoManager}
    cross join lateral ${changedSessions(sql`share_id = sh.id`)}
    where p.asset_id = ${assetId} and p.month <= ${`${month}-01`}::date and p.closed_at is null
      and ${closesAt} > ${now}::timestamptz and s.changed and s.first >= p.starts_at and s.first < p.ends_at
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns whether an objection is open in a month of an asset, or an earlier one, whose time for edits isn't over. */
export async function hasOpenObjection(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from periods p join shares sh on sh.asset_id = p.asset_id
    join objections ob on ob.share_id = sh.id and ob.status = 'open'
    cross join lateral ${changedSessions(sql`id = ob.session_id`)}
    where p.asset_id = ${assetId} and p.month <= ${`${month}-01`}::date and p.closed_at is null
      and ${closesAt} > ${now}::timestamptz and s.first >= p.starts_at and s.first < p.ends_at
    limit 1`.execute(db);
  return rows.length > 0;
}
