import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { TokenScope } from '@hourshare/contract/calls';
import { endpoints, type Endpoint, type EndpointKey } from '@hourshare/contract/endpoints';
import { ACCESS_TOKENS_MAX, CHECK_MINUTES } from '@hourshare/contract/limits';
import type { AccessToken, CreatedAccessToken, SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { raceRounds } from '../../../testing/thorough.ts';
import { disableAccount, enableAccount } from '../../accounts/administration/service.ts';
import { createResetLink } from '../../sign-ins/recovery/service.ts';
import { deleteExpiredTokens } from './service.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  [owner, member] = [await api.register('mira'), await api.register('ben')];
  share = await api.share(owner, await api.addAsset(owner), member);
});
afterAll(() => api.close());

const create = (caller: SignedIn, body: object = {}, headers: Record<string, string> = {}) =>
  api.call<CreatedAccessToken>('POST', '/api/me/access-tokens/', {
    as: caller,
    body: { name: 'Button', ...body },
    headers,
  });
const tokenFor = async (caller: SignedIn, body?: object) => (await create(caller, body)).body.token;
const list = async (caller: SignedIn) =>
  (await api.call<{ access_tokens: AccessToken[] }>('GET', '/api/me/access-tokens/', { as: caller })).body
    .access_tokens;
const revoke = (caller: SignedIn, id: number) => api.call('DELETE', `/api/me/access-tokens/${id}/`, { as: caller });
const send = (token: string, call: string, path = `/api/shared-assets/${share.id}/${call}/`) =>
  api.call(/start|end/.test(call) ? 'POST' : 'GET', path, { token });
const start = async (token: string) => (await send(token, 'start')).status;
const readAssets = async (token: string) => (await send(token, 'read', '/api/assets/')).status;

