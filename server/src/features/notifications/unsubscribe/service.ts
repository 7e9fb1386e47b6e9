import type { Language } from '@hourshare/contract/users';
import type { Unsubscribe } from '@hourshare/contract/notifications';
import type { Deps } from '../../../deps.ts';
import type { MailText } from '../../../mails.ts';
import { t } from '../../../messages/messages.ts';
import { fail, ok, type Result } from '../../../platform/result.ts';
import { me } from '../../users/service.ts';
import { turnOff } from '../../accounts/service.ts';

type Setting = Unsubscribe['setting'];

/** Returns the links of an email that turn a setting off without signing in. They never expire, and do nothing else. */
export function unsubscribeLinks(
  { tokens, server }: Deps,
  { userId, setting, language }: { userId: number; setting: Setting; language: Language },
): NonNullable<MailText['unsubscribe']> {
  const token = tokens.seal(`unsubscribe ${setting} ${userId}`);
  return {
    text: t(
      language,
      'You get this email because of your settings in HourShare. To stop these emails, open this link.',
    ),
    name: t(language, 'Unsubscribe'),
    // In the fragment, so that no log has it. Mail programs can only post to a whole address.
    address: `${server.address}/unsubscribe#${token}`,
    post: `${server.address}/api/unsubscribe/${token}/`,
  };
}

/** Returns what a token turns off, and for whom; undefined for anything that this server didn't make for that. */
function readToken({ tokens }: Deps, token: string): { setting: Setting; userId: number } | undefined {
  const [, setting, userId] =
    /^unsubscribe (email_notifications|usage_reminders) (\d{1,15})$/.exec(tokens.unseal(token) ?? '') ?? [];
  if (setting !== 'email_notifications' && setting !== 'usage_reminders') return undefined;
  return { setting, userId: Number(userId) };
}

const linkInvalid = () =>
  fail('not_found', {
    sentence: { english: 'This link is no longer valid. You can turn off emails in your settings.' },
  });

/** Returns what the link in an email would turn off. */
export async function readUnsubscribe(deps: Deps, token: string): Promise<Result<Unsubscribe>> {
  const read = readToken(deps, token);
  const user = read && (await me(deps, read.userId));
  if (!read || !user?.ok) return linkInvalid();
  return ok({ setting: read.setting, on: user.value[read.setting] });
}

/** Turns off what the link in an email is about. */
export async function unsubscribe(deps: Deps, token: string): Promise<Result<undefined>> {
  const read = readToken(deps, token);
  if (!read) return linkInvalid();
  await turnOff(deps, read.userId, read.setting);
  return ok(undefined);
}
