import type { DeleteAccountRequest, UpdateMeRequest } from '@hourshare/contract/accounts';
import type { User } from '@hourshare/contract/users';
import { PAYMENT_METHODS_MAX } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { Client } from '../../platform/http/client.ts';
import { ok, type Result } from '../../platform/result.ts';
import type { Caller } from '../../platform/tokens.ts';
import { appendMessage } from '../outbox/service.ts';
import { recordSecurityEvent } from '../security-events/service.ts';
import { requestConfirmation, requestEmailChange } from '../sign-ins/email-changes/service.ts';
import { refuseDisproved, refuseUnproven } from '../sign-ins/passwords/service.ts';
import { uncheckSignIns } from '../sign-ins/service.ts';
import { notSignedIn, unknownTimeZone, usernameOrEmailTaken } from '../users/errors.ts';
import * as users from '../users/service.ts';
import { deleteAccount } from './deletion/service.ts';
import { passwordRequired, paymentMethodsFull } from './errors.ts';

/**
 * Changes the account. A new email address requires the current password, because it allows recovering the account. If the
 * server sends email, the address changes only once it is confirmed.
 */
export async function updateMe(
  deps: Deps,
  caller: Caller,
  { current_password: password, payment_details, ...request }: UpdateMeRequest,
  client: Client,
): Promise<Result<User>> {
  const { userId } = caller;
  const given = (fields: object) => Object.entries(fields).filter(([, value]) => value !== undefined);
  const details = payment_details && given(payment_details).length > 0 ? payment_details : undefined;
  const changes = Object.fromEntries(given(request));
  const changesNothing = () => details === undefined && Object.keys(changes).length === 0;
  if (request.time_zone !== undefined && !(await deps.timeZones.isKnown(deps.db, request.time_zone)))
    return unknownTimeZone();
  if (changesNothing()) return users.me(deps, userId);

  const user = await users.userWithPassword(deps.db, userId);
  if (!user) return notSignedIn();
  const changesEmail = request.email !== undefined && request.email !== user.email;
  const proof = { user, password, client, missing: passwordRequired() };
  if (changesEmail) {
    const unproven = await refuseUnproven(deps, caller, proof);
    if (unproven) return unproven;
  }
  if (request.email === user.email) await requestConfirmation(deps, user);
  if (changesEmail && deps.mailer && request.email !== undefined) {
    const requested = await requestEmailChange(deps, caller, { ...proof, user }, request.email);
    if (!requested.ok) return requested;
    delete changes['email'];
    if (changesNothing()) return users.me(deps, userId);
  }
  return transaction(deps, async (deps): Promise<Result<User>> => {
    const disproved = changesEmail ? await refuseDisproved(deps, caller, proof) : undefined;
    if (disproved) return disproved;
    const methods = details && users.updatedMethods(await users.lockPaymentMethods(deps.db, userId), details);
    if (methods && methods.length > PAYMENT_METHODS_MAX) return paymentMethodsFull();
    const stored = await users.updateUser(deps.db, userId, {
      ...changes,
      ...(methods && { payment_methods: JSON.stringify(methods) }),
      ...(changesEmail && { email_confirmed_at: null }),
    });
    if (stored === 'taken') return usernameOrEmailTaken({ username: false, email: true });
    if (!stored) return notSignedIn();
    const about = { actorId: userId, userIds: [userId] };
    if (changesEmail) {
      await uncheckSignIns(deps.db, { userId, keep: caller.signIn });
      await recordSecurityEvent(deps, 'email_changed', { userId, by: client });
      await appendMessage(deps, 'account.email_changed', about, {});
    }
    await appendMessage(deps, 'account.changed', about, {});
    return ok(users.toUser(stored));
  });
}

/** Turns off one of the emails that an account gets. */
export const turnOff = (
  deps: Deps,
  userId: number,
  setting: 'email_notifications' | 'usage_reminders',
): Promise<void> =>
  transaction(deps, async (deps) => {
    if (await users.updateUser(deps.db, userId, { [setting]: false }))
      await appendMessage(deps, 'account.changed', { userIds: [userId] }, {});
  });

/** Deletes the account of a user who has proved who they are. A stand-in takes over what others still need. */
export async function deleteMe(
  deps: Deps,
  caller: Caller,
  { current_password: password, keep_name: keepName }: DeleteAccountRequest,
  by: Client,
): Promise<Result<undefined>> {
  const { userId } = caller;
  const user = await users.userWithPassword(deps.db, userId);
  if (!user) return notSignedIn();
  const proof = { user, password, client: by };
  const unproven = await refuseUnproven(deps, caller, proof);
  if (unproven) return unproven;
  return deleteAccount(deps, { userId, keepName }, by, (deps) => refuseDisproved(deps, caller, proof));
}
