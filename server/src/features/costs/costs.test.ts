import type { Cost, CostList } from '@hourshare/contract/costs';
import type { NoticeList } from '@hourshare/contract/notifications';
import type { Balance } from '@hourshare/contract/settlements';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../testing/api.ts';
import { kept } from '../../testing/kept.ts';
import { whileRefused } from '../../testing/refusals.ts';
import { dispatchAll } from '../notifications/dispatch/service.ts';
import { archiveEndedAssets } from '../assets/service.ts';
import { repeatCosts } from './service.ts';
import { closeDuePeriods } from '../statements/closing/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const at = (instant: string) => {
  api.clock.now = new Date(instant);
};

let mira: SignedIn;
let ana: SignedIn;
let ben: SignedIn;
let asset: OwnedAsset;
let shares: Record<'ana' | 'ben', SharedAsset>;

/** A car for $40, to which ana and ben have 20 h each, with a limit of $50 of extra costs a month. In November, ana drives 6 h, ben 14. */
const prepare = kept(
  () => api,
  async () => {
    at('2026-11-01T08:00:00Z');
    const people = [await api.register('mira'), await api.register('ana'), await api.register('ben')] as const;
    const [owner, one, other] = people;
    const car = await api.addAsset(owner, { name: 'Car', subscription_cost: 40, extra_cost_limit: 50 });
    const given = { ana: await api.share(owner, car, one, 20), ben: await api.share(owner, car, other, 20) };
    for (const [as, { id }, drives] of [
      [one, given.ana, 6],
      [other, given.ben, 14],
    ] as const) {
      at(`2026-11-${as === one ? '02' : '03'}T08:00:00Z`);
      await api.call('POST', `/api/shared-assets/${id}/start/`, { as });
      api.clock.advance(drives * 3_600_000);
      await api.call('POST', `/api/shared-assets/${id}/end/`, { as });
    }
    at('2026-11-12T12:00:00Z');
    return { people, car, given };
  },
);
beforeEach(async () => {
  ({
    people: [mira, ana, ben],
    car: asset,
    given: shares,
  } = await prepare());
  at('2026-11-12T12:00:00Z');
});

const owned = (path = '') => `/api/assets/${asset.id}/costs/${path}`;
const shared = (name: 'ana' | 'ben', path = '') => `/api/shared-assets/${shares[name].id}/costs/${path}`;
const FUEL = { text: 'Fuel', amount: 60, split: 'usage' };

async function done<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}
const add = (as: SignedIn, body: object) =>
  done(
    api.call<Cost>('POST', as === mira ? owned() : shared(as === ana ? 'ana' : 'ben'), {
      as,
      body: { ...FUEL, ...body },
    }),
  );
const answer = (as: SignedIn, { id }: Cost, body: object) =>
  api.call<Cost>('POST', as === mira ? owned(`${id}/answer/`) : shared(as === ana ? 'ana' : 'ben', `${id}/answer/`), {
    as,
    body,
  });
const count = async (cost: Cost) => done(answer(mira, cost, { answer: 'count' }));
const statement = (as: SignedIn, month = '2026-11') =>
  done(api.call<Statement>('GET', `/api/assets/${asset.id}/statements/${month}/`, { as }));
/** What everyone owes of a month. */
const owed = async (month?: string) =>
  Object.fromEntries((await statement(mira, month)).lines.map(({ username, amount }) => [username, amount]));
/** What someone's notices of a kind say, the last one first. */
async function told(as: SignedIn, kind = 'cost') {
  await dispatchAll(api.deps);
  const { results } = await done(api.call<NoticeList>('GET', '/api/notifications/', { as }));
  return results.filter((notice) => notice.kind === kind).map(({ text, detail }) => [text, detail]);
}
async function close(now = '2026-12-04T12:00:00Z') {
  at(now);
  await closeDuePeriods(api.deps);
}

