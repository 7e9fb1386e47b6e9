import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { CHECK_MINUTES, NOTICE_TARGETS_MAX } from '@hourshare/contract/limits';
import {
  NoticeKind,
  type CreatedNoticeTarget,
  type Notice,
  type NoticeTarget,
  type SentNotice,
  type TargetFormat,
} from '@hourshare/contract/notifications';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { dispatcherOf, event } from '../../../testing/events.ts';
import { openTestReceiver, type TestReceiver } from '../../../testing/notice-receiver.ts';
import { disableAccount, enableAccount } from '../../accounts/administration/service.ts';
import { createResetLink } from '../../sign-ins/recovery/service.ts';
import { requestOf } from './wire.ts';
import { sendDueToTargets } from './service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let receiver: TestReceiver;
let api: TestApi;
let ana: SignedIn;
beforeAll(async () => {
  receiver = await openTestReceiver();
  api = await openTestApi({ WEBHOOK_HOSTS: '127.0.0.1', APP_URL: 'https://hours.example.org' });
});
beforeEach(async () => {
  await api.reset();
  await api.deps.db.insertInto('installation').values({ secret_fingerprint: api.deps.tokens.fingerprint }).execute();
  receiver.received.length = 0;
  receiver.behaviors.clear();
  ana = await api.register('ana');
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

const TARGETS = '/api/notifications/targets/';

const add = (
  name: string,
  {
    as = ana,
    headers = {},
    ...body
  }: { as?: SignedIn; headers?: Record<string, string> } & Record<string, unknown> = {},
) =>
  api.call<CreatedNoticeTarget>('POST', TARGETS, {
    as,
    headers,
    body: { format: 'json', address: `${receiver.origin}/${name}`, kinds: NoticeKind.options, ...body },
  });
const list = async (as = ana) => (await api.call<{ results: NoticeTarget[] }>('GET', TARGETS, { as })).body.results;
const change = (id: number, body: object, as = ana) =>
  api.call<NoticeTarget>('PATCH', `${TARGETS}${id}/`, { as, body });

/** Something that Ana is told of. */
const signIn = (user = ana) =>
  event(
    'account.signed_in',
    { browser: 'Firefox', system: 'Linux', known_device: false },
    { actor: user, users: [user] },
  );
const tell = (...events: ReturnType<typeof signIn>[]) => dispatcherOf(api)(...events);

/** Lets time pass, and returns what arrived. */
async function sentAfter(milliseconds = 0) {
  api.clock.advance(milliseconds);
  await sendDueToTargets(api.deps);
  return receiver.received.splice(0);
}
const pathsAfter = async (milliseconds?: number) => (await sentAfter(milliseconds)).map(({ path }) => path);
const contentOf = ({ body }: { body: string }) => JSON.parse(body) as SentNotice;

const PRICE = { month: '2026-04', from: 1000, to: 2000, currency: 'EUR', from_cycle: null, to_cycle: null };

/** Has the owner of an asset of Ana's change its price. */
async function changePrice() {
  const owner = await api.register('mira');
  const asset = await api.addAsset(owner, { name: 'Car' });
  const { id: share } = await api.share(owner, asset, ana);
  await tell(event('price.changed', PRICE, { asset: asset.id, actor: owner }));
  return { asset: asset.id, share };
}

describe('a target', () => {
  it('gets what the bell says, signed, with ids and without amounts', async () => {
    const { body: target } = await add('hook');
    expect(target.secret).toMatch(/^[\w-]{43,44}$/);
    const { asset, share } = await changePrice();
    const [received, ...others] = await sentAfter();
    expect(others).toEqual([]);
    const notices = await api.call<{ results: Notice[] }>('GET', '/api/notifications/', { as: ana });
    const { id, kind, created_at: createdAt, path } = notices.body.results[0]!;
    expect(contentOf(received!)).toEqual({
      id,
      kind,
      path,
      created_at: createdAt,
      text: 'Car costs … starting April 2026',
      detail: '',
      url: `https://hours.example.org${path}`,
      asset_id: asset,
      share_id: share,
      session_id: null,
    });
    const [, seconds, signature] =
      /^t=(\d+),v1=([\da-f]{64})$/.exec(String(received?.headers['hourshare-signature'])) ?? [];
    expect(Number(seconds)).toBe(api.clock.now.getTime() / 1000);
    const signed = createHmac('sha256', target.secret ?? '').update(`${seconds}.${received?.body}`);
    expect(signature).toBe(signed.digest('hex'));
    expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'hourshare-id': String(id) });
    expect(await sentAfter(24 * HOUR)).toEqual([]);
  });

  it('gets amounts if its user says so, in their language, and only the kinds that they chose', async () => {
    await api.call('PATCH', '/api/me/', { as: ana, body: { language: 'de' } });
    await add('amounts', { amounts: true });
    await add('others', { kinds: ['sign_in'] });
    await changePrice();
    const sent = await sentAfter();
    expect(sent.map(({ path }) => path)).toEqual(['/amounts']);
    expect(contentOf(sent[0]!).text).toBe('Car kostet ab April 2026 20,00\u00A0€');
    await tell(signIn());
    expect((await pathsAfter()).toSorted()).toEqual(['/amounts', '/others']);
  });

  it('gets notices that appear nowhere else, or were read, and each one once, in order', async () => {
    const choices = NoticeKind.options.map((kind) => ({ kind, bell: false, mail: false, push: false }));
    const path = '/api/notifications/choices/';
    const kinds = choices.map((choice) => (choice.kind === 'sign_in' ? { ...choice, bell: true } : choice));
    expect((await api.call('PATCH', path, { as: ana, body: { choices: kinds.slice(0, -2) } })).status).toBe(200);
    await add('hook');
    await changePrice();
    for (let count = 0; count < 5; count += 1) await tell(signIn());
    await api.call('POST', '/api/notifications/read/', { as: ana });
    await Promise.all([sendDueToTargets(api.deps), sendDueToTargets(api.deps)]);
    const ids = receiver.received.map((each) => contentOf(each).id);
    expect(ids).toHaveLength(6);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  it('that fails gets it again after 1, 2, 4 … minutes, with the same id, and then the next ones', async () => {
    await add('hook');
    receiver.behaviors.set('/hook', 500);
    await tell(signIn(), signIn());
    const ids = new Set((await sentAfter()).map((each) => contentOf(each).id));
    for (const minutes of [1, 2, 4, 8, 16]) {
      expect(await sentAfter(minutes * MINUTE - 1000)).toEqual([]);
      const sent = await sentAfter(1000);
      expect(sent).toHaveLength(1);
      ids.add(contentOf(sent[0]!).id);
    }
    expect(ids.size).toBe(1);
    receiver.behaviors.clear();
    const sent = await sentAfter(32 * MINUTE);
    expect(sent).toHaveLength(2);
    expect(ids).toContain(contentOf(sent[0]!).id);
    expect(ids).not.toContain(contentOf(sent[1]!).id);
  });

  it('that fails for 3 days is turned off, and its user is told, until they turn it on again', async () => {
    const { body: target } = await add('hook');
    await add('well');
    receiver.behaviors.set('/hook', 500);
    await tell(signIn(), signIn());
    const start = api.clock.now.getTime();
    let attempts = 0;
    for (let hours = 0; hours < 80; hours += 1)
      attempts += (await pathsAfter(HOUR)).filter((path) => path === '/hook').length;
    // 1, 2, 4 … minutes, each to the next hour here, and then every 6 hours.
    expect(attempts).toBeGreaterThan(14);
    expect(attempts).toBeLessThan(24);
    const { off_since: off } = (await list()).find(({ id }) => id === target.id)!;
    expect(new Date(off ?? 0).getTime() - start).toBeGreaterThanOrEqual(72 * HOUR);
    const { body } = await api.call<{ results: Notice[] }>('GET', '/api/notifications/', { as: ana });
    expect(body.results[0]).toMatchObject({
      kind: 'target_off',
      text: `Notifications no longer go to ${target.host}`,
      path: '/settings#targets',
    });
    await tell(signIn());
    receiver.behaviors.clear();
    expect(await pathsAfter(HOUR)).toEqual(['/well']);
    expect((await change(target.id, { on: true })).body.off_since).toBeNull();
    await tell(signIn());
    expect((await pathsAfter()).toSorted()).toEqual(['/hook', '/well']);
  });

  it.each(['redirect', 404, 'endless'] as const)('answers as it likes: %s', async (behavior) => {
    await add('hook');
    receiver.behaviors.set('/hook', behavior);
    await tell(signIn());
    expect(await pathsAfter()).toEqual(['/hook']);
    expect(await pathsAfter(MINUTE)).toEqual(behavior === 'endless' ? [] : ['/hook']);
  });

  it('that is silent delays no one else, and counts as failed after 10 seconds', { timeout: 40_000 }, async () => {
    const ben = await api.register('ben');
    await add('silent');
    await add('hook', { as: ben });
    receiver.behaviors.set('/silent', 'silent');
    await tell(signIn(), signIn(), signIn(), signIn(ben));
    const startedAt = Date.now();
    const sending = sendDueToTargets(api.deps);
    await expect.poll(() => receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hook', '/silent']);
    await sending;
    expect(Date.now() - startedAt).toBeGreaterThan(9000);
    expect(receiver.received).toHaveLength(2);
  });

  it('gets nothing more once it is removed, while its account is disabled, or once someone resets the password', async () => {
    const { body: target } = await add('hook');
    await tell(signIn());
    expect((await api.call('DELETE', `${TARGETS}${target.id}/`, { as: ana })).status).toBe(204);
    expect(await sentAfter()).toEqual([]);
    await add('hook');
    await tell(signIn());
    await disableAccount(api.deps, ana.user.id);
    expect(await sentAfter()).toEqual([]);
    await enableAccount(api.deps, ana.user.id);
    expect(await pathsAfter()).toEqual(['/hook']);
    const ben = await api.register('ben');
    await add('hook', { as: ben });
    const link = await createResetLink(api.deps, ben.user.id);
    const reset = { token: link?.replace(/^.*#/, ''), password: 'yet another battery' };
    await api.call('POST', '/api/password-reset/confirm/', { body: reset });
    await tell(signIn(ben));
    expect(await sentAfter()).toEqual([]);
  });
});

describe('adding one', () => {
  it('stores its address sealed, and shows neither that nor its secret again', async () => {
    const { status, body, text } = await add('a-secret-path', { headers: { 'idempotency-key': 'one' } });
    expect(status).toBe(201);
    expect((await add('a-secret-path', { headers: { 'idempotency-key': 'one' } })).text).toBe(text);
    const tables = await Promise.all(
      (['notice_targets', 'idempotency_keys'] as const).map((table) =>
        api.deps.db.selectFrom(table).selectAll().execute(),
      ),
    );
    for (const hidden of ['a-secret-path', body.secret ?? '']) {
      expect(JSON.stringify(tables)).not.toContain(hidden);
      expect(JSON.stringify(await list())).not.toContain(hidden);
    }
    expect(await list()).toMatchObject([{ format: 'json', host: new URL(receiver.origin).host, off_since: null }]);
  });

  it('needs a recent check, because it lasts', async () => {
    api.clock.advance(CHECK_MINUTES * MINUTE);
    expect(await add('hook')).toMatchObject({ status: 403, body: { code: 'check_required' } });
    await api.call('POST', '/api/me/check/', { as: ana, body: { current_password: TEST_PASSWORD } });
    expect((await add('hook')).status).toBe(201);
  });

  it.each([
    ['http://example.org/a', 'json'],
    ['https://127.0.0.2/a', 'json'],
    ['https://10.1.2.3/a', 'slack'],
    ['https://[::1]/a', 'gotify'],
    ['https://169.254.169.254/latest', 'json'],
    ['https://me:secret@example.org/a', 'json'],
    ['https://:secret@example.org/a', 'json'],
    ['https://me@example.org/a', 'json'],
    ['https://ntfy.example.org/', 'ntfy'],
    ['https://ntfy.example.org/%E0%A4%A', 'ntfy'],
    ['ftp://example.org/a', 'json'],
    ['here', 'json'],
  ])('refuses the address %s', async (address, format) => {
    expect(await add('', { address, format })).toMatchObject({
      status: 400,
      body: { fields: { address: [expect.any(String) as string] } },
    });
    expect(await list()).toEqual([]);
  });

  it('sends to no address that resolves to one of an inner network', async () => {
    let connections = 0;
    const inner = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    inner.listen(0, '127.0.0.1');
    await once(inner, 'listening');
    onTestFinished(() => void inner.close());
    const { port } = inner.address() as AddressInfo;
    expect((await add('', { address: `https://localhost:${port}/a` })).status).toBe(201);
    await tell(signIn());
    expect(await sentAfter()).toEqual([]);
    expect(await api.deps.db.selectFrom('deliveries').select('attempts').execute()).toEqual([{ attempts: 1 }]);
    expect(connections).toBe(0);
  });

  it("has a limit, and is no one else's business", async () => {
    for (let count = 0; count < NOTICE_TARGETS_MAX; count += 1) expect((await add(`${count}`)).status).toBe(201);
    expect(await add('more')).toMatchObject({ status: 400, body: { code: 'too_many_targets' } });
    const ben = await api.register('ben');
    const [{ id } = { id: 0 }] = await list();
    expect(await list(ben)).toEqual([]);
    expect((await change(id, { amounts: true }, ben)).status).toBe(404);
    expect((await api.call('DELETE', `${TARGETS}${id}/`, { as: ben })).status).toBe(404);
    expect((await change(id, { amounts: true, kinds: ['sign_in'] })).body).toMatchObject({
      amounts: true,
      kinds: ['sign_in'],
    });
    expect((await change(id, { kinds: [] })).status).toBe(400);
  });
});

describe('the request to', () => {
  const notice: SentNotice = {
    id: 7,
    kind: 'sign_in',
    created_at: '2026-03-10T12:00:00.000Z',
    text: 'New <sign-in> & more',
    detail: 'Firefox on Linux',
    path: '/profile',
    url: 'https://hours.example.org/profile',
    asset_id: null,
    share_id: null,
    session_id: null,
  };
  const request = (format: TargetFormat, address: string, secret: string | null = 'tk_1') => {
    const sent = requestOf(format, { address, secret }, { notice, now: new Date('2026-03-10T12:00:00Z') });
    return { ...sent, body: JSON.parse(sent.body) as unknown };
  };

  it('ntfy publishes to its topic', () => {
    expect(request('ntfy', 'https://ntfy.example.org/sub/my%20topic')).toMatchObject({
      address: 'https://ntfy.example.org/sub/',
      headers: { authorization: 'Bearer tk_1' },
      body: {
        topic: 'my topic',
        title: 'HourShare',
        message: 'New <sign-in> & more\nFirefox on Linux',
        click: 'https://hours.example.org/profile',
      },
    });
    expect(request('ntfy', 'https://ntfy.sh/a?auth=x', null)).toMatchObject({ address: 'https://ntfy.sh/?auth=x' });
    expect(request('ntfy', 'https://ntfy.sh/a', null).headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['https://push.example.org', '/message'],
    ['https://push.example.org/', '/message'],
    ['https://push.example.org/message', '/message'],
    ['https://push.example.org/sub/?x', '/sub/message?x'],
    ['https://push.example.org/message?x#y', '/message?x'],
  ])('Gotify at %s sends a message', (address, path) => {
    expect(request('gotify', address)).toMatchObject({
      address: `https://push.example.org${path}`,
      headers: { 'x-gotify-key': 'tk_1' },
      body: {
        message: 'New <sign-in> & more\nFirefox on Linux',
        extras: { 'client::notification': { click: { url: 'https://hours.example.org/profile' } } },
      },
    });
  });

  it('Slack escapes its markup', () => {
    expect(request('slack', 'https://hooks.example.org/a', null)).toMatchObject({
      address: 'https://hooks.example.org/a',
      body: { text: 'New &lt;sign-in&gt; &amp; more\nFirefox on Linux\n<https://hours.example.org/profile>' },
    });
  });
});