describe('an access token', () => {
  it('for a share starts, ends, and reads its sessions', async () => {
    const token = await tokenFor(member, { share_id: share.id });
    expect(token).toMatch(/^hs_[\w-]{43,44}$/);
    expect(await send(token, 'active-session')).toMatchObject({ status: 204 });
    expect(await send(token, 'start')).toMatchObject({ status: 201, body: { end_time: null } });
    expect(await send(token, 'start')).toMatchObject({ status: 400, body: { code: 'session_already_running' } });
    api.clock.advance(30 * MINUTE);
    expect(await send(token, 'end')).toMatchObject({ status: 200, body: { duration: 30 } });
    expect(await send(token, 'logs')).toMatchObject({ status: 200, body: { results: [{ duration: 30 }] } });
    expect(await send(token, '', `/api/shared-assets/${share.id}/`)).toMatchObject({
      status: 200,
      body: { id: share.id },
    });
    expect((await send(token, 'logs', `/api/shared-assets/${share.id}/logs/?format=csv`)).text).toContain('Netflix');
  });

  it('gets the same answer when a start is repeated with the same key', async () => {
    const token = await tokenFor(member, { share_id: share.id });
    const again = () =>
      api.call('POST', `/api/shared-assets/${share.id}/start/`, { token, headers: { 'idempotency-key': 'one' } });
    const first = await again();
    expect(first.status).toBe(201);
    expect(await again()).toMatchObject({ status: 201, text: first.text });
  });

  it('is stored only as a hash, and shown once', async () => {
    const { body, text } = await create(member, { share_id: share.id });
    expect(text).toContain(body.token);
    const rows = JSON.stringify(await api.deps.db.selectFrom('access_tokens').selectAll().execute());
    expect(rows).not.toContain(body.token.slice(4));
    expect(JSON.stringify(await list(member))).not.toContain(body.token.slice(4));
  });

  it('is the same when its creation is repeated, and kept encrypted for that', async () => {
    const headers = { 'idempotency-key': 'one' };
    const [first, second] = [await create(member, {}, headers), await create(member, {}, headers)];
    expect(second.text).toBe(first.text);
    const kept = JSON.stringify(await api.deps.db.selectFrom('idempotency_keys').selectAll().execute());
    expect(kept).not.toContain(first.body.token.slice(4));
    expect(await list(member)).toHaveLength(1);
  });

  it('is listed with its scope and its last use, to the minute', async () => {
    await tokenFor(member);
    const token = await tokenFor(member, { name: 'Doorbell', share_id: share.id, expires_in_days: 10 });
    const times = { created_at: '2026-03-10T12:00:00.000Z' };
    expect(await list(member)).toEqual([
      {
        id: expect.any(Number) as number,
        name: 'Doorbell',
        scope: 'share',
        share_id: share.id,
        asset_name: 'Netflix Premium',
        share_ended: false,
        ...times,
        last_used_at: null,
        expires_at: '2026-03-20T12:00:00.000Z',
      },
      {
        id: expect.any(Number) as number,
        name: 'Button',
        scope: 'account',
        share_id: null,
        asset_name: null,
        share_ended: false,
        ...times,
        last_used_at: null,
        expires_at: '2026-06-08T12:00:00.000Z',
      },
    ]);
    const lastUse = async () => (await list(member))[0]?.last_used_at;
    const first = await send(token, 'logs');
    expect(first.status).toBe(200);
    // Calls don't wait until it is recorded.
    await expect.poll(lastUse).toBe('2026-03-10T12:00:00.000Z');
    api.clock.advance(MINUTE - 1);
    await send(token, 'logs');
    api.clock.advance(1);
    await send(token, 'logs');
    await expect.poll(lastUse).toBe('2026-03-10T12:01:00.000Z');
    expect(await list(owner)).toEqual([]);
  });

  it('works until it expires, and is then deleted', async () => {
    const [short, long] = [
      await tokenFor(member, { expires_in_days: 1 }),
      await tokenFor(member, { expires_in_days: 365 }),
    ];
    api.clock.advance(DAY - 1);
    expect(await readAssets(short)).toBe(200);
    api.clock.advance(1);
    expect([await readAssets(short), await readAssets(long)]).toEqual([401, 200]);
    expect(await list(member)).toHaveLength(1);
    await deleteExpiredTokens(api.deps);
    expect(await api.deps.db.selectFrom('access_tokens').selectAll().execute()).toHaveLength(1);
  });

  it('stops working at once when it is revoked', async () => {
    const { body } = await create(member);
    expect(await readAssets(body.token)).toBe(200);
    expect((await revoke(member, body.id)).status).toBe(204);
    expect(await readAssets(body.token)).toBe(401);
    expect((await revoke(member, body.id)).status).toBe(404);
  });

  it('survives the end of sign-ins and a new password, but not a password set with an emailed link', async () => {
    const token = await tokenFor(member);
    const body = { current_password: TEST_PASSWORD, new_password: 'a longer battery of horses' };
    await api.call('POST', '/api/me/password/', { as: member, body });
    await api.call('POST', '/api/logout/', { body: { refresh_token: member.refresh } });
    expect(await readAssets(token)).toBe(200);
    const link = await createResetLink(api.deps, member.user.id);
    const reset = { token: link?.replace(/^.*#/, ''), password: 'yet another battery' };
    expect((await api.call('POST', '/api/password-reset/confirm/', { body: reset })).status).toBe(204);
    expect(await readAssets(token)).toBe(401);
    expect(await api.deps.db.selectFrom('access_tokens').selectAll().execute()).toEqual([]);
  });

  it('ends with its account', async () => {
    const token = await tokenFor(member, { share_id: share.id });
    const body = { current_password: TEST_PASSWORD, keep_name: true };
    expect((await api.call('DELETE', '/api/me/', { as: member, body })).status).toBe(204);
    expect(await start(token)).toBe(401);
    expect(await api.deps.db.selectFrom('access_tokens').selectAll().execute()).toEqual([]);
  });

  it('ends when its account is disabled, even if that is enabled again', async () => {
    const token = await tokenFor(member);
    await disableAccount(api.deps, member.user.id);
    expect(await readAssets(token)).toBe(401);
    await enableAccount(api.deps, member.user.id);
    expect(await send(token, 'read', '/api/assets/')).toMatchObject({
      status: 401,
      body: {
        code: 'not_signed_in',
        detail: 'english_only',
        error: 'This access token is wrong, expired, or revoked. Create one in Settings, Access tokens.',
      },
    });
  });

  it('finds nothing once access to its share has ended, not even sessions that its member can still read', async () => {
    const token = await tokenFor(member, { share_id: share.id });
    await send(token, 'start');
    await api.call('DELETE', `/api/assets/${share.asset.id}/share/${share.id}/`, { as: owner });
    expect((await api.call('GET', `/api/shared-assets/${share.id}/logs/`, { as: member })).status).toBe(200);
    for (const call of ['start', 'end', 'logs', 'analytics', 'active-session'])
      expect([call, (await send(token, call)).status]).toEqual([call, 404]);
    expect(await list(member)).toMatchObject([{ share_ended: true, asset_name: 'Netflix Premium' }]);
    // A new share of the same asset is another share.
    const again = await api.share(owner, share.asset as never, member);
    expect((await send(token, 'start', `/api/shared-assets/${again.id}/start/`)).status).toBe(404);
  });
});

it('for events hears what happens and reads notifications, and nothing else', async () => {
  const { body, status } = await create(member, { scope: 'events' });
  expect([status, body.scope, body.share_id]).toEqual([201, 'events', null]);
  expect((await send(body.token, 'read', '/api/notifications/')).status).toBe(200);
  expect(await send(body.token, 'read', '/api/assets/')).toMatchObject({ status: 403, body: { code: 'token_scope' } });
  expect((await create(member, { scope: 'events', share_id: share.id })).status).toBe(400);
  expect((await create(member, { scope: 'account' })).body.scope).toBe('account');
});

describe('creating one', () => {
  it('needs a recent check, so that no one else creates one on an unlocked device', async () => {
    api.clock.advance(CHECK_MINUTES * MINUTE);
    expect(await create(member)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect(await list(member)).toEqual([]);
    await api.call('POST', '/api/me/check/', { as: member, body: { current_password: TEST_PASSWORD } });
    expect((await create(member)).status).toBe(201);
  });

  it('accepts only an accepted share of the caller', async () => {
    const offered = await api.offer(owner, await api.addAsset(owner, { name: 'Car' }), member);
    const absent = await create(member, { share_id: 999_999 });
    expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await create(member, { share_id: offered.id })).text).toBe(absent.text);
    expect((await create(owner, { share_id: share.id })).text).toBe(absent.text);
    await api.call('POST', `/api/shared-assets/${share.id}/leave/`, { as: member });
    expect((await create(member, { share_id: share.id })).text).toBe(absent.text);
    expect(await list(member)).toEqual([]);
  });

  it('is documented to answer 404 for a share that is not theirs', async () => {
    const { body } = await api.call<{ paths: Record<string, { post: { responses: object } }> }>(
      'GET',
      '/api/openapi.json',
    );
    expect(Object.keys(body.paths['/api/me/access-tokens/']?.post.responses ?? {})).toContain('404');
  });

  it('takes a name and 1 to 365 days', async () => {
    for (const [field, value] of [
      ['name', ''],
      ['name', 'x'.repeat(51)],
      ['name', 'a\u202eb'],
      ['expires_in_days', 0],
      ['expires_in_days', 366],
      ['expires_in_days', 1.5],
      ['share_id', 0],
      ['scope', 'share'],
    ] as const)
      expect((await create(member, { [field]: value })).status).toBe(400);
  });

  it('has a limit, also for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: ACCESS_TOKENS_MAX + 10 }, () => create(member)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(ACCESS_TOKENS_MAX);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({ code: 'too_many_tokens' });
    const [made] = await list(member);
    await revoke(member, made?.id ?? 0);
    expect((await create(member)).status).toBe(201);
  });
});