describe('what a member paid', () => {
  it('counts once the owner says so, as a credit and split by use', async () => {
    const cost = await add(ana, {});
    expect(await told(mira)).toEqual([['ana added a cost for Car: Fuel', '$60.00. Count it or decline it.']]);
    expect(cost).toMatchObject({
      status: 'proposed',
      date: '2026-11-12',
      paid_by: 'ana',
      author: 'ana',
      month: '2026-11',
    });
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
    expect(await answer(mira, cost, { answer: 'count' })).toMatchObject({ status: 200, body: { status: 'counted' } });
    // $6 of the price and $18 of the fuel, less the $60 that ana paid.
    expect(await owed()).toEqual({ mira: 20, ana: -36, ben: 56 });
    const { costs, lines } = await statement(ana);
    expect(costs).toMatchObject([{ text: 'Fuel', date: '2026-11-12', amount: 60, split: 'usage', paid_by: 'ana' }]);
    expect(lines).toMatchObject([
      {
        amount: -36,
        price_amount: 6,
        costs_amount: 18,
        costs_paid: 60,
        costs: [
          {
            id: cost.id,
            amount: 18,
            standing: 'charged',
            explanation: [{ price: 60, part: 6 * 3600, whole: 20 * 3600, unit: 'seconds', amount: 18 }],
          },
        ],
      },
    ]);
  });

  it('is declined with a line, and can be changed and proposed again', async () => {
    const cost = await add(ana, {});
    const declined = await answer(mira, cost, { answer: 'decline', text: 'Not ours' });
    expect(declined).toMatchObject({ status: 200, body: { status: 'declined', reply: 'Not ours' } });
    const path = shared('ana', `${cost.id}/`);
    const changed = await done(api.call<Cost>('PATCH', path, { as: ana, body: { amount: 45, text: 'Diesel' } }));
    expect(changed).toMatchObject({ status: 'proposed', version: 2, amount: 45, text: 'Diesel', reply: null });
    expect(changed.earlier).toMatchObject([{ version: 1, amount: 60, text: 'Fuel' }]);
    await count(changed);
    expect(await answer(mira, cost, { answer: 'decline' })).toMatchObject({ status: 409 });
    expect(await owed()).toEqual({ mira: 20, ana: 6 + 13.5 - 45, ben: 14 + 31.5 });
  });

  it('is not proposed again on another day once it is declined', async () => {
    const cost = await add(ana, { repeats: { every: 1 } });
    expect((await answer(mira, cost, { answer: 'decline' })).body).toMatchObject({ status: 'declined', repeats: null });
    at('2026-12-13T12:00:00Z');
    await repeatCosts(api.deps);
    expect((await done(api.call<CostList>('GET', owned(), { as: mira }))).results).toHaveLength(1);
  });

  it('is in part theirs without another yes, also above their limit, and cannot be answered by them', async () => {
    const cost = await count(await add(ana, { text: 'Tires', amount: 300 }));
    expect(await owed()).toEqual({ mira: 20 + 210, ana: 6 + 90 - 300, ben: 14 });
    const { results } = await done(api.call<CostList>('GET', shared('ana'), { as: ana }));
    expect(results).toMatchObject([{ can: { answer: false, remove: true } }]);
    for (const each of ['yes', 'no', 'none'])
      expect(await answer(ana, cost, { answer: each })).toMatchObject({ status: 409, body: { code: 'cost_answered' } });
  });

  it('counts only as the owner saw it, however soon before it was changed', async () => {
    const cost = await add(ana, {});
    await done(api.call('PATCH', shared('ana', `${cost.id}/`), { as: ana, body: { amount: 6000 } }));
    const stale = { status: 409, body: { code: 'cost_changed' } };
    for (const each of ['count', 'decline'])
      expect(await answer(mira, cost, { answer: each, version: cost.version })).toMatchObject(stale);
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
    expect(await answer(mira, cost, { answer: 'decline', version: 2 })).toMatchObject({ status: 200 });
  });

  it('is in the list of what is shared with its owner while it waits for them', async () => {
    await api.addAsset(mira, { name: 'Bike' });
    const list = async (as: SignedIn, query: string) => {
      const path = `/api/statements/?role=member${query}`;
      const { results } = await done(api.call<{ results: Statement[] }>('GET', path, { as }));
      return results.map(({ asset_name: name, costs }) => [
        name,
        ...costs.map(({ version, status }) => [version, status]),
      ]);
    };
    const include = '&proposed=include';
    expect(await list(mira, include)).toEqual([]);
    const cost = await add(ana, {});
    await done(api.call('PATCH', shared('ana', `${cost.id}/`), { as: ana, body: { amount: 45 } }));
    expect(await list(mira, include)).toEqual([['Car', [2, 'proposed']]]);
    expect(await list(mira, '')).toEqual([]);
    for (const query of ['', include]) expect(await list(ben, query)).toEqual([['Car', [2, 'proposed']]]);
    await done(answer(mira, cost, { answer: 'count', version: 2 }));
    expect(await list(mira, include)).toEqual([]);
    await close();
    expect((await statement(mira)).costs).toMatchObject([{ id: cost.id, version: null, status: 'counted' }]);
  });

  const marks = async (as: SignedIn) =>
    (await done(api.call<{ results: Balance[] }>('GET', '/api/balances/', { as }))).results.flatMap(({ lines }) =>
      lines.map(({ direction, your_mark: mark }) => `${direction} ${mark}`),
    );

  it('is owed to them once the month is closed, and settled', async () => {
    await count(await add(ana, {}));
    await close();
    expect(await owed()).toEqual({ mira: 20, ana: -36, ben: 56 });
    const ready = 'The statement of Car for November 2026 is ready';
    expect(await told(ana, 'statement_ready')).toEqual([[ready, 'You get back $36.00']]);
    expect(await told(ben, 'statement_ready')).toEqual([[ready, 'Your share: $56.00']]);
    const { results } = await done(api.call<{ results: Balance[] }>('GET', '/api/balances/', { as: ana }));
    expect(results).toMatchObject([
      { username: 'mira', they_owe: 36, you_owe: 0, net: 36, lines: [{ amount: 36, direction: 'they_owe' }] },
    ]);
    const paid = await done(api.call('POST', '/api/settlements/', { as: mira, body: { username: 'ana' } }));
    expect(paid).toMatchObject({ direction: 'you_paid', amount: 36, status: 'sent' });
    const { id } = paid as { id: number };
    await done(api.call('POST', `/api/settlements/${id}/confirm/`, { as: ana }));
    expect((await statement(ana)).lines).toMatchObject([
      { amount: -36, status: 'paid', settled: true, open_amount: 0 },
    ]);
    expect((await done(api.call<{ results: Balance[] }>('GET', '/api/balances/', { as: ana }))).results).toEqual([]);
  });

  it('is marked by who owes as sent, and by who is owed as paid', async () => {
    await count(await add(ana, {}));
    await close();
    const [line] = (await statement(ana)).lines;
    const mark = (as: SignedIn, status: string) =>
      api.call('POST', `/api/statement-lines/${line?.id}/mark/`, { as, body: { status } });
    expect((await mark(ana, 'sent')).status).toBe(400);
    expect((await mark(mira, 'paid')).status).toBe(400);
    expect(await marks(ana)).toEqual(['they_owe paid']);
    expect(await marks(mira)).toEqual(['you_owe sent', 'they_owe paid']);
    expect(await mark(mira, 'sent')).toMatchObject({ status: 200, body: { status: 'sent' } });
    expect(await mark(ana, 'paid')).toMatchObject({ status: 200, body: { status: 'paid', open_amount: 0 } });
  });

  it('is marked as paid by the owner once the account is deleted, and what someone owes a deleted one as sent', async () => {
    await count(await add(ana, {}));
    await close();
    const [line] = (await statement(ana)).lines;
    const body = { current_password: TEST_PASSWORD, keep_name: true };
    await done(api.call('DELETE', '/api/me/', { as: ana, body }));
    expect(await marks(mira)).toEqual(['you_owe paid', 'they_owe paid']);
    const mark = { as: mira, body: { status: 'paid' } };
    expect((await api.call('POST', `/api/statement-lines/${line?.id}/mark/`, mark)).status).toBe(200);
    await done(api.call('DELETE', '/api/me/', { as: mira, body }));
    expect(await marks(ben)).toEqual(['you_owe sent']);
  });

  it('moves to the running month if the owner has not answered when its own closes', async () => {
    const cost = await add(ana, {});
    await close();
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
    const { results } = await done(api.call<CostList>('GET', shared('ana'), { as: ana }));
    expect(results).toMatchObject([{ id: cost.id, month: '2026-12', date: '2026-11-12', status: 'proposed' }]);
    const moved = 'Fuel for Car was moved to December 2026';
    expect((await told(mira))[0]).toEqual([moved, '$60.00. Count it or decline it.']);
    expect(await told(ana)).toEqual([[moved, '$60.00']]);
    await count(cost);
    // Without use in December, by allowance.
    expect(await owed('2026-12')).toEqual({ mira: 40, ana: -30, ben: 30 });
  });

  it('is declined when its month closes if its member has left, and they hear of it', async () => {
    await add(ana, {});
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana }));
    await close();
    expect(await told(ana)).toEqual([['Fuel for Car was declined', '$60.00']]);
  });

  it('counts in the running month if the owner says so after its own has ended', async () => {
    const cost = await add(ana, {});
    at('2026-12-02T12:00:00Z');
    expect(await count(cost)).toMatchObject({ month: '2026-12', date: '2026-11-12' });
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
  });
});

