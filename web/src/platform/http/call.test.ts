// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { connection } from './connection.ts';
import { ApiError, NoConnection } from './errors.ts';
import { call, callForFile } from './call.ts';
import { addIdentityPlace, identityQuestion } from '../auth/identity.ts';
import { clearSignIn, currentSignIn, onSignInChange, restoreSignIn } from '../auth/sign-in.ts';
import { aUser, errorReply, fakeServer, storeTestSignIn, type Received } from '../../testing/fake-server.ts';

const notSignedIn = errorReply(401, 'not_signed_in', 'Please sign in.');
const emptyList = { status: 200, json: { results: [], next: null } };
const freshPair = { status: 200, json: { access: 'new', refresh: 'new-refresh' } };
const isRefresh = ({ path }: Received) => path === '/api/token/refresh/';

/** Accepts only the access token "new"; answers a refresh with the given handler. */
const acceptNewToken = (refreshReply: Parameters<typeof fakeServer>[0]) =>
  fakeServer((request) => {
    if (isRefresh(request)) return refreshReply(request);
    return request.access === 'new' ? emptyList : notSignedIn;
  });

const catchError = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeEach(() => {
  localStorage.clear();
  storeTestSignIn('old', 'old-refresh');
  restoreSignIn();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('call', () => {
  it('builds the request from the endpoint key and input', async () => {
    const received = fakeServer(() => emptyList);
    await call('GET /api/shared-assets/{id}/logs/', { params: { id: 7 }, query: { cursor: 'a b' } });
    await call('PATCH /api/assets/{id}/', { params: { id: 3 }, body: { name: 'New' } });
    expect(received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/shared-assets/7/logs/?cursor=a+b', undefined],
      ['PATCH', '/api/assets/3/', { name: 'New' }],
    ]);
    expect(received[0]?.access).toBe('old');
  });

  it('sends a same-origin request with credentials and no timeout', async () => {
    const sent: [string, RequestInit][] = [];
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      sent.push([address, init]);
      return new Response(null, { status: 204 });
    });
    await call('POST /api/shared-assets/{id}/start/', { params: { id: 7 } });
    expect(sent[0]?.[0]).toBe('/api/shared-assets/7/start/');
    expect(sent[0]?.[1]).toMatchObject({ credentials: 'include', headers: { authorization: 'Bearer old' } });
    expect(Object.keys(sent[0]?.[1] ?? {}).toSorted()).toEqual(['credentials', 'headers', 'method']);
  });

  it('sends no token if none is stored', async () => {
    localStorage.clear();
    const received = fakeServer(() => emptyList);
    await call('GET /api/assets/', {});
    expect(received[0]?.headers.has('authorization')).toBe(false);
  });

  it('returns undefined for status 204', async () => {
    fakeServer(() => ({ status: 204 }));
    expect(await call('GET /api/shared-assets/{id}/active-session/', { params: { id: 7 } })).toBeUndefined();
  });

  it('throws ApiError with status, code, message and fields', async () => {
    fakeServer(() => errorReply(400, 'validation_failed', 'Please check.', { name: ['Name is required'] }));
    const error = await catchError(call('GET /api/assets/', {}));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Please check.',
      fields: { name: ['Name is required'] },
    });
  });

  it.each([
    ['a page with 200', '<!doctype html><title>Sign in</title>', { status: 200 }],
    ['nothing with 200', null, { status: 200 }],
    ['a page with 401', '<h1>401 Authorization Required</h1>', { status: 401 }],
    ['a page with 403', '<p>Sign in', { status: 403 }],
    ['text with 404', '404 page not found\n', { status: 404 }],
    ['a number as text', '404', { status: 404 }],
    ['a page with 502', '<h1>Bad gateway</h1>', { status: 502 }],
  ])('throws NoConnection for %s, and keeps the sign-in', async (_, text, init) => {
    vi.stubGlobal('fetch', async () => new Response(text, init));
    expect(await catchError(call('GET /api/assets/', {}))).toBeInstanceOf(NoConnection);
    expect(connection()).toBe('server unreachable');
    expect(await catchError(callForFile('GET /api/shared-assets/{id}/logs/', { params: { id: 7 } }))).toBeInstanceOf(
      NoConnection,
    );
    expect(localStorage.getItem('refresh_token')).toBe('old-refresh');
    fakeServer(() => emptyList);
    await call('GET /api/assets/', {});
    expect(connection()).toBe('online');
  });

  it('throws NoConnection without a response', async () => {
    fakeServer(() => 'no connection');
    expect(await catchError(call('GET /api/assets/', {}))).toBeInstanceOf(NoConnection);
  });
});

