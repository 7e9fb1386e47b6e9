import type { OwnedAsset } from '@hourshare/contract/assets';
import type { NoticeList } from '@hourshare/contract/notifications';
import type { Price } from '@hourshare/contract/periods';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveEndedAssets } from '../../assets/service.ts';
import { updateAccess } from '../../shares/starts/service.ts';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { amounts, billingCalls } from '../../../testing/bills.ts';
import { whileRefused } from '../../../testing/refusals.ts';
import { dispatchAll } from '../../notifications/dispatch/service.ts';

let api: TestApi;
let mira: SignedIn;
let ana: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  setClock('2026-03-14T09:00:00Z');
  mira = await api.register('mira');
  ana = await api.register('ana');
});
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, statementsOf } = billingCalls(() => api);

const YEARLY = { every: 1, unit: 'year', anchor: '2026-03-14' };
const MONTHS = Array.from({ length: 13 }, (_, index) =>
  new Date(Date.UTC(2026, 2 + index, 1)).toISOString().slice(0, 7),
);
const add = (asset: object = {}) => api.addAsset(mira, { subscription_cost: 120, cycle: YEARLY, ...asset });
const change = (asset: OwnedAsset, body: object, as = mira) =>
  api.call<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as, body });
const read = (asset: OwnedAsset) => get<OwnedAsset>(`/api/assets/${asset.id}/`, mira);
const cents = (amount: number) => Math.round(amount * 100);
const setPrice = (asset: OwnedAsset, from_month: string, subscription_cost: number) =>
  api.call<{ results: Price[] }>('POST', `/api/assets/${asset.id}/prices/`, {
    as: mira,
    body: { from_month, subscription_cost },
  });

/** Returns what months cost, closing each as time passes. */
async function pricesOf(asset: OwnedAsset, months: readonly string[]): Promise<number[]> {
  const prices = [];
  for (const month of months) {
    setClock(`${month}-28T12:00:00Z`);
    prices.push(cents((await statementOf(asset, month, mira)).price));
  }
  return prices;
}

