import type { SignedIn } from '@hourshare/contract/accounts';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { AssetHistory } from '@hourshare/contract/insights';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import { SENTENCES } from '@hourshare/contract/sentences';
import type { SplitPreview } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from './testing/api.ts';
import { amounts, billingCalls, CLOSED } from './testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, record, statementOf } = billingCalls(() => api);

const FEBRUARY = '2026-02-01T00:00:00.000Z';

/** Mira's asset since February 1, of which Ana uses a third of her hours. */
async function household(currency: string, cost: number) {
  setClock(FEBRUARY);
  const [mira, ana] = [await api.register('mira'), await api.register('ana')];
  const asset = await api.addAsset(mira, { currency, subscription_cost: cost });
  const share = await api.share(mira, asset, ana, 30);
  await record(share, '2026-02-10T12:00:00.000Z', 10);
  return { mira, ana, asset };
}

describe.each([
  ['JPY', 2000, { mira: 1333, ana: 667 }],
  ['KWD', 5.125, { mira: 3.417, ana: 1.708 }],
  ['EUR', 15.99, { mira: 10.66, ana: 5.33 }],
])('an asset in %s', (currency, cost, split) => {
  it('is split, billed, and settled to its minor unit', async () => {
    const { mira, ana, asset } = await household(currency, cost);
    expect(asset).toMatchObject({ currency, subscription_cost: cost });
    const estimate = await statementOf(asset, '2026-02', mira);
    expect([estimate.price, estimate.currency, amounts(estimate)]).toEqual([cost, currency, split]);

    setClock(CLOSED);
    const statement = await statementOf(asset, '2026-02', mira);
    expect([statement.closed, amounts(statement)]).toEqual([true, split]);
    expect(statement.lines[1]?.explanation).toMatchObject([{ price: cost, amount: split.ana }]);

    const owed = { currency, they_owe: split.ana, you_owe: 0, net: split.ana };
    expect((await get<{ results: Balance[] }>('/api/balances/', mira)).results).toMatchObject([owed]);
    const line = statement.lines[1]?.id;
    const mark = { as: ana, body: { status: 'sent' } };
    expect(await send('POST', `/api/statement-lines/${line}/mark/`, mark)).toMatchObject({ amount: split.ana });
    const settle = { as: mira, body: { username: 'ana', currency } };
    expect(await send<Settlement>('POST', '/api/settlements/', settle)).toMatchObject({
      amount: split.ana,
      currency,
      lines: [{ amount: split.ana }],
    });
  });

  it('shows its prices in previews, history, and files', async () => {
    const { mira, asset } = await household(currency, cost);
    const path = `/api/assets/${asset.id}`;
    const preview = { as: mira, body: { split_method: 'equal' } };
    const { results } = await send<{ results: SplitPreview[] }>('POST', `${path}/split-preview/`, preview);
    expect(results[0]).toMatchObject({
      price: cost,
      currency,
      before: [{ amount: split.mira }, { amount: split.ana }],
    });
    const { months } = await get<AssetHistory>(`${path}/history/`, mira);
    expect(months.at(-1)).toMatchObject({ price: cost });
    setClock(CLOSED);
    const file = await api.call('GET', `${path}/statements/2026-02/?format=csv`, { as: mira });
    expect(file.text).toContain(`,${cost},${currency},`);
    expect(file.text).toContain(`,${split.ana},`);
  });
});

it('never adds up amounts of different currencies', async () => {
  const { mira, ana } = await household('JPY', 2000);
  const dollars = await api.addAsset(mira, { subscription_cost: 20 });
  await record(await api.share(mira, dollars, ana, 30), '2026-02-10T12:00:00.000Z', 15);
  setClock(CLOSED);
  expect((await get<{ results: Balance[] }>('/api/balances/', ana)).results).toMatchObject([
    { username: 'mira', currency: 'JPY', net: -667 },
    { username: 'mira', currency: 'USD', net: -10 },
  ]);
});

