import type { SignedIn } from '@hourshare/contract/accounts';
import type { OfferEstimate } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const setClock = (instant: string) => void (api.clock.now = new Date(instant));

const estimate = async (caller: SignedIn, shareId: number) =>
  api.call<OfferEstimate>('GET', `/api/shared-assets/${shareId}/estimate/`, { as: caller });

/** An asset of $20.00 a month, with 60 h for Ana since January, of which she uses 30 h in January. */
async function household() {
  setClock('2026-01-01T00:00:00Z');
  const [owner, ana, ben] = [await api.register('mira'), await api.register('ana'), await api.register('ben')];
  const asset = await api.addAsset(owner, { name: 'Films', subscription_cost: 20, max_session_hours: 744 });
  const { id } = await api.share(owner, asset, ana, 60);
  setClock('2026-01-10T00:00:00Z');
  await api.call('POST', `/api/shared-assets/${id}/start/`, { as: ana });
  api.clock.advance(30 * 3_600_000);
  await api.call('POST', `/api/shared-assets/${id}/end/`, { as: ana });
  return { owner, ana, ben, asset };
}

describe('the estimate for an offer', () => {
  it('splits the last ended month with one more member, before and after it closes', async () => {
    const { owner, ben, asset } = await household();
    setClock('2026-02-02T00:00:00Z');
    const offer = await api.offer(owner, asset, ben, 20);
    const january = { month: '2026-01', amount: 5, currency: 'USD', used_hours: 20, price: 20 };
    expect((await estimate(ben, offer.id)).body).toEqual(january);
    await api.call('POST', `/api/assets/${asset.id}/statements/2026-01/close/`, { as: owner });
    expect((await estimate(ben, offer.id)).body).toEqual(january);
  });

  it('treats the current month as a whole one until a month has ended', async () => {
    const { owner, ben, asset } = await household();
    const offer = await api.offer(owner, asset, ben, 20);
    expect((await estimate(ben, offer.id)).body).toMatchObject({ month: '2026-01', amount: 5 });
  });

  // The trick: last month was split by use and cheap; what is offered is neither.
  it('uses the offered price and terms, not those of the past month', async () => {
    const { owner, ben, asset } = await household();
    const change = (body: object) => api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body });
    await change({ split_method: 'equal' });
    setClock('2026-02-02T00:00:00Z');
    await change({ subscription_cost: 90 });
    const offer = await api.offer(owner, asset, ben, 20);
    expect((await estimate(ben, offer.id)).body).toEqual({
      month: '2026-01',
      amount: 30,
      currency: 'USD',
      used_hours: 0,
      price: 90,
    });
  });

  it('is not found for anyone else, nor once the offer is accepted or declined', async () => {
    const { owner, ana, ben, asset } = await household();
    const offer = await api.offer(owner, asset, ben, 20);
    expect((await estimate(ana, offer.id)).status).toBe(404);
    expect((await estimate(owner, offer.id)).status).toBe(404);
    await api.call('POST', `/api/shared-assets/${offer.id}/accept/`, { as: ben });
    expect((await estimate(ben, offer.id)).status).toBe(404);
    await api.call('POST', `/api/shared-assets/${offer.id}/leave/`, { as: ben });
    const second = await api.offer(owner, asset, ben, 20);
    expect((await estimate(ben, second.id)).status).toBe(200);
    await api.call('POST', `/api/shared-assets/${second.id}/decline/`, { as: ben });
    expect((await estimate(ben, second.id)).status).toBe(404);
  });
});