describe('a price per cycle', () => {
  it('is spread over months that add up to it, and closes as it was', async () => {
    const asset = await add();
    expect(asset).toMatchObject({
      subscription_cost: 120,
      cycle: YEARLY,
      price_per_month: 10,
      reminder_days: [30, 7, 1],
    });
    await api.share(mira, asset, ana, 10);
    const prices = await pricesOf(asset, MONTHS);
    expect(prices[8]).toBe(986);
    const nextMarch = (await statementOf(asset, '2027-03', mira)).price_parts;
    expect(nextMarch).toMatchObject([
      { cycle_from: '2026-03-14', days: 13, so_far: 120 },
      { cycle_from: '2027-03-14', days: 18 },
    ]);
    const until = cents(nextMarch[0]?.amount ?? 0);
    expect(prices.slice(0, 12).reduce((sum, price) => sum + price, until)).toBe(12_000);
    const november = await statementOf(asset, '2026-11', mira);
    expect(november).toMatchObject({
      price: 9.86,
      closed: true,
      price_parts: [
        {
          every: 1,
          unit: 'year',
          cycle_from: '2026-03-14',
          cycle_days: 365,
          cycle_price: 120,
          days: 30,
          amount: 9.86,
          so_far: 86.13,
          spread: true,
        },
      ],
    });
  });

  it('is calculated for months that passed while no one looked', async () => {
    const asset = await add();
    await api.share(mira, asset, ana, 10);
    setClock('2027-06-20T12:00:00Z');
    const statements = await statementsOf(asset, mira);
    const prices = new Map(statements.map(({ month, price }) => [month, cents(price)]));
    expect(prices.get('2026-11')).toBe(986);
    expect(prices.size).toBe(16);
  });

  it('costs nothing to the end of a trial, nor from its end on', async () => {
    const trial = await add({ cycle: null, subscription_cost: 30, trial_until: '2026-04-20' });
    expect(trial).toMatchObject({ cycle: null, subscription_cost: 30, price_per_month: 30, trial_until: '2026-04-20' });
    expect(await pricesOf(trial, ['2026-03', '2026-04', '2026-05'])).toEqual([0, 1000, 3000]);
  });

  it('is charged at once, if it is not spread', async () => {
    const asset = await add({ spread: false });
    expect(await pricesOf(asset, MONTHS)).toEqual([12_000, ...Array.from({ length: 11 }, () => 0), 12_000]);
  });

  it('is spread or not from the next cycle on, if that is switched once a month of this one has ended', async () => {
    const asset = await add();
    setClock('2026-06-10T12:00:00Z');
    expect((await change(asset, { spread: false })).body).toMatchObject({ spread: false, spread_from: '2027-03-14' });
    expect((await change(asset, { spread: true })).body).toMatchObject({ spread: true, spread_from: null });
    await change(asset, { spread: false, subscription_cost: 240 });
    const prices = await pricesOf(asset, MONTHS);
    expect(prices).toEqual([591, 987, 1019, ...prices.slice(3, 12), 428 + 24_000]);
    expect(prices.slice(0, 12).reduce((sum, price) => sum + price, 428)).toBe(12_000);
    expect((await statementOf(asset, '2027-03', mira)).price_parts).toMatchObject([
      { cycle_price: 120, spread: true, so_far: 120 },
      { cycle_price: 240, spread: false, so_far: 240 },
    ]);
  });

  it('is spread or not at once in the first month of a cycle, or of the plan', async () => {
    const asset = await add();
    setClock('2026-03-31T12:00:00Z');
    expect((await change(asset, { spread: false })).body).toMatchObject({ spread_from: null });
    expect((await statementOf(asset, '2026-03', mira)).price).toBe(120);
    setClock('2026-06-10T12:00:00Z');
    const late = await add();
    expect((await change(late, { spread: false })).body).toMatchObject({ spread_from: null });
    expect((await statementOf(late, '2026-06', mira)).price).toBe(0);
  });

  it('counts local days, whatever the zone and however it moves', async () => {
    const asset = await add({ time_zone: 'Europe/Berlin' });
    const plain = await add();
    setClock('2026-06-10T12:00:00Z');
    await change(asset, { time_zone: 'America/Los_Angeles' });
    setClock('2027-04-10T12:00:00Z');
    const [moved, still] = [await statementsOf(asset, mira), await statementsOf(plain, mira)];
    expect(moved.map(({ price }) => price)).toEqual(still.map(({ price }) => price));
  });
});

