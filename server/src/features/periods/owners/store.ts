import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { actsFor, isKeptFor, isManagedBy } from '../../assets/sql.ts';
import { closesAt, currentPeriod, hasOwned, ownerDuring } from '../sql.ts';

export interface OwnedPeriods {
  current_month: string;
  first_month: string;
  /** The first month that can still be changed; null if none can. All months here are `YYYY-MM`. */
  first_open_month: string | null;
  currency: string;
  /** Whether the current month has ended, as deleting the asset makes it. */
  ended: boolean;
}

/**
 * Locks an asset that a user manages or has owned until the transaction ends. Callers check afterwards whether the user still
 * manages it.
 */
export async function lockManagedAsset(
  db: Database,
  { assetId, userId }: { assetId: number; userId: number },
): Promise<void> {
  await sql`
    select 1 from assets a
    where a.id = ${assetId} and ${isKeptFor('a', userId)} and (${isManagedBy('a', userId)} or ${hasOwned('a', userId)})
    for no key update of a`.execute(db);
}

/** Returns the assets that a user owned in earlier months and another user owns now, by id. */
export async function formerAssets(
  db: Database,
  { userId, after, limit }: { userId: number; after: number | undefined; limit: number },
): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('assets as a')
    .select(['a.id', 'a.name'])
    .where('a.id', 'in', (query) => query.selectFrom('periods').select('asset_id').where('owner_id', '=', userId))
    .where('a.owner_id', '!=', userId)
    .where('a.id', '>', after ?? 0)
    .orderBy('a.id')
    .limit(limit)
    .execute();
}

/** Returns as what a user acts on a month of an asset, `YYYY-MM`; undefined if it is none of their business. */
export async function roleInMonth(
  db: Database,
  { assetId, month, userId }: { assetId: number; month: string; userId: number },
): Promise<'owner' | 'manager' | undefined> {
  const owner = ownerDuring('a', sql`own.month = ${`${month}-01`}::date`);
  const { rows } = await sql<{ role: 'owner' | 'manager' }>`
    select case when ${owner} = ${userId} then 'owner' else 'manager' end as role
    from assets a where a.id = ${assetId} and ${actsFor('a', userId, owner)}`.execute(db);
  return rows[0]?.role;
}

/** Returns whether an earlier open month of an asset has a different owner than a month, `YYYY-MM`. */
export async function followsOthersMonth(
  db: Database,
  { assetId, month }: { assetId: number; month: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p join periods earlier on earlier.asset_id = p.asset_id and earlier.month < p.month
    where p.asset_id = ${assetId} and p.month = ${`${month}-01`}::date
      and earlier.closed_at is null and earlier.owner_id is distinct from p.owner_id
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the bounds of an asset's periods that a user owns, owned, or co-manages; undefined for anyone else. If the user deleted
 * the asset, only with `deleted`.
 */
export async function ownedPeriods(
  db: Database,
  { assetId, userId, now, deleted = false }: { assetId: number; userId: number; now: Date; deleted?: boolean },
): Promise<OwnedPeriods | undefined> {
  const { rows } = await sql<OwnedPeriods>`
    select a.currency, to_char(p.month, 'YYYY-MM') as current_month, p.ends_at <= ${now}::timestamptz as ended,
      own.first_month, own.first_open_month
    from assets a cross join ${currentPeriod('a', now)} p
    cross join lateral (
      select to_char(min(p.month), 'YYYY-MM') as first_month,
        to_char(min(p.month) filter (where p.closed_at is null and ${closesAt('p')} > ${now}::timestamptz), 'YYYY-MM')
          as first_open_month
      from periods p where p.asset_id = a.id and ${actsFor('a', userId, sql`p.owner_id`)}
    ) own
    where a.id = ${assetId} and own.first_month is not null ${deleted ? sql`` : sql`and ${isKeptFor('a', userId)}`}`.execute(
    db,
  );
  return rows[0];
}

/**
 * Transfers the months of a locked asset from a given one on to another user, and reserves the hours for them that they had as a
 * member. That month gets its own price, so that prices set for earlier months don't apply to it.
 */
export async function setOwnerFrom(
  db: Database,
  { assetId, month, ownerId, ownerHours }: { assetId: number; month: string; ownerId: number; ownerHours: number },
): Promise<void> {
  await sql`
    update periods set owner_id = ${ownerId}, owner_hours = ${ownerHours}, price_since = greatest(price_since, ${month}::date)
    where asset_id = ${assetId} and month >= ${month}::date`.execute(db);
}

/** Transfers a user's months that aren't closed to another user. The assets must be locked. */
export async function moveOwnedPeriods(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db
    .updateTable('periods')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .where('closed_at', 'is', null)
    .execute();
}