describe('a call that needs a recent check', () => {
  const refused = errorReply(403, 'check_required', 'Confirm that it is you.');
  const answerWith = (isProven: boolean) =>
    identityQuestion.subscribe((question) => queueMicrotask(() => question?.answer(isProven))).unsubscribe;
  const body = { new_password: 'b' };

  it('is repeated a single time after the user has proved who they are', async () => {
    const close = addIdentityPlace('page');
    const stop = answerWith(true);
    const received = fakeServer(() => refused);
    const error = await catchError(call('POST /api/me/password/', { body }));
    stop();
    close();
    expect(error).toMatchObject({ status: 403, code: 'check_required' });
    expect(received.map((request) => request.body)).toEqual([body, body]);
  });

  it('fails if they do not, and other errors do not ask', async () => {
    const close = addIdentityPlace('page');
    const stop = answerWith(false);
    const received = fakeServer(() => refused);
    const error = await catchError(call('POST /api/me/password/', { body }));
    stop();
    expect(error).toMatchObject({ code: 'check_required' });
    fakeServer(() => errorReply(403, 'account_disabled', 'Disabled.'));
    expect(await catchError(call('GET /api/assets/', {}))).toMatchObject({ code: 'account_disabled' });
    close();
    expect(received).toHaveLength(1);
  });
});

describe('callForFile', () => {
  const file = { status: 200, file: { name: 'sessions-films.csv', text: '\uFEFFa,b\r\n' } };
  const logs = () => callForFile('GET /api/shared-assets/{id}/logs/', { params: { id: 7 } });

  it('requests CSV and returns the file name and exact content', async () => {
    const received = fakeServer(() => file);
    const { name, content } = await logs();
    expect([name, await content.arrayBuffer()]).toEqual([
      'sessions-films.csv',
      new TextEncoder().encode('\uFEFFa,b\r\n').buffer,
    ]);
    expect(received.map(({ path, access }) => [path, access])).toEqual([
      ['/api/shared-assets/7/logs/?format=csv', 'old'],
    ]);
  });

  it('keeps other query parameters', async () => {
    const received = fakeServer(() => file);
    await callForFile('GET /api/statements/', { query: { month: '2026-02' } });
    expect(received[0]?.path).toBe('/api/statements/?month=2026-02&format=csv');
  });

  it('retries after a token refresh', async () => {
    const received = fakeServer((request) => {
      if (isRefresh(request)) return freshPair;
      return request.access === 'new' ? file : notSignedIn;
    });
    expect(await logs()).toMatchObject({ name: 'sessions-films.csv' });
    expect(received.filter(isRefresh)).toHaveLength(1);
  });

  it('fails like other calls on an error, no connection, or a truncated body', async () => {
    fakeServer(() => errorReply(404, 'not_found', 'Not found.'));
    expect(await catchError(logs())).toMatchObject({ status: 404, message: 'Not found.' });
    fakeServer(() => 'no connection');
    expect(await catchError(logs())).toBeInstanceOf(NoConnection);
    const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
    vi.stubGlobal('fetch', async () => new Response(cut));
    expect(await catchError(logs())).toBeInstanceOf(NoConnection);
  });
});

describe('the idempotency key', () => {
  const asset = { name: 'Films', subscription_cost: 5 };
  const idempotencyKeys = (received: Received[]) => received.map(({ headers }) => headers.get('idempotency-key'));

  it('is unique per create request and absent from other requests', async () => {
    const received = fakeServer(() => ({ status: 201, json: {} }));
    await call('POST /api/assets/', { body: asset });
    await call('POST /api/assets/', { body: asset });
    await call('POST /api/me/password/', { body: { current_password: 'a', new_password: 'b' } });
    const [first, second, none] = idempotencyKeys(received);
    expect(first).toBeTruthy();
    expect(second).not.toBe(first);
    expect(none).toBeNull();
  });

  it('differs for each request without a body', async () => {
    let lost = true;
    const received = fakeServer(() => (lost ? 'no connection' : { status: 201, json: {} }));
    await catchError(call('POST /api/shared-assets/{id}/start/', { params: { id: 7 } }));
    lost = false;
    await call('POST /api/shared-assets/{id}/start/', { params: { id: 7 } });
    const [first, second] = idempotencyKeys(received);
    expect(first).toBeTruthy();
    expect(second).toBeTruthy();
    expect(second).not.toBe(first);
  });

  it.each([
    ['a lost response', 'no connection'],
    ['the error of something in between', { status: 504, json: { message: 'The upstream server is timing out' } }],
  ] as const)('is reused when the same request is retried after %s', async (_, failure) => {
    let lost = true;
    const received = fakeServer(() => (lost ? failure : { status: 201, json: {} }));
    await catchError(call('POST /api/assets/', { body: asset }));
    lost = false;
    await call('POST /api/assets/', { body: asset });
    await call('POST /api/assets/', { body: asset });
    const [first, repeated, later] = idempotencyKeys(received);
    expect(repeated).toBe(first);
    expect(later).not.toBe(first);
  });

  it('is not kept once the user has signed out, nor is what they sent', async () => {
    let lost = true;
    const received = fakeServer(() => (lost ? 'no connection' : { status: 201, json: {} }));
    await catchError(call('POST /api/assets/', { body: asset }));
    clearSignIn('logout');
    lost = false;
    storeTestSignIn('new', 'new-refresh');
    restoreSignIn();
    await call('POST /api/assets/', { body: asset });
    const [first, second] = idempotencyKeys(received);
    expect(second).not.toBe(first);
  });

  it('is generated without crypto.randomUUID', async () => {
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(171) });
    const received = fakeServer(() => ({ status: 201, json: {} }));
    await call('POST /api/assets/', { body: asset });
    expect(idempotencyKeys(received)).toEqual(['ab'.repeat(16)]);
  });
});

