import type { ConfirmResetRequest } from '@hourshare/contract/sign-ins';
import { PASSWORD_RESET_MINUTES } from '@hourshare/contract/limits';
import type { Deps } from '../../../deps.ts';
import type { MailData, MailText } from '../../../mails.ts';
import { t } from '../../../messages/messages.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { hashToken } from '../../../platform/tokens.ts';
import { queueMail } from '../../mail/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { recordEndedSignIns, recordSecurityEvent } from '../../security-events/service.ts';
import { linkInvalid, passwordTooWeak } from '../errors.ts';
import { queueNotice } from '../factors/mail.ts';
import { recordFactorChange } from '../factors/service.ts';
import { deletePasskeys } from '../passkeys/store.ts';
import { findPasswordProblem } from '../passwords/service.ts';
import { deleteIdentities } from '../providers/store.ts';
import * as store from './store.ts';

/**
 * Queues a message with a link to set a new password. The account is only looked up when the message is sent, so that
 * known and unknown addresses get the same answer after the same work.
 */
export async function requestReset(deps: Deps, email: string, client: Client): Promise<Result<undefined>> {
  await queueMail(deps, 'passwordReset', { email, client }, null);
  return ok(undefined);
}

/**
 * Creates a link that sets a user's new password once; if an address is given, only while it is the user's. Only the token's hash is
 * stored.
 */
export async function createResetLink(
  deps: Deps,
  userId: number,
  { email, minutes = PASSWORD_RESET_MINUTES }: { email?: string; minutes?: number | undefined } = {},
): Promise<string | undefined> {
  // 256 random bits.
  const token = `${deps.randomId()}${deps.randomId()}`;
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + minutes * 60_000);
  const stored = await store.insertReset(deps.db, { userId, email, tokenHash: hashToken(token), now, expiresAt });
  // The token is in the fragment, which browsers don't send to servers, so it is in no log.
  return stored ? `${deps.server.address}/reset-password#${token}` : undefined;
}

/**
 * Sets a new password with a link, and ends all of the account's sign-ins, access tokens, links, and pending email changes. If that is
 * the first proof of the address, someone else may have registered it, so all earlier ways to sign in end, too.
 */
export async function confirmReset(
  deps: Deps,
  { token, password }: ConfirmResetRequest,
  by: Client,
): Promise<Result<undefined>> {
  const tokenHash = hashToken(token);
  const user = await store.userOfReset(deps.db, { tokenHash, now: deps.clock() });
  if (!user) return linkInvalid();
  const problem = await findPasswordProblem(deps, password, user);
  if (problem !== undefined) return passwordTooWeak(problem);
  const passwordHash = await deps.passwords.hash(password);
  return undoableTransaction(deps, async (deps) => {
    const used = await store.useReset(deps.db, { userId: user.id, tokenHash, passwordHash, now: deps.clock() });
    if (used === undefined) return linkInvalid();
    const about = { userId: user.id, by };
    if (used.isFirstProof) {
      if (await deletePasskeys(deps.db, user.id)) await recordFactorChange(deps, 'passkey_removed', about);
      if (await deleteIdentities(deps.db, user.id)) await recordFactorChange(deps, 'provider_disconnected', about);
    }
    await deps.react(deps, 'passwordReset', about);
    await queueNotice(deps, user.id, 'password_reset');
    await recordSecurityEvent(deps, 'password_reset', about);
    await appendMessage(deps, 'account.password_changed', { actorId: user.id, userIds: [user.id] }, {});
    await recordEndedSignIns(deps, { ...about, reason: 'password_reset', handles: used.ended });
    return ok(undefined);
  });
}

async function writeReset(
  deps: Deps,
  data: MailData['passwordReset'],
  replaceData: (deps: Deps, data: MailData['passwordReset']) => Promise<void>,
): Promise<MailText | undefined> {
  const user = await store.userByEmail(deps.db, data.email);
  const address =
    user &&
    (await transaction(deps, async (deps) => {
      const link = await createResetLink(deps, user.id, { email: user.email });
      // Each attempt to send the message makes another link for the same request.
      if (link !== undefined && !data.isRecorded) {
        await recordSecurityEvent(deps, 'password_reset_requested', { userId: user.id, by: data.client });
        await replaceData(deps, { ...data, isRecorded: true });
      }
      return link;
    }));
  if (!user || address === undefined) return undefined;
  const language = user.language ?? 'en';
  const { username } = user;
  return {
    to: user.email,
    language,
    subject: t(language, 'Reset your HourShare password'),
    paragraphs: [
      t(language, 'You can set a new password for your account {username}.', { username }),
      t(language, 'The link works once, for {minutes} minutes. Setting a new password signs you out on all devices.', {
        minutes: PASSWORD_RESET_MINUTES,
      }),
      t(language, "If you didn't ask for this, you can ignore it. Your password stays as it is."),
    ],
    link: { text: t(language, 'Set a new password'), address },
  };
}

/** Writes the message to someone for whom the administrator created an account. */
async function writeFirstLink(deps: Deps, { email, days }: MailData['accountCreated']): Promise<MailText | undefined> {
  const user = await store.userByEmail(deps.db, email);
  const address = user && (await createResetLink(deps, user.id, { email: user.email, minutes: days * 24 * 60 }));
  if (!user || address === undefined) return undefined;
  const language = user.language ?? 'en';
  return {
    to: user.email,
    language,
    subject: t(language, 'Your HourShare account'),
    paragraphs: [
      t(language, 'The administrator of {server} has created an account for you. Your username is {username}.', {
        server: deps.server.address,
        username: user.username,
      }),
      t(language, 'The link works once, for {days, plural, one {# day} other {# days}}.', { days }),
      t(language, "If you didn't expect this, you can ignore it."),
    ],
    link: { text: t(language, 'Choose a password'), address },
  };
}

export function defineMails({ mails }: Deps): void {
  mails.define('passwordReset', writeReset);
  mails.define('accountCreated', writeFirstLink);
}

/** Deletes links that have certainly expired; run by the schedule. */
export async function deleteExpiredResets({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredResets(db, await confirmedTime(db));
}
