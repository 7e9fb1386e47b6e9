import type { Registration } from '@hourshare/contract/fields';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

export async function findSecretFingerprint(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('secret_fingerprint').executeTakeFirst();
  return row?.secret_fingerprint;
}

/** Records the fingerprint unless there is one already, and returns the recorded one. */
export async function recordSecretFingerprint(db: Database, fingerprint: string): Promise<string> {
  await db
    .insertInto('installation')
    .values({ secret_fingerprint: fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('installation').select('secret_fingerprint').executeTakeFirstOrThrow();
  return row.secret_fingerprint;
}

/** Conditional, so that only one of several servers replaces the same secret. */
export async function replaceSecretFingerprint(db: Database, recorded: string, fingerprint: string): Promise<void> {
  await db
    .updateTable('installation')
    .set({ secret_fingerprint: fingerprint })
    .where('secret_fingerprint', '=', recorded)
    .execute();
}

/** Returns what the administrator chose; null if nothing was chosen or no server has started yet. */
export async function storedRegistration(db: Database): Promise<Registration | null> {
  const row = await db.selectFrom('installation').select('registration').executeTakeFirst();
  return row?.registration ?? null;
}

/** Returns false if no server has started yet. */
export async function storeRegistration(db: Database, registration: Registration): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('installation').set({ registration }).executeTakeFirst();
  return numUpdatedRows === 1n;
}

export interface StoredPushKeys {
  push_public_key: string | null;
  push_sealed_key: string | null;
}

export const readPushKeys = (db: Database): Promise<StoredPushKeys | undefined> =>
  db.selectFrom('installation').select(['push_public_key', 'push_sealed_key']).executeTakeFirst();

/** Stores keys unless the stored ones have been replaced since they were read. */
export async function replacePushKeys(db: Database, before: StoredPushKeys, after: StoredPushKeys): Promise<void> {
  await db
    .updateTable('installation')
    .set(after)
    .where('push_public_key', 'is not distinct from', before.push_public_key)
    .execute();
}

/** Returns when every asset last had its periods of two months ahead; null if that isn't known. */
export async function readPeriodExtension(db: Database): Promise<Date | null> {
  const row = await db.selectFrom('installation').select('periods_extended_at').executeTakeFirst();
  return row?.periods_extended_at ?? null;
}

/** Records that every asset has its periods, but at an instant that isn't ahead of the database's clock, which other servers share. */
export async function recordPeriodExtension(db: Database, now: Date): Promise<void> {
  const extendedAt = sql<Date>`least(${now}::timestamptz, clock_timestamp())`;
  await db.updateTable('installation').set({ periods_extended_at: extendedAt }).execute();
}

export async function recordBackupByHand(db: Database, madeAt: Date): Promise<void> {
  await db.updateTable('installation').set({ backed_up_by_hand_at: madeAt }).execute();
}

/** Returns when the last backup that an administrator asked for was made; null if none was. */
export async function readBackupByHand(db: Database): Promise<Date | null> {
  const row = await db.selectFrom('installation').select('backed_up_by_hand_at').executeTakeFirst();
  return row?.backed_up_by_hand_at ?? null;
}

/** Returns when the last daily backup was made, and since when making one has failed. */
export async function readLastBackup(db: Database): Promise<{ madeAt: Date | null; failedAt: Date | null }> {
  const row = await db.selectFrom('installation').select(['backed_up_at', 'backup_failed_at']).executeTakeFirst();
  return { madeAt: row?.backed_up_at ?? null, failedAt: row?.backup_failed_at ?? null };
}

/** Records a daily backup, unless another one was recorded after `last`. Returns whether it did. */
export async function recordBackup(
  db: Database,
  { madeAt, last }: { madeAt: Date; last: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ backed_up_at: madeAt, backup_failed_at: null })
    .where('backed_up_at', 'is not distinct from', last)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records since when backups fail. Returns whether the last attempt hadn't. */
export async function recordBackupFailure(db: Database, failedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ backup_failed_at: failedAt })
    .where('backup_failed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records that backups no longer fail, though none was due since. */
export async function forgetBackupFailure(db: Database): Promise<void> {
  await db.updateTable('installation').set({ backup_failed_at: null }).execute();
}
