import { EMAIL_CHANGE_HOURS } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import type { MailData, MailText } from '../../../mails.ts';
import { t } from '../../../messages/messages.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { hashToken, type Caller } from '../../../platform/tokens.ts';
import { queueMail, warningText } from '../../mail/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { recordSecurityEvent, type By } from '../../security-events/service.ts';
import { usernameOrEmailTaken } from '../../users/errors.ts';
import type { StoredUser } from '../../users/service.ts';
import { confirmSignedOut, linkInvalid } from '../errors.ts';
import { refuseDisproved, type Proof } from '../passwords/service.ts';
import { lockCaller, uncheckSignIns } from '../store.ts';
import * as store from './store.ts';

// By address too, so that several accounts can't flood one mailbox.
const CHANGES_BY_USER: Limit = { name: 'email changes by user', max: 10, windowSeconds: 3600 };
const CHANGES_BY_ADDRESS: Limit = { name: 'email changes by address', max: 5, windowSeconds: 3600 };

/** Sends the address that an account has a link that confirms it, unless it is confirmed or got too many. Does nothing without a mail server. */
export async function requestConfirmation(deps: Deps, user: StoredUser): Promise<void> {
  if (!deps.mailer || user.email_confirmed) return;
  if (deps.limits.take(CHANGES_BY_ADDRESS, user.email.toLowerCase())) return;
  await transaction(deps, (deps) => sendLink(deps, user, user.email));
}

/**
 * Sends a new email address a link that confirms it. Fails if the proof no longer holds, if another account has the address, or if too
 * many links were sent.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: Caller,
  proof: Proof & { user: StoredUser },
  email: string,
): Promise<Result<undefined>> {
  const { userId } = caller;
  if (await store.isTaken(deps.db, { userId, email })) return usernameOrEmailTaken({ username: false, email: true });
  const refused =
    deps.limits.take(CHANGES_BY_USER, String(userId)) ?? deps.limits.take(CHANGES_BY_ADDRESS, email.toLowerCase());
  if (refused) return refused;
  return transaction(deps, async (deps) => {
    const disproved = await refuseDisproved(deps, caller, proof);
    if (disproved) return disproved;
    await sendLink(deps, proof.user, email);
    await recordSecurityEvent(deps, 'email_change_requested', { userId, by: proof.client });
    return ok(undefined);
  });
}

async function sendLink(
  deps: Deps,
  { id: userId, username, language, email: oldEmail }: StoredUser,
  email: string,
): Promise<void> {
  // 256 random bits.
  const token = `${deps.randomId()}${deps.randomId()}`;
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + EMAIL_CHANGE_HOURS * 3_600_000);
  const change = { userId, isNew: email !== oldEmail, email, tokenHash: hashToken(token), now, expiresAt };
  if (!(await store.putEmailChange(deps.db, change))) return;
  await queueMail(deps, 'emailChange', { email, username, language: language ?? 'en', token }, userId);
}

/** Cancels a pending change of address. Does nothing if there is none. */
export const cancelEmailChange = ({ db }: Deps, userId: number): Promise<void> => store.deleteEmailChange(db, userId);

/**
 * Confirms the address of the link's user. If it is a new one, it replaces the old one, which is notified. Only an access token of the
 * account, even an expired one, makes it proven: someone whose address a stranger entered must not confirm that by opening a link.
 */
export async function confirmEmailChange(
  deps: Deps,
  { token, access }: { token: string; access: string | undefined },
  by: Client,
): Promise<Result<undefined>> {
  const signIn = access === undefined ? undefined : await deps.tokens.signInOf(access);
  return undoableTransaction(deps, async (deps) => {
    const now = deps.clock();
    const user = await store.useLink(deps.db, { tokenHash: hashToken(token), now });
    if (!user) return linkInvalid();
    const { id: userId, oldEmail, newEmail: email } = user;
    const isOwn = signIn !== undefined && (await lockCaller(deps.db, { userId, signIn }));
    if (!isOwn && email === oldEmail) return confirmSignedOut();
    if (!(await store.writeEmail(deps.db, { userId, email, confirmedAt: isOwn ? now : null })))
      return usernameOrEmailTaken({ username: false, email: true });
    if (email !== oldEmail) await tellOfChange(deps, user, by);
    else await appendMessage(deps, 'account.changed', { actorId: userId, userIds: [userId] }, {});
    return ok(undefined);
  });
}

/** Changes a user's address, and notifies the old one. Returns false if the account is gone. */
export function setEmail(deps: Deps, change: { userId: number; email: string }, by: By): Promise<Result<boolean>> {
  return undoableTransaction(deps, async (deps) => {
    const user = await store.setEmail(deps.db, change);
    if (user === 'taken') return usernameOrEmailTaken({ username: false, email: true });
    if (!user) return ok(false);
    await tellOfChange(deps, user, by);
    return ok(true);
  });
}

async function tellOfChange(
  deps: Deps,
  { id, username, language, oldEmail, newEmail }: store.ChangedUser,
  by: By,
): Promise<void> {
  const data = { email: oldEmail, username, language: language ?? 'en', newEmail };
  await queueMail(deps, 'emailChanged', data, id);
  await uncheckSignIns(deps.db, { userId: id, keep: by === 'administrator' ? undefined : by.signIn });
  await recordSecurityEvent(deps, 'email_changed', { userId: id, by });
  const about = { ...(by === 'administrator' ? {} : { actorId: id }), userIds: [id] };
  await appendMessage(deps, 'account.email_changed', about, {});
  await appendMessage(deps, 'account.changed', about, {});
}

/** Returns undefined if the link is no longer valid, for example because the message waited too long. */
async function writeEmailChange(
  { db, clock, server }: Deps,
  { email, username, language, token }: MailData['emailChange'],
): Promise<MailText | undefined> {
  const pending = await store.findPending(db, { tokenHash: hashToken(token), now: clock() });
  if (!pending) return undefined;
  return {
    to: email,
    language,
    subject: pending.isNew ? t(language, 'Confirm your new email address') : t(language, 'Confirm your email address'),
    paragraphs: [
      pending.isNew
        ? t(language, 'Your HourShare account {username} gets this email address once you confirm it.', { username })
        : t(language, 'Someone created the HourShare account {username} with this email address.', { username }),
      t(language, 'The link works for {hours} hours.', { hours: EMAIL_CHANGE_HOURS }),
      t(language, "If that account isn't yours, ignore this message, and nothing will change."),
    ],
    // As in links to set a new password, the token is in the fragment, which browsers don't send.
    link: { text: t(language, 'Confirm this address'), address: `${server.address}/confirm-email#${token}` },
  };
}

const writeEmailChanged = async (deps: Deps, data: MailData['emailChanged']): Promise<MailText> => ({
  to: data.email,
  language: data.language,
  subject: t(data.language, 'Your HourShare email address was changed'),
  paragraphs: [
    t(
      data.language,
      'The email address of your account {username} is now {newEmail}. The account no longer uses this address.',
      {
        username: data.username,
        newEmail: data.newEmail,
      },
    ),
    warningText(deps, data.language),
  ],
});

export function defineMails({ mails }: Deps): void {
  mails.define('emailChange', writeEmailChange);
  mails.define('emailChanged', writeEmailChanged);
}

/** Deletes changes whose links have certainly expired; run by the schedule. */
export async function deleteExpiredChanges({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredChanges(db, await confirmedTime(db));
}