describe('a change of the price', () => {
  it('corrects the running cycle while none of its months has ended, and then starts with the next', async () => {
    const asset = await add();
    expect((await change(asset, { subscription_cost: 240 })).body).toMatchObject({ subscription_cost: 240 });
    expect(cents((await statementOf(asset, '2026-03', mira)).price)).toBe(Math.floor((24_000 * 18) / 365));
    setClock('2026-04-10T12:00:00Z');
    expect((await change(asset, { subscription_cost: 365 })).body).toMatchObject({ subscription_cost: 240 });
    expect((await get<{ results: Price[] }>(`/api/assets/${asset.id}/prices/`, mira)).results).toEqual([
      { from_month: '2026-03', subscription_cost: 240, open: false },
      { from_month: '2027-03', subscription_cost: 365, open: true },
    ]);
    setClock('2027-03-20T12:00:00Z');
    expect((await statementOf(asset, '2027-03', mira)).price_parts).toMatchObject([
      { cycle_price: 240, days: 13, so_far: 240 },
      { cycle_price: 365, days: 18, amount: 17.95 },
    ]);
  });

  it('is one change together with how it is spread, so that no price between the two limits what members pay', async () => {
    const asset = await add({ spread: false });
    await change(asset, { spread: true, subscription_cost: 240 });
    const price = Math.floor((24_000 * 18) / 365) / 100;
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject({
      price,
      price_changes: [{ from: 120, to: price }],
    });
  });

  it('named for a month, starts with the first cycle from then on', async () => {
    const asset = await add();
    expect((await setPrice(asset, '2026-07', 130)).body.results.at(-1)).toMatchObject({ from_month: '2027-03' });
    expect((await setPrice(asset, '2027-03', 140)).body.results).toMatchObject([
      { from_month: '2026-03', subscription_cost: 120 },
      { from_month: '2027-03', subscription_cost: 140 },
    ]);
    expect((await setPrice(asset, '2026-03', 150)).status).toBe(201);
    expect(await read(asset)).toMatchObject({ subscription_cost: 150 });
    setClock('2026-04-02T12:00:00Z');
    expect(await setPrice(asset, '2026-03', 160)).toMatchObject({ status: 400, body: { code: 'price_only_lowered' } });
    expect((await setPrice(asset, '2026-03', 73)).status).toBe(201);
    expect((await statementOf(asset, '2026-03', mira)).price).toBe(3.6);
  });

  it('to another cycle applies from the current month, and back', async () => {
    const asset = await api.addAsset(mira, { subscription_cost: 10 });
    await api.share(mira, asset, ana, 10);
    setClock('2026-04-10T12:00:00Z');
    expect(await change(asset, { cycle: YEARLY })).toMatchObject({
      status: 400,
      body: { fields: { subscription_cost: [expect.any(String)] } },
    });
    expect((await change(asset, { cycle: YEARLY, subscription_cost: 365 })).body).toMatchObject({
      price_per_month: 30.42,
    });
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject({ price: 10, price_parts: [] });
    expect(await statementOf(asset, '2026-04', mira)).toMatchObject({
      price: 30,
      price_changes: [{ from: 10, to: 30 }],
    });
    expect((await change(asset, { cycle: null, subscription_cost: 12 })).body).toMatchObject({
      cycle: null,
      subscription_cost: 12,
    });
    expect(await statementOf(asset, '2026-04', mira)).toMatchObject({
      price: 12,
      price_parts: [],
      price_changes: [{}, { from: 30, to: 12 }],
    });
  });

  it('for later is dropped when the length of cycles changes, and stays otherwise', async () => {
    const monthly = await api.addAsset(mira, { subscription_cost: 10 });
    const yearly = await add();
    await setPrice(monthly, '2026-06', 12);
    await setPrice(yearly, '2027-03', 140);
    const later = async (asset: OwnedAsset) =>
      (await get<{ results: Price[] }>(`/api/assets/${asset.id}/prices/`, mira)).results.map((each) => [
        each.from_month,
        each.subscription_cost,
      ]);
    await change(monthly, { cycle: { every: 1, unit: 'month', anchor: '2026-03-10' }, subscription_cost: 11 });
    expect(await later(monthly)).toEqual([
      ['2026-03', 11],
      ['2026-06', 12],
    ]);
    await change(monthly, { cycle: YEARLY, subscription_cost: 120 });
    await change(yearly, { cycle: null, subscription_cost: 12 });
    expect(await later(monthly)).toEqual([['2026-03', 120]]);
    expect(await later(yearly)).toEqual([['2026-03', 12]]);
    expect((await pricesOf(yearly, ['2026-04', '2027-04'])).concat(await pricesOf(monthly, ['2027-05']))).toEqual([
      1200,
      1200,
      Math.floor((12_000 * 79) / 366) - Math.floor((12_000 * 48) / 366),
    ]);
  });

  it('to the same adds months that cost what the plan says', async () => {
    const asset = await add({ spread: false });
    await setPrice(asset, '2030-03', 120);
    setClock('2030-04-10T12:00:00Z');
    const prices = new Map((await statementsOf(asset, mira)).map(({ month, price }) => [month, price]));
    expect([prices.get('2030-02'), prices.get('2030-03'), prices.get('2030-04')]).toEqual([0, 120, 0]);
  });

  it('of a month from before the plan, or with one that is gone, is that of the month', async () => {
    const monthly = await api.addAsset(mira, { name: 'Films', subscription_cost: 10 });
    const yearly = await add({ cycle: { ...YEARLY, anchor: '2026-03-01' }, subscription_cost: 365 });
    setClock('2026-04-02T12:00:00Z');
    await change(monthly, { cycle: { ...YEARLY, anchor: '2026-04-10' }, subscription_cost: 120 });
    await change(yearly, { cycle: null, subscription_cost: 40 });
    expect((await setPrice(monthly, '2026-03', 8)).status).toBe(201);
    expect((await setPrice(yearly, '2026-03', 183)).status).toBe(201);
    expect(await statementOf(monthly, '2026-03', mira)).toMatchObject({ price: 8, price_parts: [] });
    expect((await read(monthly)).subscription_cost).toBe(120);
    expect(await statementOf(yearly, '2026-03', mira)).toMatchObject({ price_parts: [{ cycle_price: 183 }] });
    expect((await read(yearly)).subscription_cost).toBe(40);
  });

  it('to another currency is one of every open month', async () => {
    const asset = await add();
    setClock('2026-04-02T12:00:00Z');
    expect((await change(asset, { currency: 'JPY', subscription_cost: 3650 })).status).toBe(200);
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject({
      currency: 'JPY',
      price: 180,
      price_parts: [{ cycle_price: 3650, days: 18, amount: 180 }],
      price_changes: [],
    });
    expect(await statementOf(asset, '2026-04', mira)).toMatchObject({ price: 300, price_changes: [] });
  });

  it('and of the plan tell members what is another', async () => {
    const asset = await api.addAsset(mira, { name: 'Films', subscription_cost: 10 });
    await api.share(mira, asset, ana, 10);
    for (const body of [{ cycle: YEARLY, subscription_cost: 120 }, { trial_until: '2026-04-20' }]) {
      await change(asset, body);
      setClock('2026-03-14T10:00:00Z');
    }
    await dispatchAll(api.deps);
    const { results } = await get<NoticeList>('/api/notifications/', ana);
    expect(results.filter(({ kind }) => kind === 'price_changed').map(({ text, detail }) => [text, detail])).toEqual([
      ['Films is paid differently starting March 2026', ''],
      ['Films costs $120.00 every year starting March 2026', 'Before: $10.00 every month. Now: $120.00 every year.'],
    ]);
  });

  it('to a long cycle from a short one sets the usual reminders, unless there are others', async () => {
    const cycle = { every: 1, unit: 'month', anchor: '2026-03-14' };
    const [none, own] = [await add({ cycle }), await add({ cycle, reminder_days: [2] })];
    expect(none).toMatchObject({ reminder_days: [] });
    for (const [asset, reminder_days] of [
      [none, [30, 7, 1]],
      [own, [2]],
    ] as const)
      expect((await change(asset, { cycle: YEARLY, subscription_cost: 120 })).body).toMatchObject({ reminder_days });
  });

  it('says what is wrong in which field', async () => {
    const asset = await add();
    const refused = async (body: object) => {
      const answer = await change(asset, body);
      expect(answer.status).toBe(400);
      return Object.keys((answer.body as unknown as { fields: object }).fields);
    };
    expect(await refused({ cycle: { ...YEARLY, every: 0 } })).toEqual(['cycle.every']);
    expect(await refused({ cycle: { ...YEARLY, every: 37 } })).toEqual(['cycle.every']);
    expect(await refused({ cycle: { ...YEARLY, unit: 'week' } })).toEqual(['cycle.unit']);
    expect(await refused({ cycle: { ...YEARLY, anchor: '2026-02-30' } })).toEqual(['cycle.anchor']);
    expect(await refused({ cycle: { ...YEARLY, anchor: '0001-02-03' } })).toEqual(['cycle.anchor']);
    expect(await refused({ cycle: null })).toEqual(['subscription_cost']);
    expect(await refused({ cycle: null, subscription_cost: 1, spread: false })).toEqual(['spread']);
    expect(await refused({ trial_until: 'soon' })).toEqual(['trial_until']);
    expect(await refused({ ends_on: '2026-03-14' })).toEqual(['ends_on']);
    expect(await refused({ cancel_by_days: 366 })).toEqual(['cancel_by_days']);
    expect(await refused({ reminder_days: [1, 2, 3, 4, 5, 6] })).toEqual(['reminder_days']);
    expect(await refused({ auto_renews: 'yes' })).toEqual(['auto_renews']);
  });
});