describe('what the owner paid', () => {
  it('counts at once, evenly', async () => {
    expect(await add(mira, { text: 'Insurance', amount: 30, split: 'equal' })).toMatchObject({ status: 'counted' });
    expect(await owed()).toEqual({ mira: 20 + 10 - 30, ana: 16, ben: 24 });
  });

  it('may be one person’s, and paid by a member', async () => {
    await add(mira, { text: 'Dent', amount: 30, split: 'person', person: 'ben', paid_by: 'ana' });
    expect(await owed()).toEqual({ mira: 20, ana: 6 - 30, ben: 14 + 30 });
  });

  it('above the limit is charged to those who say yes before the close', async () => {
    const cost = await add(mira, { text: 'Tires', amount: 300, split: 'equal' });
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
    expect((await statement(ben)).lines).toMatchObject([
      { costs: [{ amount: 0, split_amount: 100, standing: 'asked' }] },
    ]);
    expect(await answer(ben, cost, { answer: 'yes', version: 2 })).toMatchObject({ status: 409 });
    expect(await answer(ben, cost, { answer: 'yes', version: 1 })).toMatchObject({ status: 200 });
    expect(await owed()).toEqual({ mira: -80, ana: 6, ben: 114 });
    await close();
    expect(await owed()).toEqual({ mira: -80, ana: 6, ben: 114 });
    expect(await answer(ana, cost, { answer: 'yes' })).toMatchObject({ status: 400, body: { code: 'month_closed' } });
  });

  it('above the limit charges no more than the part agreed to, even if others turn out to have used less', async () => {
    const cost = await add(mira, { text: 'Tires', amount: 300 });
    expect(await answer(ana, cost, { answer: 'yes', amount: 90.001 })).toMatchObject({
      status: 400,
      body: { fields: { amount: [expect.any(String)] } },
    });
    expect(await answer(ana, cost, { answer: 'yes', amount: 90 })).toMatchObject({
      body: { answers: [{ username: 'ana', answer: 'yes', amount: 90 }] },
    });
    expect(await owed()).toEqual({ mira: -70, ana: 96, ben: 14 });
    const logs = `/api/shared-assets/${shares.ben.id}/logs/`;
    const [drive] = (await done(api.call<{ results: { id: number }[] }>('GET', logs, { as: ben }))).results;
    await done(api.call('DELETE', `${logs}${drive?.id}/`, { as: ben }));
    expect(await owed()).toEqual({ mira: -56, ana: 96, ben: 0 });
    expect((await statement(ana)).lines).toMatchObject([
      { costs: [{ amount: 90, split_amount: 300, standing: 'asked' }] },
    ]);
    // A price that falls keeps the yes.
    await done(api.call('PATCH', owned(`${cost.id}/`), { as: mira, body: { amount: 120 } }));
    expect((await owed())['ana']).toBe(96);
    await done(answer(ana, cost, { answer: 'yes', amount: 120 }));
    expect((await owed())['ana']).toBe(126);
  });

  it('above the limit without answers moves no cent of members', async () => {
    await add(mira, { text: 'Tires', amount: 300, split: 'equal' });
    await close();
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
  });

  it('is the owner’s in part if a member objects, until a day before the close', async () => {
    const cost = await add(mira, { text: 'Insurance', amount: 30, split: 'equal' });
    expect(await answer(ana, cost, { answer: 'no', text: 'We have one' })).toMatchObject({ status: 200 });
    expect(await owed()).toEqual({ mira: 0 + 10, ana: 6, ben: 24 });
    const { results } = await done(api.call<CostList>('GET', owned(), { as: mira }));
    expect(results[0]?.answers).toMatchObject([{ username: 'ana', answer: 'no', text: 'We have one' }]);
    expect((await done(api.call<CostList>('GET', shared('ben'), { as: ben }))).results[0]?.answers).toEqual([]);
    await done(answer(ana, cost, { answer: 'none' }));
    expect(await owed()).toEqual({ mira: 0, ana: 16, ben: 24 });
    at('2026-12-03T12:00:00Z');
    const late = { status: 400, body: { code: 'objection_too_late' } };
    expect(await answer(ana, cost, { answer: 'no' })).toMatchObject(late);
  });

  it('loses the answers to it when it changes, unless it only gets cheaper', async () => {
    const cost = await add(mira, { text: 'Tires', amount: 300, split: 'equal' });
    await done(answer(ben, cost, { answer: 'yes' }));
    const change = (body: object) => done(api.call<Cost>('PATCH', owned(`${cost.id}/`), { as: mira, body }));
    await change({ amount: 240 });
    expect(await owed()).toEqual({ mira: 20 + 160 - 240, ana: 6, ben: 94 });
    await change({ amount: 270 });
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
  });

  it('can be removed until its month closes, and only get cheaper once that has ended', async () => {
    const cost = await add(mira, { text: 'Insurance', amount: 30, split: 'equal' });
    const path = owned(`${cost.id}/`);
    at('2026-12-01T12:00:00Z');
    expect(await api.call('PATCH', path, { as: mira, body: { amount: 31 } })).toMatchObject({
      status: 400,
      body: { code: 'cost_only_lowered' },
    });
    expect(await api.call('PATCH', path, { as: mira, body: { amount: 15 } })).toMatchObject({ status: 200 });
    expect(await owed()).toEqual({ mira: 20 + 5 - 15, ana: 11, ben: 19 });
    expect(await api.call('DELETE', path, { as: mira })).toMatchObject({ status: 204 });
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
    const { results } = await done(api.call<CostList>('GET', owned(), { as: mira }));
    expect(results).toMatchObject([{ status: 'removed', version: 2 }]);
  });

  it('stays as it is once its month is closed', async () => {
    const cost = await add(mira, { text: 'Insurance', amount: 30, split: 'equal' });
    await close();
    for (const [method, body] of [
      ['PATCH', { amount: 1 }],
      ['DELETE', undefined],
    ] as const)
      expect(await api.call(method, owned(`${cost.id}/`), { as: mira, ...(body && { body }) })).toMatchObject({
        status: 400,
        body: { code: 'month_closed' },
      });
    expect(await owed()).toEqual({ mira: 0, ana: 16, ben: 24 });
    const refused = { status: 400, body: { fields: { date: expect.any(Array) } } };
    expect(await api.call('POST', owned(), { as: mira, body: { ...FUEL, date: '2026-11-30' } })).toMatchObject(refused);
  });

  it('counts in the running month if it was entered late, for those who had access on its date', async () => {
    at('2026-12-02T12:00:00Z');
    const cost = await add(mira, { text: 'Insurance', amount: 30, split: 'equal', date: '2026-11-30' });
    expect(cost).toMatchObject({ date: '2026-11-30', month: '2026-12' });
    expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
    expect(await owed('2026-12')).toEqual({ mira: 40 + 10 - 30, ana: 10, ben: 10 });
    await add(mira, { text: 'Before', amount: 30, split: 'equal', date: '2026-12-01' });
    expect(await owed('2026-12')).toEqual({ mira: 0, ana: 20, ben: 20 });
  });

  it('costs no one more because another has left since', async () => {
    at('2026-11-30T12:00:00Z');
    await api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana });
    at('2026-12-02T12:00:00Z');
    const late = { amount: 30, date: '2026-11-20' };
    await add(mira, { ...late, split: 'equal' });
    await add(mira, { ...late, split: 'allocation' });
    expect(await owed('2026-12')).toEqual({ mira: 40 - 60 + 20 + 15, ben: 10 + 15 });
  });
});

