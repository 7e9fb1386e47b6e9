import { ACCESS_TOKENS_MAX } from '@hourshare/contract/limits';
import type { AccessToken, CreateAccessTokenRequest, CreatedAccessToken } from '@hourshare/contract/shares';
import type { Deps } from '../../../deps.ts';
import { batched } from '../../../platform/batch.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { hashToken, type Caller, type Script } from '../../../platform/tokens.ts';
import { appendMessage } from '../../outbox/service.ts';
import { recordSecurityEvent, type By } from '../../security-events/service.ts';
import { refuseUnchecked } from '../../sign-ins/factors/service.ts';
import { noSuchToken, scriptTokenInvalid, shareNotFound, tooManyTokens } from '../errors.ts';
import * as store from './store.ts';

const DAY_MILLISECONDS = 24 * 3_600_000;
const TOUCH_MILLISECONDS = 60_000;

/** Distinguishes these tokens from those of sign-ins, and lets scanners for leaked secrets recognize them. */
const PREFIX = 'hs_';

/** Returns whether a token is one of these, valid or not. */
export const isScriptToken = (token: string): boolean => token.startsWith(PREFIX);

/** Refuses one of these that isn't valid; returns undefined for other tokens. */
export const refuseScriptToken = (token: string): Failure | undefined =>
  isScriptToken(token) ? scriptTokenInvalid() : undefined;

/** Returns a user's access tokens that haven't expired. */
export async function listTokens(deps: Deps, userId: number): Promise<Result<{ access_tokens: AccessToken[] }>> {
  const found = await store.tokensOf(deps.db, userId, deps.clock());
  return ok({ access_tokens: found.map(toWire) });
}

/** Creates an access token for a script. Only its hash is stored, so it can't be shown again. */
export function createToken(
  deps: Deps,
  { userId, signIn }: Caller,
  { name, share_id: shareId, scope = 'account', expires_in_days: days }: CreateAccessTokenRequest,
  by: Client,
): Promise<Result<CreatedAccessToken>> {
  // 256 random bits.
  const token = `${PREFIX}${deps.randomId()}${deps.randomId()}`;
  return transaction(deps, async (deps): Promise<Result<CreatedAccessToken>> => {
    const refused = await refuseUnchecked(deps, { userId, signIn });
    if (refused) return refused;
    const now = deps.clock();
    if ((await store.countTokens(deps.db, { userId, now })) >= ACCESS_TOKENS_MAX) return tooManyTokens();
    if (shareId !== undefined && !(await store.hasShare(deps.db, { userId, shareId }))) return shareNotFound();
    const expiresAt = new Date(now.getTime() + days * DAY_MILLISECONDS);
    const id = await store.insertToken(deps.db, {
      userId,
      name,
      tokenHash: hashToken(token),
      now,
      expiresAt,
      ...(shareId === undefined ? { scope } : { scope: 'share', shareId }),
    });
    const stored = (await store.tokensOf(deps.db, userId, now)).find((each) => each.id === id);
    if (!stored) return shareNotFound();
    await recordSecurityEvent(deps, 'access_token_created', { userId, by });
    return ok({ ...toWire(stored), token });
  });
}

/** Revokes an access token of a user, which ends what scripts have open with it. */
export function revokeToken(deps: Deps, token: { userId: number; id: number }, by: Client): Promise<Result<undefined>> {
  return transaction(deps, async (deps) => {
    if (!(await store.deleteToken(deps.db, token))) return noSuchToken();
    const revoked = { userId: token.userId, by, reason: 'ended_by_user', count: 1 } as const;
    await recordSecurityEvent(deps, 'access_tokens_revoked', revoked);
    await tellServers(deps, token.userId, [token.id]);
    return ok(undefined);
  });
}

/**
 * Returns a function that identifies scripts by their access tokens. Each request looks up its token, so that revoking one
 * works at once; concurrent lookups share one statement.
 */
export function createIdentifyScript(deps: Deps): (token: string) => Promise<Script | undefined> {
  const find = batched((hashes: string[]) => store.findTokens(deps.db, hashes, deps.clock()));
  return async (token) => {
    const found = await find(hashToken(token));
    if (!found) return undefined;
    const now = deps.clock();
    const usedBefore = new Date(now.getTime() - TOUCH_MILLISECONDS);
    // Not awaited: scripts still get answers if the database is slow to write, or can't because the disk is full.
    if (found.lastUsedAt === null || found.lastUsedAt <= usedBefore)
      void store.touchToken(deps.db, { id: found.id, now, usedBefore }).catch((error: unknown) => {
        deps.log.warn({ err: error }, "the last use of an access token couldn't be recorded");
      });
    const { id, userId, shareId: share, expiresAt } = found;
    return { token: id, userId, scope: found.scope === 'share' ? { share } : found.scope, expiresAt };
  };
}

/** Revokes all access tokens of an account. */
export async function revokeTokens(
  deps: Deps,
  { userId, by }: { userId: number; by: By },
  reason: 'password_reset' | 'disabled',
): Promise<void> {
  const ids = await store.deleteTokensOf(deps.db, userId);
  if (ids.length === 0) return;
  await recordSecurityEvent(deps, 'access_tokens_revoked', { userId, by, reason, count: ids.length });
  await tellServers(deps, userId, ids);
}

/** Removes the access tokens of an account that is about to be deleted, of which no one will be told. */
export async function forgetTokens(deps: Deps, { userId }: { userId: number }): Promise<void> {
  const ids = await store.deleteTokensOf(deps.db, userId);
  if (ids.length > 0) await tellServers(deps, userId, ids);
}

/** Tells the servers that have open streams of revoked tokens. */
const tellServers = (deps: Deps, userId: number, tokens: number[]): Promise<void> =>
  appendMessage(deps, 'tokens.revoked', { userIds: [userId] }, { tokens });

/** Returns which of some tokens still work. */
export const activeTokens = async ({ db, clock }: Deps, ids: number[]): Promise<Set<number>> =>
  new Set(await store.findActive(db, ids, clock()));

/** Deletes all tokens that have certainly expired; run by the schedule. */
export async function deleteExpiredTokens({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredTokens(db, await confirmedTime(db));
}

const toWire = (token: store.StoredToken): AccessToken => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  share_id: token.share_id,
  asset_name: token.asset_name,
  share_ended: token.share_ended,
  created_at: token.created_at.toISOString(),
  last_used_at: token.last_used_at?.toISOString() ?? null,
  expires_at: token.expires_at.toISOString(),
});
