import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
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

const { get, send, setClock, record, statementOf, household } = billingCalls(() => api);

const CHANGED = { status: 409, body: { code: 'offer_changed' } };

const change = (body: object) => send('PATCH', `/api/assets/${home.asset.id}/`, { as: home.mira, body });
const path = () => `/api/shared-assets/${home.shareOfAna.id}/`;
const read = () => get<SharedAsset>(path(), home.ana);
const act = (action: 'agree' | 'start' | 'end', body: object = {}) =>
  api.call('POST', `${path()}${action}/`, { as: home.ana, body });
const owed = async () => amounts(await statementOf(home.asset, '2026-02', home.mira))['ana'];
async function prices(...costs: number[]): Promise<void> {
  for (const subscription_cost of costs) await change({ subscription_cost });
}
const disableAna = () =>
  api.deps.db.updateTable('users').set({ disabled_at: api.clock.now }).where('id', '=', home.ana.user.id).execute();
const deleteAna = () =>
  send('DELETE', '/api/me/', { as: home.ana, body: { current_password: TEST_PASSWORD, keep_name: true } });
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

  it('says yes to no extra costs with terms that name no limit of them', async () => {
    const { extra_cost_limit: _limit, ...terms } = (await read()).terms ?? {};
    expect(await act('agree', { terms })).toMatchObject({ status: 200, body: { agreed: { extra_cost_limit: 0 } } });
  });

  it('agrees to what became cheaper than they were shown', async () => {
    const { terms } = await read();
    await change({ subscription_cost: 30 });
    expect(await act('agree', { terms })).toMatchObject({ status: 200, body: { agreed: { price: 30 } } });
  });
});

describe('the statement of a running month', () => {
  const covered = async () => {
    const { lines } = await statementOf(home.asset, '2026-02', home.mira);
    return lines
      .filter((line) => line.covered > 0 && line.username !== 'ben')
      .map((line) => [line.covered, line.asked]);
  };

  it.each<[what: string, change: () => Promise<unknown>, lines: [covered: number, asked: boolean][]]>([
    ['cost more', async () => undefined, [[6, true]]],
    ['cost more than they agreed to, and less for a while', () => prices(10, 40), [[9, true]]],
    ['cost less for a while, and what they agreed to now', () => prices(10, 20), [[3, false]]],
    ['are agreed to', async () => act('agree', { terms: (await read()).terms }), []],
    ['cost more, and they have left', () => send('POST', `${path()}leave/`, { as: home.ana }), [[6, false]]],
    ['cost more, and their account is disabled', disableAna, [[6, false]]],
    ['cost more, and they have deleted their account', deleteAna, [[6, false]]],
    ['cost more, and the asset is archived', () => change({ archived: true }), [[6, false]]],
    ['cost more, and the month has ended', async () => setClock('2026-03-01T00:00:00Z'), [[6, false]]],
  ])("tells the owner whether someone's yes would end what they cover: terms that %s", async (_, act, lines) => {
    await act();
    expect(await covered()).toEqual(lines);
  });

  it('waits for no one without an account', async () => {
    const body = { name: 'Oma', monthly_hours_allocated: 20 };
    const { shared_with } = await send<OwnedAsset>('POST', `/api/assets/${home.asset.id}/people/`, {
      as: home.mira,
      body,
    });
    const oma = shared_with.find(({ person }) => person);
    await record({ ...home.shareOfAna, id: oma?.id ?? 0 }, '2026-02-20T12:00:00Z', 12);
    await change({ subscription_cost: 80 });
    setClock('2026-02-21T12:00:00Z');
    // 12 h at 80 ÷ 120 instead of 40 ÷ 120, and Ana's 30 h at the month's lowest price, 20.
    expect(await covered()).toEqual([
      [15, true],
      [4, false],
    ]);
  });

  it('says so in the list of members, too', async () => {
    const asked = async () => {
      const { results } = await get<{ results: OwnedAsset[] }>('/api/assets/', home.mira);
      return results[0]?.shared_with.map((entry) => [entry.shared_with_username, entry.asked]);
    };
    const shown = (ofAna: boolean) => [
      ['ana', ofAna],
      ['ben', true],
    ];
    expect(await asked()).toEqual(shown(true));
    await disableAna();
    expect(await asked()).toEqual(shown(false));
  });
});
