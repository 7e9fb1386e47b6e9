import type {
  NewPasskeyOptions,
  RegisterPasskeyRequest,
  RegisterRequest,
  SignedIn,
} from '@hourshare/contract/sign-ins';
import type { Registration } from '@hourshare/contract/fields';
import type { Deps } from '../../../deps.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { hashToken } from '../../../platform/tokens.ts';
import * as installation from '../../installation/service.ts';
import { recordSecurityEvent, type By } from '../../security-events/service.ts';
import { unknownTimeZone, usernameOrEmailTaken } from '../../users/errors.ts';
import * as users from '../../users/service.ts';
import { requestConfirmation } from '../email-changes/service.ts';
import { invitationRequired, passkeyInvalid, passwordTooWeak, registrationClosed } from '../errors.ts';
import { addVerified, registrationOptions, verifyNewPasskey } from '../passkeys/service.ts';
import { findPasswordProblem } from '../passwords/service.ts';
import { signIn, type Proof } from '../service.ts';
import * as store from './store.ts';

/** Creates an account, accepts the invitation or the claim that led to it, if any, and signs it in on the requesting device. */
export async function register(
  deps: Deps,
  request: RegisterRequest,
  client: Client & { origin: string },
): Promise<Result<SignedIn>> {
  const { password, passkey, ...account } = request;
  const refused = await refuseRegistration(deps, account);
  if (refused) return refused;
  const problem = password === undefined ? undefined : await findPasswordProblem(deps, password, account);
  if (problem !== undefined) return passwordTooWeak(problem);
  const purpose = { passkey: 'register', signIn: null } as const;
  const verified = passkey && (await verifyNewPasskey(deps, passkey, purpose, client.origin));
  if (passkey && !verified) return passkeyInvalid();

  // Hashes before the transaction: on the embedded engine, a transaction blocks everyone else.
  const passwordHash = password === undefined ? null : await deps.passwords.hash(password);
  return addAccount(deps, account, { passwordHash, client }, async (inside, userId) => {
    if (!verified) return ok({ checkedWith: 'password', verifiedHash: passwordHash, secondStep: false });
    const added = await addVerified(inside, verified, { userId, device: client.device });
    return 'ok' in added ? added : ok({ checkedWith: 'passkey', passkeyId: added.id, secondStep: true });
  });
}

export type NewAccount = Omit<RegisterRequest, 'password' | 'passkey'>;

/** Returns why these fields can't become an account, apart from taken names. */
export async function refuseRegistration(
  deps: Deps,
  { invitation, claim, time_zone: timeZone }: NewAccount,
): Promise<Failure | undefined> {
  const registration = await registrationOf(deps);
  if (registration === 'closed') return registrationClosed();
  if (registration === 'invited' && invitation === undefined && claim === undefined) return invitationRequired();
  if (timeZone !== undefined && !(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return undefined;
}

/**
 * Adds an account, accepts the invitation or claim that led to it, if any, and signs it in, all or nothing. `prove` adds any
 * other way to sign in to the account, and returns what its first sign-in is made with.
 */
export async function addAccount(
  deps: Deps,
  { username, email, time_zone: timeZone = 'UTC', language, ...links }: NewAccount,
  { passwordHash, client }: { passwordHash: string | null; client: Client },
  prove: (deps: Deps, userId: number) => Promise<Result<Proof>>,
): Promise<Result<SignedIn>> {
  const { invitation, ...others } = links;
  const registered = await undoableTransaction(deps, async (deps): Promise<Result<SignedIn | undefined>> => {
    const link = invitation !== undefined && (await lockRegistrationLink(deps, invitation)) ? invitation : undefined;
    if (invitation !== undefined && link === undefined) await deps.react(deps, 'registering', { invitation });
    const inserted = await users.insertUser(deps.db, {
      username,
      email,
      passwordHash,
      timeZone,
      language: language ?? null,
      createdAt: deps.clock(),
    });
    if (!inserted) return ok(undefined);
    await recordSecurityEvent(deps, 'account_created', { userId: inserted.id, by: client });
    await requestConfirmation(deps, inserted);
    const proof = await prove(deps, inserted.id);
    if (!proof.ok) return proof;
    const tokens = await signIn(deps, inserted.id, proof.value, client, { isNew: true });
    if (!tokens) return ok(undefined);
    if (link !== undefined) await useRegistrationLink(deps, link);
    await deps.react(deps, 'userRegistered', {
      userId: inserted.id,
      ...(link === undefined ? links : others),
    });
    return ok({ ...tokens, user: users.toUser((await users.userById(deps.db, inserted.id)) ?? inserted) });
  });
  if (!registered.ok) return registered;
  const { value } = registered;
  return value ? ok(value) : usernameOrEmailTaken(await users.findTaken(deps.db, { username, email }));
}

/**
 * Returns what a browser needs to create a passkey for a new account. If anyone may register, it first checks whether the
 * name or address is taken, so that no device keeps a passkey for an account that can't be created.
 */
export async function startRegistration(
  deps: Deps,
  names: RegisterPasskeyRequest,
  origin: string,
): Promise<Result<NewPasskeyOptions>> {
  const registration = await registrationOf(deps);
  if (registration === 'closed') return registrationClosed();
  if (registration === 'open') {
    const taken = await users.findTaken(deps.db, names);
    if (taken.username || taken.email) return usernameOrEmailTaken(taken);
  }
  return registrationOptions(deps, names.username, origin);
}

/** Returns who may create an account: as the server's settings say, or else as the administrator last chose. */
export async function registrationOf({ config, db }: Deps): Promise<Registration> {
  return config.REGISTRATION ?? (await installation.storedRegistration(db)) ?? 'open';
}

/** Makes a link with which one person may create an account unless registration is closed. Only the token's hash is stored. */
export async function createRegistrationLink(
  deps: Deps,
  { days }: { days: number },
): Promise<{ link: string; expiresAt: Date }> {
  // 256 random bits.
  const token = `${deps.randomId()}${deps.randomId()}`;
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + days * 24 * 3_600_000);
  await store.insertRegistrationLink(deps.db, { tokenHash: hashToken(token), now, expiresAt });
  // The token is in the fragment, which browsers don't send to servers, so it is in no log.
  return { link: `${deps.server.address}/register#${token}`, expiresAt };
}

/** Returns whether an invitation is a link of the administrator, which no one else can use until the transaction ends. */
const lockRegistrationLink = ({ db, clock }: Deps, invitation: string): Promise<boolean> =>
  store.lockRegistrationLink(db, { tokenHash: hashToken(invitation), now: clock() });

/** Uses a link up, in the transaction that has locked it. */
const useRegistrationLink = ({ db }: Deps, invitation: string): Promise<void> =>
  store.deleteRegistrationLink(db, hashToken(invitation));

/** Deletes links that have certainly expired; run by the schedule. */
export async function deleteExpiredLinks({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredLinks(db, await confirmedTime(db));
}

/** Sets who may create an account, for all servers of this database without a setting for it. */
export const chooseRegistration = (deps: Deps, registration: Registration, by: By = 'administrator'): Promise<void> =>
  transaction(deps, async (deps) => {
    if (!(await installation.storeRegistration(deps.db, registration)))
      throw new Error('The database has no row of its installation.');
    const change = { userId: null, by, registration };
    await recordSecurityEvent(deps, 'registration_changed', change);
  });
