import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { insertFirstAllowance } from '../allowances/store.ts';

const isDue = (now: Date) => sql<boolean>`(
  sh.promised_at is not null and sh.accepted_at is null and sh.ended_at is null and p.starts_at <= ${now}::timestamptz)`;

/** Returns the ids of shares to which their members said yes and whose first month has begun at an instant. */
export async function dueShares(db: Database, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select sh.id from shares sh join periods p on p.asset_id = sh.asset_id and p.month = sh.starts_on
    where ${isDue(now)} order by sh.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Begins the access of a due share, and returns its member. Undefined if it has just been withdrawn, which the share's lock decides:
 * it is taken after its asset's, in the order in which deleting an asset does.
 */
export async function beginAccess(db: Database, shareId: number, now: Date): Promise<number | undefined> {
  await sql`
    select 1 from shares sh join assets a on a.id = sh.asset_id
    where sh.id = ${shareId} for share of a for no key update of sh`.execute(db);
  const { rows } = await sql<{ member_id: number }>`
    with begun as (
      update shares sh set accepted_at = greatest(sh.created_at, p.starts_at)
      from periods p
      where sh.id = ${shareId} and p.asset_id = sh.asset_id and p.month = sh.starts_on and ${isDue(now)}
      returning sh.*
    ), allowance as (${insertFirstAllowance(sql`begun`)})
    select member_id from begun`.execute(db);
  return rows[0]?.member_id;
}
