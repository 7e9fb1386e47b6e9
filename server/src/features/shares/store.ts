import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { violates } from '../../platform/database/failure.ts';
import { currentPeriod } from '../periods/sql.ts';
import { lastUsedAt, usedInPeriod } from '../usage/sql.ts';

export interface StoredShare {
  id: number;
  asset_id: number;
  name: string;
  description: string;
  owner: string;
  allocation_hours: number;
  used_seconds: number;
  created_at: Date;
  active_since: Date | null;
  last_used_at: Date | null;
}

/** Returns a member's open shares, oldest first, with their use this month. Takes one statement for all of them. */
export async function readShares(
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
    select sh.id, a.id as asset_id, a.name, a.description, o.username as owner, sh.created_at,
      sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds, used.active_since,
      ${lastUsedAt(now)} as last_used_at
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

/** Returns undefined if the owner has no such asset. */
export async function findOwnedAsset(
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
 * Adds a share. Of concurrent requests, the index on open shares lets one through and the others get `shared`;
 * `asset_gone` or `member_gone` means that the asset or the member has just been deleted.
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

const isOwnedOpenShare = ({ ownerId, assetId, shareId }: ShareOfOwner) => sql<boolean>`
  sh.id = ${shareId} and sh.ended_at is null and sh.asset_id = ${assetId}
  and exists (select 1 from assets a where a.id = sh.asset_id and a.owner_id = ${ownerId})`;

/** Changes a share's allowance and records when it takes effect. Returns false if the owner has no such open share. */
export async function setAllowance(
  db: Database,
  share: ShareOfOwner,
  { allocationHours, now }: { allocationHours: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update shares sh set monthly_hours_allocated = ${allocationHours} where ${isOwnedOpenShare(share)} returning sh.id
    )
    insert into allowances as known (share_id, since, monthly_hours)
    -- never before the allowance it replaces, even if the clock was set back
    select id, greatest(${now}::timestamptz, (select max(since) from allowances where share_id = changed.id)),
      ${allocationHours}
    from changed
    on conflict (share_id, since) do update set monthly_hours = excluded.monthly_hours
    returning share_id`.execute(db);
  return rows.length === 1;
}

/**
 * Ends a share; returns false if the owner has no such open share. Its row is written before its active session, so
 * that a session starting now waits for the row and then finds the share ended.
 */
export async function endShare(db: Database, share: ShareOfOwner, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shares sh set ended_at = greatest(sh.created_at, ${now}::timestamptz) where ${isOwnedOpenShare(share)}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}
