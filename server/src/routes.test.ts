import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { endpoints, type Endpoint, type EndpointKey } from '@hourshare/contract/endpoints';
import { ErrorAnswer } from '@hourshare/contract/errors';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestApi, type Answer, type CallOptions, type TestApi } from './testing/api.ts';
import { BILLED_MONTH, SESSION, SHARE, successes } from './testing/successes.ts';

interface Served {
  method: string;
  url: string;
  key: unknown;
}

/** Every route the built app really has, told by the framework as each is added. */
const table: Served[] = [];

function listenForRoutes(message: unknown) {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    for (const each of [method].flat())
      table.push({ method: each, url, key: config && 'endpoint' in config ? config.endpoint : undefined });
  });
}

let api: TestApi;
beforeAll(async () => {
  subscribe('fastify.initialization', listenForRoutes);
  api = await openTestApi();
  unsubscribe('fastify.initialization', listenForRoutes);
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const all = Object.entries<Endpoint>(endpoints) as [EndpointKey, Endpoint][];
const keys = all.map(([key]) => key);
const signedIn = all.filter(([, endpoint]) => !endpoint.public).map(([key]) => key);
const reads = keys.filter((key) => key.startsWith('GET '));

const split = (key: string, id: unknown = 1) => {
  const [method = '', path = ''] = key.split(' ');
  return {
    method,
    path: path
      .replace('{id}', String(id))
      .replace('{share_id}', String(SHARE))
      .replace('{session_id}', String(SESSION))
      .replace('{month}', BILLED_MONTH),
  };
};

/** The same schema without tolerance: what it does not declare is a mistake, at every depth. */
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
  it('is the contract’s table, call by call, and nothing more below /api/ but its description', () => {
    const served = table.filter(
      ({ method, url }) => method !== 'HEAD' && url.startsWith('/api') && !/^\/api\/(?:openapi\.json|docs)/.test(url),
    );
    expect(served.map(({ key }) => String(key)).toSorted()).toEqual(keys.toSorted());
    expect(served.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`).toSorted()).toEqual(
      keys.toSorted(),
    );
  });

  it('has only pages and health checks elsewhere, none of which writes', () => {
    const elsewhere = table.filter(({ key }) => key === undefined);
    expect([...new Set(elsewhere.map(({ method }) => method))].toSorted()).toEqual(['GET', 'HEAD']);
    const plain = elsewhere.map(({ url }) => url).filter((url) => !url.startsWith('/api/docs'));
    expect([...new Set(plain)].toSorted()).toEqual(['/api/openapi.json', '/healthz', '/readyz']);
  });

  it('leaves to anybody only what leads to a sign-in or ends one, and whom to ask about it', () => {
    expect(keys.filter((key) => !signedIn.includes(key)).toSorted()).toEqual([
      'GET /api/about/',
      'POST /api/login/',
      'POST /api/logout/',
      'POST /api/register/',
      'POST /api/token/refresh/',
    ]);
  });
});

/** Tokens that look right and are not. */
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

describe.each(signedIn)('%s', (key) => {
  const { method, path } = split(key);
  const paths = [path, path.slice(0, -1)];

  it('answers nobody without a token', async () => {
    for (const each of paths) {
      const answer = await api.call(method, each);
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(answer.body).toEqual({ error: expect.stringMatching(/\w/) as string, code: 'not_signed_in' });
    }
  });

  it('answers nobody with a forged or expired token, or one in another place', async () => {
    const forged = await forgeries();
    const { access } = await api.register('ben');
    const elsewhere = [`Basic ${access}`, access, `Bearer  ${access}`, `Bearer ${access} ${access}`, 'Bearer ', ''];
    const answers = [
      ...(await Promise.all(forged.map((token) => api.call(method, path, { token })))),
      ...(await Promise.all(elsewhere.map((authorization) => api.call(method, path, { headers: { authorization } })))),
      await api.call(method, `${path}?access_token=${access}&token=${access}`),
      await api.call(method, path, { headers: { cookie: `access_token=${access}` } }),
    ];
    api.clock.advance(15 * 60_000 + 1000);
    answers.push(await api.call(method, path, { token: access }));
    for (const { status, body } of answers)
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  });
});

describe.each(keys)('%s', (key) => {
  const endpoint: Endpoint = endpoints[key];

  it.each(['with', 'without'])('answers exactly what it declares, %s the slash at its end', async (slash) => {
    const calls = (await successes(api))[key];
    expect(Object.keys(calls)).toEqual(Object.keys(endpoint.answers));
    for (const [status, [id, options]] of Object.entries(calls)) {
      const { method, path } = split(key, id);
      const answer = await api.call(method, slash === 'with' ? path : path.slice(0, -1), options);
      expect(answer).toMatchObject({ status: Number(status) });
      expect(problemsOf(endpoint.answers[answer.status as 200], answer.body)).toBeUndefined();
      expect(answer.text === '').toBe(answer.status === 204);
    }
  });

  it('is described with every status it answers', async () => {
    const described = (
      await api.call<{ paths: Record<string, Record<string, { responses: object }>> }>('GET', '/api/openapi.json')
    ).body.paths;
    const [method = '', template = ''] = key.split(' ');
    const statuses = Object.keys(described[template]?.[method.toLowerCase()]?.responses ?? {});
    const answers = await provoke(key, Object.values((await successes(api))[key])[0]!);
    for (const { status, body } of answers) {
      expect(statuses).toContain(String(status));
      expect(status >= 400 ? problemsOf(ErrorAnswer, body) : undefined).toBeUndefined();
    }
  });
});

/** Everything a call can be made to answer without a fault of the server. */
async function provoke(key: EndpointKey, [id, options]: [number, CallOptions]): Promise<Answer[]> {
  const { method, path } = split(key, id);
  const as = options.as === undefined ? {} : { as: options.as };
  const json = { 'content-type': 'application/json', 'idempotency-key': 'one' };
  const requests: [path: string, options: CallOptions][] = [
    [path, {}],
    [split(key, 'abc').path, as],
    [split(key, 999).path, as],
    [`${path}?surprise=1&limit=x&month=x`, as],
    [path, { ...as, body: { surprise: 1 }, headers: json }],
    [path, { ...as, body: '{', headers: json }],
    [path, { ...as, body: 'hello', headers: { 'content-type': 'text/plain' } }],
    [path, { ...as, body: JSON.stringify('x'.repeat(70_000)), headers: json }],
    [path, { ...as, body: { ...(options.body as object), username: 'nobody.here' } }],
    [path, { ...options, headers: { 'idempotency-key': 'x'.repeat(300) } }],
    [path, { ...options, headers: json }],
    [path, { ...options, headers: json }],
    [path.slice(0, -1), { ...options, headers: json }],
    [path, options],
  ];
  const answers: Answer[] = [];
  for (const [where, how] of requests) answers.push(await api.call(method, where, how));
  return answers;
}

describe.each(reads)('HEAD of %s', (key) => {
  it('needs a token where the read does, and answers no body', async () => {
    const [id, options] = Object.values((await successes(api))[key])[0]!;
    const { path } = split(key, id);
    expect(await api.call('HEAD', path)).toMatchObject({ status: signedIn.includes(key) ? 401 : 200, text: '' });
    expect(await api.call('HEAD', path, options)).toMatchObject({ status: 200, text: '' });
  });
});

describe('whatever is not in the table', () => {
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

  it.each(paths)('answers 404 in JSON at %s, whatever the method', async (path) => {
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

  it('answers 404 in JSON at a known path with a method it does not have', async () => {
    const as = await api.register('mira');
    for (const [path, template] of keys.map((key) => [split(key).path, key.split(' ')[1]] as const))
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (keys.includes(`${method} ${template}` as EndpointKey)) continue;
        const { status, body } = await api.call(method, path, { as });
        expect({ method, path, status, body }).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
  });
});