describe('someone who had no access on the date of a cost', () => {
  it('bears nothing of it, and does not see it', async () => {
    const kim = await api.register('kim');
    await add(mira, { text: 'Insurance', amount: 30, split: 'equal', date: '2026-11-11' });
    const share = await api.share(mira, asset, kim, 20);
    expect(await owed()).toMatchObject({ kim: 0, ana: 4 + 10 });
    const list = await done(api.call<CostList>('GET', `/api/shared-assets/${share.id}/costs/`, { as: kim }));
    expect(list.results).toEqual([]);
    expect((await statement(kim)).costs).toEqual([]);
    await add(mira, { text: 'Wash', amount: 40, split: 'equal' });
    expect((await statement(kim)).costs).toMatchObject([{ text: 'Wash' }]);
    expect(await owed()).toMatchObject({ kim: 10, ana: 4 + 10 + 10 });
  });

  it('has nothing to say yes or no to, not even of what they paid', async () => {
    const kim = await api.register('kim');
    const share = await api.share(mira, asset, kim, 20);
    const path = `/api/shared-assets/${share.id}/costs/`;
    const body = { text: 'Insurance', amount: 30, split: 'equal', date: '2026-11-11' };
    const cost = await count(await done(api.call<Cost>('POST', path, { as: kim, body })));
    for (const answer of ['yes', 'no'])
      expect(await api.call('POST', `${path}${cost.id}/answer/`, { as: kim, body: { answer } })).toMatchObject({
        status: 409,
        body: { code: 'cost_answered' },
      });
  });

  it('may be asked for nothing in their name', async () => {
    await api.register('kim');
    for (const [field, body] of [
      ['person', { split: 'person', person: 'kim' }],
      ['person', { split: 'person' }],
      ['paid_by', { paid_by: 'kim' }],
      ['date', { date: '2026-11-13' }],
      ['date', { date: '2026-10-13' }],
      ['date', { date: '0000-01-01' }],
      ['amount', { amount: 0 }],
      ['amount', { amount: 0.001 }],
      ['text', { text: ' ' }],
    ] as const)
      expect(await api.call('POST', owned(), { as: mira, body: { ...FUEL, ...body } })).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(Array) } },
      });
  });
});

