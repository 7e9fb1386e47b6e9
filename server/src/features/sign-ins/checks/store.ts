import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** How a user proved who they are. */
export type CheckedWith = 'password' | 'passkey' | 'provider';

/**
 * Records that the user of a sign-in has just proved who they are; returns false if the sign-in has ended. A verified password must
 * still be current, and without a second step, none may be needed; the lock makes this wait for concurrent changes of either.
 */
export async function recordCheck(
  db: Database,
  check: {
    signIn: string;
    with: CheckedWith;
    verifiedHash?: string | undefined;
    /** Whether the second step is passed: by a passkey, or by a code that the same transaction checks. */
    secondStep: boolean;
    now: Date;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sign_ins set checked_at = ${check.now}::timestamptz, checked_with = ${check.with}
    from (select id from users
      where id = (select user_id from sign_ins where handle = ${check.signIn}) and disabled_at is null
        ${check.verifiedHash === undefined ? sql`` : sql`and password_hash = ${check.verifiedHash}`}
        ${check.secondStep ? sql`` : sql`and two_step_since is null`}
      for share) as users
    where users.id = sign_ins.user_id and handle = ${check.signIn} and ended_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** Returns when and how the user of a sign-in last proved who they are. */
export async function lastCheck(db: Database, signIn: string): Promise<{ at: Date; with: CheckedWith } | undefined> {
  const { rows } = await sql<{ at: Date; with: CheckedWith }>`
    select checked_at as at, checked_with as "with" from sign_ins
    where handle = ${signIn} and ended_at is null`.execute(db);
  return rows[0];
}

/**
 * Makes a user's sign-ins, except one to keep, prove again who they are before they change anything sensitive. Needs the lock on the
 * user's row, for which checks wait.
 */
export async function uncheckSignIns(
  db: Database,
  { userId, keep }: { userId: number; keep: string | undefined },
): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ checked_at: new Date(0) })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(keep !== undefined, (query) => query.where('handle', '!=', keep ?? ''))
    .execute();
}