describe('a change of currency', () => {
  const patch = (as: SignedIn, asset: { id: number }, body: object) =>
    api.call<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as, body });
  const read = (as: SignedIn, asset: { id: number }) => get<OwnedAsset>(`/api/assets/${asset.id}/`, as);
  const pricesOf = async (as: SignedIn, asset: { id: number }) =>
    (
      await get<{ results: { from_month: string; subscription_cost: number }[] }>(`/api/assets/${asset.id}/prices/`, as)
    ).results.map(({ from_month, subscription_cost }) => [from_month, subscription_cost]);

  it('keeps the digits of every price', async () => {
    const { mira, asset } = await household('USD', 20);
    await send('POST', `/api/assets/${asset.id}/prices/`, {
      as: mira,
      body: { from_month: '2026-04', subscription_cost: 25 },
    });
    for (const currency of ['KWD', 'JPY', 'EUR']) {
      expect(await patch(mira, asset, { currency })).toMatchObject({
        status: 200,
        body: { currency, subscription_cost: 20 },
      });
      expect(await pricesOf(mira, asset)).toEqual([
        ['2026-02', 20],
        ['2026-04', 25],
      ]);
      expect(await statementOf(asset, '2026-02', mira)).toMatchObject({ currency, price: 20 });
    }
  });

  it('can change the cost as well, for all months that had the old one', async () => {
    const { mira, asset } = await household('USD', 15.99);
    expect(await patch(mira, asset, { currency: 'JPY', subscription_cost: 2400 })).toMatchObject({
      status: 200,
      body: { currency: 'JPY', subscription_cost: 2400 },
    });
    expect(await pricesOf(mira, asset)).toEqual([['2026-02', 2400]]);
    expect(await statementOf(asset, '2026-02', mira)).toMatchObject({ currency: 'JPY', price: 2400 });
  });

  it('is refused with the price that the currency does not have, and changes nothing', async () => {
    const { mira, asset } = await household('USD', 15.99);
    const before = await read(mira, asset);
    expect(await patch(mira, asset, { name: 'Renamed', currency: 'JPY' })).toMatchObject({
      status: 400,
      body: { fields: { subscription_cost: ["Monthly subscription cost can't have decimals"] } },
    });
    expect(await patch(mira, asset, { currency: 'JPY', subscription_cost: 9.5 })).toMatchObject({
      status: 400,
      body: { fields: { subscription_cost: ["Monthly subscription cost can't have decimals"] } },
    });
    await send('POST', `/api/assets/${asset.id}/prices/`, {
      as: mira,
      body: { from_month: '2026-04', subscription_cost: 17.99 },
    });
    expect(await patch(mira, asset, { currency: 'JPY', subscription_cost: 2400 })).toMatchObject({
      status: 400,
      body: { fields: { currency: ["Another month has a price that JPY doesn't allow. Change that price first."] } },
    });
    expect(await read(mira, asset)).toEqual(before);
  });

  it('is refused once a month has ended, and the same currency is no change', async () => {
    const { mira, asset } = await household('USD', 20);
    setClock('2026-03-01T00:00:00.000Z');
    expect(await patch(mira, asset, { currency: 'EUR', subscription_cost: 200 })).toMatchObject({
      status: 400,
      body: { code: 'month_closed', fields: { currency: [SENTENCES.currency_billed] } },
    });
    expect(await patch(mira, asset, { currency: 'USD', name: 'Renamed' })).toMatchObject({
      status: 200,
      body: { currency: 'USD', name: 'Renamed' },
    });
  });

  it('decides which later prices are allowed', async () => {
    const { mira, asset } = await household('JPY', 2000);
    const body = { from_month: '2026-04', subscription_cost: 24.5 };
    expect(await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body })).toMatchObject({
      status: 400,
      body: { fields: { subscription_cost: ["Monthly subscription cost can't have decimals"] } },
    });
    expect(await patch(mira, asset, { subscription_cost: 24.5 })).toMatchObject({ status: 400 });
  });
});
