import type { NoticeKind, TargetFormat } from '@hourshare/contract/notifications';
import type { Database } from '../../../platform/database/database.ts';

export interface StoredTarget {
  id: number;
  user_id: number;
  format: TargetFormat;
  host: string;
  sealed: string;
  kinds: NoticeKind[];
  amounts: boolean;
  created_at: Date;
  off_at: Date | null;
}

const COLUMNS = ['id', 'user_id', 'format', 'host', 'sealed', 'kinds', 'amounts', 'created_at', 'off_at'] as const;

/** Returns a user's targets, newest first. */
export async function targetsOf(db: Database, userId: number): Promise<StoredTarget[]> {
  const rows = await db
    .selectFrom('notice_targets')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  // oxlint-disable-next-line no-unsafe-type-assertion -- insertTarget stored them
  return rows as StoredTarget[];
}

/** Returns a target, of a user if given; undefined if it is gone. */
export async function findTarget(
  db: Database,
  { id, userId }: { id: number; userId?: number },
): Promise<StoredTarget | undefined> {
  const row = await db
    .selectFrom('notice_targets')
    .select(COLUMNS)
    .where('id', '=', id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .executeTakeFirst();
  // oxlint-disable-next-line no-unsafe-type-assertion -- insertTarget stored it
  return row as StoredTarget | undefined;
}

export async function insertTarget(db: Database, target: Omit<StoredTarget, 'id' | 'off_at'>): Promise<number> {
  const { id } = await db.insertInto('notice_targets').values(target).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Changes a target of a user, if there is one. */
export async function updateTarget(
  db: Database,
  { id, userId }: { id: number; userId: number },
  changes: Partial<Pick<StoredTarget, 'kinds' | 'amounts' | 'off_at'>>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await db.updateTable('notice_targets').set(changes).where('id', '=', id).where('user_id', '=', userId).execute();
}

/** Turns a target off, with what waits for it. Returns whether it was on. */
export async function turnOff(db: Database, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notice_targets')
    .set({ off_at: now })
    .where('id', '=', id)
    .where('off_at', 'is', null)
    .executeTakeFirst();
  await db.deleteFrom('deliveries').where('target_id', '=', id).execute();
  return numUpdatedRows === 1n;
}

/** Returns whether the user had this target. */
export async function deleteTarget(db: Database, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notice_targets')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns how many targets a user had. */
export async function deleteTargetsOf(db: Database, userId: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('notice_targets').where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}
