import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement, StatementLine } from '@hourshare/contract/statements';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { billingCalls, CLOSED } from '../../testing/bills.ts';
import { closeDuePeriods } from '../statements/closing/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, statementOf, household } = billingCalls(() => api);
const balancesOf = async (caller: SignedIn) => (await get<{ results: Balance[] }>('/api/balances/', caller)).results;
const settlementsOf = async (caller: SignedIn) =>
  (await get<{ results: Settlement[] }>('/api/settlements/', caller)).results;
/** Deletes an asset that has nothing left to close, because the running month is neither billed nor used. */
const deleteForGood = (owner: SignedIn, { id }: { id: number }) =>
  send('DELETE', `/api/assets/${id}/?bill=nothing`, { as: owner });

describe('marking a charge', () => {
  async function closedHousehold() {
    const home = await household();
    setClock(CLOSED);
    const { lines } = await statementOf(home.asset, '2026-02', home.mira);
    const mark = (caller: SignedIn, status: string, line = lines[1]?.id) =>
      api.call<StatementLine>('POST', `/api/statement-lines/${line}/mark/`, { as: caller, body: { status } });
    return { ...home, lines, mark };
  }

  it('goes from due to sent by the member, to paid by the owner, and back by whoever marked it', async () => {
    const { mira, ana, mark } = await closedHousehold();
    for (const [caller, status] of [
      [ana, 'sent'],
      [ana, 'due'],
      [ana, 'sent'],
      [mira, 'paid'],
      [mira, 'sent'],
      [mira, 'paid'],
      [mira, 'paid'],
    ] as const)
      expect(await mark(caller, status)).toMatchObject({ status: 200, body: { status, username: 'ana', amount: 6 } });
    // Undoing "paid" restores what the member had marked.
    expect(await mark(mira, 'due')).toMatchObject({ status: 200, body: { status: 'sent' } });
  });

  it('is rejected for anyone else, and for everyone on the owner’s own line', async () => {
    const { mira, ana, ben, lines, mark } = await closedHousehold();
    expect(await mark(ana, 'paid')).toMatchObject({ status: 400, body: { code: 'mark_not_allowed' } });
    expect(await mark(mira, 'sent')).toMatchObject({ status: 400, body: { code: 'mark_not_allowed' } });
    expect(await mark(ben, 'sent')).toMatchObject({ status: 404 });
    expect(await mark(mira, 'paid', lines[0]?.id)).toMatchObject({ status: 404 });
    await mark(mira, 'paid');
    for (const [caller, status] of [
      [ana, 'due'],
      // Which only Ana says.
      [mira, 'sent'],
    ] as const)
      expect(await mark(caller, status)).toMatchObject({ status: 400, body: { code: 'mark_not_allowed' } });
    expect(await mark(ana, 'maybe')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('shows its date on the statement and in the balance', async () => {
    const { mira, ana, asset, mark } = await closedHousehold();
    const readStatus = async () => {
      const { lines } = await statementOf(asset, '2026-02', mira);
      const [balance] = await balancesOf(ana);
      return [lines[1], balance?.lines[0]].map((line) => line && [line.status, line.status_since]);
    };
    expect(await readStatus()).toEqual([
      ['due', null],
      ['due', null],
    ]);
    const [sent, paid] = ['2026-03-05T10:00:00.000Z', '2026-03-06T10:00:00.000Z'];
    setClock(sent);
    await mark(ana, 'sent');
    setClock(paid);
    expect(await readStatus()).toEqual([
      ['sent', sent],
      ['sent', sent],
    ]);
    expect((await mark(mira, 'paid')).body).toMatchObject({ status: 'paid', status_since: paid });
    expect(await readStatus()).toEqual([['paid', paid], undefined]);
  });

  it('is rejected once a settlement has covered the charge', async () => {
    const { mira, ana, asset, mark } = await closedHousehold();
    await mark(ana, 'sent');
    const settled = '2026-03-07T10:00:00.000Z';
    setClock(settled);
    await send('POST', '/api/settlements/', { as: mira, body: { username: 'ana' } });
    expect((await statementOf(asset, '2026-02', ana)).lines).toMatchObject([
      { status: 'paid', status_since: settled, settled: true },
    ]);
    for (const caller of [mira, ana])
      expect(await mark(caller, 'due')).toMatchObject({ status: 400, body: { code: 'line_settled' } });
  });
});

describe('balances and settlements', () => {
  /** Ana owes Mira $6.00 for Mira's asset, and Mira owes Ana half of hers, which costs $3.00. */
  async function householdWithMutualDebt() {
    const home = await household();
    setClock('2026-02-01T00:00:00Z');
    const bicycle = await api.addAsset(home.ana, { name: 'Bicycle', subscription_cost: 3 });
    await send('PATCH', `/api/assets/${bicycle.id}/`, { as: home.ana, body: { split_method: 'equal' } });
    await api.share(home.ana, bicycle, home.mira, 10);
    setClock(CLOSED);
    return { ...home, bicycle };
  }

  it('offset what two users owe each other across all assets', async () => {
    const { mira, ana, ben, asset, bicycle } = await householdWithMutualDebt();
    const miraBalances = await balancesOf(mira);
    const unsent = { account_deleted: false, they_sent: 0, you_sent: 0, payment_details: null, currency: 'USD' };
    expect(miraBalances.map((balance) => ({ ...balance, lines: balance.lines.length }))).toEqual([
      { username: 'ana', hue: ana.user.id % 8, they_owe: 6, you_owe: 1.5, net: 4.5, ...unsent, lines: 2 },
      { username: 'ben', hue: ben.user.id % 8, they_owe: 0.02, you_owe: 0, net: 0.02, ...unsent, lines: 1 },
    ]);
    expect(miraBalances[0]?.lines).toMatchObject([
      {
        asset_id: asset.id,
        asset_name: 'Netflix Premium',
        month: '2026-02',
        amount: 6,
        direction: 'they_owe',
        status: 'due',
      },
      {
        asset_id: bicycle.id,
        asset_name: 'Bicycle',
        month: '2026-02',
        amount: 1.5,
        direction: 'you_owe',
        status: 'due',
      },
    ]);
    expect(await balancesOf(ana)).toMatchObject([{ username: 'mira', they_owe: 1.5, you_owe: 6, net: -4.5 }]);
    expect(await balancesOf(ben)).toMatchObject([{ username: 'mira', net: -0.02 }]);
  });

  it('include charges marked as sent, but not paid ones', async () => {
    const { mira, ana } = await householdWithMutualDebt();
    const line = (await balancesOf(ana))[0]?.lines.find(({ direction }) => direction === 'you_owe');
    await send('POST', `/api/statement-lines/${line?.id}/mark/`, { as: ana, body: { status: 'sent' } });
    expect((await balancesOf(mira))[0]).toMatchObject({ they_owe: 6, lines: [{ status: 'sent' }, {}] });
    await send('POST', `/api/statement-lines/${line?.id}/mark/`, { as: mira, body: { status: 'paid' } });
    expect((await balancesOf(mira))[0]).toMatchObject({ they_owe: 0, you_owe: 1.5, net: -1.5 });
  });

  it('record the net payment and clear exactly the requested lines', async () => {
    const { mira, ana } = await householdWithMutualDebt();
    const open = (await balancesOf(mira))[0]?.lines ?? [];
    const body = { username: 'ana', lines: open.map(({ id }) => id) };
    const settlement = await send<Settlement>('POST', '/api/settlements/', { as: mira, body });
    expect(settlement).toMatchObject({
      username: 'ana',
      direction: 'they_paid',
      amount: 4.5,
      currency: 'USD',
      settled_at: CLOSED,
      recorded_by: 'mira',
    });
    expect(new Set(settlement.lines.map(({ id }) => id))).toEqual(new Set(body.lines));
    expect((await balancesOf(mira)).map(({ username }) => username)).toEqual(['ben']);
    expect(await settlementsOf(mira)).toEqual([settlement]);
    expect(await settlementsOf(ana)).toMatchObject([{ username: 'mira', direction: 'you_paid', amount: 4.5 }]);
  });

  it('reject a settlement entirely if any of its lines is no longer open', async () => {
    const { mira, ana } = await householdWithMutualDebt();
    const open = (await balancesOf(mira))[0]?.lines ?? [];
    await send('POST', `/api/statement-lines/${open[0]?.id}/mark/`, { as: mira, body: { status: 'paid' } });
    const lines = open.map(({ id }) => id);
    const settle = (body: object) => api.call('POST', '/api/settlements/', { as: ana, body });
    expect(await settle({ username: 'mira', lines })).toMatchObject({ status: 400, body: { code: 'lines_changed' } });
    expect(await settlementsOf(mira)).toEqual([]);
    expect((await settle({ username: 'MIRA' })).status).toBe(201);
    expect(await settle({ username: 'mira' })).toMatchObject({ status: 400, body: { code: 'nothing_to_settle' } });
    expect(await settle({ username: 'mira', currency: 'EUR' })).toMatchObject({ status: 400 });
  });

  it('respond with the same bytes to an unknown username as to one without open lines', async () => {
    const { mira } = await household();
    await api.register('lou');
    const settle = async (body: object) => {
      const { status, text } = await api.call('POST', '/api/settlements/', { as: mira, body });
      return { status, text };
    };
    for (const rest of [{}, { lines: [1] }, { currency: 'USD' }]) {
      const expected = await settle({ username: 'lou', ...rest });
      expect(expected.status).toBe(400);
      expect(await settle({ username: 'no-such-user', ...rest })).toEqual(expected);
    }
  });

  it('keep currencies apart, each with its own balance and settlement', async () => {
    const { mira, ana } = await household();
    setClock('2026-02-01T00:00:00Z');
    const euroAsset = { name: 'Bicycle', subscription_cost: 3, currency: 'EUR', split_method: 'equal' };
    await api.share(mira, await api.addAsset(mira, euroAsset), ana, 10);
    setClock(CLOSED);
    expect(await balancesOf(ana)).toMatchObject([
      { username: 'mira', net: -1.5, currency: 'EUR' },
      { username: 'mira', net: -6, currency: 'USD' },
    ]);
    const settle = (body: object) => api.call<Settlement>('POST', '/api/settlements/', { as: mira, body });
    expect(await settle({ username: 'ana' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await settle({ username: 'ana', currency: 'EUR' })).body).toMatchObject({ amount: 1.5, currency: 'EUR' });
    expect(await balancesOf(ana)).toMatchObject([{ net: -6, currency: 'USD' }]);
  });

  it('let exactly one of 20 concurrent settlements by both sides clear the lines', async () => {
    const { mira, ana } = await householdWithMutualDebt();
    await balancesOf(mira);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.call('POST', '/api/settlements/', {
          as: index % 2 === 0 ? mira : ana,
          body: { username: index % 2 === 0 ? 'ana' : 'mira' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect(await settlementsOf(mira)).toHaveLength(1);
  });

  it('never both settle and mark a line when requests are concurrent', async () => {
    const { mira } = await householdWithMutualDebt();
    const open = (await balancesOf(mira))[0]?.lines ?? [];
    const [settled, ...marks] = await Promise.all([
      api.call('POST', '/api/settlements/', { as: mira, body: { username: 'ana' } }),
      ...open.map(({ id }) =>
        api.call('POST', `/api/statement-lines/${id}/mark/`, { as: mira, body: { status: 'paid' } }),
      ),
    ]);
    expect([201, 400]).toContain(settled.status);
    for (const { status } of marks) expect([200, 400]).toContain(status);
    const lines = await api.deps.db.selectFrom('statement_lines').selectAll().execute();
    expect(lines.filter((line) => line.paid_at !== null && line.settled_cents > 0)).toEqual([]);
  });

  it('keep the original names when the asset or the other account is deleted', async () => {
    const { mira, ana, asset } = await householdWithMutualDebt();
    await send('POST', '/api/settlements/', { as: mira, body: { username: 'ben' } });
    await deleteForGood(mira, asset);
    expect(await balancesOf(ana)).toMatchObject([
      { username: 'mira', you_owe: 6, they_owe: 1.5, lines: [{ asset_id: null, asset_name: 'Netflix Premium' }, {}] },
    ]);
    await api.deps.db.deleteFrom('users').where('id', '=', ana.user.id).execute();
    expect(await balancesOf(mira)).toMatchObject([{ username: 'ana', they_owe: 6, you_owe: 1.5, net: 4.5 }]);
    await api.deps.db.deleteFrom('users').where('username', '=', 'ben').execute();
    expect(await settlementsOf(mira)).toMatchObject([{ username: 'ben', amount: 0.02 }]);
    await send('POST', '/api/settlements/', { as: mira, body: { username: 'ana' } });
    expect(await balancesOf(mira)).toEqual([]);
  });

  it('keep the statements of a deleted asset, showing each member only their own line', async () => {
    const { mira, ana, ben, asset } = await household();
    setClock(CLOSED);
    const path = '/api/statements/?month=2026-02';
    const before = await get<{ results: Statement[] }>(path, mira);
    await deleteForGood(mira, asset);
    expect((await get<{ results: Statement[] }>(path, mira)).results).toEqual([
      { ...before.results[0], asset_id: null },
    ]);
    for (const [member, amount] of [
      [ana, 6],
      [ben, 0.02],
    ] as const)
      expect(await get(path, member)).toMatchObject({
        results: [{ asset_id: null, asset_name: 'Netflix Premium', lines: [{ amount }] }],
      });
  });

  it('include the ended months of an asset deleted before they were closed, once they are', async () => {
    const { mira, ana, asset } = await household();
    setClock('2026-03-02T00:00:00Z');
    await send('DELETE', `/api/assets/${asset.id}/`, { as: mira });
    expect(await balancesOf(ana)).toEqual([]);
    setClock(CLOSED);
    await closeDuePeriods(api.deps);
    expect(await balancesOf(ana)).toMatchObject([{ username: 'mira', you_owe: 6 }]);
  });
});
