import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { ASSETS_MAX } from '@hourshare/contract/limits';
import { SENTENCES } from '@hourshare/contract/sentences';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { recordAssets } from '../../testing/records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const HOUR = 60 * 60_000;

interface List {
  results: OwnedAsset[];
  next: string | null;
}

const add = (caller: SignedIn, body: Record<string, unknown>) =>
  api.call<OwnedAsset>('POST', '/api/assets/', { as: caller, body });
const list = async (caller: SignedIn) => (await api.call<List>('GET', '/api/assets/', { as: caller })).body;
const get = (caller: SignedIn, id: number) => api.call<OwnedAsset>('GET', `/api/assets/${id}/`, { as: caller });
const patch = (caller: SignedIn, id: number, body: unknown) =>
  api.call<OwnedAsset>('PATCH', `/api/assets/${id}/`, { as: caller, body });
/** Returns the prices of every asset, with the month from which each applies. */
const prices = () =>
  api.deps.db
    .selectFrom('periods')
    .select(['asset_id', 'price_since as from_month', 'price_cents'])
    .distinct()
    .orderBy('asset_id')
    .execute();

describe('a new asset', () => {
  it('has its owner’s username, the defaults, and no members', async () => {
    const owner = await api.register('Mira.K');
    const { status, body } = await add(owner, { name: 'Gym', subscription_cost: 5 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: 1,
      name: 'Gym',
      description: '',
      subscription_cost: 5,
      price_per_month: 5,
      cycle: null,
      spread: true,
      spread_from: null,
      trial_until: null,
      ends_on: null,
      cancel_by_days: null,
      auto_renews: true,
      reminder_days: [],
      currency: 'USD',
      time_zone: 'UTC',
      next_time_zone: null,
      split_method: 'usage',
      base_percent: 0,
      owner_hours: 0,
      max_session_hours: 24,
      max_price_per_hour: null,
      max_price_chosen: false,
      extra_cost_limit: 0,
      owner_takes_part: false,
      measured: true,
      total_hours: 0,
      places: 1,
      own_share_id: null,
      next_terms: null,
      handover: null,
      archived: false,
      unbilled: false,
      used: false,
      owner: 'Mira.K',
      your_role: 'owner',
      shared_with: [],
    });
    expect((await get(owner, body.id)).body).toEqual(body);
    expect(await list(owner)).toEqual({ results: [body], next: null });
  });

  it.each([0, 0.01, 0.07, 0.29, 1.1, 4.35, 8.2, 19.99, 64.1, 1129.6, 1e3, 4_503_599.62, 9_999_999.99])(
    'costs exactly %d in the response and in stored cents',
    async (cost) => {
      const owner = await api.register('mira');
      const { body } = await add(owner, { name: 'Gym', subscription_cost: cost });
      expect(body.subscription_cost).toBe(cost);
      expect((await get(owner, body.id)).text).toContain(`"subscription_cost":${cost},`);
      expect(await prices()).toMatchObject([{ price_cents: Number((cost * 100).toFixed(0)) }]);
    },
  );

  it('accepts a currency, a session limit, and a cost split', async () => {
    const owner = await api.register('mira');
    const terms = { currency: 'EUR', max_session_hours: 5, split_method: 'equal', base_percent: 10, owner_hours: 7 };
    expect(await api.addAsset(owner, terms)).toMatchObject(terms);
    for (const currency of ['EURO', 'eur', 'XXQ', '', 5])
      expect(
        await api.call('POST', '/api/assets/', { as: owner, body: { name: 'A', subscription_cost: 5, currency } }),
      ).toMatchObject({ status: 400, body: { fields: { currency: [SENTENCES.currency_rule] } } });
  });

  it('keeps hundreds of prices to the cent', async () => {
    const owner = await api.register('mira');
    const costs = Array.from({ length: 300 }, (_, n) =>
      Number(`${(n * 7919) % 9_999_999}.${String(n % 100).padStart(2, '0')}`),
    );
    const kept: number[] = [];
    for (const cost of costs)
      kept.push((await add(owner, { name: 'Gym', subscription_cost: cost })).body.subscription_cost);
    expect(kept).toEqual(costs);
  });

  it.each([
    [0.001, 'Monthly subscription cost must have at most two decimals'],
    [4.355, 'Monthly subscription cost must have at most two decimals'],
    [1e-7, 'Monthly subscription cost must have at most two decimals'],
    [-0.01, "Monthly subscription cost can't be negative"],
    [10_000_000, 'Monthly subscription cost must be at most 9999999.99'],
    [1e308, 'Monthly subscription cost must be at most 9999999.99'],
    ['5', 'Monthly subscription cost must be a number'],
    [null, 'Monthly subscription cost must be a number'],
    [undefined, 'Monthly subscription cost is required'],
  ])('cannot cost %s', async (cost, sentence) => {
    const owner = await api.register('mira');
    expect(await add(owner, { name: 'Gym', subscription_cost: cost })).toMatchObject({
      status: 400,
      body: {
        error: sentence,
        code: 'validation_failed',
        fields: { subscription_cost: expect.arrayContaining([sentence]) as unknown },
      },
    });
    expect((await list(owner)).results).toEqual([]);
  });

  it.each(['extra_cost_limit', 'max_price_per_hour'])(
    'says of %s, too, which amounts its currency has',
    async (field) => {
      const owner = await api.register('mira');
      const asset = { name: 'Gym', subscription_cost: 5, split_method: 'share_of_use', [field]: 0.001 };
      expect(await add(owner, asset)).toMatchObject({
        status: 400,
        body: { fields: { [field]: ['Amount must have at most two decimals'] } },
      });
    },
  );

  it.each(['NaN', 'Infinity', '1e999', '05', '.5', '0x5'])(
    'cannot cost %s, which is not a JSON number',
    async (cost) => {
      const owner = await api.register('mira');
      const body = `{"name":"Gym","subscription_cost":${cost}}`;
      const headers = { 'content-type': 'application/json' };
      expect((await api.call('POST', '/api/assets/', { as: owner, body, headers })).status).toBe(400);
      expect(await prices()).toEqual([]);
    },
  );

  it.each([
    'Mars/Olympus',
    'utc+1',
    'Europe/berlin',
    '../etc/passwd',
    'posix/UTC',
    'localtime',
    '',
    "UTC'--",
    'x'.repeat(65),
  ])('cannot use the time zone "%s"', async (zone) => {
    const owner = await api.register('mira');
    expect(await add(owner, { name: 'Gym', subscription_cost: 5, time_zone: zone })).toMatchObject({
      status: 400,
      body: { error: 'Unknown time zone', fields: { time_zone: ['Unknown time zone'] } },
    });
    expect(await prices()).toEqual([]);
  });
});

