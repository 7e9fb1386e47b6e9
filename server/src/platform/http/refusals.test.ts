import { setTimeout } from 'node:timers/promises';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { CreatedAccessToken } from '@hourshare/contract/shares';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { freshAccess, openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';
import { createLog } from '../log.ts';

const MINUTE = 60_000;

let api: TestApi;
let app: FastifyInstance;
let written = '';
let tests = 0;
let network = '';
beforeAll(async () => {
  api = await openTestApi({ RATE_LIMIT: 'on' });
  app = await buildApp({ ...api.deps, log: createLog('info', { write: (line) => (written += line) }) });
});
// Users stay, so that no test shares a user or a network with another: repeated refusals share a line.
beforeEach(() => {
  network = `203.0.113.${++tests}`;
  api.clock.advance(24 * 60 * MINUTE);
  written = '';
});
afterAll(async () => {
  await app.close();
  await api.close();
});

const send = (
  method: InjectOptions['method'],
  url: string,
  { token, payload, headers }: { token?: string; payload?: object | string; headers?: Record<string, string> } = {},
) =>
  app.inject({
    method: method ?? 'GET',
    url,
    remoteAddress: network,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(payload !== undefined && { payload }),
  });
const tokenOf = (user: SignedIn) => freshAccess(api.deps, user);

/** Returns the lines of refusals, without what is the same in all of them. */
const lines = () =>
  written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map(({ level, msg, time, pid, hostname, ...line }) => {
      expect({ level, msg }).toEqual({ level: 30, msg: 'security event' });
      expect([typeof time, typeof pid, typeof hostname]).toEqual(['number', 'number', 'string']);
      return line;
    })
    .filter(({ event }) => /_(?:refused|reached|rejected)$/.test(String(event)));

describe('a refused call of a signed-in user', () => {
  it('has a line with the pattern of its route, but not the id', async () => {
    const [mira, ben] = [await api.register('mira'), await api.register('ben')];
    const asset = await api.addAsset(mira);
    const { headers } = await send('DELETE', `/api/assets/${asset.id}/`, {
      token: await tokenOf(ben),
      headers: { 'user-agent': 'canary' },
    });
    expect(lines()).toEqual([
      {
        event: 'access_refused',
        user_id: ben.user.id,
        network,
        request_id: headers['x-request-id'],
        method: 'DELETE',
        route: '/api/assets/{id}/',
        status: 404,
        code: 'not_found',
        count: 1,
      },
    ]);
    expect(written).not.toContain('canary');
  });

  it('has a line whether the user or the token lacks the right', async () => {
    const [kim, leo] = [await api.register('kim'), await api.register('leo')];
    const token = await tokenOf(kim);
    const created = await send('POST', '/api/me/access-tokens/', { token, payload: { name: 'Script' } });
    const script = created.json<CreatedAccessToken>().token;
    await send('GET', '/api/me/access-tokens/', { token: script });
    await send('DELETE', '/api/me/password/', { token });
    const { lineId } = await api.billedAsset(leo, kim, '2026-02');
    await send('POST', `/api/statement-lines/${lineId}/mark/`, { token, payload: { status: 'paid' } });
    const about = { event: 'access_refused', user_id: kim.user.id, network };
    expect(lines()).toMatchObject([
      { ...about, route: '/api/me/access-tokens/', status: 403, code: 'token_scope' },
      { ...about, route: '/api/me/password/', status: 403, code: 'check_required' },
      { ...about, route: '/api/statement-lines/{id}/mark/', status: 400, code: 'mark_not_allowed' },
    ]);
  });

  it('shares a line with later ones of the same user and code, but not with those of others', async () => {
    const [one, two] = [await api.register('one'), await api.register('two')];
    for (const user of [one, two, one, one, two])
      await send('GET', '/api/assets/999999/', { token: await tokenOf(user) });
    expect(lines()).toMatchObject([{ user_id: one.user.id }, { user_id: two.user.id }]);
  });

  it('has no line if it is allowed, or if it is only impossible', async () => {
    const eve = await api.register('eve');
    const token = await tokenOf(eve);
    await send('GET', '/api/me/', { token });
    await send('POST', '/api/me/two-step/confirm/', { token, payload: { code: '123456' } });
    expect(lines()).toEqual([]);
  });
});

describe('a refused token', () => {
  it('has a line that names its user only if it is genuine', async () => {
    const ida = await api.register('ida');
    const token = await tokenOf(ida);
    await send('POST', '/api/logout/', { payload: { refresh_token: ida.refresh } });
    const about = { event: 'token_refused', status: 401, code: 'not_signed_in', route: '/api/me/', token: 'bearer' };
    const refused: [string, number | null][] = [
      [token, ida.user.id],
      [`${token}x`, null],
      ['"canary"', null],
    ];
    for (const [index, [text, userId]] of refused.entries()) {
      network = `198.51.100.${index}`;
      await send('GET', '/api/me/', { headers: { authorization: `Bearer ${text}` } });
      await vi.waitFor(() => expect(lines()).toHaveLength(index + 1));
      expect(lines()[index]).toMatchObject({ ...about, network, user_id: userId });
    }
    expect(written).not.toMatch(/canary|eyJ/);
  });

  it('of a script or for a refresh has a line that says so', async () => {
    await send('GET', '/api/assets/', { token: 'hs_canary' });
    await send('POST', '/api/token/refresh/', { payload: { refresh: 'canary' } });
    expect(lines()).toMatchObject([
      { event: 'token_refused', user_id: null, route: '/api/assets/', token: 'script' },
      { event: 'token_refused', user_id: null, route: '/api/token/refresh/', token: 'refresh' },
    ]);
    expect(written).not.toContain('canary');
  });

  it('has no line if it has just expired, or if there is none', async () => {
    const zoe = await api.register('zoe');
    const token = await tokenOf(zoe);
    const unused = await tokenOf(zoe);
    expect((await send('GET', '/api/me/', { token })).statusCode).toBe(200);
    api.clock.advance(15 * MINUTE);
    for (const expired of [token, unused])
      expect((await send('GET', '/api/me/', { token: expired })).statusCode).toBe(401);
    expect((await send('GET', '/api/me/')).statusCode).toBe(401);
    expect((await send('GET', '/api/nothing/')).statusCode).toBe(404);
    // Tokens are told apart after the answer.
    await setTimeout(100);
    expect(lines()).toEqual([]);
  });
});

describe('rejected input', () => {
  it('has a line with its route, but not what was sent', async () => {
    const lea = await api.register('lea');
    const token = await tokenOf(lea);
    await send('POST', '/api/assets/', { token, payload: { canary: 'canary' } });
    const headers = { 'content-type': 'application/json' };
    await send('POST', '/api/login/', { payload: '{"password":"canary', headers });
    await send('POST', '/api/login/', { payload: 'canary', headers: { 'content-type': 'text/canary' } });
    await send('POST', '/api/login/', { payload: { username: 'canary'.repeat(20_000), password: 'x' } });
    const about = { event: 'input_rejected', network, method: 'POST' };
    expect(lines()).toMatchObject([
      { ...about, user_id: lea.user.id, route: '/api/assets/', status: 400, code: 'validation_failed' },
      { ...about, user_id: null, route: '/api/login/', status: 400, code: 'malformed_request' },
      { ...about, user_id: null, route: '/api/login/', status: 415, code: 'unsupported_media_type' },
      { ...about, user_id: null, route: '/api/login/', status: 413, code: 'body_too_large' },
    ]);
    expect(written).not.toContain('canary');
  });
});

describe('a limit', () => {
  it('has a line for the first refusal in its window, with its name', async () => {
    for (let n = 0; n < 23; n++) await send('POST', '/api/password-reset/', { payload: { email: `${n}@example.org` } });
    expect(lines()).toMatchObject([
      {
        event: 'limit_reached',
        user_id: null,
        network,
        route: '/api/password-reset/',
        status: 429,
        code: 'rate_limited',
        limit: 'password resets by network',
        count: 1,
      },
    ]);
    expect(written).not.toContain('example.org');
  });

  it('on calls of a user has a line with the user', async () => {
    const max = await api.register('max');
    const token = await tokenOf(max);
    for (let n = 0; n < 303; n++) await send('PATCH', '/api/me/', { token, payload: {} });
    expect(lines()).toMatchObject([{ event: 'limit_reached', user_id: max.user.id, limit: 'writes', count: 1 }]);
  });

  it('on sign-ins and password checks has only the line of the account', async () => {
    const kai = await api.register('kai');
    const wrong = { current_password: 'wrong', new_password: `${TEST_PASSWORD} staple` };
    for (let n = 0; n < 13; n++) {
      await send('POST', '/api/login/', { payload: { username: 'kai', password: 'wrong' } });
      await send('POST', '/api/me/password/', { token: await tokenOf(kai), payload: wrong });
    }
    expect(lines()).toEqual([]);
    expect(written.match(/"event":"(?:sign_in|password_check)_blocked"/g)).toHaveLength(2);
  });
});
