import type { Deps } from '../../../deps.ts';
import type { MailData, MailText } from '../../../mails.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { queueMail } from '../../mail/service.ts';
import { me } from '../../users/service.ts';
import { readUnread } from '../notices/store.ts';
import { noticesText, toNotice, type Reader } from '../notices/wire.ts';
import { unsubscribeLinks } from '../unsubscribe/service.ts';
import * as store from './store.ts';

const MAIL_BATCH = 100;

/** Queues an email for each user with notices that have waited for long enough, with all of the user's that wait. */
export async function queueNoticeMails(deps: Deps): Promise<void> {
  if (!deps.mailer) return;
  for (let count = MAIL_BATCH; count === MAIL_BATCH;)
    count = await transaction(deps, async (deps) => {
      const claimed = await store.claimMailed(deps.db, { now: deps.clock(), limit: MAIL_BATCH });
      for (const { user_id: userId, ids } of claimed) await queueMail(deps, 'notices', { userId, ids }, userId);
      return claimed.length;
    });
}

/** Writes the notices of a user that they haven't read in the meantime, unless they have turned such emails off. */
async function writeNotices(deps: Deps, { userId, ids }: MailData['notices']): Promise<MailText | undefined> {
  const found = await me(deps, userId);
  if (!found.ok || !found.value.email_notifications) return undefined;
  const { email, language, time_zone: timeZone } = found.value;
  const reader: Reader = { language: language ?? 'en', timeZone };
  const notices = (await readUnread(deps.db, { userId, ids })).map((stored) => toNotice(stored, reader));
  return notices.length === 0
    ? undefined
    : {
        to: email,
        language: reader.language,
        ...noticesText(notices, reader.language, deps.server.address),
        unsubscribe: unsubscribeLinks(deps, { userId, setting: 'email_notifications', language: reader.language }),
      };
}

export function defineMails({ mails }: Deps): void {
  mails.define('notices', writeNotices);
}
