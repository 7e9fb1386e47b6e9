import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Session } from '@hourshare/contract/sessions';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';

const HOUR = 60 * 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const post = <T = OwnedAsset>(as: SignedIn, path: string, key: string, body?: unknown) =>
  api.call<T>('POST', path, { as, headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) });

const netflix = { name: 'Netflix', subscription_cost: 22.99 };
const addAsset = (as: SignedIn, key: string, changes: Record<string, unknown> = {}) =>
  post(as, '/api/assets/', key, { ...netflix, ...changes });

const count = async (table: 'assets' | 'periods' | 'shares' | 'sessions' | 'idempotency_keys') =>
  (await api.deps.db.selectFrom(table).selectAll().execute()).length;

/** Creates an owner with an asset and a member with a share of it, and returns calls on both. */
async function household() {
  const owner = await api.register('mira');
  const member = await api.register('ben');
  const asset = await api.addAsset(owner);
  const share = (key: string, changes: Record<string, unknown> = {}) =>
    post(owner, `/api/assets/${asset.id}/share/`, key, {
      username: 'ben',
      monthly_hours_allocated: 20,
      ...changes,
    });
  const started = async () => {
    const { id } = await api.share(owner, asset, member);
    const at = (action: string) => `/api/shared-assets/${id}/${action}/`;
    return {
      start: (key: string, body?: unknown) => post<Session>(member, at('start'), key, body),
      end: (key: string = randomUUID()) => post<Session>(member, at('end'), key),
    };
  };
  return { owner, member, asset, share, started };
}

describe('a request repeated with the same key', () => {
  it('adds one asset and gets the same bytes', async () => {
    const owner = await api.register('mira');
    const first = await addAsset(owner, 'k');
    expect(first).toMatchObject({ status: 201, body: { name: 'Netflix', subscription_cost: 22.99 } });
    api.clock.advance(23 * HOUR);
    for (const _ of [1, 2]) {
      const again = await addAsset(owner, 'k');
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(201);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
      expect(again.headers['content-length']).toBe(first.headers['content-length']);
    }
    expect(await count('assets')).toBe(1);
    expect(await count('periods')).toBe(3);
  });

  it('gets the same response as without a key', async () => {
    const owner = await api.register('mira');
    const plain = await api.call<OwnedAsset>('POST', '/api/assets/', { as: owner, body: netflix });
    const keyed = await addAsset(owner, 'k');
    expect(keyed.body).toEqual({ ...plain.body, id: keyed.body.id });
    expect(keyed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(keyed.headers['cache-control']).toBe('no-store');
  });

  it('shares once and gets the same bytes even after the asset has changed', async () => {
    const { owner, asset, share } = await household();
    const first = await share('k');
    expect(first).toMatchObject({ status: 201, body: { shared_with: [{ shared_with_username: 'ben' }] } });
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { name: 'Renamed' } });
    expect((await share('k')).text).toBe(first.text);
    expect(await count('shares')).toBe(1);
  });

  it('starts one session and gets the same bytes while it runs and after it has ended', async () => {
    const { start, end } = await (await household()).started();
    const first = await start('k');
    expect(first.status).toBe(201);
    api.clock.advance(HOUR);
    expect((await start('k')).text).toBe(first.text);
    expect((await end()).status).toBe(200);
    const after = await start('k');
    expect(after.status).toBe(201);
    expect(after.text).toBe(first.text);
    expect(await count('sessions')).toBe(1);
    expect((await start('another')).body.id).not.toBe(first.body.id);
  });

  it('ends one session and gets the same bytes, also while another one runs', async () => {
    const { start, end } = await (await household()).started();
    await start('first');
    api.clock.advance(HOUR);
    const ended = await end('k');
    expect(ended).toMatchObject({ status: 200, body: { duration: 60 } });
    expect((await end('k')).text).toBe(ended.text);
    expect(await end('another')).toMatchObject({ status: 400, body: { code: 'no_active_session' } });
    await start('second');
    expect((await end('k')).text).toBe(ended.text);
    expect((await end('another')).status).toBe(200);
  });

  it('preserves non-ASCII text', async () => {
    const owner = await api.register('mira');
    const first = await addAsset(owner, 'k', { name: 'Kino „Müller“ 🍿 \\" </script>' });
    expect(first.body.name).toBe('Kino „Müller“ 🍿 \\" </script>');
    expect((await addAsset(owner, 'k', { name: 'Kino „Müller“ 🍿 \\" </script>' })).text).toBe(first.text);
  });

  it('counts as the same with or without a trailing slash or an empty body', async () => {
    const { start } = await (await household()).started();
    const first = await start('k');
    expect((await start('k', {})).text).toBe(first.text);
    const owner = await api.register('zoe');
    const asset = await addAsset(owner, 'k');
    expect((await post(owner, '/api/assets', 'k', netflix)).text).toBe(asset.text);
  });
});

