import { createHash } from 'node:crypto';
import type { SignedIn, TokenPair } from '@hourshare/contract/sign-ins';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let api: TestApi;
let otherServer: FastifyInstance;
beforeAll(async () => {
  api = await openTestApi();
  otherServer = await buildApp(api.deps);
});
beforeEach(() => api.reset());
afterAll(async () => {
  await otherServer.close();
  await api.close();
});

const refresh = (token: string) => api.call<TokenPair>('POST', '/api/token/refresh/', { body: { refresh: token } });
const statusOf = async (token: string) => (await refresh(token)).status;
const logout = (body?: unknown) => api.call('POST', '/api/logout/', { body });
const call = (app: FastifyInstance, token: string) =>
  app.inject({ url: '/api/me/', headers: { authorization: `Bearer ${token}` } });
const me = (token: string) => api.call('GET', '/api/me/', { token });
const login = async (username: string) => {
  const body = { username, password: TEST_PASSWORD };
  return (await api.call<SignedIn>('POST', '/api/login/', { body })).body;
};
const signIns = () => api.deps.db.selectFrom('sign_ins').selectAll().orderBy('id').execute();
/** Refreshes a number of times. Returns all refresh tokens, oldest first, starting with the given one. */
async function refreshRepeatedly(first: string, uses: number): Promise<string[]> {
  const tokens = [first];
  for (let use = 0; use < uses; use++) tokens.push((await refresh(tokens.at(-1)!)).body.refresh);
  return tokens;
}

const expired = {
  status: 401,
  body: { code: 'invalid_refresh_token', error: "You've been signed out. Please sign in again." },
};

describe('an access token', () => {
  it('lasts exactly 15 minutes', async () => {
    const { access } = await api.register('mira');
    api.clock.advance(15 * MINUTE - 1);
    expect((await me(access)).status).toBe(200);
    api.clock.advance(1);
    expect(await me(access)).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
      headers: { 'www-authenticate': 'Bearer' },
    });
  });

  it('is renewed for another 15 minutes', async () => {
    const { refresh: token } = await api.register('mira');
    api.clock.advance(20 * MINUTE);
    const { access } = (await refresh(token)).body;
    api.clock.advance(15 * MINUTE - 1);
    expect((await me(access)).status).toBe(200);
    api.clock.advance(1);
    expect((await me(access)).status).toBe(401);
  });

  it('stops working when its account is deleted', async () => {
    const { access, refresh: token, user } = await api.register('mira');
    await api.deps.db.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await me(access)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect(await refresh(token)).toMatchObject(expired);
  });

  it.each([
    ['/api/assets/', { name: 'Netflix', subscription_cost: 5 }, {}],
    ['/api/assets/', { name: 'Netflix', subscription_cost: 5 }, { 'idempotency-key': 'k' }],
    ['/api/assets/1/share/', { username: 'mira', monthly_hours_allocated: 5 }, { 'idempotency-key': 'k' }],
  ])('cannot create anything at %s once its account is deleted', async (path, body, headers) => {
    const { access: token, user } = await api.register('mira');
    await api.deps.db.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await api.call('POST', path, { token, body, headers })).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
  });
});

