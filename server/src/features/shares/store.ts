import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { violates } from '../../platform/database/failure.ts';
import { currentPeriod } from '../periods/sql.ts';
import { usedInPeriod } from '../usage/sql.ts';

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
    /** Only shares with higher ids. */
    after?: number | undefined;
  },
): Promise<StoredShare[]> {
  const { rows } = await sql<StoredShare>`
    select sh.id, a.id as asset_id, a.name, a.description, o.username as owner,
      sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds, used.active_since
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
    cross join ${currentPeriod(now)}
    cross join ${usedInPeriod(now)}
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

/**
 * Adds a share. Of several at once, the index of open shares lets one through, and the others get `shared`. Returns
 * `asset_gone` or `member_gone` if the asset or the member has just been deleted.
 */
export async function insertShare(
  db: Database,
  share: { assetId: number; memberId: number; allocationHours: number; now: Date },
): Promise<'added' | 'shared' | 'asset_gone' | 'member_gone'> {
  const insert = sql`
    with added as (
      insert into shares (asset_id, member_id, monthly_hours_allocated, created_at)
      values (${share.assetId}, ${share.memberId}, ${share.allocationHours}, ${share.now})
      on conflict (asset_id, member_id) where ended_at is null do nothing
      returning id, monthly_hours_allocated, created_at
    )
    insert into allowances (share_id, since, monthly_hours)
    select id, created_at, monthly_hours_allocated from added
    returning share_id`;
  try {
    const { rows } = await insert.execute(db);
    return rows.length === 1 ? 'added' : 'shared';
  } catch (error) {
    if (violates(error, 'shares_asset_id_fkey')) return 'asset_gone';
    if (violates(error, 'shares_member_id_fkey')) return 'member_gone';
    throw error;
  }
}

interface ShareOfOwner {
  ownerId: number;
  assetId: number;
  shareId: number;
}

const openShareOf = ({ ownerId, assetId, shareId }: ShareOfOwner) => sql<boolean>`
  sh.id = ${shareId} and sh.ended_at is null and sh.asset_id = ${assetId}
  and exists (select 1 from assets a where a.id = sh.asset_id and a.owner_id = ${ownerId})`;

/** Changes a share's allowance and records from when it applies. False when the owner has no such open share. */
export async function setAllowance(
  db: Database,
  share: ShareOfOwner,
  { allocationHours, now }: { allocationHours: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update shares sh set monthly_hours_allocated = ${allocationHours} where ${openShareOf(share)} returning sh.id
    )
    insert into allowances as known (share_id, since, monthly_hours)
    -- never before the one that it replaces, also on a clock that was set back
    select id, greatest(${now}::timestamptz, (select max(since) from allowances where share_id = changed.id)),
      ${allocationHours}
    from changed
    on conflict (share_id, since) do update set monthly_hours = excluded.monthly_hours
    returning share_id`.execute(db);
  return rows.length === 1;
}

/**
 * Ends a share. Its row is written before the session that runs on it: a start at this moment waits for the row and then
 * finds it ended. False when the owner has no such open share.
 */
export async function endShare(db: Database, share: ShareOfOwner, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shares sh set ended_at = greatest(sh.created_at, ${now}::timestamptz) where ${openShareOf(share)}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
