import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { cutIntoDays } from './sql.ts';

/** Selects ended sessions of an asset; with a first day, those that may have used it from then on. */
const endedSessions = (assetId: number, fromDay?: string) => sql`(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at
  from shares sh join sessions s on s.share_id = sh.id
  where sh.asset_id = ${assetId} and s.ended_at is not null
    ${
      fromDay === undefined
        ? sql``
        : // No session is longer than 744 hours, and no zone's day starts more than 14 hours before UTC's.
          sql`and s.started_at >= (${fromDay}::date - interval '759 hours') at time zone 'UTC'
            and s.ended_at >= (${fromDay}::date - interval '15 hours') at time zone 'UTC'`
    }
)`;

/** What sessions and metered days of an asset add up to by share and day; with a first day, exact from then on. */
const usedDays = (assetId: number, fromDay?: string) => sql`(
  select share_id, day, sum(seconds)::int as seconds, sum(sessions)::int as sessions
  from (
    select share_id, day, seconds, sessions from ${cutIntoDays(endedSessions(assetId, fromDay))} cut
    union all
    select d.share_id, d.day, d.seconds, (d.seconds > 0)::int
    from shares sh join metered_days d on d.share_id = sh.id
    where sh.asset_id = ${assetId}
  ) part
  group by share_id, day
)`;

/**
 * Rebuilds an asset's days of use, from a day on, from its sessions and metered days. Locks the asset's row, so that no session starts
 * meanwhile, and its running sessions, so that none ends.
 */
export async function rebuildDays(db: Database, assetId: number, fromDay: string): Promise<void> {
  await sql`
    select 1 from sessions s join shares sh on sh.id = s.share_id
    where sh.asset_id = ${assetId} and s.ended_at is null
    order by s.id for update of s`.execute(db);
  await sql`
    delete from usage_days d using shares sh
    where sh.id = d.share_id and sh.asset_id = ${assetId} and d.day >= ${fromDay}::date`.execute(db);
  await sql`
    insert into usage_days (share_id, day, seconds, sessions)
    select share_id, day, seconds, sessions from ${usedDays(assetId, fromDay)} used
    where day >= ${fromDay}::date`.execute(db);
}

/** Returns the first day after an asset's last closed month; undefined if none is closed. */
export async function firstOpenDay(db: Database, assetId: number): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select min(month) as day from periods
    where asset_id = ${assetId} and month > coalesce(
      (select max(month) from periods where asset_id = ${assetId} and closed_at is not null), '-infinity')`.execute(db);
  return rows[0]?.day ?? undefined;
}

export interface WrongDay {
  share_id: number;
  day: string;
  seconds: number;
  sessions: number;
  expected_seconds: number;
  expected_sessions: number;
}

/** Returns an asset's days of use that differ from its sessions and metered days. */
export async function wrongDays(db: Database, assetId: number): Promise<WrongDay[]> {
  const { rows } = await sql<WrongDay>`
    select share_id, day,
      coalesce(d.seconds, 0) as seconds, coalesce(d.sessions, 0) as sessions,
      coalesce(expected.seconds, 0) as expected_seconds, coalesce(expected.sessions, 0) as expected_sessions
    from (
      select d.* from usage_days d join shares sh on sh.id = d.share_id where sh.asset_id = ${assetId}
    ) d
    full join ${usedDays(assetId)} expected using (share_id, day)
    where coalesce(d.seconds, 0) <> coalesce(expected.seconds, 0)
      or coalesce(d.sessions, 0) <> coalesce(expected.sessions, 0)
    order by share_id, day`.execute(db);
  return rows;
}

/** Returns ids of assets after an id, in order. */
export async function assetIds(db: Database, { after, limit }: { after: number; limit: number }): Promise<number[]> {
  const rows = await db.selectFrom('assets').select('id').where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** Locks an asset's row, so that nothing of it is closed, edited, or rebuilt meanwhile. */
export async function lockAsset(db: Database, assetId: number): Promise<void> {
  await db.selectFrom('assets').select('id').where('id', '=', assetId).forUpdate().execute();
}
