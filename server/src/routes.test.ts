import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { TokenScope } from '@hourshare/contract/calls';
import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import { ErrorAnswer } from '@hourshare/contract/errors';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { z } from 'zod';
import { hashToken } from './platform/tokens.ts';
import { openTestApi, type Answer, type CallOptions, type TestApi } from './testing/api.ts';
import { everyCase } from './testing/every-case.ts';
import { kept } from './testing/kept.ts';
import {
  BILLED_MONTH,
  INVITATION,
  nameShareAndSession,
  successfulCalls,
  tokenOf,
  type EndingKey,
} from './testing/successes.ts';
import { HANG_MILLISECONDS, isThorough } from './testing/thorough.ts';

interface ServedRoute {
  method: string;
  url: string;
  key: unknown;
}

/** Every route of the built app, as the framework reports it. */
const served: ServedRoute[] = [];

function listenForRoutes(message: unknown) {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    for (const each of [method].flat())
      served.push({ method: each, url, key: config && 'endpoint' in config ? config.endpoint : undefined });
  });
}

let api: TestApi;
beforeAll(async () => {
  subscribe('fastify.initialization', listenForRoutes);
  api = await openTestApi();
  unsubscribe('fastify.initialization', listenForRoutes);
});
beforeEach(() => api.reset());

const prepareCalls = kept(
  () => api,
  () => successfulCalls(api),
);
afterAll(() => api.close());

// Streams don't end; live.test.ts is about them.
const entries = (Object.entries<Endpoint>(endpoints) as [EndingKey, Endpoint][]).filter(([, { stream }]) => !stream);
const keys = entries.map(([key]) => key);
const signedIn = entries.filter(([, endpoint]) => !endpoint.public).map(([key]) => key);
const reads = keys.filter((key) => key.startsWith('GET '));

const toRequest = (key: string, id: unknown = 1) => {
  const [method = '', path = ''] = key.split(' ');
  return {
    method,
    path: nameShareAndSession(key, path, id)
      .replace('{id}', String(id))
      .replace('{invitation_id}', String(INVITATION))
      .replace('{token}', encodeURIComponent(tokenOf(key)))
      .replace('{username}', 'zoe')
      .replace('{month}', BILLED_MONTH),
  };
};

/** Returns the schema with undeclared keys rejected at every depth. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, strict(field as z.ZodType)])),
    );
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable();
  return schema;
}

const problemsOf = (schema: z.ZodType | undefined, body: unknown) =>
  schema ? strict(schema).safeParse(body).error?.issues : 'not declared';

describe('the route table', () => {
  it('matches the contract exactly, with only its description added under /api/', () => {
    const apiRoutes = served.filter(
      ({ method, url }) => method !== 'HEAD' && url.startsWith('/api') && !/^\/api\/(?:openapi\.json|docs)/.test(url),
    );
    expect(apiRoutes.map(({ key }) => String(key)).toSorted()).toEqual(Object.keys(endpoints).toSorted());
    expect(apiRoutes.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`).toSorted()).toEqual(
      Object.keys(endpoints).toSorted(),
    );
  });

  it('has only pages, health checks, and metrics besides, of which only those that meters send write', () => {
    const besides = served.filter(({ key }) => key === undefined);
    const writing = besides.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
    // Its address and encodings are those of OpenTelemetry; features/meters/otlp/otlp.test.ts tests it.
    expect(writing).toMatchObject([{ method: 'POST', url: '/v1/metrics' }]);
    const otherRoutes = besides.filter((route) => !writing.includes(route));
    expect([...new Set(otherRoutes.map(({ method }) => method))].toSorted()).toEqual(['GET', 'HEAD']);
    const urls = otherRoutes.map(({ url }) => url).filter((url) => !url.startsWith('/api/docs'));
    expect([...new Set(urls)].toSorted()).toEqual([
      '/api/openapi.json',
      '/healthz',
      '/metrics',
      '/readyz',
      // Redirects people who return from a provider to their page.
      '/sign-in/:provider',
    ]);
  });

  it('is public only for signing in or out, recovery, contact details, and what links offer or turn off', () => {
    expect(keys.filter((key) => !signedIn.includes(key)).toSorted()).toEqual([
      'GET /api/about/',
      'GET /api/calendar/{token}.ics',
      'GET /api/claims/{token}/',
      'GET /api/claims/{token}/estimate/',
      'GET /api/invitations/{token}/',
      'GET /api/unsubscribe/{token}/',
      'POST /api/login/',
      'POST /api/login/passkey/',
      'POST /api/login/passkey/options/',
      'POST /api/logout/',
      'POST /api/me/email-change/confirm/',
      // With the token of a meter.
      'POST /api/meters/events/',
      'POST /api/password-reset/',
      'POST /api/password-reset/confirm/',
      'POST /api/providers/finish/',
      'POST /api/providers/register/',
      'POST /api/providers/sign-in/',
      'POST /api/providers/start/',
      'POST /api/register/',
      'POST /api/register/passkey/options/',
      'POST /api/token/refresh/',
      'POST /api/unsubscribe/{token}/',
    ]);
  });
});

/** Returns tokens that look valid and aren't. */
async function forgeries(): Promise<string[]> {
  const { access, refresh, user } = await api.register('mira');
  const claims = { sid: 'test', sub: String(user.id), aud: 'hourshare', iat: 1_773_144_000, exp: 1_999_999_999 };
  const signed = (header: { alg: string; typ?: string }, key: string) =>
    new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(key.padEnd(32, '.')));
  const [head = '', body = '', signature = ''] = access.split('.');
  return [
    'x',
    refresh,
    access.slice(0, -5),
    `${head}.${body}.`,
    `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`,
    new UnsecuredJWT(claims).encode(),
    await signed({ alg: 'HS256', typ: 'at+jwt' }, 'another key'),
    await signed({ alg: 'HS256', typ: 'at+jwt' }, 'a secret that only tests know, 32+ characters'),
    await signed({ alg: 'HS512', typ: 'at+jwt' }, 'another key'.repeat(8)),
  ];
}