describe('what happens to costs', () => {
  /** Hands the asset over to ben at the end of the month. Mira stays as a member. */
  async function handOver() {
    const { version } = await api.offerHandover(mira, asset.id, ben, 20);
    const path = `/api/shared-assets/${shares.ben.id}/handover/accept/`;
    await done(api.call('POST', path, { as: ben, body: { version } }));
  }

  it('when a member leaves: what is theirs stays on their line', async () => {
    await count(await add(ana, {}));
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana }));
    expect(await owed()).toMatchObject({ ana: -36, ben: 56 });
    expect(await api.call('POST', shared('ana'), { as: ana, body: FUEL })).toMatchObject({ status: 404 });
    await close();
    expect(await owed()).toMatchObject({ ana: -36, ben: 56 });
  });

  it('when a member deletes their account: it stays, under their stand-in', async () => {
    await count(await add(ana, {}));
    const body = { current_password: TEST_PASSWORD, keep_name: true };
    await done(api.call('DELETE', '/api/me/', { as: ana, body }));
    expect(await owed()).toMatchObject({ ana: -36, ben: 56 });
    await close();
    expect(await owed()).toMatchObject({ ana: -36, ben: 56 });
  });

  it('when the asset is archived: nothing new, and the month is billed with them', async () => {
    await count(await add(ana, {}));
    await done(api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true, bill: 'nothing' } }));
    expect(await api.call('POST', owned(), { as: mira, body: FUEL })).toMatchObject({
      body: { code: 'asset_archived' },
    });
    await close();
    expect(await owed()).toEqual({ mira: 0, ana: -42, ben: 42 });
  });

  it('when the asset stays archived: what was proposed counts in its own month, or not at all', async () => {
    const [cost] = [await add(ana, {}), await add(ana, { text: 'Oil' })];
    await done(api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true, bill: 'nothing' } }));
    at('2026-12-02T12:00:00Z');
    expect(await count(cost)).toMatchObject({ month: '2026-11', status: 'counted' });
    await close();
    expect(await owed()).toEqual({ mira: 0, ana: -42, ben: 42 });
    expect((await told(ana))[0]).toEqual(['Oil for Car was declined', '$60.00']);
  });

  it('when the asset is deleted: they are on its last statement', async () => {
    await count(await add(ana, {}));
    await done(api.call('DELETE', `/api/assets/${asset.id}/?bill=nothing`, { as: mira }));
    await close('2026-11-16T12:00:00Z');
    const { results } = await done(
      api.call<{ results: Statement[] }>('GET', '/api/statements/?month=2026-11', { as: mira }),
    );
    expect(results[0]?.lines.map(({ username, amount }) => [username, amount])).toEqual([
      ['mira', 0],
      ['ana', -42],
      ['ben', 42],
    ]);
    expect(results[0]?.costs).toMatchObject([{ text: 'Fuel', paid_by: 'ana' }]);
  });

  it('when the asset is deleted without a bill or use: a credit is still owed', async () => {
    const van = await api.addAsset(mira, { name: 'Van', extra_cost_limit: 50 });
    const { id } = await api.share(mira, van, ana, 20);
    const path = `/api/shared-assets/${id}/costs/`;
    const cost = await done(api.call<Cost>('POST', path, { as: ana, body: { ...FUEL, split: 'equal' } }));
    await done(
      api.call('POST', `/api/assets/${van.id}/costs/${cost.id}/answer/`, { as: mira, body: { answer: 'count' } }),
    );
    api.clock.advance(3_600_000);
    await done(api.call('DELETE', `/api/assets/${van.id}/?bill=nothing`, { as: mira }));
    await close('2026-11-16T12:00:00Z');
    const { results } = await done(api.call<{ results: Balance[] }>('GET', '/api/balances/', { as: ana }));
    expect(results).toMatchObject([{ username: 'mira', they_owe: 30 }]);
  });

  it('when it is handed over: those of a month stay with who owned it then', async () => {
    await add(mira, { text: 'Insurance', amount: 30, split: 'equal' });
    await handOver();
    await close('2026-12-02T12:00:00Z');
    expect(await owed()).toEqual({ mira: 0, ana: 16, ben: 24 });
    const late = await done(
      api.call<Cost>('POST', owned(), { as: ben, body: { ...FUEL, amount: 20, split: 'equal' } }),
    );
    expect(late).toMatchObject({ status: 'counted', month: '2026-12', paid_by: 'ben' });
  });

  it('when it is handed over: what its former owner counts later counts in their month', async () => {
    const cost = await add(ana, { split: 'equal' });
    await handOver();
    at('2026-12-02T12:00:00Z');
    expect(await count(cost)).toMatchObject({ month: '2026-11', status: 'counted' });
    expect(await owed()).toEqual({ mira: 20 + 20, ana: 6 + 20 - 60, ben: 14 + 20 });
    expect((await statement(ben, '2026-12')).costs).toEqual([]);
  });

  it('when the payer had access only while the asset was archived: they still add up to the price', async () => {
    const cost = await add(ana, { split: 'equal' });
    at('2026-11-20T12:00:00Z');
    const path = `/api/assets/${asset.id}/`;
    await done(api.call('PATCH', path, { as: mira, body: { archived: true, bill: 'nothing' } }));
    at('2026-12-02T12:00:00Z');
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana }));
    api.clock.advance(3_600_000);
    await done(api.call('PATCH', path, { as: mira, body: { archived: false } }));
    const added = await api.call('POST', owned(), { as: mira, body: { ...FUEL, paid_by: 'ana' } });
    const counted = await count(cost);
    for (const month of ['2026-11', '2026-12']) {
      const { lines } = await statement(mira, month);
      const sum = (part: (line: (typeof lines)[number]) => number) => lines.reduce((all, line) => all + part(line), 0);
      expect([month, sum(({ amount }) => amount)]).toEqual([month, sum(({ price_amount: price }) => price)]);
    }
    expect(added).toMatchObject({ status: 400, body: { fields: { paid_by: [expect.any(String)] } } });
    expect(counted).toMatchObject({ month: '2026-11', status: 'counted' });
  });

  it('when it is handed over: what its new owner proposed waits for their own answer', async () => {
    const cost = await add(ben, { split: 'equal' });
    await handOver();
    await close();
    const { results } = await done(api.call<CostList>('GET', owned(), { as: ben }));
    expect(results).toMatchObject([{ month: '2026-12', status: 'proposed', can: { decide: true } }]);
    const counted = { as: ben, body: { answer: 'count', version: cost.version } };
    expect(await done(api.call<Cost>('POST', owned(`${cost.id}/answer/`), counted))).toMatchObject({
      status: 'counted',
      can: { decide: false },
    });
    expect((await statement(ben, '2026-12')).lines).toMatchObject([
      { username: 'ben', costs_paid: 60 },
      { username: 'ana', amount: 30 },
      // Who owned it then had no access as a member on its date.
      { username: 'mira', amount: 0 },
    ]);
  });
});

