import type { PushMessage } from '@hourshare/contract/notifications';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { fail, failField, ok, type Result } from '../../../platform/result.ts';
import type { Caller } from '../../../platform/tokens.ts';
import { canEncryptFor, createPushKeys, mayPushTo, sendPush, type PushKeys } from '../../../platform/web-push.ts';
import { hasOtherSecret } from '../../installation/sealed-texts/service.ts';
import * as installation from '../../installation/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { sendDue } from '../deliveries/service.ts';
import { toNotice } from '../notices/wire.ts';
import { deliveryOf, outcomeOf, PUSH_ATTEMPTS, PUSH_WAITS, PUSHES_AT_ONCE, SUBSCRIPTIONS_MAX } from './rules.ts';
import * as store from './store.ts';

const SENT = 'hourshare_push_sent_total';
const FAILED = 'hourshare_push_failures_total';
/** A server with the former secret is about to be restarted. */
const RESTARTED_WITHIN_SECONDS = 30;

/** Registers what Prometheus learns about push messages. */
export function defineMetrics({ metrics }: Deps): void {
  metrics.counter(SENT, 'Push messages that push services accepted from this server.');
  metrics.counter(FAILED, 'Attempts to send a push message that failed.');
}

/**
 * Returns the keys with which this server identifies itself: those of the settings, or its own, made when first needed. Undefined if
 * they can't be read because the database has another secret by now: whoever has that still uses them.
 */
async function pushKeys(deps: Deps): Promise<PushKeys | undefined> {
  const { config, db, tokens } = deps;
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = config;
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  const stored = await installation.readPushKeys(db);
  const known = stored && unsealKeys(tokens, stored);
  if (known) return known;
  if (await hasOtherSecret(deps)) return undefined;
  // Also after the secret was replaced, which leaves no one who could use the old ones.
  const made = createPushKeys();
  await installation.replacePushKeys(db, stored ?? { push_public_key: null, push_sealed_key: null }, {
    push_public_key: made.publicKey,
    push_sealed_key: tokens.seal(made.privateKey),
  });
  // Another server may have been first.
  const settled = await installation.readPushKeys(db);
  return (settled && unsealKeys(tokens, settled)) ?? made;
}

function unsealKeys(tokens: Deps['tokens'], stored: installation.StoredPushKeys): PushKeys | undefined {
  const { push_public_key: publicKey, push_sealed_key: sealed } = stored;
  const privateKey = sealed === null ? undefined : tokens.unseal(sealed);
  return publicKey === null || privateKey === undefined ? undefined : { publicKey, privateKey };
}

export async function readPublicKey(deps: Deps): Promise<Result<{ public_key: string }>> {
  const keys = await pushKeys(deps);
  return keys
    ? ok({ public_key: keys.publicKey })
    : fail('unavailable', { retryAfterSeconds: RESTARTED_WITHIN_SECONDS });
}

const unusable = (field: string, english: string) => failField(field, { english });

/** Sends a user's notices to a browser, until its sign-in ends. */
export async function subscribe(
  deps: Deps,
  { userId, signIn }: Caller,
  { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
): Promise<Result<{ id: number }>> {
  if (!mayPushTo(endpoint, allowed(deps)))
    return unusable('endpoint', "This server doesn't send push messages to this service");
  if (!canEncryptFor(keys)) return unusable('keys', 'These are no keys of a browser');
  const id = await transaction(deps, (deps) =>
    store.saveSubscription(deps.db, {
      userId,
      signIn,
      endpoint,
      sealed: deps.tokens.seal(JSON.stringify(keys)),
      now: deps.clock(),
      max: SUBSCRIPTIONS_MAX,
    }),
  );
  return id === undefined ? notSignedIn() : ok({ id });
}

export async function unsubscribe({ db }: Deps, userId: number, id: number): Promise<Result<undefined>> {
  return (await store.deleteSubscription(db, { userId, id })) ? ok(undefined) : fail('not_found');
}

export const deleteEndedSubscriptions = async ({ db, clock }: Deps): Promise<void> => store.deleteEnded(db, clock());

const allowed = ({ config }: Deps) => ({
  allowPrivate: config.PUSH_ALLOW_PRIVATE === 'on',
  services: config.PUSH_SERVICES,
});

/** Returns whom push services can write to about this server's messages: an https or mailto address, as RFC 8292 demands. */
export function subjectOf({ config, server }: Pick<Deps, 'config' | 'server'>): string {
  const sender = /<([^<>]+)>/.exec(config.MAIL_FROM ?? '')?.[1] ?? config.MAIL_FROM;
  const known = [config.CONTACT, sender, server.address, `admin@${new URL(server.address).hostname}`];
  const usable = known.find((each) => each !== undefined && !each.startsWith('http://')) ?? '';
  return usable.startsWith('https://') ? usable : `mailto:${usable}`;
}

/** Sends notices that are due to their users' browsers. A browser whose service fails gets it again later, a few times. */
export const sendDuePushes = (deps: Deps, stopped?: AbortSignal): Promise<void> =>
  sendDue(
    deps,
    {
      channel: 'push',
      waits: PUSH_WAITS,
      atOnce: PUSHES_AT_ONCE,
      onlyUnread: true,
      send: async (deps, { delivery, user, stored }) => {
        const target = await store.findSubscription(deps.db, delivery.receiver_id);
        if (!target) return 'done';
        const notice = toNotice(stored, { language: user.language ?? 'en', timeZone: user.time_zone });
        const outcome = await sendTo(deps, { target, notice, stopped });
        return outcome === 'failed' && delivery.attempts < PUSH_ATTEMPTS ? 'again' : 'done';
      },
    },
    stopped,
  );

async function sendTo(
  deps: Deps,
  {
    target,
    notice: { id, kind, text, path },
    stopped,
  }: {
    target: store.Subscription;
    notice: PushMessage;
    stopped: AbortSignal | undefined;
  },
): Promise<ReturnType<typeof outcomeOf>> {
  const opened = deps.tokens.unseal(target.sealed);
  const keys = await pushKeys(deps);
  const message: PushMessage = { id, kind, text, path };
  // So is a browser whose keys can't be read, or whose service is no longer on the list.
  let outcome: ReturnType<typeof outcomeOf> = 'gone';
  if (!keys || (opened === undefined && (await hasOtherSecret(deps)))) {
    outcome = 'failed';
    deps.log.error(
      { notice: id },
      "a push message can't be sent: the database has another secret, so restart this server",
    );
  } else if (opened !== undefined && mayPushTo(target.endpoint, allowed(deps))) {
    // oxlint-disable-next-line no-unsafe-type-assertion -- subscribe sealed them
    const browser = JSON.parse(opened) as { p256dh: string; auth: string };
    try {
      const status = await sendPush(
        { endpoint: target.endpoint, ...browser },
        { text: JSON.stringify(message), ...deliveryOf(kind) },
        {
          keys,
          subject: subjectOf(deps),
          now: deps.clock(),
          signal: stopped,
          ...allowed(deps),
        },
      );
      outcome = outcomeOf(status);
      if (outcome !== 'sent') deps.log.info({ notice: id, status, outcome }, 'a push service refused a message');
    } catch (error) {
      outcome = 'failed';
      const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
      deps.log.info({ notice: id, code }, 'a push message could not be sent');
    }
  }
  if (outcome === 'gone') await store.deleteGone(deps.db, target.id);
  deps.metrics.count(outcome === 'sent' ? SENT : FAILED);
  return outcome;
}