it('limits calls of scripts separately, so that their user can still write', async () => {
  const limited = await openTestApi({ RATE_LIMIT: 'on' });
  try {
    const user = await limited.register('mira');
    const read = (token = '') => limited.call('GET', '/api/assets/', { token });
    const body = { name: 'Report' };
    const tokens = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(
        async () =>
          (await limited.call<CreatedAccessToken>('POST', '/api/me/access-tokens/', { as: user, body })).body.token,
      ),
    );
    const statuses: number[] = [];
    for (let call = 0; call < 61; call++) statuses.push((await read(tokens[0])).status);
    expect(statuses.indexOf(429)).toBe(60);
    for (let call = 0; call < 240; call++) statuses.push((await read(tokens[1 + (call % 4)])).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect((await read(tokens[5])).status).toBe(429);
    expect((await limited.call('GET', '/api/assets/', { as: user })).status).toBe(200);
  } finally {
    await limited.close();
  }
});

describe('the token of a script', () => {
  const keys = (Object.entries<Endpoint>(endpoints) as [EndpointKey, Endpoint][]).filter(
    ([, { public: open }]) => !open,
  );
  const allowed = (scope: TokenScope) => keys.filter(([, { scripts }]) => scripts?.includes(scope)).map(([key]) => key);

  it('changes only sessions of its share, and reads neither ways to sign in nor exports', () => {
    expect(allowed('account').filter((key) => !key.startsWith('GET '))).toEqual([]);
    expect(allowed('share').toSorted()).toEqual([
      'GET /api/shared-assets/{id}/',
      'GET /api/shared-assets/{id}/active-session/',
      'GET /api/shared-assets/{id}/analytics/',
      'GET /api/shared-assets/{id}/logs/',
      'POST /api/shared-assets/{id}/end/',
      'POST /api/shared-assets/{id}/logs/',
      'POST /api/shared-assets/{id}/start/',
    ]);
    expect(allowed('events').toSorted()).toEqual(['GET /api/events/', 'GET /api/notifications/']);
    // A call that is allowed later has to be added here deliberately.
    const reads = keys.map(([key]) => key).filter((key) => key.startsWith('GET '));
    expect(reads.filter((key) => !allowed('account').includes(key))).toEqual([
      'GET /api/me/check/',
      'GET /api/me/two-step/',
      'GET /api/me/passkeys/',
      'GET /api/me/identities/',
      'GET /api/me/sign-ins/',
      'GET /api/me/security-events/',
      'GET /api/me/access-tokens/',
      'GET /api/shared-assets/{id}/meters/',
      'GET /api/me/calendar/',
      'GET /api/notifications/choices/',
      'GET /api/notifications/targets/',
      'GET /api/push/',
      'GET /api/me/export/',
      'GET /api/me/export/csv/',
      'GET /api/administration/',
      'GET /api/administration/accounts/',
    ]);
  });

  it.each(['hs_', 'hs_x', `hs_${'A'.repeat(44)}`])('is rejected if it was never issued: %s', async (token) => {
    expect(await readAssets(token)).toBe(401);
  });

  it('is not accepted as a password or in other places', async () => {
    const token = await tokenFor(member);
    expect((await api.call('GET', `/api/assets/?access_token=${token}`)).status).toBe(401);
    expect((await api.call('POST', '/api/token/refresh/', { body: { refresh: token } })).status).toBe(401);
  });
});

