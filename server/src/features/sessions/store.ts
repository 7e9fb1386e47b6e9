import { sql } from 'kysely';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { beginOf, monthOfBegins } from '../../platform/database/asset-months.ts';
import { isActive, sessionEnd } from '../../platform/database/share-use.ts';
import type { Database } from '../../platform/database/tables.ts';
import type { Stretch } from './rules.ts';

export interface StoredSession {
  id: number;
  asset_name: string;
  started_at: Date;
  /** Null while active; the limit's instant when that has ended it before anybody did. */
  ended_at: Date | null;
}

interface ShareOfMember {
  shareId: number;
  memberId: number;
}

const openShare = ({ shareId, memberId }: ShareOfMember) =>
  sql`sh.id = ${shareId} and sh.member_id = ${memberId} and sh.ended_at is null and a.archived_at is null`;

const endSoFar = (now: Date) =>
  sql<Date | null>`case when ${isActive(sql`${now}::timestamptz`)} then null else ${sessionEnd} end`;

export async function hasShare(db: Database, share: ShareOfMember): Promise<boolean> {
  const { rows } =
    await sql`select 1 from shares sh join assets a on a.id = sh.asset_id where ${openShare(share)}`.execute(db);
  return rows.length > 0;
}

/**
 * Starts a session; undefined when the member has no such share, or a session of it is open. Of many starts at once the
 * index of open sessions lets one through. The asset's and the share's rows are locked so that neither can be archived
 * or ended meanwhile, which would leave a session running on what is over; in that order, because deleting an asset
 * takes them so too, and the other way round the two would wait for one another.
 */
export async function insertSession(db: Database, share: ShareOfMember, now: Date): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    with share as (
      select sh.id, a.name, a.max_session_hours
      from shares sh join assets a on a.id = sh.asset_id
      where ${openShare(share)}
      for share of a for no key update of sh
    ), started as (
      insert into sessions (share_id, started_at, ends_by)
      select id, ${now}::timestamptz, ${now}::timestamptz + make_interval(hours => max_session_hours) from share
      on conflict (share_id) where ended_at is null do nothing
      returning id, started_at, ended_at
    )
    select started.*, share.name as asset_name from started cross join share`.execute(db);
  return rows[0];
}

/** Ends an open session whose limit has passed at that limit; whether there was one. */
export async function endExpired(db: Database, shareId: number, now: Date): Promise<boolean> {
  const ended = await db
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`ends_by` })
    .where('share_id', '=', shareId)
    .where('ended_at', 'is', null)
    .where('ends_by', '<=', now)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}

/** Ends sessions past their limit, each at that limit; up to so many at once. How many there were. */
export async function endSessionsPastLimit(db: Database, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update sessions set ended_at = ends_by
    where id in (
      select id from sessions where ended_at is null and ends_by <= ${now}::timestamptz
      order by id limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Ends the running session; undefined when none runs. Of two ends at once the first to write wins. */
export async function endSession(db: Database, share: ShareOfMember, now: Date): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    update sessions s
    set ended_at = greatest(s.started_at, ${now}::timestamptz)
    from shares sh join assets a on a.id = sh.asset_id
    where s.share_id = sh.id and ${openShare(share)} and ${isActive(sql`${now}::timestamptz`)}
    returning s.id, a.name as asset_name, s.started_at, s.ended_at`.execute(db);
  return rows[0];
}

export async function activeSession(db: Database, share: ShareOfMember, now: Date): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    select s.id, a.name as asset_name, s.started_at, s.ended_at
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${openShare(share)} and ${isActive(sql`${now}::timestamptz`)}`.execute(db);
  return rows[0];
}

interface SessionOfMember extends ShareOfMember {
  sessionId: number;
}

export interface SessionToCorrect {
  asset_id: number;
  asset_name: string;
  started_at: Date;
  /** When it ended, or its limit ended it; the limit's instant while active. */
  ended_at: Date;
  ends_by: Date;
  active: boolean;
  shared_at: Date;
  /** When the first month began that can still be changed. */
  open_since: Date;
}

/** The asset of an open share of a member; undefined when there is no such share. */
export async function assetOfShare(db: Database, share: ShareOfMember): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select a.id from shares sh join assets a on a.id = sh.asset_id where ${openShare(share)}`.execute(db);
  return rows[0]?.id;
}

/**
 * An own session, with its row and its share's locked: while one is corrected no other of that share is corrected or
 * started. The asset's row is locked first, as everywhere, so that its months are not closed meanwhile.
 */
export async function lockSession(
  db: Database,
  session: SessionOfMember,
  now: Date,
): Promise<SessionToCorrect | undefined> {
  const { rows } = await sql<SessionToCorrect>`
    select a.id as asset_id, a.name as asset_name, s.started_at, ${sessionEnd} as ended_at, s.ends_by,
      ${isActive(sql`${now}::timestamptz`)} as active, sh.created_at as shared_at,
      greatest(
        ${beginOf(sql`a.first_open_month::timestamp`)},
        ${monthOfBegins(sql`(${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS}::int))`)}
      ) as open_since
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${openShare(session)} and s.id = ${session.sessionId}
    for share of a for no key update of sh for update of s`.execute(db);
  return rows[0];
}