const everyKey = (some: EndingKey[], check: (key: EndingKey) => Promise<void>) => everyCase(some, String, check);

describe('each call that needs a sign-in', { timeout: HANG_MILLISECONDS }, () => {
  it('rejects a request without a token', async () => {
    await everyKey(signedIn, async (key) => {
      const { method, path } = toRequest(key);
      for (const each of [path, path.slice(0, -1)]) {
        const answer = await api.call(method, each);
        expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
        expect(answer.body).toEqual({ error: expect.stringMatching(/\w/) as string, code: 'not_signed_in' });
      }
    });
  });

  it('rejects forged, expired, and misplaced tokens', async () => {
    const forged = await forgeries();
    const { access } = await api.register('ben');
    const misplaced = [`Basic ${access}`, access, `Bearer  ${access}`, `Bearer ${access} ${access}`, 'Bearer ', ''];
    const options = [
      ...forged.map((token): CallOptions => ({ token })),
      ...misplaced.map((authorization): CallOptions => ({ headers: { authorization } })),
      { headers: { cookie: `access_token=${access}` } },
    ];
    const refused = { status: 401, body: { code: 'not_signed_in' } };
    await everyKey(signedIn, async (key) => {
      const { method, path } = toRequest(key);
      for (const each of options) expect([each, await api.call(method, path, each)]).toMatchObject([each, refused]);
      expect(await api.call(method, `${path}?access_token=${access}&token=${access}`)).toMatchObject(refused);
    });
    api.clock.advance(15 * 60_000 + 1000);
    await everyKey(signedIn, async (key) => {
      const { method, path } = toRequest(key);
      expect(await api.call(method, path, { token: access })).toMatchObject(refused);
    });
  });
});

const byScope = signedIn.flatMap((key) =>
  (['account', 'share', 'events'] as const).map((scope) => [key, scope] as const),
);
const mayCall = ([key, scope]: (typeof byScope)[number]) => {
  const { scripts = [] }: Endpoint = endpoints[key];
  return scripts.includes(scope);
};
const ofScope = (scope: 'account' | 'share' | 'events') =>
  byScope.filter((each) => mayCall(each) && each[1] === scope).map(([key]) => key);

