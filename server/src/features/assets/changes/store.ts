import type { ManagerChange } from '@hourshare/contract/assets';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { isCoManagedBy, isManagedBy } from '../sql.ts';

interface Change {
  assetId: number;
  userId: number;
  kind: ManagerChange['kind'];
  shareId?: number;
  now: Date;
}

/** Records a change to an asset by one of its co-managers; does nothing for other users. */
export async function insertChange(db: Database, { assetId, userId, kind, shareId, now }: Change): Promise<void> {
  await sql`
    insert into manager_changes (asset_id, user_id, kind, share_id, changed_at)
    select a.id, ${userId}, ${kind}, ${shareId ?? null}::bigint, ${now}::timestamptz
    from assets a where a.id = ${assetId} and ${isCoManagedBy('a', userId)}`.execute(db);
}

export interface StoredChange {
  id: number;
  username: string | null;
  kind: ManagerChange['kind'];
  member: string | null;
  changed_at: Date;
}

/** Returns the co-managers' changes before a given change, newest first; undefined if the user doesn't manage the asset. */
export async function readChanges(
  db: Database,
  { userId, assetId, limit, after }: { userId: number; assetId: number; limit: number; after?: number | undefined },
): Promise<StoredChange[] | undefined> {
  const { rows } = await sql<{ [Column in keyof StoredChange]: StoredChange[Column] | null }>`
    select change.id, u.username, change.kind, m.username as member, change.changed_at
    from assets a
    left join lateral (
      select * from manager_changes
      where asset_id = a.id ${after === undefined ? sql`` : sql`and id < ${after}`}
      order by id desc limit ${limit}
    ) change on true
    left join users u on u.id = change.user_id
    left join shares sh on sh.id = change.share_id
    left join users m on m.id = sh.member_id
    where a.id = ${assetId} and ${isManagedBy('a', userId)}
    order by change.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredChange => row.id !== null);
}

/** Moves the recorded changes of an account that is being deleted to its stand-in. */
export async function moveChanges(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db.updateTable('manager_changes').set({ user_id: to }).where('user_id', '=', from).execute();
}
