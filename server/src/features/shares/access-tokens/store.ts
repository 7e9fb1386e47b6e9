import type { AccessToken } from '@hourshare/contract/shares';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

export interface StoredToken {
  id: number;
  name: string;
  scope: AccessToken['scope'];
  share_id: number | null;
  asset_name: string | null;
  share_ended: boolean;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

/** Returns a user's tokens that haven't expired, newest first. */
export async function tokensOf(db: Database, userId: number, now: Date): Promise<StoredToken[]> {
  const { rows } = await sql<StoredToken>`
    select t.id, t.name, t.scope, t.share_id, a.name as asset_name, sh.ended_at is not null as share_ended,
      t.created_at, t.last_used_at, t.expires_at
    from access_tokens t left join shares sh on sh.id = t.share_id left join assets a on a.id = sh.asset_id
    where t.user_id = ${userId} and t.expires_at > ${now}::timestamptz
    order by t.id desc`.execute(db);
  return rows;
}

/** Returns how many of a user's tokens haven't expired. */
export async function countTokens(db: Database, { userId, now }: { userId: number; now: Date }): Promise<number> {
  const { rows } = await sql<{ tokens: number }>`
    select count(*)::int as tokens from access_tokens
    where user_id = ${userId} and expires_at > ${now}::timestamptz`.execute(db);
  return rows[0]?.tokens ?? 0;
}

/** Returns whether the user has access through a share, and keeps the share from being deleted until the transaction ends. */
export async function hasShare(
  db: Database,
  { userId, shareId }: { userId: number; shareId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('shares')
    .select('id')
    .where('id', '=', shareId)
    .where('member_id', '=', userId)
    .where('accepted_at', 'is not', null)
    .where('ended_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds an access token. Returns its id. */
export async function insertToken(
  db: Database,
  token: {
    userId: number;
    name: string;
    tokenHash: string;
    scope: AccessToken['scope'];
    shareId?: number;
    now: Date;
    expiresAt: Date;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('access_tokens')
    .values({
      user_id: token.userId,
      name: token.name,
      token_hash: token.tokenHash,
      scope: token.scope,
      share_id: token.shareId ?? null,
      created_at: token.now,
      expires_at: token.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns whether the user had this token. */
export async function deleteToken(db: Database, { userId, id }: { userId: number; id: number }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns the ids of the revoked tokens. */
export async function deleteTokensOf(db: Database, userId: number): Promise<number[]> {
  const rows = await db.deleteFrom('access_tokens').where('user_id', '=', userId).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Returns those of some tokens that haven't been revoked or expired. */
export async function findActive(db: Database, ids: number[], now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('access_tokens')
    .select('id')
    .where('id', 'in', ids)
    .where('expires_at', '>', now)
    .execute();
  return rows.map(({ id }) => id);
}

export interface FoundToken {
  id: number;
  userId: number;
  scope: AccessToken['scope'];
  /** Null without access to that share, or with another scope. */
  shareId: number | null;
  lastUsedAt: Date | null;
  expiresAt: Date;
}

/** Returns the token with each hash, if it hasn't expired. */
export async function findTokens(db: Database, hashes: string[], now: Date): Promise<(FoundToken | undefined)[]> {
  const { rows } = await sql<FoundToken & { hash: string }>`
    select t.token_hash as hash, t.id, t.user_id as "userId", t.scope, sh.id as "shareId", t.last_used_at as "lastUsedAt",
      t.expires_at as "expiresAt"
    from access_tokens t left join shares sh on sh.id = t.share_id and sh.member_id = t.user_id and sh.ended_at is null
    where t.token_hash = any(${hashes}) and t.expires_at > ${now}::timestamptz`.execute(db);
  const byHash = new Map(rows.map(({ hash, ...token }) => [hash, token]));
  return hashes.map((hash) => byHash.get(hash));
}

/** Notes that a token was used, unless it was noted after an instant. */
export async function touchToken(
  db: Database,
  { id, now, usedBefore }: { id: number; now: Date; usedBefore: Date },
): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', usedBefore)]))
    .execute();
}

export async function deleteExpiredTokens(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('access_tokens').where('expires_at', '<=', passedTime).execute();
}