describe('token refresh', () => {
  it('runs once for concurrent requests and lets all succeed', async () => {
    const received = acceptNewToken(() => freshPair);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call('GET /api/assets/', {})));
    expect(answers).toHaveLength(5);
    expect(received.filter(isRefresh).map(({ body }) => body)).toEqual([{ refresh: 'old-refresh' }]);
    expect(localStorage.getItem('access_token')).toBe('new');
    expect(localStorage.getItem('refresh_token')).toBe('new-refresh');
  });

  it('does not repeat for a request rejected after the refresh', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const received = fakeServer(async (request) => {
      if (isRefresh(request)) return freshPair;
      if (request.path === '/api/shared-assets/' && request.access === 'old') await held;
      return request.access === 'new' ? emptyList : notSignedIn;
    });
    const slow = call('GET /api/shared-assets/', {});
    await call('GET /api/assets/', {});
    release();
    await slow;
    expect(received.filter(isRefresh)).toHaveLength(1);
  });

  it('uses tokens that another tab refreshed', async () => {
    const received = acceptNewToken(() => freshPair);
    vi.stubGlobal('navigator', {
      locks: {
        request: async (_: string, work: () => Promise<unknown>) => {
          localStorage.setItem('access_token', 'new');
          localStorage.setItem('refresh_token', 'refresh-of-the-other-tab');
          return work();
        },
      },
    });
    await call('GET /api/assets/', {});
    expect(received.filter(isRefresh)).toHaveLength(0);
    expect(localStorage.getItem('refresh_token')).toBe('refresh-of-the-other-tab');
  });

  it('runs where the browser refuses locks', async () => {
    const received = acceptNewToken(() => freshPair);
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('No', 'SecurityError')) } });
    expect(await call('GET /api/assets/', {})).toEqual(emptyList.json);
    expect(received.filter(isRefresh)).toHaveLength(1);
  });

  it('signs out when the server rejects the refresh token', async () => {
    const reasons: unknown[] = [];
    const stop = onSignInChange((_, reason) => reasons.push(reason));
    acceptNewToken(() => errorReply(401, 'invalid_refresh_token', 'Expired.'));
    const errors = await Promise.all([1, 2].map(() => catchError(call('GET /api/assets/', {}))));
    stop();
    expect(errors.map((error) => (error as ApiError).status)).toEqual([401, 401]);
    expect(reasons).toEqual(['expired']);
    expect(currentSignIn()).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it.each([
    'no connection',
    errorReply(503, 'unavailable', 'Later.'),
    errorReply(429, 'rate_limited', 'Slower.'),
    { status: 401, json: { message: 'Unauthorized' } },
    { status: 200, json: { status: 'maintenance' } },
    { status: 204 },
  ] as const)('keeps the sign-in when the server cannot decide', async (reply) => {
    acceptNewToken(() => reply);
    await catchError(call('GET /api/assets/', {}));
    expect(currentSignIn()?.user).toEqual(aUser);
    expect(localStorage.getItem('refresh_token')).toBe('old-refresh');
  });

  it.each([1, 2, 3])('is repeated with the same token after %s lost answers', async (lost) => {
    let answers = 0;
    const received = acceptNewToken(() => {
      answers += 1;
      return answers > lost ? freshPair : 'no connection';
    });
    for (let attempts = 0; localStorage.getItem('access_token') === 'old' && attempts < 5; attempts += 1)
      await catchError(call('GET /api/assets/', {}));
    expect(received.filter(isRefresh).map(({ body }) => body)).toEqual(
      Array.from({ length: lost + 1 }, () => ({ refresh: 'old-refresh' })),
    );
    expect(currentSignIn()?.user).toEqual(aUser);
    expect(await call('GET /api/assets/', {})).toEqual(emptyList.json);
  });

  it('does not run after wrong credentials at login', async () => {
    const received = fakeServer(() => errorReply(401, 'invalid_credentials', 'Wrong username or password.'));
    const error = await catchError(call('POST /api/login/', { body: { username: 'mira', password: 'wrong-wrong' } }));
    expect(error).toMatchObject({ code: 'invalid_credentials' });
    expect(received).toHaveLength(1);
    expect(currentSignIn()).not.toBeNull();
  });

  it('does not restore a sign-in cleared during the refresh', async () => {
    acceptNewToken(() => {
      localStorage.clear();
      return freshPair;
    });
    await catchError(call('GET /api/assets/', {}));
    expect(localStorage.getItem('access_token')).toBeNull();
  });
});
