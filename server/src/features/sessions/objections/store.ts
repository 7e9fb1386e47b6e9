import type { ObjectionStatus } from '@hourshare/contract/sessions';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { actsFor } from '../../assets/sql.ts';
import { closesAt, hasOwned, sharedDuringPeriod } from '../../periods/sql.ts';
import { mayManageShare } from '../../shares/sql.ts';
import { addUse, subtractUse } from '../../usage/sql.ts';
import type { Interval } from '../rules.ts';
import { disputedPeriod, firstPeriodOf, isAccepted, objectionsEnd } from '../sql.ts';
import type { RestoredSession } from './rules.ts';

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

/** Who acts on an objection: the owner, a co-manager for them, another participant, or the session's member. */
type Role = 'owner' | 'manager' | 'participant' | 'member';

export interface ObjectionState {
  share_id: number;
  role: Role;
  /** Whether a co-manager may decide about its use. */
  decides: boolean;
  /** Whether it was edited or removed. */
  edited: boolean;
  /** Whether its edited times differ from the recorded ones. */
  changed: boolean;
  edited_at: Date | null;
  /** The month in which the edit changes something, or in which the session was recorded; `YYYY-MM`. */
  month: string;
  /** Whether it is open. */
  open: boolean;
  /** The start of the asset's first open month; null without one. */
  open_since: Date | null;
  /** Whether it is early enough to object, and the edit wasn't accepted before it counted. */
  objectable: boolean;
  /** The last objection by the side the user acts for; for the member, the open one. Null without one. */
  objection_id: number | null;
  status: ObjectionStatus | null;
  objected_at: Date | null;
}

/** A table `s` of sessions that meet a condition, with their recorded and counted times as ranges. */
const tracedSessions = (condition: RawBuilder<unknown>) => sql`(
  select id, share_id, edited_at, recorded_by_owner, false as refused, coalesce(was_started_at, started_at) as recorded_start,
    tstzrange(coalesce(was_started_at, started_at), coalesce(was_ended_at, ended_at)) as recorded,
    tstzrange(started_at, ended_at) as counted
  from sessions where ${condition}
  union all
  select id, share_id, removed_at, recorded_by_owner, source = 'metered', started_at, tstzrange(started_at, ended_at), 'empty'
  from removed_sessions where ${condition}
) s`;

/** A lateral table `p`: the period in which an edit of session `s` changes something, or else in which the session was recorded. */
const disputed = sql`lateral (
  select p.* from ${disputedPeriod({ assetId: sql`sh.asset_id`, recorded: sql`s.recorded`, counted: sql`s.counted` })} p
  union all
  select p.* from ${firstPeriodOf(sql`sh.asset_id`, sql`s.recorded_start`)} p
  limit 1
) p`;

/**
 * Returns what may be done about the edit of a session that a user manages, or that costs them with `share_of_use`, or of the member's
 * own, with its asset and share locked; undefined if they have no say in it. In the meantime, the share's sessions can't be
 * edited, restored, or started, and the asset's periods can't be closed.
 */
export async function lockState(
  db: Database,
  key: ManagedSession | OwnSession,
  now: Date,
): Promise<ObjectionState | undefined> {
  const isOwn = 'memberId' in key;
  const userId = isOwn ? key.memberId : key.userId;
  const tables = sql`
    ${tracedSessions(sql`id = ${key.sessionId}`)} join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id`;
  const scope = isOwn
    ? sql`sh.id = ${key.shareId} and sh.member_id = ${userId} and sh.accepted_at is not null`
    : sql`a.id = ${key.assetId} and (
        ${hasOwned('a', userId)} or exists (
          select 1 from shares mine
          where mine.asset_id = a.id and mine.member_id = ${userId} and mine.accepted_at is not null))`;
  const owner = sql`p.owner_id`;
  const isParticipant = sql`p.split_method = 'share_of_use' and exists (
    select 1 from shares sh where sh.asset_id = a.id and sh.member_id = ${userId} and ${sharedDuringPeriod('sh', 'p')})`;
  const role = sql`case
    when ${isOwn} then 'member' when ${owner} = ${userId} then 'owner'
    when ${isParticipant} then 'participant' when ${actsFor('a', userId, owner)} then 'manager' end`;
  const [state] = await lockThenRead(
    db,
    sql`select 1 from ${tables} where ${scope} for share of a for no key update of sh`,
    sql<ObjectionState>`
      select sh.id as share_id, acting.role, (acting.role <> 'manager' or ${mayManageShare('a', 'sh', userId)}) as decides,
        -- What an owner recorded for someone without an account was never metered, so only others can object to its edits.
        -- What a meter recorded for someone, they can refuse.
        (s.edited_at is not null and not s.refused and (acting.role in ('participant', 'member') or not s.recorded_by_owner)) as edited, s.recorded <> s.counted as changed, s.edited_at,
        to_char(p.month, 'YYYY-MM') as month, (p.closed_at is null and ${closesAt('p')} > ${now}::timestamptz) as open,
        (
          select min(p.starts_at) from periods p
          where p.asset_id = a.id and p.closed_at is null and ${closesAt('p')} > ${now}::timestamptz
        ) as open_since,
        (${objectionsEnd('p')} > ${now}::timestamptz and not ${isAccepted(sql`s.id`, sql`s.edited_at`)}) is true as objectable,
        last.id as objection_id, last.status, last.objected_at
      from ${tables} join ${disputed} on true
      cross join lateral (select ${role} as role) acting
      left join lateral (
        select id, status, objected_at from objections
        where session_id = s.id and (acting.role = 'member'
          or participant_id is not distinct from case when acting.role = 'participant' then ${userId}::bigint end)
        order by status = 'open' desc, id desc limit 1
      ) last on true
      where ${scope} and case acting.role
        when 'member' then true
        -- The owner's own use costs others only if they take part.
        when 'manager' then not sh.own
        when 'owner' then sh.member_id <> ${userId}
        when 'participant' then sh.member_id <> ${userId}
        else false end`,
  );
  return state;
}

