import type { Deps } from '../../../deps.ts';
import type { Message } from '../../../platform/http/event-streams.ts';
import { activeTokens } from '../../shares/access-tokens/service.ts';
import { activeSignIns } from '../../sign-ins/service.ts';
import { countMessages } from '../../outbox/service.ts';
import * as store from './store.ts';

const BATCH_SIZE = 500;
/** A client that missed more than this reads everything again. */
const RESUMED_MAX = 1500;

const toMessage = ({ id, kind, data }: store.LiveUpdate): Message => {
  // Which sign-ins and tokens have ended is for servers only.
  const { handles: _handles, tokens: _tokens, ...sent } = data;
  return { name: kind, id, data: sent };
};

/** Begins to follow live updates at the newest, before the first stream needs them. */
export async function followUpdates({ db, streams }: Deps): Promise<void> {
  if (streams.lastId !== undefined) return;
  const { newest } = await store.idsOfLiveUpdates(db);
  streams.lastId ??= newest;
}

/** Reads live updates since the last time, once for all streams of this server, and sends them to those they are for. */
export async function sendNewUpdates(deps: Deps): Promise<void> {
  const { db, streams } = deps;
  await followUpdates(deps);
  for (;;) {
    const updates = await store.readLiveUpdates(db, { after: streams.lastId ?? 0, limit: BATCH_SIZE });
    for (const update of updates) {
      streams.publish(update.user_ids, toMessage(update));
      const { handles, tokens } = update.data;
      if (Array.isArray(handles)) streams.endSignIns(handles.map(String));
      if (Array.isArray(tokens)) streams.endTokens(tokens.map(Number));
      streams.lastId = update.id;
    }
    if (updates.length < BATCH_SIZE) return;
  }
}

/**
 * Returns the first messages of a stream that continues after an id, or begins now: what the client has missed, or `reset`
 * if that is no longer known. Source: docs/decisions/0085-outbox.md.
 */
export async function firstMessages(
  { db }: Deps,
  { userId, after }: { userId: number; after: number | undefined },
): Promise<Message[]> {
  // Read first: the updates that follow may then include later ones, never miss any.
  const { oldest, newest } = await store.idsOfLiveUpdates(db);
  const ready = (id: number): Message => ({ name: 'ready', id, data: {} });
  if (after === undefined) return [ready(newest)];
  const reset: Message[] = [{ name: 'reset', id: newest, data: {} }, ready(newest)];
  if (after > newest || after < oldest - 1) return reset;
  const missed = await store.readLiveUpdates(db, { userId, after, limit: RESUMED_MAX + 1 });
  return missed.length > RESUMED_MAX ? reset : [ready(after), ...missed.map(toMessage)];
}

/** Ends streams whose sign-in or token has ended, in case its message was not passed on, and all if the database was replaced. */
export async function checkStreams(deps: Deps): Promise<void> {
  const { db, streams } = deps;
  if (streams.lastId !== undefined) {
    const { newest } = await store.idsOfLiveUpdates(db);
    if (newest < streams.lastId) {
      streams.lastId = newest;
      streams.endAll();
    }
  }
  const owners = streams.owners();
  const signIns = [...new Set(owners.flatMap(({ signIn }) => signIn ?? []))];
  if (signIns.length > 0) {
    const active = await activeSignIns(deps, signIns);
    streams.endSignIns(signIns.filter((signIn) => !active.has(signIn)));
  }
  const tokens = [...new Set(owners.flatMap(({ token }) => token ?? []))];
  if (tokens.length > 0) {
    const active = await activeTokens(deps, tokens);
    streams.endTokens(tokens.filter((token) => !active.has(token)));
  }
}

/** Registers what Prometheus learns about live updates. */
export function defineMetrics({ db, clock, metrics, streams }: Deps): void {
  metrics.ownGauge('hourshare_event_streams', 'Open event streams of this server.', () => streams.count());
  metrics.gauges(
    {
      hourshare_outbox_waiting: 'Messages that have not been passed on yet.',
      hourshare_outbox_oldest_seconds: 'How long the oldest of them has waited; 0 if there is none.',
      hourshare_outbox_set_aside: 'Outbox messages that could not be passed on, and wait for a new version.',
    },
    async () => {
      const { waiting, oldest, failed } = await countMessages(db);
      return {
        hourshare_outbox_waiting: waiting,
        hourshare_outbox_oldest_seconds: oldest ? Math.max(0, (clock().getTime() - oldest.getTime()) / 1000) : 0,
        hourshare_outbox_set_aside: failed,
      };
    },
  );
  metrics.counter('hourshare_outbox_failed_total', 'Messages that this server failed to pass on and set aside.');
}
