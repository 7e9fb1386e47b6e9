import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../testing/api.ts';
import { createLog } from './log.ts';

let api: TestApi;
let app: TestApi['app'];
let written = '';
beforeAll(async () => {
  api = await openTestApi();
  app = await buildApp({ ...api.deps, log: createLog('trace', { write: (line) => (written += line) }) });
});
beforeEach(async () => {
  await api.reset();
  written = '';
});
afterAll(async () => {
  await app.close();
  await api.close();
});

const post = (url: string, payload: object | string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });

describe('the log', () => {
  it('records what failed and where, but nothing that was sent or stored', async () => {
    await sql`alter table users add constraint nobody check (false)`.execute(api.deps.db);
    const answer = await post('/api/register/?q=canary', {
      username: 'canary',
      email: 'canary@example.org',
      password: 'canary canary',
    });
    await sql`alter table users drop constraint nobody`.execute(api.deps.db);
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ error: 'Something went wrong on the server.', code: 'internal' });

    const line = JSON.parse(written) as { level: number; msg: string; method: string; route: string; err: object };
    expect(line).toMatchObject({ level: 50, msg: 'unexpected error', method: 'POST', route: '/api/register/' });
    expect(line.err).toMatchObject({ code: '23514', constraint: 'nobody' });
    expect(written).not.toMatch(/canary|argon2id/);
  });

  it('contains no token, password, body, header or query string, even at level trace', async () => {
    const { access, refresh } = await api.register('mira');
    const headers = {
      authorization: `Bearer ${access}`,
      cookie: 'session=canary',
      'x-forwarded-for': 'canary',
      'user-agent': 'canary',
      'idempotency-key': 'canary',
    };
    const answers = [
      await post('/api/login/', { username: 'mira', password: TEST_PASSWORD }, headers),
      await post('/api/login/', { username: 'mira', password: 'canary' }, headers),
      await post('/api/login/', '{"password":"canary', headers),
      await post('/api/login/', { username: 'canary'.repeat(20_000), password: 'x' }, headers),
      await post('/api/login/', 'canary', { 'content-type': 'text/canary' }),
      await post('/api/register/', { username: 'ben', email: 'ben@example.org', password: 'canary canary' }),
      await post('/api/token/refresh/', { refresh }, headers),
      await post('/api/token/refresh/', { refresh: 'canary' }, headers),
      await post('/api/assets/', { name: 'canary', subscription_cost: 5 }, headers),
      await app.inject({ url: '/api/me/?token=canary', headers }),
      await app.inject({ url: '/api/canary/?token=canary' }),
      await app.inject({ url: '/api/%canary' }),
      await post('/api/logout/', { refresh_token: refresh }, headers),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([
      200, 401, 400, 413, 415, 201, 200, 401, 201, 200, 404, 404, 204,
    ]);
    for (const secret of ['canary', access, refresh, TEST_PASSWORD, 'argon2id']) expect(written).not.toContain(secret);
  });
});
