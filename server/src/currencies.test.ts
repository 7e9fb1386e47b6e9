import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
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
  const pricesOf = async (as: SignedIn, asset: { id: number }) =>
    (
      await get<{ results: { from_month: string; subscription_cost: number }[] }>(`/api/assets/${asset.id}/prices/`, as)
    ).results.map(({ from_month, subscription_cost }) => [from_month, subscription_cost]);

  /** An asset since February 1 that no one else has access to, with another price from April on. */
  async function unshared(cost: number, later: number) {
    setClock(FEBRUARY);
    const mira = await api.register('mira');
    const asset = await api.addAsset(mira, { subscription_cost: cost });
    const body = { from_month: '2026-04', subscription_cost: later };
    await send('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body });
    return { mira, asset };
  }

  it('keeps the digits of every price, also of months that are closed', async () => {
    const { mira, asset } = await unshared(20, 25);
    setClock(CLOSED);
    for (const currency of ['KWD', 'JPY', 'EUR']) {
      expect(await patch(mira, asset, { currency })).toMatchObject({
        status: 200,
        body: { currency, subscription_cost: 20 },
      });
      expect(await pricesOf(mira, asset)).toEqual([
        ['2026-02', 20],
        ['2026-04', 25],
      ]);
    }
  });

  it('is refused with the price that the currency does not have, and changes nothing', async () => {
    const { mira, asset } = await unshared(15.99, 17.49);
    const before = await get<OwnedAsset>(`/api/assets/${asset.id}/`, mira);
    expect(await patch(mira, asset, { name: 'Renamed', currency: 'JPY' })).toMatchObject({
      status: 400,
      body: { fields: { subscription_cost: ["Monthly subscription cost can't have decimals"] } },
    });
    expect(await patch(mira, asset, { currency: 'JPY', subscription_cost: 2400 })).toMatchObject({
      status: 400,
      body: { fields: { currency: ["Another month has a price that JPY doesn't allow. Change that price first."] } },
    });
    expect(await get<OwnedAsset>(`/api/assets/${asset.id}/`, mira)).toEqual(before);
  });

  it('rounds only prices of closed months, which can no longer be changed', async () => {
    const { mira, asset } = await unshared(15.99, 17);
    setClock('2026-02-10T00:00:00.000Z');
    await send('POST', `/api/assets/${asset.id}/prices/`, {
      as: mira,
      body: { from_month: '2026-03', subscription_cost: 16 },
    });
    expect((await patch(mira, asset, { currency: 'JPY' })).status).toBe(400);
    setClock(CLOSED);
    const { price, currency } = await statementOf(asset, '2026-02', mira);
    expect((await patch(mira, asset, { currency: 'JPY' })).body).toMatchObject({ subscription_cost: 16 });
    expect(await pricesOf(mira, asset)).toEqual([
      ['2026-02', 16],
      ['2026-03', 16],
      ['2026-04', 17],
    ]);
    expect(await statementOf(asset, '2026-02', mira)).toMatchObject({ price, currency });
  });

  it('can change the cost as well, for all months that had the old one', async () => {
    const { mira, asset } = await unshared(15.99, 17);
    setClock('2026-02-10T12:00:00.000Z');
    expect(await patch(mira, asset, { currency: 'JPY', subscription_cost: 9.5 })).toMatchObject({
      status: 400,
      body: { fields: { subscription_cost: ["Monthly subscription cost can't have decimals"] } },
    });
    expect(await patch(mira, asset, { currency: 'JPY', subscription_cost: 2400 })).toMatchObject({
      status: 200,
      body: { currency: 'JPY', subscription_cost: 2400 },
    });
    expect(await pricesOf(mira, asset)).toEqual([
      ['2026-02', 2400],
      ['2026-04', 17],
    ]);
  });

  it('leaves no change of price in another currency on the statement of who joins', async () => {
    const { mira, asset } = await unshared(15, 17);
    await patch(mira, asset, { subscription_cost: 20 });
    await patch(mira, asset, { currency: 'EUR' });
    await patch(mira, asset, { subscription_cost: 18 });
    await api.share(mira, asset, await api.register('ana'), 30);
    expect(await statementOf(asset, '2026-02', mira)).toMatchObject({
      currency: 'EUR',
      price: 18,
      price_changes: [{ from: 20, to: 18 }],
    });
  });

  it('is possible while access is only offered', async () => {
    const { mira, asset } = await unshared(20, 25);
    await api.offer(mira, asset, await api.register('ana'));
    expect((await patch(mira, asset, { currency: 'EUR' })).status).toBe(200);
  });

  it('is possible while only the owner uses it', async () => {
    const { mira, asset } = await unshared(20, 25);
    expect((await patch(mira, asset, { owner_takes_part: true })).body.own_share_id).toBeTruthy();
    expect((await patch(mira, asset, { currency: 'EUR' })).status).toBe(200);
  });

  it.each(['a member', 'a former member', 'a member from the next month on', 'someone without an account'])(
    'is refused after %s has accepted',
    async (who) => {
      const { mira, asset } = await unshared(20, 25);
      if (who === 'a member from the next month on') {
        const ana = await api.register('ana');
        const body = { username: 'ana', monthly_hours_allocated: 20, starts_on: '2026-03-01' };
        await send('POST', `/api/assets/${asset.id}/share/`, { as: mira, body });
        const { results } = await get<{ results: SharedAsset[] }>('/api/shared-assets/', ana);
        await send('POST', `/api/shared-assets/${results[0]?.id}/accept/`, { as: ana });
      } else if (who === 'someone without an account') {
        const body = { name: 'Gran', monthly_hours_allocated: 20 };
        await send('POST', `/api/assets/${asset.id}/people/`, { as: mira, body });
      } else {
        const ana = await api.register('ana');
        const { id } = await api.share(mira, asset, ana);
        if (who === 'a former member') await send('POST', `/api/shared-assets/${id}/leave/`, { as: ana });
      }
      expect(await patch(mira, asset, { currency: 'EUR', subscription_cost: 200 })).toMatchObject({
        status: 400,
        body: { code: 'currency_fixed', fields: { currency: [SENTENCES.currency_fixed] } },
      });
      // The same currency is no change.
      expect(await patch(mira, asset, { currency: 'USD', name: 'Renamed' })).toMatchObject({
        status: 200,
        body: { currency: 'USD', name: 'Renamed' },
      });
    },
  );

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
