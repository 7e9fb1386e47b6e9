import { sql } from 'kysely';
import { monthOf } from '../../platform/database/asset-months.ts';
import { usedThisMonth } from '../../platform/database/share-use.ts';
import type { Database } from '../../platform/database/tables.ts';

export interface StoredShare {
  id: number;
  asset_id: number;
  name: string;
  description: string;
  owner: string;
  allocation_hours: number;
  used_seconds: number;
  active_since: Date | null;
}

/** Open shares of a member in the order they were made, with their use this month; one statement for all of them. */
export async function sharesOf(
  db: Database,
  {
    memberId,
    shareId,
    now,
    limit,
    after = 0,
  }: {
    memberId: number;
    shareId?: number;
    now: Date;
    limit: number;
    /** Those with higher ids. */ after?: number | undefined;
  },
): Promise<StoredShare[]> {
  const { rows } = await sql<StoredShare>`
    select sh.id, a.id as asset_id, a.name, a.description, o.username as owner,
      sh.monthly_hours_allocated as allocation_hours, u.used_seconds, u.active_since
    from (
      select sh.* from shares sh
      join assets a on a.id = sh.asset_id
      where sh.member_id = ${memberId} and sh.ended_at is null and a.archived_at is null
        and sh.id > ${after} ${shareId === undefined ? sql`` : sql`and sh.id = ${shareId}`}
      order by sh.id
      limit ${limit}
    ) sh
    join assets a on a.id = sh.asset_id
    join users o on o.id = a.owner_id
    cross join ${usedThisMonth(sql`sh.id`, now)} u
    order by sh.id`.execute(db);
  return rows;
}

/** Undefined when there is no such asset of that owner. */
export async function assetOf(
  db: Database,
  { ownerId, assetId }: { ownerId: number; assetId: number },
): Promise<{ archived: boolean } | undefined> {
  const asset = await db
    .selectFrom('assets')
    .select('archived_at')
    .where('id', '=', assetId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return asset && { archived: asset.archived_at !== null };
}

/** False when the member has the asset already: of many at once, the index of open shares lets one through. */
export async function insertShare(
  db: Database,
  share: { assetId: number; memberId: number; allocationHours: number; now: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('shares')
    .values({
      asset_id: share.assetId,
      member_id: share.memberId,
      monthly_hours_allocated: share.allocationHours,
      created_at: share.now,
    })
    .onConflict((conflict) => conflict.columns(['asset_id', 'member_id']).where('ended_at', 'is', null).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

interface ShareOfOwner {
  ownerId: number;
  assetId: number;
  shareId: number;
}

const openShareOf = ({ ownerId, assetId, shareId }: ShareOfOwner) => sql<boolean>`
  sh.id = ${shareId} and sh.ended_at is null and sh.asset_id = ${assetId}
  and exists (select 1 from assets a where a.id = sh.asset_id and a.owner_id = ${ownerId})`;

/** False when the owner has no such open share. What it allotted so far is kept for the months before this one. */
export async function setAllocation(
  db: Database,
  share: ShareOfOwner,
  { allocationHours, now }: { allocationHours: number; now: Date },
): Promise<boolean> {
  await sql`
    insert into past_allocations (share_id, before_month, monthly_hours_allocated)
    select sh.id, ${monthOf(sql`${now}::timestamptz`)}::date, sh.monthly_hours_allocated
    from shares sh join assets a on a.id = sh.asset_id
    where ${openShareOf(share)}
    for no key update of sh
    on conflict (share_id, before_month) do nothing`.execute(db);
  const { numAffectedRows } = await sql`
    update shares sh set monthly_hours_allocated = ${allocationHours} where ${openShareOf(share)}`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Ends a share, then the session that runs on it, in that order: a start at this moment waits for the share's row and
 * then finds it ended. False when the owner has no such open share.
 */
export async function endShare(db: Database, share: ShareOfOwner, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shares sh set ended_at = greatest(sh.created_at, ${now}::timestamptz) where ${openShareOf(share)}`.execute(
    db,
  );
  if (numAffectedRows !== 1n) return false;
  await sql`
    update sessions s set ended_at = least(s.ends_by, greatest(s.started_at, ${now}::timestamptz))
    where s.share_id = ${share.shareId} and s.ended_at is null`.execute(db);
  return true;
}