describe('a call with an access token', { timeout: HANG_MILLISECONDS }, () => {
  it('succeeds, if its scope allows the call', async () => {
    await everyCase(byScope.filter(mayCall), String, async ([key, scope]) => {
      for (const [status, [id, options]] of Object.entries((await prepareCalls())[key])) {
        const { method, path } = toRequest(key, id);
        const token = await insertToken(options.as?.user.id ?? 0, scope === 'share' ? id : null, scope);
        expect((await api.call(method, path, { ...noCaller(options), token })).status).toBe(Number(status));
      }
    });
  });

  it('finds no other share of the same member, and changes nothing', async () => {
    await prepareCalls();
    const before = await contents();
    await everyKey(ofScope('share'), async (key) => {
      for (const [id, options] of Object.values((await prepareCalls())[key])) {
        const { method, path } = toRequest(key, id);
        const token = await insertToken(options.as?.user.id ?? 0, id === 1 ? 2 : 1);
        expect(await api.call(method, path, { ...noCaller(options), token })).toMatchObject({
          status: 404,
          body: { error: 'Not found.', code: 'not_found' },
        });
        expect(await contents()).toEqual(before);
      }
    });
  });

  it('is refused, regardless of its parameters, and changes nothing', async () => {
    const calls = await prepareCalls();
    const before = await contents();
    await everyCase(
      byScope.filter((each) => !mayCall(each)),
      String,
      async ([key, scope]) => {
        const [id, options] = Object.values(calls[key])[0]!;
        const isOfShare = key.includes('/shared-assets/{id}/');
        const token = await insertToken(
          options.as?.user.id ?? 0,
          scope === 'share' ? (isOfShare ? id : 1) : null,
          scope,
        );
        const writes = api.database.writes();
        for (const named of [id, 'abc', 999_999]) {
          const { method, path } = toRequest(key, named);
          expect(await api.call(method, path, { ...noCaller(options), token })).toMatchObject(
            key.includes(' /api/administration/')
              ? { status: 404, body: { error: 'Not found.', code: 'not_found' } }
              : { status: 403, body: { code: 'token_scope' } },
          );
        }
        expect(api.database.writes() === writes ? before : await contents()).toEqual(before);
      },
    );
    expect(await contents()).toEqual(before);
  });

  it("answers another user's tokens like that user", async () => {
    await everyKey(ofScope('account'), async (key) => {
      const [id, options] = Object.values((await prepareCalls())[key])[0]!;
      const stranger = await api.register('stranger');
      const { method, path } = toRequest(key, id);
      const token = await insertToken(stranger.user.id, null);
      const asked = await api.call(method, path, { ...noCaller(options), token });
      expect(asked.text).toBe((await api.call(method, path, { ...options, as: stranger })).text);
    });
  });
});

const noCaller = ({ as: _caller, ...options }: CallOptions): CallOptions => options;

let tokens = 0;
/** Returns an access token for one share if given, otherwise for the account. */
async function insertToken(
  userId: number,
  share: number | null,
  scope: TokenScope = share === null ? 'account' : 'share',
): Promise<string> {
  const token = `hs_${(tokens += 1)}`;
  await api.deps.db
    .insertInto('access_tokens')
    .values({
      user_id: userId,
      name: 'Script',
      token_hash: hashToken(token),
      scope,
      share_id: share,
      created_at: api.clock.now,
      expires_at: new Date(api.clock.now.getTime() + 3_600_000),
    })
    .execute();
  return token;
}

/** Returns everything that a call could change. Ordered by whole rows, because two plans may return equal keys in two orders. */
const contents = () =>
  Promise.all(
    (['users', 'sign_ins', 'assets', 'periods', 'shares', 'sessions', 'settlements', 'statement_lines'] as const).map(
      (table) =>
        api.deps.db
          .selectFrom(table)
          .selectAll()
          .orderBy(sql`${sql.table(table)}::text`)
          .execute(),
    ),
  );