it('is refused once its owner has the maximum number of assets, deleted ones not included', async () => {
  const owner = await api.register('mira');
  await sql`
    insert into assets (owner_id, name, description, created_at)
    select ${owner.user.id}, 'Gym', '', ${api.clock.now}::timestamptz from generate_series(1, ${ASSETS_MAX - 1}::int)
  `.execute(api.deps.db);
  const gym = { name: 'Gym', subscription_cost: 5 };
  const full = { status: 400, body: { code: 'too_many_assets' } };
  expect((await add(owner, gym)).status).toBe(201);
  expect(await add(owner, gym)).toMatchObject(full);
  const one = api.deps.db.selectFrom('assets').select('id').limit(1);
  await api.deps.db.updateTable('assets').set({ deleted_at: api.clock.now }).where('id', '=', one).execute();
  expect((await add(owner, gym)).status).toBe(201);
  expect(await add(owner, gym)).toMatchObject(full);
});

describe('an asset’s name and description', () => {
  it('can have the maximum length, counted in characters and not bytes', async () => {
    const owner = await api.register('mira');
    for (const letter of ['x', 'é', '語', '😀']) {
      const texts = { name: letter.repeat(100), description: letter.repeat(2000) };
      expect(await add(owner, { ...texts, subscription_cost: 5 })).toMatchObject({ status: 201, body: texts });
    }
  });

  it.each([
    ['name', 'x'.repeat(101), 'Name must be at most 100 characters long'],
    ['name', '😀'.repeat(101), 'Name must be at most 100 characters long'],
    ['name', '', 'Name is required'],
    ['name', ' \u00a0\u3000 ', 'Name is required'],
    ['name', undefined, 'Name is required'],
    ['description', 'x'.repeat(2001), 'Description must be at most 2000 characters long'],
    ['description', null, 'Description must be text'],
  ])('are rejected when %s is %j', async (field, value, sentence) => {
    const owner = await api.register('mira');
    const answer = await add(owner, { name: 'Gym', subscription_cost: 5, [field]: value });
    expect(answer).toMatchObject({ status: 400, body: { error: sentence, fields: { [field]: [sentence] } } });
    expect((await list(owner)).results).toEqual([]);
  });

  it('keep their text, the name without surrounding spaces', async () => {
    const owner = await api.register('mira');
    const spaced = { name: `  ${'x'.repeat(100)}  `, description: '  kept\n as it is ' };
    const { body } = await add(owner, { ...spaced, subscription_cost: 5 });
    expect(body).toMatchObject({ name: 'x'.repeat(100), description: spaced.description });
  });
});

