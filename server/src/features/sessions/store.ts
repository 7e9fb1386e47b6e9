import { sql } from 'kysely';
import { isActive, sessionEnd } from '../../platform/database/share-use.ts';
import type { Database } from '../../platform/database/tables.ts';
import type { Place } from './rules.ts';

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

interface Page {
  now: Date;
  limit: number;
  /** Continue behind this place; from the newest when undefined. */
  behind: Place | undefined;
}

/** A row of a left join, whose columns are null when nothing was found. */
type OrEmpty<Row> = { [Column in keyof Row]: Row[Column] | null };

const after = (behind: Place | undefined) =>
  behind ? sql`and (s.started_at, s.id) < (${behind.startedAt}::timestamptz, ${behind.id}::bigint)` : sql``;

/** Sessions of a share, newest first, behind a place in that order; undefined when the member has no such share. */
export async function sessionsOf(
  db: Database,
  share: ShareOfMember,
  { now, limit, behind }: Page,
): Promise<StoredSession[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredSession>>`
    select page.id, a.name as asset_name, page.started_at, page.ended_at
    from shares sh join assets a on a.id = sh.asset_id
    left join lateral (
      select s.id, s.started_at, ${endSoFar(now)} as ended_at
      from sessions s
      where s.share_id = sh.id ${after(behind)}
      order by s.started_at desc, s.id desc
      limit ${limit}
    ) page on true
    where ${openShare(share)}`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredSession => row.id !== null);
}

/** Sessions of all members of an owner's asset, as sessionsOf gives those of a share; undefined when it is not theirs. */
export async function sessionsOfAsset(
  db: Database,
  { assetId, ownerId }: { assetId: number; ownerId: number },
  { now, limit, behind }: Page,
): Promise<(StoredSession & { username: string })[] | undefined> {
  const { rows } = await sql<OrEmpty<StoredSession & { username: string }>>`
    select page.id, a.name as asset_name, page.started_at, page.ended_at, page.username
    from assets a
    left join lateral (
      select s.id, s.started_at, ${endSoFar(now)} as ended_at, m.username
      from shares sh
      join users m on m.id = sh.member_id
      cross join lateral (
        -- each share's newest are enough, and its index finds them without reading the rest
        select * from sessions s where s.share_id = sh.id ${after(behind)}
        order by s.started_at desc, s.id desc limit ${limit}
      ) s
      where sh.asset_id = a.id
      order by s.started_at desc, s.id desc
      limit ${limit}
    ) page on true
    where a.id = ${assetId} and a.owner_id = ${ownerId}`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredSession & { username: string } => row.id !== null);
}
