import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { amounts, billingCalls } from '../../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, statementOf, household } = billingCalls(() => api);

const BY_USE = { mira: 13.98, ana: 6, ben: 0.02 };

const patch = (as: SignedIn, asset: { id: number }, body: object) =>
  send<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as, body });
const readAsset = (as: SignedIn, { id }: { id: number }) => get<OwnedAsset>(`/api/assets/${id}/`, as);
const readShare = (as: SignedIn, { id }: { id: number }) => get<SharedAsset>(`/api/shared-assets/${id}/`, as);

describe('terms changed while others use the asset', () => {
  // The owner chose an even split a second before the month ended: $0.33 became $10.
  it('apply from the next month', async () => {
    const { mira, ana, asset, shareOfAna } = await household();
    setClock('2026-02-28T23:59:59Z');
    const body = { split_method: 'equal', base_percent: 50, owner_hours: 700 };
    const kept = {
      max_session_hours: 24,
      max_price_per_hour: null,
      extra_cost_limit: 0,
      owner_takes_part: false,
      measured: true,
    };
    const next = { from_month: '2026-03', ...body, ...kept };
    expect(await patch(mira, asset, body)).toMatchObject({ split_method: 'usage', owner_hours: 0, next_terms: next });
    expect((await readShare(ana, shareOfAna)).next_terms).toEqual(next);
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual(BY_USE);
    setClock('2026-03-01T00:00:00Z');
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual(BY_USE);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal', owner_hours: 700, next_terms: null });
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject(body);
  });

  it('also do if the only members left this month', async () => {
    const { mira, asset, shareOfAna, shareOfBen } = await household();
    for (const { id } of [shareOfAna, shareOfBen])
      await send('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: mira });
    await patch(mira, asset, { split_method: 'equal' });
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'usage' });
    setClock('2026-03-02T00:00:00Z');
    expect(await patch(mira, asset, { split_method: 'allocation' })).toMatchObject({ split_method: 'allocation' });
  });

  it('apply at once while access is only offered', async () => {
    const [mira, ana] = [await api.register('mira'), await api.register('ana')];
    const asset = await api.addAsset(mira);
    await api.offer(mira, asset, ana);
    expect(await patch(mira, asset, { split_method: 'equal' })).toMatchObject({ split_method: 'equal' });
  });

  it('say whether someone chose the most that an hour costs', async () => {
    const [mira, ana] = [await api.register('mira'), await api.register('ana')];
    const asset = await api.addAsset(mira, { subscription_cost: 10, split_method: 'share_of_use' });
    expect(asset).toMatchObject({ max_price_per_hour: 10, max_price_chosen: false });
    expect(await patch(mira, asset, { max_price_per_hour: 0.4 })).toMatchObject({ max_price_chosen: true });
    const terms = { max_price_per_hour: 0.5 };
    const share = { username: ana.user.username, monthly_hours_allocated: 20, terms };
    await send('POST', `/api/assets/${asset.id}/share/`, { as: mira, body: share });
    expect(await readAsset(mira, asset)).toMatchObject({ ...terms, max_price_chosen: false });
    for (const [body, chosen] of [
      [terms, true],
      [{ owner_hours: 5 }, true],
      [{ max_price_per_hour: null }, false],
      [terms, true],
      [{ split_method: 'usage' }, false],
    ] as const)
      expect(await patch(mira, asset, body)).toMatchObject({ max_price_chosen: chosen });
  });

  it('can be withdrawn before the next month', async () => {
    const { mira, asset } = await household();
    await patch(mira, asset, { split_method: 'equal' });
    expect(await patch(mira, asset, { split_method: 'usage' })).toMatchObject({ next_terms: null });
  });

  // Members pay less than they said yes to, and the owner the rest.
  it('lower the limit of extra costs by their owner alone', async () => {
    const { mira, ana, asset, shareOfAna } = await household();
    await send('PATCH', `/api/assets/${asset.id}/share/${shareOfAna.id}/`, { as: mira, body: { manager: true } });
    await patch(mira, asset, { extra_cost_limit: 50 });
    const lower = (as: SignedIn) =>
      api.call('PATCH', `/api/assets/${asset.id}/`, { as, body: { extra_cost_limit: 10 } });
    expect(await lower(ana)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
    expect((await lower(mira)).status).toBe(200);
  });
});
