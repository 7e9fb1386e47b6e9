import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { isManagedBy } from '../../assets/sql.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { isOpenShareOf, type ManagedShare } from '../sql.ts';

interface ManagedAsset {
  ownerId: number;
  archived: boolean;
  measured: boolean;
}

/** Returns undefined if the user manages no such asset. */
export async function findManagedAsset(
  db: Database,
  { userId, assetId }: { userId: number; assetId: number },
  now: Date,
): Promise<ManagedAsset | undefined> {
  const { rows } = await sql<ManagedAsset>`
    select a.owner_id as "ownerId", a.archived_at is not null as archived, p.measured
    from assets a cross join ${currentPeriod('a', now)} p where a.id = ${assetId} and ${isManagedBy('a', userId)}`.execute(
    db,
  );
  return rows[0];
}

/** Returns whether an open share of an asset that a user manages belongs to a person without an account; undefined if there is none. */
export async function findManagedShare(
  db: Database,
  share: ManagedShare,
  now: Date,
): Promise<{ person: boolean } | undefined> {
  const { rows } = await sql<{ person: boolean }>`
    select m.host_id is not null as person from shares sh join users m on m.id = sh.member_id
    where ${isOpenShareOf('sh', share, now, isManagedBy('a', share.userId))}`.execute(db);
  return rows[0];
}

interface ShareToManage {
  ownerId: number;
  memberId: number;
  /** Whether its member could co-manage the asset. */
  fit: boolean;
  manager: boolean;
  /** The asset's number of co-managers. */
  managers: number;
}

/** Locks an asset that a user manages, and returns what decides who may co-manage it; undefined if the open share doesn't exist. */
export async function lockShareToManage(
  db: Database,
  share: ManagedShare,
  now: Date,
): Promise<ShareToManage | undefined> {
  const [found] = await lockThenRead(
    db,
    sql`
      select 1 from assets a where a.id = ${share.assetId} and ${isManagedBy('a', share.userId)}
      for no key update of a`,
    sql<ShareToManage>`
      select a.owner_id as "ownerId", sh.member_id as "memberId",
        sh.accepted_at is not null and m.host_id is null as fit, sh.manager_since is not null as manager,
        (select count(*) from shares each
          where each.asset_id = a.id and each.manager_since is not null and each.ended_at is null)::int as managers
      from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
      where ${isOpenShareOf('sh', share, now, isManagedBy('a', share.userId))}`,
  );
  return found;
}

/** Starts or ends the co-manager role of an open share's member. The asset must be locked. Returns false if the share has just ended. */
export async function setManager(
  db: Database,
  { shareId, manager, now }: { shareId: number; manager: boolean; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shares set manager_since = ${manager ? now : null}::timestamptz
    where id = ${shareId} and ended_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** Ends the co-manager role of members of an asset. */
export async function endManagersOf(db: Database, assetId: number): Promise<void> {
  await db
    .updateTable('shares')
    .set({ manager_since: null })
    .where('asset_id', '=', assetId)
    .where('manager_since', 'is not', null)
    .execute();
}