describe('what a member agreed to', () => {
  const shareOf = (share: SharedAsset) => get<SharedAsset>(`/api/shared-assets/${share.id}/`, ana);

  it('is compared by the price per cycle, and limits each month to what it would have cost', async () => {
    const asset = await add({ split_method: 'equal' });
    const share = await api.share(mira, asset, ana, 10);
    expect(await shareOf(share)).toMatchObject({
      asked: false,
      agreed: {
        price: 10,
        plan: { price: 120, cycle: YEARLY, spread: true, trial_until: null, started_on: YEARLY.anchor },
      },
    });
    setClock('2026-04-10T12:00:00Z');
    expect(await shareOf(share)).toMatchObject({ asked: false });
    await setPrice(asset, '2027-03', 240);
    setClock('2027-02-10T12:00:00Z');
    expect(await shareOf(share)).toMatchObject({ asked: false });
    setClock('2027-04-10T12:00:00Z');
    expect(await shareOf(share)).toMatchObject({ asked: true });
    const { price, lines } = await statementOf(asset, '2027-04', mira);
    // 30 days of 366. At the price that she said yes to, they would have cost $9.83, and half of that is hers.
    expect(price).toBe(19.67);
    expect(lines).toMatchObject([{}, { username: 'ana', amount: 4.92, maximum: 4.92 }]);
  });

  it('is asked for again when the whole price comes in one month', async () => {
    const asset = await add({ split_method: 'equal' });
    const share = await api.share(mira, asset, ana, 10);
    await change(asset, { spread: false });
    expect(await shareOf(share)).toMatchObject({ asked: true });
    expect(amounts(await statementOf(asset, '2026-03', mira))['ana']).toBeLessThanOrEqual(2.96);
    const { terms } = await shareOf(share);
    await send('POST', `/api/shared-assets/${share.id}/agree/`, { as: ana, body: { terms } });
    expect(await shareOf(share)).toMatchObject({ asked: false, agreed: { plan: { spread: false } } });
  });

  it('is not asked for again for free days that are over, and is for those to come', async () => {
    const asset = await api.addAsset(mira, { subscription_cost: 30, trial_until: '2026-03-20', split_method: 'equal' });
    const share = await api.share(mira, asset, ana, 10);
    const isAsked = async () => [
      (await shareOf(share)).asked,
      (await read(asset)).shared_with.find(({ id }) => id === share.id)?.asked,
      (await statementOf(asset, '2026-03', mira)).lines.find(({ username }) => username === 'ana')?.asked,
    ];
    await change(asset, { trial_until: '2026-03-16' });
    expect(await isAsked()).toEqual([true, true, true]);
    await change(asset, { trial_until: '2026-03-20' });
    expect(await isAsked()).toEqual([false, false, false]);
    setClock('2026-03-22T09:00:00Z');
    await change(asset, { trial_until: '2026-03-16' });
    expect(await isAsked()).toEqual([false, false, false]);
    await change(asset, { trial_until: null });
    expect(await isAsked()).toEqual([false, false, false]);
    // Half of the eleven days that were not free when she agreed, for 18 of 31 days.
    expect(amounts(await statementOf(asset, '2026-03', mira))['ana']).toBe(3.1);
  });

  it('stays, as does the price of the running cycle, if the same renewals are written otherwise', async () => {
    const asset = await add({ split_method: 'equal' });
    const share = await api.share(mira, asset, ana, 10);
    setClock('2026-06-10T12:00:00Z');
    const later = { every: 12, unit: 'month', anchor: '2027-03-14' };
    const body = { cycle: later, subscription_cost: 240 };
    expect((await change(asset, body)).body).toMatchObject({ cycle: YEARLY, subscription_cost: 120 });
    expect(await shareOf(share)).toMatchObject({ asked: false });
    for (const cycle of [
      { ...YEARLY, anchor: '2025-03-14' },
      { ...YEARLY, anchor: '2026-03-15' },
    ])
      expect((await change(asset, { cycle, subscription_cost: 120 })).body).toMatchObject({ cycle });
  });

  it('is asked for before the whole price comes in one month, and limits the months until then to their parts', async () => {
    const asset = await add({ split_method: 'equal' });
    const share = await api.share(mira, asset, ana, 10);
    setClock('2026-06-10T12:00:00Z');
    await change(asset, { spread: false });
    const { asked, terms } = await shareOf(share);
    expect([asked, terms?.plan]).toMatchObject([true, { spread: false, spread_from: '2027-03-14' }]);
    await send('POST', `/api/shared-assets/${share.id}/agree/`, { as: ana, body: { terms } });
    expect(await shareOf(share)).toMatchObject({ asked: false });
    expect((await statementOf(asset, '2026-06', mira)).lines).toMatchObject([{}, { amount: 4.93, covered: 0 }]);
    setClock('2027-04-02T12:00:00Z');
    expect((await statementOf(asset, '2027-03', mira)).lines).toMatchObject([{}, { amount: 62.14, covered: 0 }]);
  });

  it('holds for members who leave in the year: they owe nothing after the day', async () => {
    const asset = await add({ split_method: 'equal' });
    const share = await api.share(mira, asset, ana, 10);
    setClock('2026-06-10T12:00:00Z');
    await send('POST', `/api/shared-assets/${share.id}/leave/`, { as: ana });
    setClock('2026-08-10T12:00:00Z');
    const [july, june] = [await statementOf(asset, '2026-07', mira), await statementOf(asset, '2026-06', mira)];
    expect(july.lines.map(({ username }) => username)).toEqual(['mira']);
    expect(june.lines).toMatchObject([{}, { days: 10 }]);
  });

  it('an offer names a month at most, and changes with the plan', async () => {
    const asset = await add();
    const offer = await api.offer(mira, asset, ana, 10);
    expect(offer).toMatchObject({ offer: { price: 120, plan: { price: 120 } }, cost_of_all: 10.2 });
    const seen = { terms: offer.terms, price: 120 };
    await change(asset, { spread: false });
    expect(await api.call('POST', `/api/shared-assets/${offer.id}/accept/`, { as: ana, body: seen })).toMatchObject({
      status: 409,
    });
  });
});

