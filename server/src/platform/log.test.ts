import type { EndpointKey } from '@hourshare/contract/endpoints';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { freshAccess, openTestApi, TEST_PASSWORD, type CallOptions, type TestApi } from '../testing/api.ts';
import {
  INVITATION,
  INVITATION_TOKEN,
  BILLED_MONTH,
  nameShareAndSession,
  successfulCalls,
  tokenOf,
} from '../testing/successes.ts';
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

const lines = () =>
  written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Returns every text in the database that came from people or was made for them. */
async function storedTexts(): Promise<Set<string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely_%' group by table_name`.execute(api.deps.db);
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    // Shorter ones occur in any text. Dates and words in lower case are the app's own, such as kinds and states.
    if (typeof value === 'string' && value.length > 3 && !/^(?:[a-z_-]+|\d{4}-\d\d.*)$/.test(value)) texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { name } of tables) {
    const { rows } = await sql<{ row: unknown }>`select to_json(t) as row from ${sql.table(name)} t`.execute(
      api.deps.db,
    );
    rows.forEach(({ row }) => collect(row));
  }
  return texts;
}

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
    const requestId = answer.headers['x-request-id'];
    expect(requestId).toMatch(/^[0-9a-f]{16}$/);
    expect(answer.json()).toEqual({
      error: 'Something went wrong on the server.',
      code: 'internal',
      request_id: requestId,
    });

    const [line, request] = lines();
    expect(line).toMatchObject({ level: 50, msg: 'unexpected error', method: 'POST', route: '/api/register/' });
    expect(line!['request_id']).toBe(requestId);
    expect(request).toMatchObject({ level: 20, msg: 'request', request_id: requestId, status: 500 });
    expect(line!['err']).toMatchObject({ code: '23514', constraint: 'nobody' });
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

  it('contains nothing about people after every call of the app, except the network in security events', async () => {
    const NETWORK = '203.0.113.77';
    const calls = Object.entries(await successfulCalls(api)) as [EndpointKey, Record<number, [number, CallOptions]>][];
    const sent = new Set<string>(['canary', NETWORK, 'Mozilla']);
    // Each call may delete what others need.
    const restore = await api.database.save();
    const now = api.clock.now;
    const texts = await storedTexts();
    for (const [key, answers] of calls)
      for (const [status, [id, { as, body, headers, token }]] of Object.entries(answers)) {
        await restore();
        api.clock.now = now;
        const bearer = as ? await freshAccess(api.deps, as) : token;
        if (bearer !== undefined) sent.add(bearer);
        const [method = '', path = ''] = key.split(' ');
        const url = nameShareAndSession(key, path, id)
          .replace('{id}', String(id))
          .replace('{invitation_id}', String(INVITATION))
          .replace('{token}', encodeURIComponent(tokenOf(key)))
          .replace('{username}', 'zoe')
          .replace('{month}', BILLED_MONTH);
        const answer = await app.inject({
          method: method as 'GET',
          url,
          remoteAddress: NETWORK,
          headers: {
            'user-agent': 'Mozilla/5.0 (canary)',
            referer: 'https://canary.example',
            ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
            ...headers,
          },
          ...(body === undefined ? {} : { payload: body as object }),
        });
        expect([key, answer.statusCode]).toEqual([key, Number(status)]);
        for (const text of await storedTexts()) texts.add(text);
      }
    // As many lines as calls: the search finds nothing because nothing is there.
    expect(lines().filter(({ msg }) => msg === 'request').length).toBeGreaterThanOrEqual(calls.length);
    expect(texts.size).toBeGreaterThan(100);
    expect([...texts]).toEqual(expect.arrayContaining(['mira@example.org', 'Netflix Premium', 'Grandma (mira)']));
    const withoutNetworks = lines().map(({ network, msg, ...line }) =>
      msg === 'security event' ? { msg, ...line } : { msg, network, ...line },
    );
    const haystack = JSON.stringify(withoutNetworks);
    for (const text of [...texts, ...sent, INVITATION_TOKEN]) expect(haystack).not.toContain(text);
  });

  it('has the message of a database error without the value that it quotes', async () => {
    await sql`alter table users add constraint number check (length(username) > 100 or username::int > 0)`.execute(
      api.deps.db,
    );
    const answer = await post('/api/register/', {
      username: 'canary',
      email: 'canary@example.org',
      password: 'canary canary',
    });
    await sql`alter table users drop constraint number`.execute(api.deps.db);
    expect(answer.statusCode).toBe(500);
    expect(lines()[0]).toMatchObject({
      err: { code: '22P02', message: 'invalid input syntax for type integer: "…"' },
    });
    expect(written).not.toContain('canary');
  });

  it('keeps what an error says about its causes, but not the rows that they quote', () => {
    const cause = Object.assign(new Error('invalid input syntax for type uuid: "canary"'), { code: '22P02' });
    const error = Object.assign(new Error('could not close', { cause }), {
      detail: 'Row (canary)',
      where: 'COPY users, line 1: "canary"',
      internalQuery: "select 'canary'",
      hint: 'Try again.',
    });
    const log = createLog('info', { write: (line) => (written += line) });
    log.error({ err: error }, 'a');
    log.error({ err: new AggregateError([error, new Error('second')], 'both') }, 'b');
    log.error({ err: 'a plain text' }, 'c');
    expect(written).not.toContain('canary');
    expect(lines()).toMatchObject([
      {
        err: { type: 'Error', message: 'could not close: invalid input syntax for type uuid: "…"', hint: 'Try again.' },
      },
      { err: { type: 'AggregateError', aggregateErrors: [{ hint: 'Try again.' }, { message: 'second' }] } },
      { err: 'a plain text' },
    ]);
  });
});

describe('the id of a request', () => {
  const idFor = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await app.inject({ url: '/api/me/', headers, remoteAddress })).headers['x-request-id'];
  const ID = '0af7651916cd43dd8448eb211c80319c';

  it('is a new one for each, and the same in the header and in the log', async () => {
    const ids = [await idFor({}), await idFor({}), await idFor({})];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(lines().map(({ request_id: id }) => id)).toEqual(ids);
  });

  it('is in every kind of answer', async () => {
    for (const url of ['/healthz', '/metrics', '/dashboard', '/api/', '/api/openapi.json', '/static/none.js'])
      expect((await app.inject({ url })).headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
  });

  it("is the sender's only if a trusted proxy sends it", async () => {
    const headers = { 'x-request-id': ID };
    expect(await idFor(headers)).not.toBe(ID);
    const config = { ...api.deps.config, TRUST_PROXY: ['127.0.0.1', '10.0.0.0/8'] };
    const behind = await buildApp({ ...api.deps, config });
    const sent = async (id: string, remoteAddress: string) =>
      (await behind.inject({ url: '/api/me/', headers: { 'x-request-id': id }, remoteAddress })).headers[
        'x-request-id'
      ];
    for (const proxy of ['127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3']) expect(await sent(ID, proxy)).toBe(ID);
    for (const other of ['203.0.113.77', '11.0.0.1', '::1']) expect(await sent(ID, other)).not.toBe(ID);
    for (const bad of [
      '',
      'short',
      'x'.repeat(65),
      'mira@example.org',
      '<script>alert(1)',
      'a b c d e f g',
      '../../etc/passwd',
    ])
      expect(await sent(bad, '127.0.0.1')).toMatch(/^[0-9a-f]{16}$/);
    await behind.close();
  });
});
