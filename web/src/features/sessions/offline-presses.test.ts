// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import type { Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enqueue, queue, type Outcome, type Press } from '../../platform/offline/queue.ts';
import { PressSender, type StoredQueue } from '../../platform/offline/sending.ts';
import type { StoredValue } from '../../platform/offline/storage.ts';
import { errorReply, fakeServer, storeTestSignIn } from '../../testing/fake-server.ts';
import { aShare } from '../../testing/records.ts';
import { sharesQuery } from '../shares/api.ts';
import { sendPress, showPresses } from './offline-presses.ts';

const AT = Date.now() - 60_000;
const press = (verb: Press['verb'], at = AT): Press => ({ shareId: 7, asset: 'Figma', verb, at });
const session = { id: 1, asset_name: 'Figma', start_time: new Date(AT).toISOString(), end_time: null, duration: null };

let stored: StoredQueue<Session> | undefined;
const value: StoredValue<StoredQueue<Session>> = {
  get: () => Promise.resolve(stored),
  update: (change) => {
    stored = change(stored);
    return Promise.resolve();
  },
  remove: () => Promise.resolve(),
};

let sender: PressSender<Session> | undefined;
let stopShowing: () => void;
let outcomes: Outcome<Session>[] = [];
let client: QueryClient;
beforeEach(() => {
  stored = undefined;
  outcomes = [];
  client = new QueryClient();
  client.setQueryData(sharesQuery.queryKey, { results: [aShare({ id: 7 })], next: null });
  storeTestSignIn('a', 'r');
  stopShowing = showPresses(client);
});
afterEach(() => {
  sender?.stop();
  stopShowing();
});

async function start(): Promise<PressSender<Session>> {
  sender = new PressSender({
    userId: 1,
    stored: value,
    send: sendPress,
    onSent: () => Promise.resolve(),
    onOutcomes: (next) => (outcomes = next),
  });
  await sender.start();
  return sender;
}

const shown = (): SharedAsset | undefined => client.getQueryData(sharesQuery.queryKey)?.results[0];

it('stores and shows an offline start, and sends it with its time once online', async () => {
  let reply: 'no connection' | { status: number; json: unknown } = 'no connection';
  const received = fakeServer(() => reply);
  const sending = await start();
  expect(await enqueue(press('start'))).toBe(true);
  expect(queue.get()).toMatchObject([{ verb: 'start', at: AT }]);
  expect(shown()).toMatchObject({ active_session: true });
  await sending.send();
  expect(queue.get()).toHaveLength(1);
  reply = { status: 201, json: session };
  await sending.send();
  expect(queue.get()).toEqual([]);
  expect(outcomes).toMatchObject([{ verb: 'start', result: { id: 1 } }]);
  const sent = received.filter(({ method }) => method === 'POST').at(-1);
  expect(sent).toMatchObject({ path: '/api/shared-assets/7/late-start/', body: { at: new Date(AT).toISOString() } });
  expect(sent?.headers.get('idempotency-key')).toBeTruthy();
});

it('sends what an earlier page load stored in order, and says what is rejected without losing the rest', async () => {
  stored = {
    presses: [
      { ...press('start'), id: 'a' },
      { ...press('end', AT + 1000), id: 'b' },
    ],
    outcomes: [],
  };
  const received = fakeServer(({ path }) =>
    path.endsWith('/late-start/')
      ? errorReply(400, 'session_overlap', 'This overlaps another of your sessions.')
      : { status: 200, json: { ...session, end_time: new Date(AT + 1000).toISOString(), duration: 0.02 } },
  );
  await start();
  expect(received.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/api/shared-assets/7/late-start/',
    '/api/shared-assets/7/late-end/',
  ]);
  expect(outcomes).toMatchObject([
    { id: 'a', result: null, reason: 'This overlaps another of your sessions.' },
    { id: 'b', result: { id: 1 } },
  ]);
  await sender?.forgetOutcomes();
  expect(outcomes).toEqual([]);
});

it('keeps the last 50 outcomes', async () => {
  const earlier = { shareId: 7, asset: 'Figma', verb: 'end' as const, at: new Date(AT).toISOString(), result: null };
  stored = {
    presses: [{ ...press('start'), id: 'last' }],
    outcomes: Array.from({ length: 50 }, (_, n) => ({ ...earlier, id: String(n) })),
  };
  fakeServer(() => ({ status: 201, json: session }));
  await start();
  expect(outcomes.map(({ id }) => id)).toEqual([...Array.from({ length: 49 }, (_, n) => String(n + 1)), 'last']);
});

it.each([
  ['the server is overloaded', errorReply(503, 'unavailable', 'Later.')],
  ['there are too many requests', errorReply(429, 'rate_limited', 'Later.')],
  ['a proxy says that there is no such page', { status: 404, json: { message: 'no Route matched with those values' } }],
  ['a firewall says no', { status: 403 }],
  ['a proxy answers without a body', { status: 204 }],
  ['a proxy answers with JSON null', { status: 200, json: null }],
  ['a proxy answers with other JSON', { status: 200, json: { status: 'maintenance' } }],
])('keeps everything while %s', async (_, reply) => {
  stored = { presses: [{ ...press('start'), id: 'a' }], outcomes: [] };
  fakeServer(() => reply);
  await start();
  expect([queue.get().length, outcomes]).toEqual([1, []]);
});