describe('a refresh token', () => {
  it('lasts 30 days from its last use', async () => {
    const { refresh: first } = await api.register('mira');
    api.clock.advance(30 * DAY - 1);
    const answer = await refresh(first);
    expect(answer.status).toBe(200);
    api.clock.advance(30 * DAY - 1);
    expect(await statusOf(answer.body.refresh)).toBe(200);
  });

  it('expires 90 days after the sign-in, however often it is used', async () => {
    let { refresh: token } = await api.register('mira');
    for (let day = 0; day < 80; day += 20) {
      token = (await refresh(token)).body.refresh;
      api.clock.advance(20 * DAY);
    }
    api.clock.advance(10 * DAY - 1);
    const last = await refresh(token);
    expect(last.status).toBe(200);
    api.clock.advance(1);
    expect(await refresh(last.body.refresh)).toMatchObject(expired);
  });

  it('expires after 30 days without use', async () => {
    const { refresh: first } = await api.register('mira');
    api.clock.advance(30 * DAY);
    expect(await refresh(first)).toMatchObject(expired);
  });

  it('is replaced on every use', async () => {
    const { refresh: first } = await api.register('mira');
    const tokens = await refreshRepeatedly(first, 5);
    expect(new Set(tokens).size).toBe(6);
    expect(await signIns()).toMatchObject([{ generation: 5 }]);
  });

  it('returns the same successor when reused within 10 seconds', async () => {
    const { refresh: first } = await api.register('mira');
    const successor = (await refresh(first)).body.refresh;
    for (const _ of [1, 2]) {
      api.clock.advance(5 * SECOND);
      const repeated = await refresh(first);
      expect(repeated).toMatchObject({ status: 200, body: { refresh: successor } });
      expect((await me(repeated.body.access)).status).toBe(200);
    }
    expect(await statusOf(successor)).toBe(200);
  });

  it('returns the same successor for as long as no one has used it: the answer got lost', async () => {
    const { access, refresh: first } = await api.register('mira');
    api.clock.advance(14 * MINUTE);
    const successor = (await refresh(first)).body.refresh;
    // The access token that came with the first one says nothing about the successor.
    expect((await me(access)).status).toBe(200);
    api.clock.advance(20 * DAY);
    expect(await refresh(first)).toMatchObject({ status: 200, body: { refresh: successor } });
    const next = (await refresh(successor)).body.refresh;
    api.clock.advance(11 * SECOND);
    // Its successor is unused in turn, but two generations are too many.
    expect(await refresh(first)).toMatchObject(expired);
    expect(await refresh(next)).toMatchObject(expired);
  });

  it.each([
    ['an access token', async ({ access }: TokenPair) => me(access)],
    ['a call that another server gets', async ({ access }: TokenPair) => call(otherServer, access)],
  ])('counts as received once %s that came with it was used', async (_, use) => {
    const { refresh: first } = await api.register('mira');
    const successor = (await refresh(first)).body;
    await use(successor);
    api.clock.advance(10 * SECOND + 1);
    expect(await refresh(first)).toMatchObject(expired);
    expect(await refresh(successor.refresh)).toMatchObject(expired);
  });

  it('ends its sign-in, including the successor, when reused after 10.001 seconds', async () => {
    const { refresh: first } = await api.register('mira');
    const { access, refresh: successor } = (await refresh(first)).body;
    await me(access);
    api.clock.advance(10 * SECOND + 1);
    expect(await refresh(first)).toMatchObject(expired);
    expect(await refresh(successor)).toMatchObject(expired);
    expect((await signIns()).map((row) => row.ended_at)).toEqual([api.clock.now]);
  });

  it('cannot extend its 10-second reuse window by being reused', async () => {
    const { refresh: first } = await api.register('mira');
    await me((await refresh(first)).body.access);
    api.clock.advance(9 * SECOND);
    expect(await statusOf(first)).toBe(200);
    api.clock.advance(2 * SECOND);
    expect(await statusOf(first)).toBe(401);
  });

  it('ends its sign-in at once when it is two or more generations old', async () => {
    const [first, , third] = await refreshRepeatedly((await api.register('mira')).refresh, 2);
    expect(await refresh(first!)).toMatchObject(expired);
    expect(await refresh(third!)).toMatchObject(expired);
  });

  it('does not affect the sign-in when forged', async () => {
    const { refresh: current } = await api.register('mira');
    const [handle, generation, mac] = current.split('.') as [string, string, string];
    const other = api.deps.tokens.refresh({ handle: 'someone-else', generation: 0 });
    const forged = [
      `${handle}.0.${'A'.repeat(43)}`,
      `${handle}.1.${mac}`,
      `${handle}.00.${mac}`,
      `${handle}.999999999.${mac}`,
      `${handle}.${generation}.${mac.slice(0, -1)}`,
      `${handle}.${generation}.${mac}=`,
      `${handle}.${generation}.${other.split('.')[2]}`,
      `${handle}.${generation}`,
      ` ${current}`,
      `${current}\n`,
      current.toUpperCase(),
      other,
      'x',
    ];
    for (const token of forged) expect(await refresh(token)).toMatchObject(expired);
    expect((await signIns()).map((row) => row.ended_at)).toEqual([null]);
    expect(await statusOf(current)).toBe(200);
  });

  it('has no effect when its generation does not exist yet', async () => {
    const { refresh: current } = await api.register('mira');
    const [handle] = current.split('.') as [string];
    expect(await statusOf(api.deps.tokens.refresh({ handle, generation: 1 }))).toBe(401);
    expect(await statusOf(current)).toBe(200);
  });

  it.each([{}, { refresh: '' }, { refresh: null }, { refresh: 5 }, { refresh: 'x'.repeat(513) }, { token: 'x' }])(
    'is required, not %j',
    async (body) => {
      const { status } = await api.call('POST', '/api/token/refresh/', { body });
      expect(status).toBe(400);
    },
  );

  it('cannot be used as an access token, nor an access token as a refresh token', async () => {
    const { access, refresh: token } = await api.register('mira');
    expect((await me(token)).status).toBe(401);
    expect(await refresh(access)).toMatchObject(expired);
    expect((await logout({ refresh_token: access })).status).toBe(204);
    expect(await statusOf(token)).toBe(200);
  });
});

