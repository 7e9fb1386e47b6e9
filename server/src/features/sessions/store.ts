import { sql, type RawBuilder } from 'kysely';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import type { Database } from '../../platform/database/database.ts';
import { addUse, subtractUse } from '../usage/sql.ts';
import type { Stretch } from './rules.ts';

/** When session `s` ends, or will end by its limit. */
const sessionEnd = sql`coalesce(s.ended_at, s.ends_by)`;

/** Condition: session `s` runs at an instant. No one has ended it, and its limit has not either. */
const isActive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(s.ended_at is null and s.ends_by > ${now}::timestamptz)`;

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

const endSoFar = (now: Date) => sql<Date | null>`case when ${isActive(now)} then null else ${sessionEnd} end`;

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

export type EndedSession = StoredSession & { ended_at: Date };

/**
 * Ends open sessions `s` of shares `sh` of assets `a` that meet a condition, each at an instant but not before its start
 * or after its limit, and adds them to their days of use: the one way in which sessions end. Of two ends at once the
 * first to write wins.
 */
async function endSessions(db: Database, which: RawBuilder<unknown>, at: RawBuilder<unknown>): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`
    with ended as (
      update sessions s
      set ended_at = least(s.ends_by, greatest(s.started_at, ${at}))
      from shares sh join assets a on a.id = sh.asset_id
      where sh.id = s.share_id and s.ended_at is null and ${which}
      returning s.id, s.share_id, sh.asset_id, a.name as asset_name, s.started_at, s.ended_at
    ), added as (${addUse(sql`ended`)})
    select id, asset_name, started_at, ended_at from ended`.execute(db);
  return rows;
}

/** Ends the running session of a share; undefined when none runs. */
export async function endSession(db: Database, share: ShareOfMember, now: Date): Promise<EndedSession | undefined> {
  const at = sql`${now}::timestamptz`;
  const [ended] = await endSessions(db, sql`${openShare(share)} and s.ends_by > ${at}`, at);
  return ended;
}

/** Ends an open session of a share whose limit has passed at that limit; whether there was one. */
export async function endExpired(db: Database, shareId: number, now: Date): Promise<boolean> {
  const ended = await endSessions(
    db,
    sql`s.share_id = ${shareId} and s.ends_by <= ${now}::timestamptz`,
    sql`s.ends_by`,
  );
  return ended.length > 0;
}

/** Ends sessions past their limit, each at that limit; up to so many at once. Returns how many there were. */
export async function endAllExpired(db: Database, now: Date, limit: number): Promise<number> {
  const expired = sql`s.id in (
    select id from sessions where ended_at is null and ends_by <= ${now}::timestamptz
    order by id limit ${limit} for update skip locked
  )`;
  return (await endSessions(db, expired, sql`s.ends_by`)).length;
}

/** Ends the session that runs on a share. */
export async function endSessionOfShare(db: Database, shareId: number, now: Date): Promise<void> {
  await endSessions(db, sql`s.share_id = ${shareId}`, sql`${now}::timestamptz`);
}

/** Ends every session that runs on an asset. */
export async function endSessionsOfAsset(db: Database, assetId: number, now: Date): Promise<void> {
  await endSessions(db, sql`sh.asset_id = ${assetId}`, sql`${now}::timestamptz`);
}

export async function activeSession(db: Database, share: ShareOfMember, now: Date): Promise<StoredSession | undefined> {
  const { rows } = await sql<StoredSession>`
    select s.id, a.name as asset_name, s.started_at, s.ended_at
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${openShare(share)} and ${isActive(now)}`.execute(db);
  return rows[0];
}

interface SessionOfMember extends ShareOfMember {
  sessionId: number;
}

export interface SessionToEdit {
  asset_name: string;
  started_at: Date;
  /** When it ended, or its limit ended it; the limit's instant while active. */
  ended_at: Date;
  ends_by: Date;
  active: boolean;
  shared_at: Date;
  /** When the first period started that can still be changed. */
  open_since: Date;
}

/**
 * One of a member's own sessions, with its row and its share's locked: while one is edited no other of that share is
 * edited or started. The asset's row is locked first, as everywhere, so that its periods are not closed meanwhile.
 */
export async function lockSession(
  db: Database,
  session: SessionOfMember,
  now: Date,
): Promise<SessionToEdit | undefined> {
  const { rows: locked } = await sql`
    select 1
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${openShare(session)} and s.id = ${session.sessionId}
    for share of a for no key update of sh for update of s`.execute(db);
  if (locked.length === 0) return undefined;
  // A statement of its own: one that waits for a lock sees other tables as they were before it waited.
  const { rows } = await sql<SessionToEdit>`
    select a.name as asset_name, s.started_at, ${sessionEnd} as ended_at, s.ends_by, ${isActive(now)} as active,
      sh.created_at as shared_at,
      (select min(p.starts_at) from periods p
        where p.asset_id = a.id and p.closed_at is null
          and p.ends_at > ${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS}::int)) as open_since
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.id = ${session.sessionId}`.execute(db);
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

const wholeSession = (sessionId: number) => sql`(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at
  from sessions s join shares sh on sh.id = s.share_id
  where s.id = ${sessionId} and s.ended_at is not null
)`;

/** Gives an ended session other times, keeping how it first stood and the limit it was started under. */
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
        edited_at = ${now}::timestamptz
      from shares sh
      where sh.id = s.share_id and s.id = ${sessionId}
      returning sh.asset_id, s.share_id, s.started_at, s.ended_at
    )
    ${addUse(sql`edited`)}`.execute(db);
}

/** Takes an ended session out of everything that counts; how it first stood is kept for the owner. */
export async function removeSession(db: Database, sessionId: number, now: Date): Promise<void> {
  await subtractUse(wholeSession(sessionId)).execute(db);
  await sql`
    with removed as (
      delete from sessions s where s.id = ${sessionId}
      returning s.id, s.share_id, coalesce(s.was_started_at, s.started_at) as started_at,
        coalesce(s.was_ended_at, s.ended_at) as ended_at
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
