import { Email, Username } from '@hourshare/contract/accounts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { fail, ok, type Result } from '../../../platform/result.ts';
import { usernameOrEmailTaken } from '../../sign-ins/errors.ts';
import { hashToken } from '../../../platform/tokens.ts';
import { setEmail } from '../../sign-ins/email-changes/service.ts';
import { queueMail } from '../../mail/service.ts';
import { createResetLink } from '../../sign-ins/recovery/service.ts';
import { recordEndedSignIns, recordSecurityEvent } from '../../security-events/service.ts';
import { countAccounts, findTaken, insertUser } from '../../sign-ins/store.ts';
import * as store from './store.ts';

// What the server's administrator can do to accounts without their passwords.

/**
 * Creates an account, even if registration is closed. Returns its id and a link to set the first password, which works for some
 * minutes; if it is to be sent by email, which works for some days, the link is null.
 */
export async function createAccount(
  deps: Deps,
  { minutes, mailedDays, ...names }: { username: string; email: string; minutes?: number; mailedDays?: number },
): Promise<Result<{ userId: number; link: string | null }>> {
  const username = Username.safeParse(names.username);
  const email = Email.safeParse(names.email);
  const problem = username.error ?? email.error;
  if (!username.success || !email.success)
    return fail('validation_failed', { message: problem?.issues[0]?.message ?? '' });
  const user = { username: username.data, email: email.data };
  // No one knows this password.
  const passwordHash = await deps.passwords.hash(deps.randomId());
  const created = await inTransaction(deps.db, async (db) => {
    const inserted = await insertUser(db, {
      ...user,
      passwordHash,
      timeZone: 'UTC',
      language: null,
      createdAt: deps.clock(),
    });
    if (!inserted) return undefined;
    await recordSecurityEvent({ ...deps, db }, 'account_created', { userId: inserted.id, by: 'administrator' });
    await deps.events.emit({ ...deps, db }, 'userRegistered', { userId: inserted.id });
    if (mailedDays !== undefined) {
      await queueMail({ ...deps, db }, 'accountCreated', { email: user.email, days: mailedDays }, inserted.id);
      return { userId: inserted.id, link: null };
    }
    const link = await createResetLink({ ...deps, db }, inserted.id, { minutes });
    return link === undefined ? undefined : { userId: inserted.id, link };
  });
  return created ? ok(created) : usernameOrEmailTaken(await findTaken(deps.db, user));
}

/** Changes an account's address without confirming it. Returns false if the account is gone. */
export async function changeEmail(deps: Deps, userId: number, typed: string): Promise<Result<boolean>> {
  const email = Email.safeParse(typed);
  if (!email.success) return fail('validation_failed', { message: email.error.issues[0]?.message ?? '' });
  return setEmail(deps, { userId, email: email.data }, 'administrator');
}

/**
 * Blocks an account from signing in until it is enabled again. Its sign-ins, links, and active sessions end; its shares, assets,
 * and statements stay. Returns the number of ended sign-ins, or undefined if the account is gone.
 */
export function disableAccount(deps: Deps, userId: number): Promise<number | undefined> {
  const now = deps.clock();
  return inTransaction(deps.db, async (db) => {
    const handles = await store.disableUser(db, { userId, now });
    if (handles === undefined) return undefined;
    const inside = { ...deps, db };
    const about = { userId, by: 'administrator' } as const;
    await recordSecurityEvent(inside, 'account_disabled', about);
    await recordEndedSignIns(inside, { ...about, reason: 'disabled', handles });
    await deps.events.emit(inside, 'accountDisabled', { userId, now });
    return handles.length;
  });
}

/** Returns false if the account is gone. */
export const enableAccount = (deps: Deps, userId: number): Promise<boolean> =>
  inTransaction(deps.db, async (db) => {
    if (!(await store.enableUser(db, userId))) return false;
    await recordSecurityEvent({ ...deps, db }, 'account_enabled', { userId, by: 'administrator' });
    return true;
  });

/** Returns a link to set a new password, or undefined if the account is gone. */
export const resetPassword = (deps: Deps, userId: number): Promise<string | undefined> =>
  inTransaction(deps.db, async (db) => {
    const link = await createResetLink({ ...deps, db }, userId);
    if (link === undefined) return undefined;
    await recordSecurityEvent({ ...deps, db }, 'password_reset_requested', { userId, by: 'administrator' });
    return link;
  });

/** Returns who may create an account: as the server's settings say, or else as the administrator last chose. */
export async function registrationOf({ config, db }: Deps): Promise<store.Registration> {
  return config.REGISTRATION ?? (await store.storedRegistration(db)) ?? 'open';
}

/** Makes a link with which one person may create an account unless registration is closed. Only the token's hash is stored. */
export async function createRegistrationLink(deps: Deps, { days }: { days: number }): Promise<string> {
  // 256 random bits.
  const token = `${deps.randomId()}${deps.randomId()}`;
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + days * 24 * 3_600_000);
  await store.insertRegistrationLink(deps.db, { tokenHash: hashToken(token), now, expiresAt });
  // The token is in the fragment, which browsers don't send to servers, so it is in no log.
  return `${deps.server.address}/register#${token}`;
}

/** Returns whether an invitation is a link of the administrator, which no one else can use until the transaction ends. */
export const lockRegistrationLink = ({ db, clock }: Deps, invitation: string): Promise<boolean> =>
  store.lockRegistrationLink(db, { tokenHash: hashToken(invitation), now: clock() });

/** Uses a link up, in the transaction that has locked it. */
export const useRegistrationLink = ({ db }: Deps, invitation: string): Promise<void> =>
  store.deleteRegistrationLink(db, hashToken(invitation));

/** Deletes links that have certainly expired; run by the schedule. */
export async function deleteExpiredLinks({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredLinks(db, await confirmedTime(db));
}

/** Sets who may create an account, for all servers of this database without a setting for it. */
export const chooseRegistration = (deps: Deps, registration: store.Registration): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    if (!(await store.storeRegistration(db, registration)))
      throw new Error('The database has no row of its installation.');
    const change = { userId: null, by: 'administrator', registration } as const;
    await recordSecurityEvent({ ...deps, db }, 'registration_changed', change);
  });

/** Registers what Prometheus learns about accounts. */
export function defineMetrics({ db, metrics }: Deps): void {
  metrics.gauge('hourshare_accounts', 'Accounts, disabled ones included.', () => countAccounts(db));
}
