import type {
  AddPasskeyRequest,
  Check,
  NewPasskey,
  NewPasskeyOptions,
  Passkey,
  PasskeyProof,
  PasskeyProofOptions,
} from '@hourshare/contract/sign-ins';
import type { ExportedPasskey } from '@hourshare/contract/exports';
import { PASSKEY_MINUTES, PASSKEYS_MAX } from '@hourshare/contract/limits';
import { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { issuersOf } from '../../../platform/sign-in-providers.ts';
import { hashToken, type Caller } from '../../../platform/tokens.ts';
import { recordEndedSignIns, recordSecurityEvent } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { userById } from '../../users/service.ts';
import { readCheck } from '../checks/service.ts';
import { onlyWayToSignIn, passkeyInvalid, passkeyNotFound, passkeysUnavailable, tooManyPasskeys } from '../errors.ts';
import { recordFactorChange, refuseUnchecked } from '../factors/service.ts';
import { hasWayIn, recordCheck } from '../store.ts';
import { passkeySite, type PasskeySite } from './rules.ts';
import * as store from './store.ts';
import { readNewPasskey, readProof, toCreationOptions, toPasskey, toProofOptions } from './wire.ts';

/** Where a request with a passkey came from, and the origin that it was sent to. */
export type PasskeyClient = Client & { origin: string };

/**
 * A challenge's purpose and user: the handle of a sign-in, if there is one. It is encrypted and sent as the challenge itself,
 * so that requesting one stores nothing.
 */
const Challenge = z.object({
  passkey: z.enum(['add', 'register', 'login', 'check']),
  signIn: z.string().nullable(),
  /** How a device is to identify the user of a new passkey. */
  userHandle: z.string().nullable(),
  nonce: z.string(),
  expiresAt: z.number(),
});
type Challenge = z.infer<typeof Challenge>;
type Purpose = Pick<Challenge, 'passkey' | 'signIn'>;

/** An answered challenge, which can't be used again. */
interface Answered {
  challenge: Challenge;
  hash: string;
}

const siteFor = ({ config }: Deps, origin: string): PasskeySite | undefined => passkeySite(config.APP_URL, origin);

/** Returns the only origin at which passkeys work, given a request's origin; null if there is none. */
export const passkeyOrigin = (deps: Deps, origin: string): string | null => siteFor(deps, origin)?.origin ?? null;

function createChallenge(deps: Deps, purpose: Purpose, userHandle: string | null = null): string {
  const expiresAt = deps.clock().getTime() + PASSKEY_MINUTES * 60_000;
  return deps.tokens.seal(
    JSON.stringify({ ...purpose, userHandle, nonce: deps.randomId(), expiresAt } satisfies Challenge),
  );
}

/** Returns a check of whether a challenge is valid for a purpose, which stores a valid one in `answered`. */
function challengeFor(deps: Deps, purpose: Purpose) {
  const read: { answered?: Answered; isChallenge: (text: string) => boolean } = {
    isChallenge(text) {
      const unsealed = deps.tokens.unseal(text);
      const parsed = unsealed === undefined ? undefined : Challenge.safeParse(JSON.parse(unsealed));
      if (!parsed?.success) return false;
      const { data: challenge } = parsed;
      const isRight = challenge.passkey === purpose.passkey && challenge.signIn === purpose.signIn;
      if (!isRight || challenge.expiresAt <= deps.clock().getTime()) return false;
      read.answered = { challenge, hash: hashToken(text) };
      return true;
    },
  };
  return read;
}

const takeChallenge = (deps: Deps, { challenge, hash }: Answered): Promise<boolean> =>
  store.takeChallenge(deps.db, hash, new Date(challenge.expiresAt));

/** Returns what a browser needs to create a passkey for an account that doesn't exist yet. */
export function registrationOptions(deps: Deps, username: string, origin: string): Result<NewPasskeyOptions> {
  const site = siteFor(deps, origin);
  if (!site) return passkeysUnavailable();
  const userHandle = deps.randomId();
  const challenge = createChallenge(deps, { passkey: 'register', signIn: null }, userHandle);
  return ok(toCreationOptions(site, { challenge, userHandle, username }));
}

/** A verified passkey that can be added to an account. */
export interface PasskeyToAdd extends Answered {
  verified: NonNullable<Awaited<ReturnType<typeof readNewPasskey>>>;
  userHandle: string;
}

/** Verifies a passkey that was created for a purpose. */
export async function verifyNewPasskey(
  deps: Deps,
  passkey: NewPasskey,
  purpose: Purpose,
  origin: string,
): Promise<PasskeyToAdd | undefined> {
  const site = siteFor(deps, origin);
  if (!site) return undefined;
  const expected = challengeFor(deps, purpose);
  const verified = await readNewPasskey(passkey, { site, isChallenge: expected.isChallenge });
  const { answered } = expected;
  const userHandle = answered?.challenge.userHandle;
  return verified && answered && userHandle ? { ...answered, verified, userHandle } : undefined;
}

/** Adds a verified passkey to an account. Needs the account's lock, or the transaction that created the account. */
export async function addVerified(
  deps: Deps,
  added: PasskeyToAdd,
  { userId, name = null, device }: { userId: number; name?: string | null | undefined; device: string },
): Promise<store.StoredPasskey | Failure> {
  if (!(await takeChallenge(deps, added))) return passkeyInvalid();
  const inserted = await store.insertPasskey(
    deps.db,
    {
      ...added.verified,
      user_id: userId,
      user_handle: added.userHandle,
      name,
      device,
      created_at: deps.clock(),
    },
    PASSKEYS_MAX,
  );
  if (inserted === 'full') return tooManyPasskeys();
  return inserted ?? passkeyInvalid();
}

/** Returns what a browser needs to create another passkey for the caller. */
export async function additionOptions(deps: Deps, caller: Caller, origin: string): Promise<Result<NewPasskeyOptions>> {
  const site = siteFor(deps, origin);
  if (!site) return passkeysUnavailable();
  const user = await userById(deps.db, caller.userId);
  if (!user) return notSignedIn();
  const passkeys = await store.passkeysOf(deps.db, caller.userId);
  if (passkeys.length >= PASSKEYS_MAX) return tooManyPasskeys();
  const userHandle = passkeys[0]?.user_handle ?? deps.randomId();
  const challenge = createChallenge(deps, { passkey: 'add', signIn: caller.signIn }, userHandle);
  return ok(toCreationOptions(site, { challenge, userHandle, username: user.username, passkeys }));
}

/** Adds a passkey to the caller's account, and notifies the user by email. */
export async function addPasskey(
  deps: Deps,
  caller: Caller,
  { name, passkey }: AddPasskeyRequest,
  { origin, ...by }: PasskeyClient,
): Promise<Result<Passkey>> {
  const { userId } = caller;
  const verified = await verifyNewPasskey(deps, passkey, { passkey: 'add', signIn: caller.signIn }, origin);
  if (!verified) return refusePasskey(deps, userId, by);
  return undoableTransaction(deps, async (deps) => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    const inserted = await addVerified(deps, verified, { userId, name, device: by.device });
    if ('ok' in inserted) return inserted;
    await recordFactorChange(deps, 'passkey_added', { userId, by });
    return ok(toPasskey(inserted));
  });
}

