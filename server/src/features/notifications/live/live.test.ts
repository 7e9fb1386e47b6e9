import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import Fastify, { type FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { authenticateCallers } from '../../../platform/http/authentication.ts';
import { streamRoute } from '../../../platform/http/route.ts';
import { disableAccount } from '../../accounts/administration/service.ts';
import { freshAccess, openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { openEvents, type EventClient, type ReadMessage } from '../../../testing/event-client.ts';
import { createIdentify } from '../../sign-ins/service.ts';
import { dispatchAll } from '../dispatch/service.ts';
import { startLiveUpdates } from './jobs.ts';
import { checkStreams, sendNewUpdates } from './service.ts';

let api: TestApi;
let origin: string;
const open: EventClient[] = [];

beforeAll(async () => {
  api = await openTestApi();
  origin = await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  // Node.js doesn't count a connection without a request as idle, and would wait a minute for it.
  api.app.server.closeAllConnections();
  await api.close();
});
beforeEach(async () => {
  await api.reset();
  api.deps.streams.lastId = undefined;
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

async function events(user: SignedIn, after?: number | string): Promise<EventClient> {
  const token = await freshAccess(api.deps, user);
  const client = await openEvents(origin, token, after === undefined ? {} : { after });
  open.push(client);
  return client;
}

/** Does what the server does after each commit. */
async function passOn(): Promise<void> {
  await dispatchAll(api.deps);
  await sendNewUpdates(api.deps);
}

async function household() {
  const owner = await api.register('mira');
  const member = await api.register('ben');
  const other = await api.register('zoe');
  const asset = await api.addAsset(owner);
  const share = await api.share(owner, asset, member);
  const otherShare = await api.share(owner, asset, other);
  await passOn();
  return { owner, member, other, asset, share, otherShare };
}

/** What happened, without the notices that come of it. */
const names = (client: EventClient) =>
  client.messages.map(({ name }) => name).filter((name) => name !== 'notices.changed');

test('a start and an end reach the member and the owner, and no one else', async () => {
  const { owner, member, other, asset, share, otherShare } = await household();
  const [ofOwner, ofMember, ofOther] = [await events(owner), await events(member), await events(other)];
  expect(ofOwner.status).toBe(200);
  expect(ofOwner.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(ofOwner.headers.get('x-accel-buffering')).toBe('no');

  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
  await api.call('POST', `/api/shared-assets/${otherShare.id}/start/`, { as: other });
  await passOn();

  const sessions = (count: number) => (messages: ReadMessage[]) =>
    messages.filter(({ name }) => name.startsWith('session.')).length === count;
  await ofOther.until(sessions(1));
  await ofMember.until(sessions(2));
  await ofOwner.until(sessions(3));
  expect(names(ofMember)).toEqual(['ready', 'session.started', 'session.ended']);
  expect(names(ofOther)).toEqual(['ready', 'session.started']);
  expect(names(ofOwner)).toEqual(['ready', 'session.started', 'session.ended', 'session.started']);
  expect(ofMember.messages.find(({ name }) => name === 'session.started')?.data).toEqual({
    asset_id: asset.id,
    share_id: share.id,
    session_id: 1,
  });
});

test('a stream that was cut in the middle of 1,000 events resumes with none lost or doubled', async () => {
  const { member, share } = await household();
  const first = await events(member);
  await first.until(({ length }) => length === 1);
  const add = (count: number) =>
    sql`
    insert into outbox (kind, share_id, data, happened_at)
    select 'session.started', ${share.id}, jsonb_build_object('session_id', n), now()
    from generate_series(1, ${count}::int) n`.execute(api.database.db);
  await add(400);
  await passOn();
  await first.until(({ length }) => length > 100);
  first.close();
  await first.ended;
  await add(300);
  await passOn();
  const last = first.messages.at(-1)?.id;
  const [second] = await Promise.all([events(member, last), add(300).then(passOn)]);
  const missed = 1000 - (first.messages.length - 1);
  await second.until(({ length }) => length > missed);
  const ids = [...first.messages, ...second.messages]
    .filter(({ name }) => name === 'session.started')
    .map(({ id }) => id);
  expect(ids).toHaveLength(1000);
  expect(new Set(ids).size).toBe(1000);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test('a stream after the event that an answer names has everything that the answer lacks', async () => {
  const { member, share } = await household();
  const answer = await api.call('GET', '/api/shared-assets/', { as: member });
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
  await passOn();
  const client = await events(member, answer.headers['event-id'] as string);
  await client.until((messages) => messages.some(({ name }) => name === 'session.started'));
  expect(names(client)).toEqual(['ready', 'session.started']);
  expect((await api.call('GET', '/api/about/')).headers['event-id']).toBeUndefined();
});

test('a stream after an id that is not known begins anew', async () => {
  const { member } = await household();
  for (const after of ['999999', 'nonsense', '-1']) {
    const client = await events(member, after);
    await client.until(({ length }) => length === 2);
    expect(names(client)).toEqual(['reset', 'ready']);
  }
});

test('a stream after the event before the oldest one has missed none that is kept', async () => {
  const { member } = await household();
  const { db } = api.deps;
  await sql`delete from live_updates where id < (select max(id) from live_updates)`.execute(db);
  const { id } = await db.selectFrom('live_updates').select('id').executeTakeFirstOrThrow();
  const client = await events(member, id - 1);
  await client.until(({ length }) => length > 0);
  expect(client.messages[0]).toMatchObject({ name: 'ready', id: id - 1 });
});

test('a seventh stream is refused, until one of the others is closed', async () => {
  const { member } = await household();
  const clients = [];
  for (let count = 0; count < 6; count += 1) clients.push(await events(member));
  const seventh = await events(member);
  expect(seventh.status).toBe(429);
  expect(seventh.headers.get('retry-after')).toBe('10');
  clients[0]?.close();
  await expect.poll(async () => (await events(member)).status).toBe(200);
});

test('5,000 streams are the most of one server, until one of them is closed', async () => {
  const { member } = await household();
  const { streams } = api.deps;
  try {
    // As if as many responses were open, each of another user.
    for (let count = 0; count < 5000; count += 1) {
      const reply = { raw: new EventEmitter() } as unknown as FastifyReply;
      streams.open(reply, { userId: 1_000_000 + count, signIn: `${count}`, expiresAt: new Date('2100-01-01') });
    }
    const refused = await events(member);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(streams.count()).toBe(5000);
    streams.endSignIns(['0']);
    expect((await events(member)).status).toBe(200);
    expect((await events(member)).status).toBe(503);
  } finally {
    streams.endAll();
  }
});

test("a client that doesn't read is cut off, and no one else", async () => {
  const { member, owner } = await household();
  const reading = await events(member);
  await reading.until(({ length }) => length === 1);
  const headers = { authorization: `Bearer ${await freshAccess(api.deps, owner)}` };
  const [idle] = (await once(get(`${origin}/api/events/`, { headers }), 'response')) as [IncomingMessage];
  const failed = new Promise((resolve) => {
    idle.on('error', resolve);
  });
  expect(api.deps.streams.count()).toBe(2);

  try {
    // More than sockets hold, all of which the other client reads.
    let id = 1_000_000;
    const text = 'x'.repeat(60_000);
    while (api.deps.streams.count() === 2 && id < 1_002_000) {
      id += 1;
      api.deps.streams.publish([member.user.id, owner.user.id], { name: 'session.started', id, data: { text } });
      await reading.until((messages) => messages.at(-1)?.id === id);
    }
    expect(api.deps.streams.owners().map(({ userId }) => userId)).toEqual([member.user.id]);
    idle.resume();
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    expect(idle.complete).toBe(false);
    api.deps.streams.publish([member.user.id], { name: 'session.ended', id: id + 1, data: {} });
    await reading.until((messages) => messages.at(-1)?.id === id + 1);
  } finally {
    idle.destroy();
  }
});

test('a sign-in that ends while its stream is being opened gets none', async () => {
  const { member } = await household();
  const app = Fastify();
  authenticateCallers(app, createIdentify(api.deps), async () => undefined);
  streamRoute(app, api.deps, 'GET /api/events/', {
    prepare: async () => undefined,
    first: async () => {
      const signedOut = await api.call('POST', '/api/logout/', { body: { refresh_token: member.refresh } });
      expect([signedOut.status, api.deps.streams.count()]).toEqual([204, 1]);
      return [{ name: 'ready', id: 1, data: {} }];
    },
  });
  const client = await openEvents(await app.listen({ host: '127.0.0.1', port: 0 }), member.access);
  open.push(client);
  try {
    expect(client.status).toBe(401);
    expect(api.deps.streams.count()).toBe(0);
  } finally {
    client.close();
    app.server.closeAllConnections();
    await app.close();
  }
});

test('signing out ends the streams of that sign-in at once', async () => {
  const { member } = await household();
  const elsewhere = await api.call<SignedIn>('POST', '/api/login/', {
    body: { username: 'ben', password: TEST_PASSWORD },
  });
  await passOn();
  const [here, there] = [await events(member), await events(elsewhere.body)];
  await api.call('POST', '/api/logout/', { body: { refresh_token: member.refresh } });
  await passOn();
  await here.ended;
  await there.until(({ length }) => length === 2);
  expect(names(there)).toEqual(['ready', 'sign_ins.ended']);
  expect(there.messages[1]?.data).toEqual({});
});

test('a sign-in that ended without an event ends its streams at the next check', async () => {
  const { member } = await household();
  const client = await events(member);
  await api.database.db.updateTable('sign_ins').set({ ended_at: new Date() }).execute();
  await checkStreams(api.deps);
  await client.ended;
  expect(api.deps.streams.count()).toBe(0);
});

test('a stream ends with its access token, and says before that it is still there', async () => {
  const { member } = await household();
  const client = await events(member);
  await client.until(({ length }) => length === 1);
  api.clock.advance(19_000);
  api.deps.streams.tick();
  api.clock.advance(1000);
  api.deps.streams.tick();
  await client.comment();
  expect(client.comments()).toBe(1);
  api.clock.advance(15 * 60_000 - 20_000);
  api.deps.streams.tick();
  await client.ended;
  expect(api.deps.streams.count()).toBe(0);
});

const scriptOf = async (user: SignedIn, body: object = {}) =>
  (
    await api.call<{ id: number; token: string }>('POST', '/api/me/access-tokens/', {
      as: user,
      body: { name: 'Lamp', ...body },
    })
  ).body;

async function eventsOf(token: string): Promise<EventClient> {
  const client = await openEvents(origin, token);
  open.push(client);
  return client;
}

test.each(['account', 'events'] as const)('a script whose token is for %s hears what happens', async (scope) => {
  const { member, share } = await household();
  const client = await eventsOf((await scriptOf(member, { scope })).token);
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
  await passOn();
  await client.until((messages) => messages.some(({ name }) => name === 'session.started'));
  expect(names(client)).toEqual(['ready', 'session.started']);
});

test('a script whose token is for a share hears nothing', async () => {
  const { member, share } = await household();
  expect((await eventsOf((await scriptOf(member, { share_id: share.id })).token)).status).toBe(403);
  expect(api.deps.streams.count()).toBe(0);
});

test('the stream of a script ends at once when its token is revoked, and no other', async () => {
  const { member } = await household();
  const [first, second] = [await scriptOf(member), await scriptOf(member)];
  const [ending, staying, own] = [await eventsOf(first.token), await eventsOf(second.token), await events(member)];
  await api.call('DELETE', `/api/me/access-tokens/${first.id}/`, { as: member });
  await passOn();
  await ending.ended;
  const told = (messages: ReadMessage[]) => messages.find(({ name }) => name === 'tokens.revoked');
  for (const client of [staying, own]) {
    await client.until((messages) => told(messages) !== undefined);
    expect(told(client.messages)?.data).toEqual({});
  }
  expect((await eventsOf(first.token)).status).toBe(401);
});

test.each([
  ['is disabled', ({ user }: SignedIn) => disableAccount(api.deps, user.id)],
  [
    'is deleted',
    (user: SignedIn) =>
      api.call('DELETE', '/api/me/', { as: user, body: { current_password: TEST_PASSWORD, keep_name: true } }),
  ],
])('the streams of scripts end at once when their account %s', async (_what, end) => {
  const { member } = await household();
  const client = await eventsOf((await scriptOf(member)).token);
  await end(member);
  await passOn();
  await client.ended;
  expect(api.deps.streams.count()).toBe(0);
});

test('a token that ended without an event ends its streams at the next check, and an expired one at once', async () => {
  const { member } = await household();
  const script = await scriptOf(member, { expires_in_days: 1 });
  const gone = await eventsOf((await scriptOf(member, { scope: 'events' })).token);
  const expiring = await eventsOf(script.token);
  await api.database.db.deleteFrom('access_tokens').where('id', '<>', script.id).execute();
  await checkStreams(api.deps);
  await gone.ended;
  expect(api.deps.streams.count()).toBe(1);
  api.clock.advance(24 * 3_600_000);
  api.deps.streams.tick();
  await expiring.ended;
});

test('scripts take none of the streams of their user', async () => {
  const { member } = await household();
  const { token } = await scriptOf(member);
  for (let count = 0; count < 6; count += 1) await eventsOf(token);
  expect((await eventsOf(token)).status).toBe(429);
  expect((await events(member)).status).toBe(200);
});

test('streams are for signed-in people and scripts only', async () => {
  expect((await openEvents(origin, 'nonsense')).status).toBe(401);
});

test('a server that stops ends its streams, takes no more, and waits for none of their connections', async () => {
  const stopping = await openTestApi();
  const address = await stopping.app.listen({ host: '127.0.0.1', port: 0 });
  const user = await stopping.register('mira');
  const client = await openEvents(address, await freshAccess(stopping.deps, user));
  await client.until(({ length }) => length === 1);
  stopping.deps.streams.close();
  await client.ended;
  expect((await openEvents(address, await freshAccess(stopping.deps, user))).status).toBe(503);
  await stopping.close();
});

test('nothing is read or written any more once live updates have stopped, also if something commits meanwhile', async () => {
  let uses = 0;
  const db = new Proxy(api.deps.db, {
    get: (target, name) => {
      uses += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const deps = { ...api.deps, db };
  const stop = startLiveUpdates(deps);
  const { wakeDispatcher } = deps;
  const commits = setInterval(wakeDispatcher, 1);
  onTestFinished(() => clearInterval(commits));
  await pause(50);
  await stop();
  const usesUntilStop = uses;
  await pause(100);
  expect(uses).toBe(usesUntilStop);
});