describe('a key reused for another request', () => {
  const reused = { status: 422, body: { code: 'idempotency_key_reused' } };

  it('answers 422 for a different body without doing anything', async () => {
    const owner = await api.register('mira');
    await addAsset(owner, 'k');
    expect(await addAsset(owner, 'k', { name: 'Disney' })).toMatchObject(reused);
    expect(await addAsset(owner, 'k', { subscription_cost: 23 })).toMatchObject(reused);
    expect(await count('assets')).toBe(1);
  });

  it('answers 422 for a different path without doing anything', async () => {
    const { owner, asset, share } = await household();
    const second = await api.addAsset(owner);
    await share('k');
    const body = { username: 'ben', monthly_hours_allocated: 20 };
    expect(await post(owner, `/api/assets/${second.id}/share/`, 'k', body)).toMatchObject(reused);
    expect(await post(owner, '/api/assets/', 'k', netflix)).toMatchObject(reused);
    expect(await share('k', { monthly_hours_allocated: 21 })).toMatchObject(reused);
    expect(
      (await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: owner })).body.shared_with,
    ).toHaveLength(1);
    expect(await count('shares')).toBe(1);
  });

  it('is accepted from another user', async () => {
    const mira = await api.register('mira');
    const ben = await api.register('ben');
    const first = await addAsset(mira, 'k');
    const other = await addAsset(ben, 'k', { name: 'Disney' });
    expect(other).toMatchObject({ status: 201, body: { name: 'Disney', owner: 'ben' } });
    expect((await addAsset(mira, 'k')).text).toBe(first.text);
    expect((await addAsset(ben, 'k', { name: 'Disney' })).text).toBe(other.text);
    expect(await count('assets')).toBe(2);
  });
});

describe('concurrent requests with one key', () => {
  const same = (answers: { status: number; text: string }[]) => {
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  };

  it('add one asset and get the same response', async () => {
    const owner = await api.register('mira');
    same(await Promise.all(Array.from({ length: 20 }, () => addAsset(owner, 'k'))));
    expect(await count('assets')).toBe(1);
  });

  it('share once and get the same response', async () => {
    const { share } = await household();
    same(await Promise.all(Array.from({ length: 20 }, () => share('k'))));
    expect(await count('shares')).toBe(1);
  });

  it('start one session and get the same response', async () => {
    const { start } = await (await household()).started();
    same(await Promise.all(Array.from({ length: 20 }, () => start('k'))));
    expect(await count('sessions')).toBe(1);
  });

  it('start one session when each has its own key, and none fails', async () => {
    const { start } = await (await household()).started();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => start(`k${n}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect(await count('idempotency_keys')).toBe(1);
  });
});

describe('a failed request', () => {
  it('leaves its key free for another attempt', async () => {
    const { share, started } = await household();
    expect((await share('k', { username: 'zoe' })).status).toBe(404);
    expect((await share('k', { username: 'mira' })).status).toBe(400);
    expect((await share('k', { monthly_hours_allocated: 745 })).status).toBe(400);
    await api.register('zoe');
    expect((await share('k', { username: 'zoe' })).status).toBe(201);

    const { start, end } = await started();
    await start('first');
    expect((await start('second')).status).toBe(400);
    await end();
    expect((await start('second')).status).toBe(201);
  });

  it('stores nothing', async () => {
    const owner = await api.register('mira');
    expect((await addAsset(owner, 'k', { time_zone: 'Europe/Atlantis' })).status).toBe(400);
    expect(await count('idempotency_keys')).toBe(0);
    expect(await count('assets')).toBe(0);
  });
});

describe('an idempotency key', () => {
  it.each(['k', 'x'.repeat(255), '550e8400-e29b-41d4-a716-446655440000', '"quoted" key; with=signs', '__proto__'])(
    'can be %s',
    async (key) => {
      const owner = await api.register('mira');
      const first = await addAsset(owner, key);
      expect(first.status).toBe(201);
      expect((await addAsset(owner, key)).text).toBe(first.text);
    },
  );

  it.each(['', 'x'.repeat(256)])('can\'t be "%s"', async (key) => {
    const owner = await api.register('mira');
    expect(await addAsset(owner, key)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', error: 'Idempotency-Key must be 1 to 255 characters long' },
    });
    expect(await count('assets')).toBe(0);
  });

  it('has no effect on calls that may be made twice', async () => {
    const { owner, asset } = await household();
    for (const name of ['Films', 'Series']) {
      const headers = { 'idempotency-key': 'k' };
      const renamed = await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, headers, body: { name } });
      expect(renamed).toMatchObject({ status: 200, body: { name } });
    }
  });
});
