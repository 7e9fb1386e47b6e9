import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConfirmedTime } from '../../platform/confirmed-time.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { scheduleCleanup } from '../accounts/jobs.ts';

const HOUR = 60 * 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const addAsset = (as: SignedIn, key: string, name = 'Netflix') =>
  api.call<OwnedAsset>('POST', '/api/assets/', {
    as,
    headers: { 'idempotency-key': key },
    body: { name, subscription_cost: 22.99 },
  });

const count = async (table: 'assets' | 'idempotency_keys') =>
  (await api.deps.db.selectFrom(table).selectAll().execute()).length;

describe('an idempotency key', () => {
  it('expires after 24 hours', async () => {
    const owner = await api.register('mira');
    const first = await addAsset(owner, 'k');
    api.clock.advance(24 * HOUR - 1);
    expect((await addAsset(owner, 'k')).text).toBe(first.text);
    api.clock.advance(1);
    const later = await addAsset(owner, 'k', 'Disney');
    expect(later).toMatchObject({ status: 201, body: { name: 'Disney' } });
    expect(await count('assets')).toBe(2);
    expect(await count('idempotency_keys')).toBe(1);
  });
});

describe('the hourly cleanup of idempotency keys', () => {
  const cleanUp = async () => scheduleCleanup(api.deps)();

  it('deletes keys an hour after they expired', async () => {
    const owner = await api.register('mira');
    for (const key of ['old', 'older']) await addAsset(owner, key);
    api.clock.advance(HOUR);
    const first = await addAsset(owner, 'young');
    api.clock.advance(24 * HOUR - 1);
    await cleanUp();
    expect(await count('idempotency_keys')).toBe(3);
    api.clock.advance(1);
    await cleanUp();
    expect(await count('idempotency_keys')).toBe(1);
    api.clock.advance(-1);
    expect((await addAsset(owner, 'young')).text).toBe(first.text);
  });

  it('deletes nothing while the clock is in doubt', async () => {
    const owner = await api.register('mira');
    const first = await addAsset(owner, 'k');
    const jumped = createConfirmedTime({ clock: () => new Date('2100-01-01'), uptime: () => 0 });
    await scheduleCleanup({ ...api.deps, confirmedTime: jumped })();
    expect((await addAsset(owner, 'k')).text).toBe(first.text);
  });

  it('deletes more keys than fit in one batch', async () => {
    const { user } = await api.register('mira');
    await sql`
      insert into idempotency_keys (user_id, key, request_hash, status, body, created_at)
      select ${user.id}, i, '', 201, '', ${api.clock.now}::timestamptz - interval '2 days'
      from generate_series(1, 2001) i`.execute(api.deps.db);
    await cleanUp();
    expect(await count('idempotency_keys')).toBe(0);
  });
});