describe('concurrent refreshes', () => {
  it('with one token all succeed, return the same successor, and keep one working sign-in', async () => {
    const { refresh: first } = await api.register('mira');
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(first)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const successors = new Set(answers.map(({ body }) => body.refresh));
    expect(successors.size).toBe(1);
    for (const { body } of answers) expect((await me(body.access)).status).toBe(200);
    expect(await signIns()).toMatchObject([{ generation: 1, ended_at: null }]);
    expect(await statusOf([...successors][0]!)).toBe(200);
  });

  it('and a sign-out leave the sign-in ended', async () => {
    const { refresh: first } = await api.register('mira');
    await Promise.all([...Array.from({ length: 10 }, () => refresh(first)), logout({ refresh_token: first })]);
    expect((await signIns()).map((row) => row.ended_at)).toEqual([api.clock.now]);
    expect(await statusOf(first)).toBe(401);
  });
});

describe('a sign-out', () => {
  it('ends its sign-in and can be repeated', async () => {
    const { refresh: token } = await api.register('mira');
    for (const _ of [1, 2]) expect(await logout({ refresh_token: token })).toMatchObject({ status: 204, text: '' });
    expect(await refresh(token)).toMatchObject(expired);
  });

  it('ends the sign-in even with a token that was already replaced', async () => {
    const [first, second] = await refreshRepeatedly((await api.register('mira')).refresh, 1);
    expect((await logout({ refresh_token: first })).status).toBe(204);
    expect(await refresh(second!)).toMatchObject(expired);
  });

  it.each([undefined, {}, { refresh_token: null }, { refresh_token: '' }, { refresh_token: 'garbage' }])(
    'succeeds with the body %j and ends nothing',
    async (body) => {
      const { refresh: token } = await api.register('mira');
      expect((await logout(body)).status).toBe(204);
      expect(await statusOf(token)).toBe(200);
    },
  );

  it.each([undefined, {}, { refresh_token: null }, { refresh_token: 'garbage' }])(
    'with the body %j ends the sign-in of its bearer token, even if that has expired',
    async (body) => {
      const headersOf = ({ access }: SignedIn) => ({ authorization: `Bearer ${access}` });
      const [phone, laptop] = [await api.register('mira'), await login('mira')];
      const out = (from: SignedIn) => api.call('POST', '/api/logout/', { body, headers: headersOf(from) });
      expect((await out(phone)).status).toBe(204);
      expect([await statusOf(phone.refresh), await statusOf(laptop.refresh)]).toEqual([401, 200]);
      api.clock.advance(DAY);
      expect((await out(laptop)).status).toBe(204);
      expect((await signIns()).filter((row) => row.ended_at === null)).toEqual([]);
    },
  );

  it('does not affect the user’s other sign-ins or other users', async () => {
    const phone = await api.register('mira');
    const laptop = await login('mira');
    const ben = await api.register('ben');
    await logout({ refresh_token: phone.refresh });
    expect(await statusOf(phone.refresh)).toBe(401);
    expect(await statusOf(laptop.refresh)).toBe(200);
    expect(await statusOf(ben.refresh)).toBe(200);
  });
});

