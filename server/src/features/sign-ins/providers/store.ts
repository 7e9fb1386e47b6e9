import type { ProviderName, StartProviderRequest } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/failure.ts';

export type Purpose = StartProviderRequest['purpose'];

/** What one step of a sign-in with a provider leaves for the next. */
export interface Flow {
  provider: ProviderName;
  purpose: Purpose;
  sealed: string;
}

/** The owner of a step: what the browser presents, and the browser that started it. */
export interface FlowKey {
  step: 'state' | 'ticket';
  tokenHash: string;
  browserHash: string;
}

export async function insertFlow(
  db: Database,
  { step, tokenHash, browserHash, provider, purpose, sealed }: FlowKey & Flow,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('provider_flows')
    .values({
      step,
      token_hash: tokenHash,
      browser_hash: browserHash,
      provider,
      purpose,
      sealed,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

/** Uses up a step, so that only one of several requests succeeds; undefined if there is none for this browser. */
export async function takeFlow(
  db: Database,
  { step, tokenHash, browserHash }: FlowKey,
  now: Date,
): Promise<Flow | undefined> {
  const { rows } = await sql<Flow>`
    delete from provider_flows
    where step = ${step} and token_hash = ${tokenHash} and browser_hash = ${browserHash} and expires_at > ${now}::timestamptz
    returning provider, purpose, sealed`.execute(db);
  return rows[0];
}

export async function deleteExpiredFlows(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('provider_flows').where('expires_at', '<=', passedTime).execute();
}

export interface StoredIdentity {
  id: number;
  provider: ProviderName;
  issuer: string;
  name: string | null;
  created_at: Date;
  last_used_at: Date;
}

const columns = ['id', 'provider', 'issuer', 'name', 'created_at', 'last_used_at'] as const;

// The check constraint allows only these names.
const narrowed = (row: Omit<StoredIdentity, 'provider'> & { provider: string }): StoredIdentity =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- see above
  ({ ...row, provider: row.provider as ProviderName });

export async function identitiesOf(db: Database, userId: number): Promise<StoredIdentity[]> {
  const rows = await db.selectFrom('identities').select(columns).where('user_id', '=', userId).orderBy('id').execute();
  return rows.map(narrowed);
}

/** Records that an identity was just used, and returns its user. */
export async function useIdentity(
  db: Database,
  { issuer, subject }: { issuer: string; subject: string },
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .updateTable('identities')
    .set({ last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Connects an identity to a user, or returns the existing connection. Returns `taken` if another account has it, `replaced` if the
 * user has another identity of the same provider, and `gone` if the account was just deleted. The unique constraints decide.
 */
export async function insertIdentity(
  db: Database,
  identity: { userId: number; provider: ProviderName; issuer: string; subject: string; name: string | null; now: Date },
): Promise<{ identity: StoredIdentity; isNew: boolean } | 'taken' | 'replaced' | 'gone'> {
  const { userId, provider, issuer, subject, name, now } = identity;
  try {
    const row = await db
      .insertInto('identities')
      .values({ user_id: userId, provider, issuer, subject, name, created_at: now, last_used_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns)
      .executeTakeFirst();
    if (row) return { identity: narrowed(row), isNew: true };
  } catch (error) {
    if (violates(error, 'identities_user_id_fkey')) return 'gone';
    throw error;
  }
  const known = await db
    .selectFrom('identities')
    .select([...columns, 'user_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (!known) return 'replaced';
  return known.user_id === userId ? { identity: narrowed(known), isNew: false } : 'taken';
}

/** Disconnects an identity; false if the user doesn't have it. */
export async function deleteIdentity(db: Database, { userId, id }: { userId: number; id: number }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns the account with an email address. */
export async function usernameByEmail(db: Database, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('username')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst();
  return row?.username;
}

/** Disconnects all of a user's providers. Returns whether there were any. */
export async function deleteIdentities(db: Database, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('identities').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}