describe('a plan that ends', () => {
  it('is archived on that day, costs nothing for a cycle that would start, and goes on when it is restored', async () => {
    const asset = await add({ ends_on: '2027-03-14' });
    const share = await api.share(mira, asset, ana, 10);
    await record(share, '2026-04-01T08:00:00Z', 1);
    setClock('2027-03-13T23:59:00Z');
    await archiveEndedAssets(api.deps);
    expect(await read(asset)).toMatchObject({ archived: false, ends_on: '2027-03-14' });
    const statement = await get<Statement>(`/api/assets/${asset.id}/statements/2027-03/`, mira);
    expect(statement.price_parts).toMatchObject([{ days: 13, so_far: 120 }]);
    setClock('2027-03-14T00:00:00Z');
    await Promise.all([archiveEndedAssets(api.deps), archiveEndedAssets(api.deps)]);
    expect(await read(asset)).toMatchObject({ archived: true, ends_on: '2027-03-14' });
    setClock('2027-03-14T20:00:00Z');
    expect((await change(asset, { archived: false })).body).toMatchObject({ archived: false, ends_on: null });
    await archiveEndedAssets(api.deps);
    expect(await read(asset)).toMatchObject({ archived: false });
    expect((await statementOf(asset, '2027-03', mira)).price_parts).toMatchObject([{}, { days: 18 }]);
  });

  it('costs members nothing from that day on, however late the server notices', async () => {
    setClock('2026-03-01T00:00:00Z');
    const plan = { cycle: null, subscription_cost: 31, ends_on: '2026-03-11', split_method: 'equal' };
    const [asset, used, forgotten] = [await add(plan), await add(plan), await add(plan)];
    await api.share(mira, asset, ana, 10);
    const share = await api.share(mira, used, ana, 10);
    const left = await api.share(mira, forgotten, ana, 10);
    setClock('2026-03-10T08:00:00Z');
    await send('POST', `/api/shared-assets/${left.id}/start/`, { as: ana });
    setClock('2026-03-12T08:00:00Z');
    await send('POST', `/api/shared-assets/${share.id}/start/`, { as: ana });
    setClock('2026-03-12T09:00:00Z');
    await send('POST', `/api/shared-assets/${share.id}/end/`, { as: ana });
    setClock('2026-04-02T12:00:00Z');
    await archiveEndedAssets(api.deps);
    expect((await statementOf(asset, '2026-03', mira)).lines).toMatchObject([{}, { days: 10, amount: 5 }]);
    const april = await api.call('GET', `/api/assets/${asset.id}/statements/2026-04/`, { as: mira });
    expect(april).toMatchObject({ status: 404 });
    // What they use until then is still theirs.
    expect((await statementOf(used, '2026-03', mira)).lines).toMatchObject([{}, { days: 12, used_hours: 1 }]);
    // A session that nobody ended counts until its limit, even before the server has ended it.
    expect((await statementOf(forgotten, '2026-03', mira)).lines).toMatchObject([{}, { days: 11, used_hours: 24 }]);
  });

  it('costs members nothing from that day on, even if the owner came to have access of their own since', async () => {
    setClock('2026-03-01T00:00:00Z');
    const asset = await add({ cycle: null, subscription_cost: 31, ends_on: '2026-03-11', split_method: 'equal' });
    await api.share(mira, asset, ana, 10);
    expect((await change(asset, { owner_takes_part: true, owner_hours: 5 })).status).toBe(200);
    setClock('2026-04-02T12:00:00Z');
    await updateAccess(api.deps);
    await archiveEndedAssets(api.deps);
    expect((await statementOf(asset, '2026-03', mira)).lines).toMatchObject([{}, { days: 10, amount: 5 }]);
  });

  it('does not make a month dearer that ended before it was restored', async () => {
    const asset = await add({
      cycle: { every: 1, unit: 'month', anchor: '2026-03-14' },
      subscription_cost: 31,
      ends_on: '2026-04-14',
    });
    await api.share(mira, asset, ana, 10);
    setClock('2026-04-14T12:00:00Z');
    await archiveEndedAssets(api.deps);
    setClock('2026-05-02T12:00:00Z');
    await change(asset, { archived: false });
    expect((await setPrice(asset, '2026-04', 30)).status).toBe(201);
    expect(await statementOf(asset, '2026-04', mira)).toMatchObject({ price: 13, price_parts: [{ days: 13 }] });
    expect((await statementOf(asset, '2026-05', mira)).price).toBe(30.41);
  });

  it('is archived even if that of another asset fails', async () => {
    const [broken, intact] = [await add({ ends_on: '2026-04-01' }), await add({ ends_on: '2026-04-01' })];
    setClock('2026-04-01T12:00:00Z');
    const condition = `new.id = ${broken.id} and new.archived_at is not null`;
    await whileRefused(api.deps.db, { table: 'assets', condition }, () => archiveEndedAssets(api.deps));
    expect(await read(broken)).toMatchObject({ archived: false });
    expect(await read(intact)).toMatchObject({ archived: true });
  });

  it('can be changed by its owner alone', async () => {
    const asset = await add();
    const share = await api.share(mira, asset, ana, 10);
    await send('PATCH', `/api/assets/${asset.id}/share/${share.id}/`, { as: mira, body: { manager: true } });
    for (const body of [{ spread: false }, { ends_on: '2026-05-01' }, { trial_until: '2026-04-01' }])
      expect(await change(asset, body, ana)).toMatchObject({ body: { code: 'owner_only' } });
    expect(await change(asset, { cancel_by_days: 14 }, ana)).toMatchObject({
      status: 200,
      body: { cancel_by_days: 14 },
    });
  });
});
