import type { SignedIn } from '@hourshare/contract/sign-ins';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { loadConfig } from '../../../config.ts';
import { localAddress } from '../../../deps.ts';
import { createTokens } from '../../../platform/tokens.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { dispatcherOf, event } from '../../../testing/events.ts';
import { openTestPushService, type TestBrowser, type TestPushService } from '../../../testing/push-service.ts';
import { deleteEndedSubscriptions, readPublicKey, sendDuePushes, subjectOf } from './service.ts';

let service: TestPushService;
let api: TestApi;
beforeAll(async () => {
  service = await openTestPushService();
  api = await openTestApi({ PUSH_ALLOW_PRIVATE: 'on', CONTACT: 'ida@example.org' });
});
beforeEach(async () => {
  await api.reset();
  // The server's first start adds it.
  await api.deps.db.insertInto('installation').values({ secret_fingerprint: api.deps.tokens.fingerprint }).execute();
  service.received.length = 0;
  service.statuses.clear();
});
afterAll(async () => {
  await api.close();
  await service.close();
});

const subscribe = async (user: SignedIn, browser: TestBrowser) =>
  api.call<{ id: number }>('POST', '/api/push/subscriptions/', { as: user, body: browser.subscription });
const signIn = (user: SignedIn) =>
  event(
    'account.signed_in',
    { browser: 'Firefox', system: 'Linux', known_device: false },
    { actor: user, users: [user] },
  );
const tell = (...events: ReturnType<typeof signIn>[]) => dispatcherOf(api)(...events);

/** Lets time pass, and returns the paths that messages were sent to. */
async function sentAfter(minutes = 0) {
  api.clock.advance(minutes * 60_000);
  await sendDuePushes(api.deps);
  return service.received.splice(0).map(({ path }) => path);
}

it('sends one sentence, encrypted for the browser and signed by the server', async () => {
  const ana = await api.register('ana');
  const browser = service.browser('firefox');
  const { body: key } = await api.call<{ public_key: string }>('GET', '/api/push/', { as: ana });
  expect((await subscribe(ana, browser)).status).toBe(201);
  await tell(signIn(ana));
  await sendDuePushes(api.deps);
  const [message, ...others] = service.received;
  expect(others).toEqual([]);
  expect(message?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' });
  expect(JSON.parse(browser.decrypt(message?.body ?? Buffer.of()))).toEqual({
    id: 1,
    kind: 'sign_in',
    text: 'New sign-in to your account',
    path: '/profile',
  });
  expect(() => service.browser('other').decrypt(message?.body ?? Buffer.of())).toThrow('authenticate');
  const [, token = '', publicKey] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(message?.headers.authorization ?? '') ?? [];
  expect(publicKey).toBe(key.public_key);
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'JWT' });
  expect(decodeJwt(token)).toEqual({
    aud: new URL(browser.subscription.endpoint).origin,
    exp: api.clock.now.getTime() / 1000 + 12 * 3600,
    sub: 'mailto:ida@example.org',
  });
  service.received.length = 0;
  expect(await sentAfter(60)).toEqual([]);
});

it.each([
  [{ CONTACT: 'ida@example.org' }, 'mailto:ida@example.org'],
  [{ CONTACT: 'https://example.org/me' }, 'https://example.org/me'],
  [
    { CONTACT: 'http://example.org/me', SMTP_URL: 'smtp://h', MAIL_FROM: 'Hours <h@example.org>' },
    'mailto:h@example.org',
  ],
  [{ CONTACT: 'http://example.org/me', APP_URL: 'https://hours.example.org' }, 'https://hours.example.org'],
  [{ APP_URL: 'http://hours.local:3000' }, 'mailto:admin@hours.local'],
  [{}, 'mailto:admin@127.0.0.1'],
])('with %j, push services can write to %s', (settings, subject) => {
  const config = loadConfig({ DATA_DIR: 'unused', ...settings });
  expect(subjectOf({ config, server: { address: config.APP_URL ?? localAddress(config) } })).toBe(subject);
});

it('makes one pair of keys, however many servers need it first', async () => {
  const ana = await api.register('ana');
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.call('GET', '/api/push/', { as: ana })));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const row = await api.deps.db.selectFrom('installation').select('push_sealed_key').executeTakeFirstOrThrow();
  expect(api.deps.tokens.unseal(row.push_sealed_key ?? '')).toMatch(/^[\w-]{43}$/);
});

it('retries a browser whose service fails, a few times, and no other', async () => {
  const ana = await api.register('ana');
  await subscribe(ana, service.browser('firefox'));
  await subscribe(ana, service.browser('opera'));
  service.statuses.set('/opera', 500);
  await tell(signIn(ana));
  expect((await sentAfter()).toSorted()).toEqual(['/firefox', '/opera']);
  expect(await sentAfter()).toEqual([]);
  expect(await sentAfter(1)).toEqual(['/opera']);
  expect(await sentAfter(4)).toEqual(['/opera']);
  expect(await sentAfter(16)).toEqual(['/opera']);
  expect(await sentAfter(600)).toEqual([]);
});