/** Has the author of a cost enter as many in a month as they can, all of them removed again. */
const enterMany = (costId: number, month: string, number = 200) =>
  sql`
    insert into costs (asset_id, month, author_id, status, created_at)
    select asset_id, ${`${month}-01`}::date, author_id, 'removed', created_at from costs, generate_series(1, ${number}::int) where id = ${costId}`.execute(
    api.deps.db,
  );

describe('a cost that comes again', () => {
  const dates = async () =>
    (await done(api.call<CostList>('GET', owned(), { as: mira }))).results.map(({ date, month, repeats }) => [
      date,
      month,
      repeats?.next ?? null,
    ]);

  it('does so once a month, also after missed days, until it is ended', async () => {
    await add(mira, { text: 'Parking', amount: 30, split: 'equal', repeats: { every: 1 } });
    for (let run = 0; run < 2; run++) await Promise.all([repeatCosts(api.deps), repeatCosts(api.deps)]);
    expect(await dates()).toEqual([['2026-11-12', '2026-11', '2026-12-12']]);
    at('2026-12-20T12:00:00Z');
    for (let run = 0; run < 2; run++) await Promise.all([repeatCosts(api.deps), repeatCosts(api.deps)]);
    expect(await dates()).toEqual([
      ['2026-12-12', '2026-12', '2027-01-12'],
      ['2026-11-12', '2026-11', null],
    ]);
    expect(await owed('2026-12')).toEqual({ mira: 40 - 20, ana: 10, ben: 10 });
    const [last] = (await done(api.call<CostList>('GET', owned(), { as: mira }))).results;
    await done(api.call('PATCH', owned(`${last?.id}/`), { as: mira, body: { repeats: null } }));
    at('2027-02-20T12:00:00Z');
    await repeatCosts(api.deps);
    expect(await dates()).toHaveLength(2);
  });

  it('can be stopped by its author at any time, also once its month is closed', async () => {
    const theirs = await count(await add(ana, { repeats: { every: 12 } }));
    const own = await add(mira, { text: 'Parking', amount: 30, split: 'equal', repeats: { every: 3 } });
    await close();
    const billed = await owed();
    const paths = { mira: owned(`${own.id}/`), ana: shared('ana', `${theirs.id}/`) };
    const stop = (path: string, as: SignedIn, body: object = {}) =>
      api.call<Cost>('PATCH', path, { as, body: { repeats: null, ...body } });
    expect(await stop(owned(`${theirs.id}/`), mira)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
    const closed = { status: 400, body: { code: 'month_closed' } };
    expect(await stop(paths.ana, ana, { text: 'Diesel' })).toMatchObject(closed);
    expect(await stop(paths.ana, ana, { repeats: { every: 1 } })).toMatchObject(closed);
    expect(await api.call('DELETE', paths.ana, { as: ana })).toMatchObject(closed);
    for (const [path, as] of [
      [paths.mira, mira],
      [paths.ana, ana],
      [paths.ana, ana],
    ] as const)
      expect(await stop(path, as)).toMatchObject({ status: 200, body: { repeats: null, version: 1, closed: true } });
    at('2027-12-20T12:00:00Z');
    await repeatCosts(api.deps);
    expect(await dates()).toHaveLength(2);
    expect(await owed()).toEqual(billed);
  });

  it('does so for each missed day, even in a closed month', async () => {
    await add(ana, { repeats: { every: 1 } });
    at('2027-02-20T12:00:00Z');
    for (let run = 0; run < 2; run++) await Promise.all([repeatCosts(api.deps), repeatCosts(api.deps)]);
    expect(await dates()).toEqual([
      ['2027-02-12', '2027-02', '2027-03-12'],
      ['2027-01-12', '2027-02', null],
      ['2026-12-12', '2027-02', null],
      ['2026-11-12', '2026-11', null],
    ]);
    expect((await told(mira))[0]).toEqual(['Car has a new cost: Fuel', '$60.00. Count it or decline it.']);
  });

  it('does so even if another one fails', async () => {
    const broken = await api.addAsset(mira, { name: 'Boat' });
    const body = { ...FUEL, repeats: { every: 1 } };
    await done(api.call('POST', `/api/assets/${broken.id}/costs/`, { as: mira, body }));
    await add(mira, body);
    at('2026-12-12T12:00:00Z');
    const condition = `new.asset_id = ${broken.id}`;
    await whileRefused(api.deps.db, { table: 'costs', condition }, () => repeatCosts(api.deps));
    expect(await dates()).toHaveLength(2);
  });

  it('is counted from its new day, told of, and stays as it was if the change is refused', async () => {
    const cost = await add(ana, {});
    const change = (body: object) => api.call<Cost>('PATCH', shared('ana', `${cost.id}/`), { as: ana, body });
    const repeats = { every: 1 };
    expect((await change({ repeats, amount: 0 })).status).toBe(400);
    expect(await dates()).toEqual([['2026-11-12', '2026-11', null]]);
    expect(await told(mira)).toHaveLength(1);
    api.clock.advance(1000);
    expect(await change({ repeats })).toMatchObject({ body: { version: 1, repeats: { next: '2026-12-12' } } });
    expect(await told(mira)).toHaveLength(2);
    api.clock.advance(1000);
    expect(await change({ repeats })).toMatchObject({ body: { version: 1, repeats: { next: '2026-12-12' } } });
    expect(await told(mira)).toHaveLength(2);
    expect(await change({ repeats, date: '2026-11-05' })).toMatchObject({ body: { repeats: { next: '2026-12-05' } } });
  });

  it('waits for the next month if its author can enter no more in this one', async () => {
    const { id } = await add(mira, { text: 'Parking', amount: 30, split: 'equal', repeats: { every: 1 } });
    at('2026-12-12T12:00:00Z');
    await enterMany(id, '2026-12');
    await repeatCosts(api.deps);
    expect(await dates()).toEqual([['2026-11-12', '2026-11', '2026-12-12']]);
    at('2027-01-02T12:00:00Z');
    await repeatCosts(api.deps);
    expect(await dates()).toEqual([
      ['2026-12-12', '2027-01', '2027-01-12'],
      ['2026-11-12', '2026-11', null],
    ]);
  });

  it('ends when it is removed', async () => {
    const { id } = await add(mira, { repeats: { every: 1 } });
    await done(api.call('DELETE', owned(`${id}/`), { as: mira }));
    at('2026-12-20T12:00:00Z');
    await repeatCosts(api.deps);
    expect(await dates()).toEqual([['2026-11-12', '2026-11', null]]);
  });

  it('ends when who paid it has left, and says so until its author stops it', async () => {
    const { id } = await add(mira, { paid_by: 'ana', repeats: { every: 1 } });
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana }));
    at('2026-12-20T12:00:00Z');
    for (let run = 0; run < 2; run++) await repeatCosts(api.deps);
    const listed = async () => (await done(api.call<CostList>('GET', owned(), { as: mira }))).results;
    expect(await listed()).toMatchObject([{ id, repeats: { every: 1, until: null, next: null } }]);
    await done(api.call('PATCH', owned(`${id}/`), { as: mira, body: { repeats: null } }));
    expect(await listed()).toMatchObject([{ id, repeats: null }]);
  });

  it('can begin anew with another payer while its month is open', async () => {
    const { id } = await add(mira, { paid_by: 'ana', repeats: { every: 1 } });
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana }));
    await sql`update costs set repeat_next = null where id = ${id}`.execute(api.deps.db);
    const body = { paid_by: 'mira', repeats: { every: 1, until: null } };
    const changed = await done(api.call<Cost>('PATCH', owned(`${id}/`), { as: mira, body }));
    expect(changed).toMatchObject({ repeats: { next: '2026-12-12' } });
  });

  it('does not come on the day on which the plan ends, nor keep it from ending then', async () => {
    await add(mira, { text: 'Parking', amount: 30, split: 'equal', repeats: { every: 1 } });
    await done(api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { ends_on: '2026-12-12' } }));
    at('2026-12-12T00:30:00Z');
    await repeatCosts(api.deps);
    expect(await dates()).toHaveLength(1);
    await archiveEndedAssets(api.deps);
    const { lines } = await statement(mira, '2026-12');
    expect(lines.map(({ days }) => days)).toEqual([0, 11, 11]);
  });

  it('waits for a handover that is due, and does not come if the former owner who pays it has left', async () => {
    await add(mira, { text: 'Parking', amount: 30, split: 'equal', repeats: { every: 1 } });
    const { version, shareId } = await api.offerHandover(mira, asset.id, ben, null);
    await done(api.call('POST', `/api/shared-assets/${shareId}/handover/accept/`, { as: ben, body: { version } }));
    at('2026-12-20T12:00:00Z');
    await repeatCosts(api.deps);
    const { lines, costs } = await statement(ben, '2026-12');
    expect(costs).toEqual([]);
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(40);
  });

  it('ends when who entered it leaves, and skips what is archived', async () => {
    await count(await add(ana, { repeats: { every: 1 } }));
    await add(mira, { text: 'Parking', amount: 30, split: 'equal', repeats: { every: 1 } });
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/leave/`, { as: ana }));
    await done(api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } }));
    at('2026-12-20T12:00:00Z');
    await repeatCosts(api.deps);
    expect(await dates()).toEqual([
      ['2026-11-12', '2026-11', '2027-01-12'],
      ['2026-11-12', '2026-11', null],
    ]);
  });
});

it('is a CSV, too', async () => {
  await add(mira, { text: 'Insurance', amount: 30, split: 'equal' });
  const { text } = await api.call('GET', owned('?format=csv'), { as: mira });
  expect(text).toContain('2026-11-12,2026-11,Insurance,30,USD,mira,equal,,counted,mira');
});

it('is changed by its author alone, and answered by those who bear a part', async () => {
  const cost = await add(ana, {});
  const refused = { status: 403, body: { code: 'owner_only' } };
  const body = { text: 'Diesel' };
  expect(await api.call('PATCH', owned(`${cost.id}/`), { as: mira, body })).toMatchObject(refused);
  expect(await api.call('DELETE', shared('ben', `${cost.id}/`), { as: ben })).toMatchObject(refused);
  // The answer doesn't tell whether there is such an asset.
  const gone = { status: 404, body: { detail: 'cost_not_found' } };
  expect(await api.call('PATCH', `/api/assets/999/costs/${cost.id}/`, { as: mira, body })).toMatchObject(gone);
  expect(await api.call('PATCH', owned('999999/'), { as: mira, body })).toMatchObject(gone);
  // It doesn't count yet.
  expect(await answer(ben, cost, { answer: 'no' })).toMatchObject({ status: 409, body: { code: 'cost_answered' } });
  await done(api.call('PATCH', shared('ana', `${cost.id}/`), { as: ana, body }));
  await done(api.call('DELETE', shared('ana', `${cost.id}/`), { as: ana }));
  expect(await answer(mira, cost, { answer: 'count' })).toMatchObject({ status: 409 });
  expect(await owed()).toEqual({ mira: 20, ana: 6, ben: 14 });
});

it('of a member waits for the owner, whom no co-manager replaces', async () => {
  const manage = { as: mira, body: { manager: true } };
  await done(api.call('PATCH', `/api/assets/${asset.id}/share/${shares.ben.id}/`, manage));
  const cost = await add(ana, {});
  const refused = { status: 403, body: { code: 'owner_only' } };
  const decide = ({ id }: Cost) =>
    api.call<Cost>('POST', owned(`${id}/answer/`), { as: ben, body: { answer: 'count' } });
  expect(await decide(cost)).toMatchObject(refused);
  const own = await done(api.call<Cost>('POST', owned(), { as: ben, body: FUEL }));
  expect(own).toMatchObject({ status: 'proposed' });
  expect(await decide(own)).toMatchObject(refused);
});

it('has an amount that its currency has, and says so of an amount', async () => {
  const refused = async (amount: number) =>
    (await api.call<{ fields: object }>('POST', owned(), { as: mira, body: { ...FUEL, amount } })).body.fields;
  expect(await refused(0.001)).toEqual({ amount: ['Amount must have at most two decimals'] });
  expect(await refused(10_000_000)).toEqual({ amount: ['Amount must be at most 9999999.99'] });
});

it('is one of at most 200 of each person a month', async () => {
  const { id } = await add(ana, {});
  await enterMany(id, '2026-11', 198);
  await add(ana, {});
  const full = { status: 400, body: { code: 'too_many_costs' } };
  expect(await api.call('POST', shared('ana'), { as: ana, body: FUEL })).toMatchObject(full);
  const own = await add(mira, {});
  await enterMany(own.id, '2026-11', 199);
  expect(await api.call('POST', owned(), { as: mira, body: FUEL })).toMatchObject(full);
});

it.each([
  ['goes with them', 'accept', { kim: 10 - 40 }],
  ['does not', 'object', { kim: 10 }],
])('of a person without an account %s if they join and %s', async (_what, charges, theirs) => {
  const people = await done(
    api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, {
      as: mira,
      body: { name: 'Oma', monthly_hours_allocated: 20 },
    }),
  );
  const oma = people.shared_with.find(({ person }) => person);
  const name = oma?.shared_with_username ?? '';
  await add(mira, { amount: 40, split: 'equal', paid_by: name });
  expect(await owed()).toMatchObject({ [name]: 10 - 40 });
  // They can't say yes to what is above the limit of the terms that they were added with.
  const dear = await add(mira, { amount: 300, split: 'person', person: name });
  expect(await owed()).toMatchObject({ [name]: 10 - 40 });
  await done(api.call('DELETE', owned(`${dear.id}/`), { as: mira }));
  const path = `/api/assets/${asset.id}/share/${oma?.id}/claim/`;
  const { claim } = await done(api.call<{ claim: { link: string } }>('POST', path, { as: mira }));
  const kim = await api.register('kim');
  const token = claim.link.replace(/^.*\//, '');
  await done(api.call('POST', `/api/claims/${token}/`, { as: kim, body: { charges } }));
  expect(await owed()).toMatchObject(theirs);
  await close();
  expect(await owed()).toMatchObject(theirs);
});

describe('the limit of extra costs', () => {
  it('is asked about when it rises, and holds for who has not said yes', async () => {
    await done(api.call('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { extra_cost_limit: 200 } }));
    at('2026-12-02T12:00:00Z');
    const read = () => done(api.call<SharedAsset>('GET', `/api/shared-assets/${shares.ana.id}/`, { as: ana }));
    expect(await read()).toMatchObject({
      asked: true,
      terms: { extra_cost_limit: 200 },
      agreed: { extra_cost_limit: 50 },
    });
    await add(mira, { text: 'Tires', amount: 300, split: 'equal' });
    expect(await owed('2026-12')).toEqual({ mira: 40, ana: 0, ben: 0 });
    const { terms } = await read();
    await done(api.call('POST', `/api/shared-assets/${shares.ana.id}/agree/`, { as: ana, body: { terms } }));
    expect(await owed('2026-12')).toEqual({ mira: -60, ana: 100, ben: 0 });
  });
});
