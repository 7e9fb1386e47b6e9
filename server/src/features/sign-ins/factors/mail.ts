import type { Deps } from '../../../deps.ts';
import type { AccountChange, MailData, MailText } from '../../../mails.ts';
import { t, type Message } from '../../../messages/messages.ts';
import { queueMail, warningText } from '../../mail/service.ts';
import { userById } from '../../users/service.ts';

/** Notifies a user by email of a change to how they sign in, in the caller's transaction. */
export async function queueNotice(deps: Deps, userId: number, change: AccountChange): Promise<void> {
  const user = deps.mailer && (await userById(deps.db, userId));
  if (!user) return;
  const { email, username, language } = user;
  await queueMail(deps, 'accountChanged', { email, username, language: language ?? 'en', change }, userId);
}

const texts: Record<AccountChange, { subject: Message; text: Message }> = {
  password_changed: {
    subject: 'Your HourShare password was changed',
    text: 'The password of your account {username} was changed. All other devices are signed out.',
  },
  password_reset: {
    subject: 'Your HourShare password was changed',
    text: 'A new password was set for your account {username} with a link. All devices are signed out. Check your passkeys and connected providers in Your Profile.',
  },
  password_removed: {
    subject: 'Your HourShare password was removed',
    text: 'The password of your account {username} was removed; only passkeys and connected providers sign in. All other devices are signed out.',
  },
  passkey_added: {
    subject: 'A passkey was added to your HourShare account',
    text: 'A passkey was added to your account {username}. It can be used to sign in without the password.',
  },
  passkey_removed: {
    subject: 'A passkey was removed from your HourShare account',
    text: 'A passkey of your account {username} no longer works.',
  },
  provider_connected: {
    subject: 'A sign-in provider was connected to your HourShare account',
    text: 'A sign-in provider was connected to your account {username}. It can be used to sign in.',
  },
  provider_disconnected: {
    subject: 'A sign-in provider was disconnected from your HourShare account',
    text: 'A provider was disconnected from your account {username}.',
  },
  two_step_on: {
    subject: 'Two-step sign-in is on',
    text: 'Signing in to your account {username} now takes a code from your authenticator app, too.',
  },
  two_step_off: {
    subject: 'Two-step sign-in is off',
    text: 'Signing in to your account {username} no longer takes a code from an authenticator app.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    text: 'Someone used one of the recovery codes of your account {username}.',
  },
  recovery_codes_made: {
    subject: 'New recovery codes were made',
    text: 'Your account {username} has new recovery codes. The earlier ones no longer work.',
  },
};

const writeAccountChanged = async (
  deps: Deps,
  { email, username, language, change }: MailData['accountChanged'],
): Promise<MailText> => ({
  to: email,
  language,
  subject: t(language, texts[change].subject),
  paragraphs: [t(language, texts[change].text, { username }), warningText(deps, language)],
});

export function defineMails({ mails }: Deps): void {
  mails.define('accountChanged', writeAccountChanged);
}