describe('at the same moment', () => {
  const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('a session either starts before its token is revoked, or not at all', async () => {
    for (const ticks of raceRounds(20)) {
      const { id, token } = (await create(member, { share_id: share.id })).body;
      const started = start(token);
      for (let waited = 0; waited < ticks; waited++) await nextTick();
      expect((await revoke(member, id)).status).toBe(204);
      const status = await started;
      expect(await start(token)).toBe(401);
      const ended = await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
      expect([status, ended.status]).toEqual(status === 201 ? [201, 200] : [401, 400]);
      api.clock.advance(1000);
    }
  });

  const reset = (_userId: number, link = '') =>
    api.call('POST', '/api/password-reset/confirm/', {
      body: { token: link.replace(/^.*#/, ''), password: 'yet another battery' },
    });
  const disable = (userId: number) => disableAccount(api.deps, userId);

  it.each([
    ['reset', reset],
    ['disabled', disable],
  ])('a token created while its account is being %s does not survive that', async (_, end) => {
    for (const ticks of raceRounds(20)) {
      const user = await api.register(`user${ticks}`);
      const link = await createResetLink(api.deps, user.user.id);
      const created = create(user);
      for (let waited = 0; waited < ticks; waited++) await nextTick();
      await end(user.user.id, link);
      expect([201, 401]).toContain((await created).status);
      expect(await api.deps.db.selectFrom('access_tokens').selectAll().execute()).toEqual([]);
    }
  });
});