describe('an owner', () => {
  it('sees their assets in the order they were added, even after changes', async () => {
    const owner = await api.register('mira');
    expect(await list(owner)).toEqual({ results: [], next: null });
    const ids: number[] = [];
    for (const name of ['Netflix', 'Adobe', 'Zoom', 'adobe']) ids.push((await api.addAsset(owner, { name })).id);
    await patch(owner, ids[1]!, { name: 'ZZZ' });
    expect((await list(owner)).results.map(({ id, name }) => [id, name])).toEqual([
      [ids[0], 'Netflix'],
      [ids[1], 'ZZZ'],
      [ids[2], 'Zoom'],
      [ids[3], 'adobe'],
    ]);
  });

  it.each([
    [{ name: ' Renamed ' }, { name: 'Renamed', description: 'Living room' }],
    [{ description: '' }, { name: 'Netflix Premium', description: '' }],
    [
      { name: 'New', description: 'Both' },
      { name: 'New', description: 'Both' },
    ],
    [{}, { name: 'Netflix Premium', description: 'Living room' }],
  ])('changes only the given fields: %j', async (body, expected) => {
    const owner = await api.register('mira');
    const asset = await api.addAsset(owner);
    const other = await api.addAsset(owner);
    const answer = await patch(owner, asset.id, body);
    expect(answer).toMatchObject({ status: 200, body: { ...asset, ...expected } });
    expect((await get(owner, asset.id)).body).toEqual(answer.body);
    expect((await get(owner, other.id)).body).toEqual(other);
  });

  it.each(['owner', 'id', 'next_time_zone', 'shared_with', 'owner_id'])(
    'cannot change %s, even along with the name',
    async (field) => {
      const owner = await api.register('mira');
      const asset = await api.addAsset(owner);
      expect(await patch(owner, asset.id, { name: 'New', [field]: 1 })).toMatchObject({
        status: 400,
        body: { error: `Unknown field "${field}"`, fields: { [field]: ['Unknown field'] } },
      });
      expect((await get(owner, asset.id)).body).toEqual(asset);
    },
  );

  it.each([{ name: '' }, { name: null }, { name: ' ' }, { description: null }, { name: 'x'.repeat(101) }])(
    'cannot change an asset to %j',
    async (body) => {
      const owner = await api.register('mira');
      const asset = await api.addAsset(owner);
      expect((await patch(owner, asset.id, body)).status).toBe(400);
      expect((await get(owner, asset.id)).body).toEqual(asset);
    },
  );
});

describe('a price', () => {
  it.each([
    ['2026-03-31T23:30:00.000Z', 'Asia/Tokyo', '2026-04-01'],
    ['2026-03-31T14:59:59.999Z', 'Asia/Tokyo', '2026-03-01'],
    ['2026-03-31T15:00:00.000Z', 'Asia/Tokyo', '2026-04-01'],
    ['2026-03-31T23:30:00.000Z', 'UTC', '2026-03-01'],
    ['2026-04-01T03:59:59.999Z', 'America/New_York', '2026-03-01'],
    ['2026-01-01T05:00:00.000Z', 'America/New_York', '2026-01-01'],
    ['2025-12-31T10:00:00.000Z', 'Pacific/Kiritimati', '2026-01-01'],
    ['2028-02-29T23:59:59.999Z', 'UTC', '2028-02-01'],
  ])('set at %s in %s applies from %s', async (now, zone, month) => {
    const owner = await api.register('mira');
    api.clock.now = new Date(now);
    const asset = await api.addAsset(owner, { time_zone: zone, subscription_cost: 4.35 });
    expect(asset).toMatchObject({ time_zone: zone, subscription_cost: 4.35 });
    expect(await prices()).toEqual([{ asset_id: asset.id, from_month: month, price_cents: 435 }]);
    for (const later of [HOUR, 400 * 24 * HOUR, -60 * 24 * HOUR]) {
      api.clock.now = new Date(Date.parse(now) + later);
      expect((await get(owner, asset.id)).body.subscription_cost).toBe(4.35);
    }
  });

  it('changes when the next month begins in the asset’s time zone', async () => {
    const owner = await api.register('mira');
    const { id } = await api.addAsset(owner, { time_zone: 'Asia/Tokyo', subscription_cost: 10 });
    const body = { from_month: '2026-04', subscription_cost: 12.5 };
    expect((await api.call('POST', `/api/assets/${id}/prices/`, { as: owner, body })).status).toBe(201);
    const cost = async (now: string) => {
      api.clock.now = new Date(now);
      return (await get(owner, id)).body.subscription_cost;
    };
    expect(await cost('2026-03-31T14:59:59.999Z')).toBe(10);
    expect(await cost('2026-03-31T15:00:00.000Z')).toBe(12.5);
  });
});

it('lists 200 assets with 3 members each in one response', async () => {
  const owner = await api.register('mira');
  const members = await Promise.all(['ben', 'kim', 'zoe'].map((name) => api.register(name)));
  const now = api.clock.now;
  const names = Array.from({ length: 200 }, (_, n) => `Asset ${n}`);
  const assets = await recordAssets(
    api.deps.db,
    names.map((name, index) => ({ owner_id: owner.user.id, name, created_at: now, priceCents: index + 1 })),
    now,
  );
  const shares = assets.flatMap((id) =>
    members.map(({ user }) => ({
      asset_id: id,
      member_id: user.id,
      monthly_hours_allocated: 7,
      created_at: now,
      accepted_at: now,
    })),
  );
  await api.deps.db.insertInto('shares').values(shares).execute();

  const { results, next } = await list(owner);
  expect(next).toBeNull();
  expect(results.map(({ name }) => name)).toEqual(names);
  expect(
    results.map(({ id, subscription_cost }) => subscription_cost * 100 - id).every((rest) => Math.abs(rest) < 1e-6),
  ).toBe(true);
  for (const { shared_with } of results)
    expect(shared_with.map((entry) => entry.shared_with_username)).toEqual(['ben', 'kim', 'zoe']);
});
