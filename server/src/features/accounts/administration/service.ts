import { Email, Username } from '@hourshare/contract/users';
import { readIssue } from '@hourshare/contract/sentences';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { fail, ok, type Result } from '../../../platform/result.ts';
import { queueMail } from '../../mail/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { recordEndedSignIns, recordSecurityEvent, type By } from '../../security-events/service.ts';
import { setEmail } from '../../sign-ins/email-changes/service.ts';
import { createResetLink } from '../../sign-ins/recovery/service.ts';
import { endAccess } from '../../sign-ins/service.ts';
import { usernameOrEmailTaken } from '../../users/errors.ts';
import { countAccounts, findTaken, insertUser } from '../../users/service.ts';
import * as store from './store.ts';

// What the server's administrator can do to accounts without their passwords.

export { administratorNames, administratorOf, lockAdministrator } from './store.ts';

/** Lets an account use the page for administrators, or no longer. Returns whether that is a change; undefined if the account is gone. */
export const setAdministrator = (deps: Deps, userId: number, isOne: boolean): Promise<boolean | undefined> =>
  transaction(deps, async (deps) => {
    const was = await store.lockAdministrator(deps.db, userId);
    if (was === undefined || was === isOne) return was === undefined ? undefined : false;
    await store.setAdministrator(deps.db, userId, isOne ? deps.clock() : null);
    const event = isOne ? 'administrator_named' : 'administrator_removed';
    await recordSecurityEvent(deps, event, { userId, by: 'administrator' });
    await appendMessage(deps, 'account.changed', { userIds: [userId] }, {});
    return true;
  });

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
    return fail('validation_failed', { sentence: readIssue(problem?.issues[0]?.message ?? '') });
  const user = { username: username.data, email: email.data };
  // No one knows this password.
  const passwordHash = await deps.passwords.hash(deps.randomId());
  const created = await transaction(deps, async (deps) => {
    const inserted = await insertUser(deps.db, {
      ...user,
      passwordHash,
      timeZone: 'UTC',
      language: null,
      createdAt: deps.clock(),
    });
    if (!inserted) return undefined;
    await recordSecurityEvent(deps, 'account_created', { userId: inserted.id, by: 'administrator' });
    await deps.react(deps, 'userRegistered', { userId: inserted.id });
    if (mailedDays !== undefined) {
      await queueMail(deps, 'accountCreated', { email: user.email, days: mailedDays }, inserted.id);
      return { userId: inserted.id, link: null };
    }
    const link = await createResetLink(deps, inserted.id, { minutes });
    return link === undefined ? undefined : { userId: inserted.id, link };
  });
  return created ? ok(created) : usernameOrEmailTaken(await findTaken(deps.db, user));
}

/** Changes an account's address without confirming it. Returns false if the account is gone. */
export async function changeEmail(deps: Deps, userId: number, typed: string): Promise<Result<boolean>> {
  const email = Email.safeParse(typed);
  if (!email.success) return fail('validation_failed', { sentence: readIssue(email.error.issues[0]?.message ?? '') });
  return setEmail(deps, { userId, email: email.data }, 'administrator');
}

/**
 * Blocks an account from signing in until it is enabled again. Its sign-ins, links, and active sessions end; its shares, assets,
 * and statements stay. Returns the number of ended sign-ins, or undefined if the account is gone.
 */
export function disableAccount(deps: Deps, userId: number, by: By = 'administrator'): Promise<number | undefined> {
  const now = deps.clock();
  return transaction(deps, async (deps) => {
    // Locks the row first: a concurrent sign-in waits for it, and then finds the account disabled.
    if (!(await store.disableUser(deps.db, { userId, now }))) return undefined;
    const handles = await endAccess(deps.db, { userId, now });
    const about = { userId, by };
    await recordSecurityEvent(deps, 'account_disabled', about);
    await recordEndedSignIns(deps, { ...about, reason: 'disabled', handles });
    await deps.react(deps, 'accountDisabled', { userId, now });
    return handles.length;
  });
}

/** Returns false if the account is gone. */
export const enableAccount = (deps: Deps, userId: number, by: By = 'administrator'): Promise<boolean> =>
  transaction(deps, async (deps) => {
    if (!(await store.enableUser(deps.db, userId))) return false;
    await recordSecurityEvent(deps, 'account_enabled', { userId, by });
    return true;
  });

/** Returns a link to set a new password, or undefined if the account is gone. */
export const resetPassword = (deps: Deps, userId: number, by: By = 'administrator'): Promise<string | undefined> =>
  transaction(deps, async (deps) => {
    const link = await createResetLink(deps, userId);
    if (link === undefined) return undefined;
    await recordSecurityEvent(deps, 'password_reset_requested', { userId, by });
    return link;
  });

/** Registers what Prometheus learns about accounts. */
export function defineMetrics({ db, metrics }: Deps): void {
  metrics.gauge('hourshare_accounts', 'Accounts, disabled ones included.', () => countAccounts(db));
}