describe('the database', () => {
  it('stores no tokens, and passwords only as hashes', async () => {
    const { access, refresh: first } = await api.register('mira');
    const tokens = await refreshRepeatedly(first, 2);
    await login('mira');
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(api.deps.db);
    const contents = await Promise.all(
      rows.map(({ name }) => sql`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(api.deps.db)),
    );
    const databaseText = JSON.stringify(contents.map((content) => content.rows));
    expect(databaseText).toContain('$argon2id$');
    for (const token of [...tokens, access, TEST_PASSWORD]) {
      expect(databaseText).not.toContain(token);
      expect(databaseText).not.toContain(token.split('.').at(-1));
    }
    expect((await signIns())[0]!.refresh_hash).toBe(createHash('sha256').update(tokens.at(-1)!).digest('hex'));
  });

  it('drops a user’s ended sign-ins at the next login', async () => {
    const { refresh: token } = await api.register('mira');
    await logout({ refresh_token: token });
    await login('mira');
    expect(await signIns()).toMatchObject([{ ended_at: null }]);
  });
});

describe('the sign-ins of a user', () => {
  it('are limited to 50, ending the least recently used', async () => {
    const first = await api.register('mira');
    const second = await login('mira');
    for (let n = 0; n < 48; n++) {
      api.clock.advance(SECOND);
      await login('mira');
    }
    const { refresh: renewed } = (await refresh(first.refresh)).body;
    api.clock.advance(SECOND);
    const last = await login('mira');
    expect(await signIns()).toHaveLength(50);
    expect((await me(second.access)).status).toBe(401);
    expect(await refresh(second.refresh)).toMatchObject(expired);
    expect(await statusOf(renewed)).toBe(200);
    expect((await me(last.access)).status).toBe(200);
    const told = api.deps.db.selectFrom('outbox').select('data').where('kind', '=', 'sign_ins.ended');
    expect(await told.execute()).toEqual([{ data: { handles: [expect.any(String)] } }]);
  });

  it('are limited without ending other users’ sign-ins', async () => {
    const ben = await api.register('ben');
    await api.register('mira');
    for (let n = 0; n < 51; n++) await login('mira');
    expect((await me(ben.access)).status).toBe(200);
  });
});

describe('tokens issued while the clock was weeks ahead', () => {
  const withClockAhead = async <T>(days: number, work: () => Promise<T>): Promise<T> => {
    const now = api.clock.now;
    api.clock.now = new Date(now.getTime() + days * DAY);
    const result = await work();
    api.clock.now = now;
    return result;
  };

  it('are rejected once the clock is right again', async () => {
    await api.register('mira');
    const { access, refresh: token } = await withClockAhead(40, () => login('mira'));
    expect((await me(access)).status).toBe(401);
    expect(await refresh(token)).toMatchObject(expired);
  });

  it('leave a user who only refreshed signed in, with the usual reuse window', async () => {
    const { refresh: first } = await api.register('mira');
    const successor = (await withClockAhead(20, () => refresh(first))).body;
    expect((await me(successor.access)).status).toBe(401);
    const renewed = (await refresh(successor.refresh)).body;
    expect((await me(renewed.access)).status).toBe(200);
    api.clock.advance(11 * SECOND);
    expect(await refresh(first)).toMatchObject(expired);
  });
});