/** Returns the caller's passkeys, oldest first. */
export async function listPasskeys({ db }: Deps, userId: number): Promise<Result<{ passkeys: Passkey[] }>> {
  return ok({ passkeys: (await store.passkeysOf(db, userId)).map(toPasskey) });
}

/** Returns a user's passkeys for the export. */
export async function exportPasskeys({ db }: Deps, userId: number): Promise<ExportedPasskey[]> {
  const passkeys = await store.passkeysOf(db, userId);
  return passkeys.map(({ name, device, created_at: created, last_used_at: lastUsed }) => ({
    name,
    device,
    created_at: created.toISOString(),
    last_used_at: lastUsed?.toISOString() ?? null,
  }));
}

export async function namePasskey(
  { db }: Deps,
  userId: number,
  { id, name }: { id: number; name: string | null },
): Promise<Result<Passkey>> {
  const named = await store.renamePasskey(db, { userId, id, name });
  return named ? ok(toPasskey(named)) : passkeyNotFound();
}

/**
 * Removes one of the caller's passkeys, unless it is the only way to sign in, and ends the sign-ins that were made with it, except the
 * current one.
 */
export function removePasskey(deps: Deps, caller: Caller, id: number, by: Client): Promise<Result<undefined>> {
  const { userId, signIn: keep } = caller;
  return undoableTransaction(deps, async (deps) => {
    const refused = await refuseUnchecked(deps, caller);
    if (refused) return refused;
    const ended = await store.deletePasskey(deps.db, { userId, id, keep, now: deps.clock() });
    if (ended === undefined) return passkeyNotFound();
    if (!(await hasWayIn(deps.db, { userId, issuers: issuersOf(deps) }))) return onlyWayToSignIn();
    await recordFactorChange(deps, 'passkey_removed', { userId, by });
    await recordEndedSignIns(deps, { userId, by, reason: 'passkey_removed', handles: ended });
    return ok(undefined);
  });
}

