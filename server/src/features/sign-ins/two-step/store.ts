import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** Returns since when signing in takes a code, and how many recovery codes are left; undefined if the account is gone. */
export function readTwoStep(db: Database, userId: number): Promise<{ since: Date | null; codes: number } | undefined> {
  return db
    .selectFrom('users')
    .select([
      'two_step_since as since',
      sql<number>`(select count(*)::int from recovery_codes code where code.user_id = users.id)`.as('codes'),
    ])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** Stores a key that waits for its first code, replacing an earlier one. Returns false if codes are already required. */
export async function putKey(
  db: Database,
  { userId, sealed, now }: { userId: number; sealed: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into two_step_keys (user_id, sealed, created_at)
    select id, ${sealed}, ${now}::timestamptz from users where id = ${userId} and two_step_since is null
    for share
    on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at, last_step = null`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Returns a user's key; if a time is given, only if the key was created after it. */
export async function readKey(db: Database, userId: number, madeAfter?: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom('two_step_keys')
    .select('sealed')
    .where('user_id', '=', userId)
    .$if(madeAfter !== undefined, (query) => query.where('created_at', '>', madeAfter ?? new Date(0)))
    .executeTakeFirst();
  return row?.sealed;
}

/** Requires codes from now on; false if they already are. The row lock makes this wait for concurrent sign-ins, or them for it. */
export async function switchOn(db: Database, userId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ two_step_since: now })
    .where('id', '=', userId)
    .where('two_step_since', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Uses up a period's code, and all earlier ones; false if it was used before or the key was replaced. */
export async function spendStep(
  db: Database,
  { userId, sealed, step }: { userId: number; sealed: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('two_step_keys')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Uses up a recovery code; false if it doesn't exist. */
export async function spendRecoveryCode(db: Database, userId: number, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Replaces all recovery codes. Needs a transaction that has locked the user. */
export async function replaceRecoveryCodes(db: Database, userId: number, codeHashes: string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** Locks a user who needs a code to sign in; false if none is needed. */
export async function lockTwoStepUser(db: Database, userId: number): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('two_step_since', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/** Deletes the key and the recovery codes. Returns whether codes were required until now. Needs a transaction. */
export async function switchOff(db: Database, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ two_step_since: null })
    .where('id', '=', userId)
    .where('two_step_since', 'is not', null)
    .executeTakeFirst();
  await db.deleteFrom('two_step_keys').where('user_id', '=', userId).execute();
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  return numUpdatedRows === 1n;
}
