// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldPresses, holdPress, type HeldPress } from '../../platform/offline/queue.ts';
import type { KeptValue } from '../../platform/offline/storage.ts';
import { errorReply, fakeServer, storeTestSignIn } from '../../testing/fake-server.ts';
import { aShare } from '../../testing/records.ts';
import { sharesQuery } from '../shares/api.ts';
import { Holder, type Held, type Outcome } from './offline-presses.ts';

const AT = Date.now() - 60_000;
const press = (verb: HeldPress['verb'], at = AT): HeldPress => ({ shareId: 7, asset: 'Figma', verb, at });
const session = { id: 1, asset_name: 'Figma', start_time: new Date(AT).toISOString(), end_time: null, duration: null };

let stored: Held | undefined;
const kept: KeptValue<Held> = {
  get: () => Promise.resolve(stored),
  update: (change) => {
    stored = change(stored);
    return Promise.resolve();
  },
  remove: () => Promise.resolve(),
};

let holder: Holder | undefined;
let outcomes: Outcome[] = [];
let client: QueryClient;
beforeEach(() => {
  stored = undefined;
  outcomes = [];
  client = new QueryClient();
  client.setQueryData(sharesQuery.queryKey, { results: [aShare({ id: 7 })], next: null });
  storeTestSignIn('a', 'r');
});
afterEach(() => holder?.stop());

async function start(): Promise<Holder> {
  holder = new Holder({ client, userId: 1, kept, onOutcomes: (next) => (outcomes = next) });
  await holder.start();
  return holder;
}

const shown = (): SharedAsset | undefined => client.getQueryData(sharesQuery.queryKey)?.results[0];

it('stores and shows an offline start, and sends it with its time once online', async () => {
  let reply: 'no connection' | { status: number; json: unknown } = 'no connection';
  const received = fakeServer(() => reply);
  const sending = await start();
  expect(await holdPress(press('start'))).toBe(true);
  expect(heldPresses()).toMatchObject([{ verb: 'start', at: AT }]);
  expect(shown()).toMatchObject({ active_session: true });
  await sending.send();
  expect(heldPresses()).toHaveLength(1);
  reply = { status: 201, json: session };
  await sending.send();
  expect(heldPresses()).toEqual([]);
  expect(outcomes).toMatchObject([{ verb: 'start', session: { id: 1 } }]);
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
    { id: 'a', session: null, reason: 'This overlaps another of your sessions.' },
    { id: 'b', session: { id: 1 } },
  ]);
  await holder?.forgetOutcomes();
  expect(outcomes).toEqual([]);
});

it.each([
  ['the server is overloaded', errorReply(503, 'unavailable', 'Later.')],
  ['there are too many requests', errorReply(429, 'rate_limited', 'Later.')],
  ['a proxy says that there is no such page', { status: 404, json: { message: 'no Route matched with those values' } }],
  ['a firewall says no', { status: 403 }],
  ['something in between answers', { status: 200, json: { status: 'maintenance' } }],
])('keeps everything while %s', async (_, reply) => {
  stored = { presses: [{ ...press('start'), id: 'a' }], outcomes: [] };
  fakeServer(() => reply);
  await start();
  expect([heldPresses().length, outcomes]).toEqual([1, []]);
});