it.each([404, 410])('forgets a browser that its service no longer knows: %s', async (status) => {
  const ana = await api.register('ana');
  await subscribe(ana, service.browser('firefox'));
  service.statuses.set('/firefox', status);
  await tell(signIn(ana));
  expect(await sentAfter()).toEqual(['/firefox']);
  expect(await api.deps.db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([]);
});

it('follows no redirect', async () => {
  const ana = await api.register('ana');
  await subscribe(ana, service.browser('firefox'));
  service.statuses.set('/firefox', 307);
  await tell(signIn(ana));
  expect(await sentAfter()).toEqual(['/firefox']);
});

it('ends with the sign-in, with the subscription, and once a notice was read', async () => {
  const ana = await api.register('ana');
  const { body: other } = await api.call<SignedIn>('POST', '/api/login/', {
    body: { username: 'ana', password: TEST_PASSWORD },
  });
  await subscribe(ana, service.browser('firefox'));
  const { body: opera } = await subscribe(other, service.browser('opera'));
  await api.call('POST', '/api/logout/', { body: { refresh_token: ana.refresh } });
  await tell(signIn(ana));
  expect(await sentAfter()).toEqual(['/opera']);
  const [expiry] = await api.deps.db
    .selectFrom('sign_ins')
    .select('expires_at')
    .where('ended_at', 'is', null)
    .execute();
  const expire = (at: Date | undefined) => api.deps.db.updateTable('sign_ins').set({ expires_at: at }).execute();
  await expire(api.clock.now);
  await tell(signIn(ana));
  expect(await sentAfter()).toEqual([]);
  await expire(expiry?.expires_at);
  await tell(signIn(ana));
  await api.call('POST', '/api/notifications/read/', { as: other });
  expect(await sentAfter()).toEqual([]);
  await deleteEndedSubscriptions(api.deps);
  expect(await api.deps.db.selectFrom('push_subscriptions').select('id').execute()).toEqual([{ id: opera.id }]);
  const ben = await api.register('ben');
  const path = `/api/push/subscriptions/${opera.id}/`;
  expect((await api.call('DELETE', path, { as: ben })).status).toBe(404);
  expect((await api.call('DELETE', path, { as: other })).status).toBe(204);
  await tell(signIn(ana));
  expect(await sentAfter()).toEqual([]);
});

it('belongs to the last user who subscribed in that browser', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const browser = service.browser('firefox');
  const [first, second] = [await subscribe(ana, browser), await subscribe(ben, browser)];
  expect(second.body).toEqual(first.body);
  await tell(signIn(ana));
  expect(await sentAfter()).toEqual([]);
  await tell(signIn(ben));
  expect(await sentAfter()).toEqual(['/firefox']);
});

it('goes to the newest 20 browsers of a user', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await subscribe(ben, service.browser('opera'));
  const names = Array.from({ length: 22 }, (_, number) => `firefox-${number}`);
  for (const name of names.slice(0, 20)) expect((await subscribe(ana, service.browser(name))).status).toBe(201);
  await tell(signIn(ana), signIn(ben));
  expect((await sentAfter()).toSorted()).toEqual([...names.slice(0, 20), 'opera'].map((name) => `/${name}`).toSorted());
  for (const name of names.slice(20)) expect((await subscribe(ana, service.browser(name))).status).toBe(201);
  await tell(signIn(ana), signIn(ben));
  expect((await sentAfter()).toSorted()).toEqual([...names.slice(2), 'opera'].map((name) => `/${name}`).toSorted());
});

it("rejects keys that don't belong to a browser", async () => {
  const ana = await api.register('ana');
  const browser = service.browser('firefox');
  const keys = { ...browser.subscription.keys, p256dh: 'B'.repeat(87) };
  const answer = await api.call('POST', '/api/push/subscriptions/', {
    as: ana,
    body: { ...browser.subscription, keys },
  });
  expect(answer.status).toBe(400);
});

it("keeps keys and browsers on a server that lacks the database's new secret", async () => {
  const ana = await api.register('ana');
  await api.call('GET', '/api/push/', { as: ana });
  await subscribe(ana, service.browser('firefox'));
  const read = () =>
    Promise.all([
      api.deps.db.selectFrom('installation').select(['push_public_key', 'push_sealed_key']).execute(),
      api.deps.db.selectFrom('push_subscriptions').select(['id', 'sealed']).execute(),
    ]);
  const before = await read();
  const secret = 'the secret of a server that was left behind, 32+ characters';
  const leftBehind = { ...api.deps, tokens: createTokens(secret, api.deps.clock) };
  expect(await readPublicKey(leftBehind)).toMatchObject({ ok: false, code: 'unavailable' });
  await tell(signIn(ana));
  await sendDuePushes(leftBehind);
  expect(await read()).toEqual(before);
  expect(service.received).toEqual([]);
  // Once the others try again.
  api.clock.advance(24 * 3_600_000);
  await sendDuePushes(api.deps);
  expect(service.received).toHaveLength(1);
});

it('goes only to services on the list, if there is one, also where a browser subscribed before', async () => {
  const ana = await api.register('ana');
  await subscribe(ana, service.browser('firefox'));
  const deps = { ...api.deps, config: { ...api.deps.config, PUSH_SERVICES: ['push.example.org'] } };
  const app = await buildApp(deps);
  const { handle } = await api.deps.db.selectFrom('sign_ins').select('handle').executeTakeFirstOrThrow();
  const token = await api.deps.tokens.access({ userId: ana.user.id, signIn: handle });
  const send = async (endpoint: string) => {
    const { keys } = service.browser('chrome').subscription;
    const headers = { authorization: `Bearer ${token}` };
    return app.inject({ method: 'POST', url: '/api/push/subscriptions/', headers, payload: { endpoint, keys } });
  };
  const refused = await send('https://other.example.org/a');
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    { code: 'validation_failed', fields: { endpoint: ["This server doesn't send push messages to this service"] } },
  ]);
  await tell(signIn(ana));
  await sendDuePushes(deps);
  expect(service.received).toEqual([]);
  expect(await api.deps.db.selectFrom('push_subscriptions').select('id').execute()).toEqual([]);
  expect((await send('https://push.example.org/a')).statusCode).toBe(201);
  await app.close();
});