/** Whether another session of the share, running or ended, has a moment in common with a stretch. */
export async function overlapsAnother(
  db: Database,
  { shareId, sessionId }: SessionOfMember,
  { startedAt, endedAt }: Stretch,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sessions s
    where s.share_id = ${shareId} and s.id <> ${sessionId}
      and s.started_at < ${endedAt}::timestamptz and ${sessionEnd} > ${startedAt}::timestamptz
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Gives a session other times, keeping how it first stood and the limit it was started under. */
export async function correctSession(
  db: Database,
  sessionId: number,
  { startedAt, endedAt, now }: Stretch & { now: Date },
): Promise<void> {
  await sql`
    update sessions s set
      started_at = ${startedAt}::timestamptz, ended_at = ${endedAt}::timestamptz,
      ends_by = ${startedAt}::timestamptz + (s.ends_by - s.started_at),
      was_started_at = coalesce(s.was_started_at, s.started_at), was_ended_at = coalesce(s.was_ended_at, ${sessionEnd}),
      edited_at = ${now}::timestamptz
    where s.id = ${sessionId}`.execute(db);
}

/** Takes a session out of everything that counts; how it first stood is kept for the owner. */
export async function removeSession(db: Database, sessionId: number, now: Date): Promise<void> {
  await sql`
    with removed as (
      delete from sessions s where s.id = ${sessionId}
      returning s.id, s.share_id, coalesce(s.was_started_at, s.started_at) as started_at,
        coalesce(s.was_ended_at, ${sessionEnd}) as ended_at
    )
    insert into removed_sessions (id, share_id, started_at, ended_at, removed_at)
    select id, share_id, started_at, ended_at, ${now}::timestamptz from removed`.execute(db);
}

/** When a session started, in milliseconds since 1970, and its id: lists are in this order, newest first. */
export type SessionKey = [startedAt: number, id: number];

interface Page {
  now: Date;
  limit: number;
  /** The session to continue behind; from the newest when undefined. */
  after: SessionKey | undefined;
}

/** A row of a left join, whose columns are null when nothing was found. */
type OrEmpty<Row> = { [Column in keyof Row]: Row[Column] | null };

const isAfter = (after: SessionKey | undefined) =>
  after ? sql`and (s.started_at, s.id) < (${new Date(after[0])}::timestamptz, ${after[1]}::bigint)` : sql``;

/** Sessions of a share, newest first, after a place in that order; undefined when the member has no such share. */
export async function sessionsOf(
  db: Database,
  share: ShareOfMember,
  { now, limit, after }: Page,
): Promise<StoredSession[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredSession>>`
    select page.id, a.name as asset_name, page.started_at, page.ended_at
    from shares sh join assets a on a.id = sh.asset_id
    left join lateral (
      select s.id, s.started_at, ${endSoFar(now)} as ended_at
      from sessions s
      where s.share_id = sh.id ${isAfter(after)}
      order by s.started_at desc, s.id desc
      limit ${limit}
    ) page on true
    where ${openShare(share)}`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredSession => row.id !== null);
}

export interface StoredMemberSession extends StoredSession {
  username: string;
  edited_at: Date | null;
  was_started_at: Date | null;
  was_ended_at: Date | null;
  removed: boolean;
}

/**
 * Sessions of all members of an owner's asset, as sessionsOf gives those of a share, and those that members have removed;
 * undefined when it is not theirs.
 */
export async function sessionsOfAsset(
  db: Database,
  { assetId, ownerId }: { assetId: number; ownerId: number },
  { now, limit, after }: Page,
): Promise<StoredMemberSession[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredMemberSession>>`
    select page.*, a.name as asset_name
    from assets a
    left join lateral (
      select s.*, m.username
      from shares sh
      join users m on m.id = sh.member_id
      cross join lateral (
        -- each share's newest are enough, and its index finds them without reading the rest
        (select s.id, s.started_at, ${endSoFar(now)} as ended_at, s.edited_at, s.was_started_at, s.was_ended_at,
            false as removed
          from sessions s where s.share_id = sh.id ${isAfter(after)}
          order by s.started_at desc, s.id desc limit ${limit})
        union all
        (select s.id, s.started_at, s.ended_at, s.removed_at, s.started_at, s.ended_at, true
          from removed_sessions s where s.share_id = sh.id ${isAfter(after)}
          order by s.started_at desc, s.id desc limit ${limit})
      ) s
      where sh.asset_id = a.id
      order by s.started_at desc, s.id desc
      limit ${limit}
    ) page on true
    where a.id = ${assetId} and a.owner_id = ${ownerId}`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredMemberSession => row.id !== null);
}
