import type { ReplayedYear } from '@hourshare/contract/statements';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { amounts, billingCalls, CLOSED, type Household } from '../../../testing/bills.ts';

let api: TestApi;
let home: Household;
beforeAll(async () => {
  api = await openTestApi();
});
/** Of $20.00 for 100 hours, Ana used 30 and Ben 0.1 in February, which is closed. */
beforeEach(async () => {
  await api.reset();
  home = await household();
  setClock(CLOSED);
});
afterAll(() => api.close());

const { send, setClock, statementOf, household, record, statementsOf } = billingCalls(() => api);
const replay = (body: object = {}) =>
  send<ReplayedYear>('POST', `/api/assets/${home.asset.id}/replay/`, { as: home.mira, body });
const replayed = async (body: object) =>
  Object.fromEntries((await replay(body)).people.map(({ username, replayed: amount }) => [username, amount]));

describe('a replay', () => {
  it('of the same plan reproduces every closed line, whatever changed since it was agreed to', async () => {
    const { asset, mira, shareOfAna, shareOfBen } = home;
    const change = (body: object) => send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body });
    const months = ['2026-03', '2026-04', '2026-05', '2026-06', '2026-07'];
    for (const [index, month] of months.entries()) {
      setClock(`${month}-05T12:00:00Z`);
      await record(shareOfAna, `${month}-04T08:00:00Z`, 7.77 * (index + 1));
      await record(shareOfBen, `${month}-03T08:00:00Z`, 13.13);
      if (index === 1) await change({ subscription_cost: 47.11, base_percent: 33 });
      if (index === 2) await change({ split_method: 'share_of_use' });
      if (index === 3)
        await change({ cycle: { every: 1, unit: 'year', anchor: '2026-06-17' }, subscription_cost: 555.55 });
    }
    setClock('2026-09-10T12:00:00Z');
    const statements = (await statementsOf(asset, mira)).filter(({ closed }) => closed);
    const { months: found } = await replay();
    expect(found.map(({ month }) => month)).toEqual(statements.map(({ month }) => month));
    for (const [index, { people }] of found.entries()) {
      const known = statements[index] && amounts(statements[index]);
      expect(Object.fromEntries(people.map(({ username, paid }) => [username, paid]))).toEqual(known);
      expect(Object.fromEntries(people.map((person) => [person.username, person.replayed]))).toEqual(known);
    }
  });

  it('says what another plan would have cost everyone, and which hours it would have lacked', async () => {
    expect(amounts(await statementOf(home.asset, '2026-02', home.mira))).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
    const smaller = await replay({ price: 10, hours: 20 });
    expect(smaller.months).toMatchObject([{ month: '2026-02', unfit_hours: 10.1 }]);
    expect(smaller.people.map(({ username, replayed: amount }) => [username, amount])).toEqual([
      ['mira', 0],
      ['ana', 9.97],
      ['ben', 0.03],
    ]);
    expect(await replayed({ split_method: 'equal' })).toEqual({ mira: 6.66, ana: 6.67, ben: 6.67 });
    expect(await replayed({ price_per_hour: 0.5 })).toEqual({ mira: 0, ana: 15, ben: 0.05 });
    expect(await replayed({ price_alone: 9 })).toEqual({ mira: 0, ana: 9, ben: 9 });
  });

  it('leaves out a member, with the same use of the others', async () => {
    expect(await replayed({ without: 'BEN' })).toEqual({ mira: 10, ana: 10, ben: 0 });
    const left = await replay({ without: 'ben', price: 10, hours: 20 });
    expect(left.months).toMatchObject([{ unfit_hours: 10 }]);
    expect(left.total).toEqual({ paid: 20, replayed: 10 });
    expect(await replayed({ without: 'ben', split_method: 'equal' })).toEqual({ mira: 10, ana: 10, ben: 0 });
    expect(await replayed({ without: 'zoe' })).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
  });

  it('gives a member their own amounts and the total, as their statements do', async () => {
    const { ana, shareOfAna, shareOfBen, mira } = home;
    const path = `/api/shared-assets/${shareOfAna.id}/replay/`;
    const own = (body: object) => send<ReplayedYear>('POST', path, { as: ana, body });
    const line = { username: 'ana', hue: expect.any(Number) as number, paid: 6 };
    expect(await own({ price: 10, hours: 20 })).toEqual({
      currency: 'USD',
      months: [{ month: '2026-02', unfit_hours: 10.1, people: [{ ...line, replayed: 9.97 }] }],
      people: [{ ...line, replayed: 9.97 }],
      total: { paid: 20, replayed: 10 },
    });
    expect(await own({ price_per_hour: 0.5 })).toMatchObject({ total: { replayed: 15.05 } });
    // The total would tell how many there were.
    expect(await own({ price_alone: 9 })).toMatchObject({ people: [{ replayed: 9 }], total: null });
    const call = (as: SignedIn, body: object) => api.call('POST', path, { as, body });
    expect(await call(ana, { without: 'ben' })).toMatchObject({ status: 400 });
    expect(await call(mira, {})).toMatchObject({ status: 404 });
    expect(await api.call('POST', `/api/shared-assets/${shareOfBen.id}/replay/`, { as: ana, body: {} })).toMatchObject({
      status: 404,
    });
  });

  it('names the amount that the currency does not have', async () => {
    const { asset, mira, ana, shareOfAna } = home;
    for (const [as, path] of [
      [mira, `/api/assets/${asset.id}/replay/`],
      [ana, `/api/shared-assets/${shareOfAna.id}/replay/`],
    ] as const)
      for (const field of ['price', 'price_per_hour', 'price_alone'])
        expect(await api.call('POST', path, { as, body: { [field]: 10.005 } })).toMatchObject({
          status: 400,
          body: { fields: { [field]: [expect.any(String)] } },
        });
  });

  it('saves nothing, and is for those who manage the asset', async () => {
    await replay({ price: 1 });
    const path = `/api/assets/${home.asset.id}/`;
    expect(await api.call('GET', path, { as: home.mira })).toMatchObject({ body: { subscription_cost: 20 } });
    expect(await api.call('POST', `${path}replay/`, { as: home.ana, body: {} })).toMatchObject({ status: 404 });
  });
});