/** Returns what a browser needs to sign in with any of its passkeys for this server. */
export function signInOptions(deps: Deps, origin: string): Result<PasskeyProofOptions> {
  const site = siteFor(deps, origin);
  if (!site) return passkeysUnavailable();
  return ok(toProofOptions(site, { challenge: createChallenge(deps, { passkey: 'login', signIn: null }) }));
}

/** Returns what a browser needs to use one of the caller's passkeys. */
export async function checkOptions(
  deps: Deps,
  { userId, signIn }: Caller,
  origin: string,
): Promise<Result<PasskeyProofOptions>> {
  const site = siteFor(deps, origin);
  if (!site) return passkeysUnavailable();
  const passkeys = await store.passkeysOf(deps.db, userId);
  // Browsers read an empty list as any passkey.
  if (passkeys.length === 0) return passkeyInvalid();
  return ok(toProofOptions(site, { challenge: createChallenge(deps, { passkey: 'check', signIn }), passkeys }));
}

/** A verified use of a passkey, ready to be recorded. */
interface ProvenUse extends Answered {
  passkey: store.StoredPasskey;
  counter: number;
  backedUp: boolean;
}

/** Verifies the use of a passkey for a purpose: any user's, or a given user's. */
export async function verifyProof(
  deps: Deps,
  proof: PasskeyProof,
  purpose: Purpose & { userId?: number },
  origin: string,
): Promise<ProvenUse | undefined> {
  const site = siteFor(deps, origin);
  const passkey = site && (await store.findPasskey(deps.db, { credentialId: proof.id, userId: purpose.userId }));
  if (!site || !passkey) return undefined;
  const expected = challengeFor(deps, { passkey: purpose.passkey, signIn: purpose.signIn });
  const verified = await readProof(proof, passkey, { site, isChallenge: expected.isChallenge });
  const { userHandle } = proof.response;
  // Devices may omit it if the request listed the passkeys to use.
  if (
    purpose.passkey === 'login'
      ? userHandle !== passkey.user_handle
      : (userHandle ?? passkey.user_handle) !== passkey.user_handle
  )
    return undefined;
  return verified && expected.answered ? { ...expected.answered, ...verified, passkey } : undefined;
}

/** Records the use of a passkey; false if it was removed, copied, or replayed. Needs a transaction. */
export async function recordUse(deps: Deps, { passkey, counter, backedUp, ...answered }: ProvenUse): Promise<boolean> {
  const use = { passkey, counter, backedUp, now: deps.clock() };
  return (await store.recordUse(deps.db, use)) && (await takeChallenge(deps, answered));
}

/** Records that the caller has just used one of their passkeys, which allows calls that need a recent check for some minutes. */
export async function checkPasskey(
  deps: Deps,
  caller: Caller,
  proof: PasskeyProof,
  { origin, ...by }: PasskeyClient,
): Promise<Result<Check>> {
  const { userId, signIn } = caller;
  const verified = await verifyProof(deps, proof, { passkey: 'check', signIn, userId }, origin);
  if (!verified) return refusePasskey(deps, userId, by);
  const checked = await undoableTransaction(deps, async (deps) => {
    if (!(await recordUse(deps, verified))) return passkeyInvalid();
    if (!(await recordCheck(deps.db, { signIn, with: 'passkey', secondStep: true, now: deps.clock() })))
      return notSignedIn();
    await recordSecurityEvent(deps, 'passkey_used', { userId, by });
    return ok(undefined);
  });
  if (!checked.ok) return checked.code === 'passkey_invalid' ? refusePasskey(deps, userId, by) : checked;
  return readCheck(deps, caller);
}

async function refusePasskey(deps: Deps, userId: number, by: Client): Promise<Failure> {
  await recordSecurityEvent(deps, 'passkey_refused', { userId, by });
  return passkeyInvalid();
}

/** Deletes challenges that have certainly expired; run by the schedule. */
export async function deleteExpiredChallenges({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredChallenges(db, await confirmedTime(db));
}