/** Records an objection and returns its id. */
export async function insertObjection(
  db: Database,
  objection: {
    session_id: number;
    share_id: number;
    manager_id: number | null;
    participant_id: number | null;
    now: Date;
  },
): Promise<number> {
  const { now: objected_at, ...row } = objection;
  return (
    await db
      .insertInto('objections')
      .values({ ...row, objected_at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

/** Returns the participants who object to the edit of a session, or did last. */
export async function readObjectors(db: Database, sessionId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('objections')
    .select('participant_id')
    .distinct()
    .where('session_id', '=', sessionId)
    .orderBy('participant_id')
    .execute();
  return rows.flatMap(({ participant_id: id }) => id ?? []);
}

export async function insertMessage(
  db: Database,
  message: { objection_id: number; by_owner: boolean; manager_id: number | null; text: string; sent_at: Date },
): Promise<void> {
  await db.insertInto('objection_messages').values(message).execute();
}

/** Transfers the objections and texts of someone whose account is being deleted to its stand-in. */
export async function moveObjections(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db.updateTable('objections').set({ participant_id: to }).where('participant_id', '=', from).execute();
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

/** Ends an open objection. */
export async function withdrawObjection(db: Database, id: number, now: Date): Promise<void> {
  const ended = { status: 'withdrawn' as const, resolved_at: now };
  await db.updateTable('objections').set(ended).where('id', '=', id).where('status', '=', 'open').execute();
}

/** Ends all open objections to sessions. */
export async function resolveObjections(
  db: Database,
  sessionIds: number[],
  { status, now }: { status: Exclude<ObjectionStatus, 'open'>; now: Date },
): Promise<void> {
  await sql`
    update objections set status = ${status}, resolved_at = ${now}::timestamptz
    where session_id = any(${sessionIds}::bigint[]) and status = 'open'`.execute(db);
}

export interface StoredEditedTimes {
  id: number;
  recorded_start: Date;
  recorded_end: Date;
  /** Null once removed. */
  started_at: Date | null;
  ended_at: Date | null;
}

/** Returns a share's sessions that were edited, removed, or started late, and reach into the time since an instant. */
export async function editedSessions(
  db: Database,
  { shareId, since }: { shareId: number; since: Date },
): Promise<StoredEditedTimes[]> {
  const { rows } = await sql<StoredEditedTimes>`
    select s.id, s.recorded_start, s.recorded_end, s.started_at, s.ended_at
    from (
      select id, coalesce(was_started_at, started_at) as recorded_start,
        coalesce(was_ended_at, ended_at, ends_by) as recorded_end, started_at, coalesce(ended_at, ends_by) as ended_at
      from sessions where share_id = ${shareId} and (edited_at is not null or added_late in ('start', 'both'))
      union all
      select id, started_at, ended_at, null, null from removed_sessions where share_id = ${shareId}
    ) s
    where greatest(s.recorded_end, s.ended_at) >= ${since}::timestamptz`.execute(db);
  return rows;
}

const joinShare = (sessions: RawBuilder<unknown>) => sql`(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at from ${sessions} s join shares sh on sh.id = s.share_id
)`;

/** A table of stretches of time by session. */
const stretches = (rows: { id: number; times: Interval }[]) => sql`unnest(
  ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ times }) => times.startedAt.toISOString())}::timestamptz[],
  ${rows.map(({ times }) => times.endedAt.toISOString())}::timestamptz[]) as each (id, started_at, ended_at)`;

/** Makes the recorded times of sessions count again, and removes those of which they leave nothing. */
export async function restoreSessions(db: Database, sessions: RestoredSession[], now: Date): Promise<void> {
  const ids = sessions.map(({ id }) => id);
  const restored = sessions.flatMap(({ id, times }) => (times ? [{ id, times }] : []));
  const kept = sessions.flatMap(({ id, kept: times }) => (times ? [{ id, times }] : []));
  await subtractUse(
    joinShare(sql`(select * from sessions where id = any(${ids}::bigint[]) and ended_at is not null)`),
  ).execute(db);
  await sql`
    with corrected as (
      update sessions s set
        started_at = each.started_at,
        -- one that is running goes on, to its limit
        ended_at = case when s.ended_at is not null then each.ended_at end,
        ends_by = case when s.ended_at is null then s.ends_by
          else greatest(each.ended_at, each.started_at + (s.ends_by - s.started_at)) end,
        restored_at = case when s.edited_at is not null then ${now}::timestamptz end
      from ${stretches(restored)}
      where s.id = each.id
      returning s.share_id, s.started_at, s.ended_at
    ), removed as (
      delete from removed_sessions r using ${stretches(restored)} where r.id = each.id
      returning r.*, each.started_at as since, each.ended_at as until
    ), returned as (
      insert into sessions (id, share_id, started_at, ended_at, ends_by, was_started_at, was_ended_at, edited_at,
        restored_at, recorded_by_owner, added_late, source, external_id, meter_id, edited_by_hand) overriding system value
      select r.id, r.share_id, r.since, r.until,
        -- the limit it was started under, which isn't kept
        greatest(r.until, r.since + make_interval(hours => p.max_session_hours)),
        r.started_at, r.ended_at, r.removed_at, ${now}::timestamptz, r.recorded_by_owner, r.added_late,
        r.source, r.external_id, r.meter_id, true
      from removed r
      join shares sh on sh.id = r.share_id
      cross join lateral ${firstPeriodOf(sql`sh.asset_id`, sql`r.started_at`)} p
      returning share_id, started_at, ended_at
    ), kept as (
      insert into sessions (share_id, started_at, ended_at, ends_by, recorded_by_owner, added_late, source, meter_id,
        edited_by_hand)
      select s.share_id, each.started_at, each.ended_at, each.ended_at, s.recorded_by_owner, s.added_late, s.source, s.meter_id,
        s.source = 'metered'
      from ${stretches(kept)} join sessions s on s.id = each.id
      returning share_id, started_at, ended_at
    ), restored as (
      select * from corrected where ended_at is not null union all select * from returned union all select * from kept
    )
    ${addUse(joinShare(sql`restored`))}`.execute(db);
  const gone = sessions.flatMap(({ id, times }) => (times ? [] : [id]));
  if (gone.length > 0) await moveRemoved(db, gone, now);
}

/** Moves sessions whose use no longer counts, with their recorded times, to the removed ones. */
export async function moveRemoved(db: Database, sessionIds: number[], now: Date): Promise<void> {
  await sql`
    with removed as (
      delete from sessions s where s.id = any(${sessionIds}::bigint[])
      returning s.id, s.share_id, coalesce(s.was_started_at, s.started_at) as started_at,
        coalesce(s.was_ended_at, s.ended_at, s.ends_by) as ended_at, s.recorded_by_owner, s.added_late, s.source,
        s.external_id, s.meter_id
    )
    insert into removed_sessions (
      id, share_id, started_at, ended_at, recorded_by_owner, added_late, source, external_id, meter_id, removed_at)
    select id, share_id, started_at, ended_at, recorded_by_owner, added_late, source, external_id, meter_id,
      ${now}::timestamptz
    from removed`.execute(db);
}

interface OpenObjection {
  share_id: number;
  session_id: number;
  month: string;
  /** The start of that month. */
  starts_at: Date;
}

/** Returns the open objections to edits that change some periods, or that change nothing about sessions recorded in them. */
export async function openObjections(
  db: Database,
  periods: { asset_id: number; month: string }[],
): Promise<OpenObjection[]> {
  const { rows } = await sql<OpenObjection>`
    select distinct ob.share_id, ob.session_id, to_char(p.month, 'YYYY-MM') as month, p.starts_at
    from unnest(
      ${periods.map((period) => period.asset_id)}::bigint[], ${periods.map(({ month }) => `${month}-01`)}::date[]
    ) closing (asset_id, month)
    join shares sh on sh.asset_id = closing.asset_id
    join objections ob on ob.share_id = sh.id and ob.status = 'open'
    cross join lateral ${tracedSessions(sql`id = ob.session_id`)}
    join ${disputed} on p.month = closing.month
    order by ob.share_id, ob.session_id`.execute(db);
  return rows;
}

/** Returns whether an objection is open to an edit of a month of an asset, or an earlier one, that can still be edited. */
export async function hasOpenObjection(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from periods p join shares sh on sh.asset_id = p.asset_id
    join objections ob on ob.share_id = sh.id and ob.status = 'open'
    cross join lateral ${tracedSessions(sql`id = ob.session_id`)}
    where p.asset_id = ${assetId} and p.month <= ${`${month}-01`}::date and p.closed_at is null
      and ${closesAt('p')} > ${now}::timestamptz
      and s.recorded * tstzrange(p.starts_at, p.ends_at) <> s.counted * tstzrange(p.starts_at, p.ends_at)
    limit 1`.execute(db);
  return rows.length > 0;
}
