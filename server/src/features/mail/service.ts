import type { Language } from '@hourshare/contract/users';
import type { Deps } from '../../deps.ts';
import type { MailData } from '../../mails.ts';
import { t } from '../../messages/messages.ts';
import { messageOf } from '../../platform/database/error-details.ts';
import { hasOtherSecret } from '../installation/sealed-texts/service.ts';
import { toMail } from './wire.ts';
import * as store from './store.ts';

/** How long the first attempt may take before another server could make the second; each later wait is twice as long. */
const FIRST_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 6 * 3600;
const GIVE_UP_MILLISECONDS = 3 * 24 * 3_600_000;
const ATTEMPT_MILLISECONDS = 45_000;

const SENT = 'hourshare_mail_sent_total';
const FAILED = 'hourshare_mail_failures_total';
const GIVEN_UP = 'hourshare_mail_given_up_total';

/** Registers what Prometheus learns about messages. */
export function defineMetrics({ db, clock, metrics }: Deps): void {
  metrics.counter(SENT, 'Messages that the mail server accepted from this server.');
  metrics.counter(FAILED, 'Attempts to send a message that failed, and are tried again.');
  metrics.counter(GIVEN_UP, 'Messages that were given up after 3 days.');
  metrics.gauges(
    {
      hourshare_mail_waiting: 'Messages that wait to be sent.',
      hourshare_mail_oldest_seconds: 'Age of the oldest message that waits; 0 without any.',
    },
    async () => {
      const { waiting, oldest } = await store.outbox(db);
      return {
        hourshare_mail_waiting: waiting,
        hourshare_mail_oldest_seconds: oldest ? Math.max(0, (clock().getTime() - oldest.getTime()) / 1000) : 0,
      };
    },
  );
}

/** Queues a message, in the caller's transaction if there is one. Does nothing without a mail server. */
export async function queueMail<Kind extends keyof MailData>(
  { db, mailer, tokens, clock }: Deps,
  kind: Kind,
  data: MailData[Kind],
  userId: number | null,
): Promise<void> {
  if (!mailer) return;
  const now = clock();
  const sealed = tokens.seal(JSON.stringify(data));
  await store.insertMail(db, { user_id: userId, kind, sealed, created_at: now, due_at: now });
}

/** Returns the part of a message about a change that is for someone who didn't make it. */
export const warningText = ({ config }: Deps, language: Language): string =>
  config.CONTACT === undefined
    ? t(language, "If that wasn't you, contact your server's administrator right away.")
    : t(language, "If that wasn't you, contact your server's administrator right away: {contact}", {
        contact: config.CONTACT,
      });

/**
 * Sends all due messages, one after another. Each is retried with growing delays until the mail server accepts it, and
 * dropped after 3 days. A message is sent twice only if this process ends between the server's answer and the next statement.
 */
export async function sendDueMails(deps: Deps, stopped?: AbortSignal): Promise<void> {
  const { db, clock, mailer, metrics, log, tokens } = deps;
  if (!mailer) return;
  const waits = { firstWaitSeconds: FIRST_WAIT_SECONDS, maxWaitSeconds: MAX_WAIT_SECONDS };
  for (;;) {
    if (stopped?.aborted) return;
    const due = await store.claimMail(db, { now: clock(), ...waits });
    if (!due) return;
    const about = { mail: due.id, kind: due.kind, attempts: due.attempts };
    try {
      const data = tokens.unseal(due.sealed);
      if (data === undefined && (await hasOtherSecret(deps))) {
        log.error(about, "a message can't be read: a restore brought another secret, so restart this server");
        return;
      }
      // One that was queued before the secret was replaced is dropped; that voids all links, too.
      if (data !== undefined) await send(deps, { ...due, data }, stopped);
      await store.deleteMail(db, due.id);
    } catch (error) {
      if (clock().getTime() - due.created_at.getTime() < GIVE_UP_MILLISECONDS) {
        metrics.count(FAILED);
        log.warn({ ...about, reason: reasonOf(error) }, 'a message could not be sent, and will be tried again');
        continue;
      }
      await store.deleteMail(db, due.id);
      metrics.count(GIVEN_UP);
      log.error({ ...about, reason: reasonOf(error) }, 'a message could not be sent for 3 days, and was given up');
    }
  }
}

async function send(deps: Deps, due: store.StoredMail & { data: string }, stopped?: AbortSignal): Promise<void> {
  const message = { kind: due.kind, data: JSON.parse(due.data) as unknown };
  const text = await deps.mails.write(deps, message, ({ db, tokens }, newData) =>
    store.replaceSealed(db, due.id, tokens.seal(JSON.stringify(newData))),
  );
  if (!text) return;
  const signals = [AbortSignal.timeout(ATTEMPT_MILLISECONDS), ...(stopped ? [stopped] : [])];
  await deps.mailer?.send(toMail(text), `${due.created_at.getTime()}.${due.id}`, AbortSignal.any(signals));
  deps.metrics.count(SENT);
}

/** Sends a message at once. Returns why the mail server didn't accept it; undefined if it did. */
export async function sendTestMail({ mailer, server, randomId }: Deps, to: string): Promise<string | undefined> {
  const paragraphs = [`This message shows that the HourShare server at ${server.address} can send email.`];
  const mail = toMail({ to, language: 'en', subject: 'Test message from HourShare', paragraphs });
  try {
    await mailer?.send(mail, randomId(), AbortSignal.timeout(ATTEMPT_MILLISECONDS));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns what is safe to log about a failure: servers repeat addresses in their answers. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const answer = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : '';
  return `${code} ${answer}`.trim() || 'no answer in time';
}
