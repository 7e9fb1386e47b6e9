import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { amounts, billingCalls, type Household } from '../../../testing/bills.ts';

let api: TestApi;
let home: Household;
beforeAll(async () => {
  api = await openTestApi();
});
/** Ana used 30 of 100 hours of February, which cost $20.00 when she said yes. On February 20, they come to cost $40.00. */
beforeEach(async () => {
  await api.reset();
  home = await household();
  await change({ subscription_cost: 40 });
});
afterAll(() => api.close());

const { get, send, statementOf, household } = billingCalls(() => api);

const CHANGED = { status: 409, body: { code: 'offer_changed' } };

const change = (body: object) => send('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body });
const path = () => `/api/shared-assets/${home.shareOfAna.id}/`;
const read = () => get<SharedAsset>(path(), home.ana);
const act = (action: 'agree' | 'start' | 'end', body: object = {}) =>
  api.call('POST', `${path()}${action}/`, { as: home.ana, body });
const owed = async () => amounts(await statementOf(home.asset, '2026-02', home.mira))['ana'];
const [UNTIL_YES, SINCE_YES] = [6, 12];

describe('a member whose terms cost more now', () => {
  it('is asked, and pays the new price once they agree to it', async () => {
    const { terms, agreed, asked } = await read();
    expect({ terms, agreed, asked }).toMatchObject({ terms: { price: 40 }, agreed: { price: 20 }, asked: true });
    expect(await owed()).toBe(UNTIL_YES);
    expect(await act('agree', { terms })).toMatchObject({ status: 200, body: { asked: false, agreed: terms } });
    expect(await owed()).toBe(SINCE_YES);
  });

  it('starts sessions without agreeing to them, unless the start says so', async () => {
    const { terms } = await read();
    expect((await act('start')).status).toBe(201);
    expect((await act('end')).status).toBe(200);
    expect(await read()).toMatchObject({ asked: true, agreed: { price: 20 } });
    expect(await owed()).toBe(UNTIL_YES);
    expect((await act('start', { agrees: terms })).status).toBe(201);
    expect(await read()).toMatchObject({ asked: false, agreed: terms });
    expect(await owed()).toBe(SINCE_YES);
  });

  it('agrees to nothing that they were not shown', async () => {
    const { terms } = await read();
    await change({ subscription_cost: 50 });
    for (const seen of [terms, { ...terms, price: 50, currency: 'EUR' }]) {
      expect(await act('agree', { terms: seen })).toMatchObject(CHANGED);
      expect(await act('start', { agrees: seen })).toMatchObject(CHANGED);
    }
    expect(await read()).toMatchObject({ asked: true, agreed: { price: 20 }, active_session: false });
    expect(await owed()).toBe(UNTIL_YES);
  });

  it('agrees to what became cheaper than they were shown', async () => {
    const { terms } = await read();
    await change({ subscription_cost: 30 });
    expect(await act('agree', { terms })).toMatchObject({ status: 200, body: { agreed: { price: 30 } } });
  });
});