describe('each call', { timeout: HANG_MILLISECONDS }, () => {
  it('returns exactly what it declares, with and without a trailing slash', async () => {
    // Every call without a token shows that both lead to the same.
    const slashes = (key: EndingKey) => (isThorough || !signedIn.includes(key) ? [true, false] : [true]);
    const cases = keys.flatMap((key) => slashes(key).map((slash) => [key, slash] as const));
    await everyCase(cases, String, async ([key, slash]) => {
      const endpoint: Endpoint = endpoints[key];
      const calls = (await prepareCalls())[key];
      expect(Object.keys(calls)).toEqual(Object.keys(endpoint.answers));
      for (const [status, [id, options]] of Object.entries(calls)) {
        const { method, path } = toRequest(key, id);
        const answer = await api.call(method, slash ? path : path.replace(/\/$/, ''), options);
        expect(answer).toMatchObject({ status: Number(status) });
        expect(problemsOf(endpoint.answers[answer.status as 200], answer.body)).toBeUndefined();
        expect(answer.text === '').toBe(answer.status === 204);
      }
    });
  });

  it('answers every error in the documented form', async () => {
    await everyKey(keys, async (key) => {
      const answers = await provoke(key, Object.values((await prepareCalls())[key])[0]!);
      for (const { body } of answers.filter(({ status }) => status >= 400))
        expect(problemsOf(ErrorAnswer, body)).toBeUndefined();
    });
  });
});

/** Returns every answer a call can be made to give without a fault of the server. */
async function provoke(key: EndingKey, [id, options]: [number, CallOptions]): Promise<Answer[]> {
  const { method, path } = toRequest(key, id);
  const caller = options.as === undefined ? {} : { as: options.as };
  const json = { 'content-type': 'application/json', 'idempotency-key': 'one' };
  const requests: [path: string, options: CallOptions][] = [
    [path, {}],
    [toRequest(key, 'abc').path, caller],
    [toRequest(key, 999).path, caller],
    [`${path}?surprise=1&limit=x&month=x`, caller],
    [path, { ...caller, body: { surprise: 1 }, headers: json }],
    [path, { ...caller, body: '{', headers: json }],
    [path, { ...caller, body: 'hello', headers: { 'content-type': 'text/plain' } }],
    [path, { ...caller, body: JSON.stringify('x'.repeat(70_000)), headers: json }],
    [path, { ...caller, body: { ...(options.body as object), username: 'nobody.here' } }],
    [path, { ...options, headers: { 'idempotency-key': 'x'.repeat(300) } }],
    [path, { ...options, headers: json }],
    [path, { ...options, headers: json }],
    [path.replace(/\/$/, ''), { ...options, headers: json }],
    [path, options],
  ];
  const answers: Answer[] = [];
  for (const [url, callOptions] of requests) answers.push(await api.call(method, url, callOptions));
  return answers;
}

describe('HEAD of each address', { timeout: HANG_MILLISECONDS }, () => {
  it('requires a token like the GET and returns no body', async () => {
    await everyKey(reads, async (key) => {
      const [id, options] = Object.values((await prepareCalls())[key])[0]!;
      const { path } = toRequest(key, id);
      expect(await api.call('HEAD', path)).toMatchObject({ status: signedIn.includes(key) ? 401 : 200, text: '' });
      expect(await api.call('HEAD', path, options)).toMatchObject({ status: 200, text: '' });
    });
  });
});

describe('an unknown route', () => {
  const paths = [
    '/api',
    '/api/',
    '/api/nothing/',
    '/api/assets/1/nothing/',
    '/api//assets/',
    '/api/../api/x',
    '/api/%zz',
  ];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

  it.each(paths)('returns a JSON 404 at %s for any method', async (path) => {
    for (const method of methods) {
      const { status, headers, body } = await api.call(method, path);
      expect({ method, status, type: headers['content-type'] }).toEqual({
        method,
        status: 404,
        type: 'application/json; charset=utf-8',
      });
      expect(method === 'HEAD' ? undefined : body).toEqual(
        method === 'HEAD' ? undefined : { error: 'Not found.', code: 'not_found' },
      );
    }
  });

  it('returns a JSON 404 for an unsupported method of a known path', async () => {
    const caller = await api.register('mira');
    for (const [path, template] of keys.map((key) => [toRequest(key).path, key.split(' ')[1]] as const))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (`${method} ${template}` in endpoints) continue;
        const { status, body } = await api.call(method, path, { as: caller });
        expect({ method, path, status, body }).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
  });
});
