import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SplitPreview, Statement, StatementLine } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const setClock = (instant: string) => void (api.clock.now = new Date(instant));

/** Uses a share for some hours and leaves the clock at the end. */
async function use(share: number, caller: SignedIn, from: string, hours: number) {
  setClock(from);
  await api.call('POST', `/api/shared-assets/${share}/start/`, { as: caller });
  api.clock.advance(hours * 3_600_000);
  await api.call('POST', `/api/shared-assets/${share}/end/`, { as: caller });
}

/** Creates an asset of $20.00 a month, shared since January with Ben (60 h) and Ana (40 h). */
async function household() {
  setClock('2026-01-01T00:00:00Z');
  const [owner, ben, ana] = [await api.register('mira'), await api.register('ben'), await api.register('ana')];
  const asset = await api.addAsset(owner, { name: 'Films', subscription_cost: 20 });
  const benShareId = (await api.share(owner, asset, ben, 60)).id;
  const anaShareId = (await api.share(owner, asset, ana, 40)).id;
  return { owner, ben, ana, asset, benShareId, anaShareId };
}

const preview = async (caller: SignedIn, id: number, body?: object) =>
  api.call<{ results: SplitPreview[] }>('POST', `/api/assets/${id}/split-preview/`, { as: caller, body });
const amounts = (lines: Pick<StatementLine, 'username' | 'amount'>[]) =>
  Object.fromEntries(lines.map(({ username, amount }) => [username, amount]));
const statements = async (caller: SignedIn, query = '') =>
  (await api.call<{ results: Statement[] }>('GET', `/api/statements/${query}`, { as: caller })).body.results;

describe('the preview of a split', () => {
  it('covers the current month and the last three with use, newest first, before and after', async () => {
    const { owner, ben, asset, benShareId } = await household();
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    await use(benShareId, ben, '2026-02-10T10:00:00Z', 10);
    await use(benShareId, ben, '2026-04-10T10:00:00Z', 20);
    await use(benShareId, ben, '2026-06-01T10:00:00Z', 5);
    setClock('2026-07-02T00:00:00Z');
    const { body } = await preview(owner, asset.id, { split_method: 'equal' });
    expect(body.results.map(({ month }) => month)).toEqual(['2026-07', '2026-06', '2026-04', '2026-02']);
    const [july, june, april] = body.results;
    expect([july?.price, july?.currency]).toEqual([20, 'USD']);
    expect(amounts(july?.before ?? [])).toEqual({ mira: 20, ana: 0, ben: 0 });
    expect(amounts(june?.before ?? [])).toEqual({ mira: 19, ana: 0, ben: 1 });
    expect(amounts(april?.before ?? [])).toEqual({ mira: 16, ana: 0, ben: 4 });
    for (const { after } of body.results) {
      expect(after.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([6.66, 6.67, 6.67]);
      expect(after.map(({ role }) => role)).toEqual(['owner', 'member', 'member']);
    }
  });

  it('applies the owner’s hours, a base share, and allowances by username in any case', async () => {
    const { owner, ben, asset, benShareId } = await household();
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    const previewAmounts = async (body: object) =>
      amounts((await preview(owner, asset.id, body)).body.results[0]?.after ?? []);
    expect(await previewAmounts({})).toEqual({ mira: 18, ana: 0, ben: 2 });
    expect(await previewAmounts({ owner_hours: 100 })).toEqual({ mira: 19, ana: 0, ben: 1 });
    expect(await previewAmounts({ allocations: { BEN: 10 } })).toEqual({ mira: 16, ana: 0, ben: 4 });
    expect(await previewAmounts({ base_percent: 50 })).toEqual({ mira: 9, ana: 4, ben: 7 });
    expect(await previewAmounts({ split_method: 'allocation', owner_hours: 100 })).toEqual({
      mira: 10,
      ana: 4,
      ben: 6,
    });
  });

  it('recalculates a closed month from its statement, with its own price', async () => {
    const { owner, ben, ana, asset, benShareId, anaShareId } = await household();
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    setClock('2026-02-05T00:00:00Z');
    await api.call('GET', '/api/balances/', { as: owner });
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { subscription_cost: 50 } });
    await api.call('DELETE', `/api/assets/${asset.id}/share/${anaShareId}/`, { as: owner });
    await api.deps.db.deleteFrom('users').where('id', '=', ana.user.id).execute();
    const { body } = await preview(owner, asset.id, { split_method: 'allocation' });
    const january = body.results.find(({ month }) => month === '2026-01');
    expect(january?.price).toBe(20);
    expect(amounts(january?.before ?? [])).toEqual({ mira: 18, ana: 0, ben: 2 });
    expect(amounts(january?.after ?? [])).toEqual({ mira: 0, ana: 8, ben: 12 });
  });

  it('tries the usual limit of an hour if none is given, or none is asked for', async () => {
    const { owner, ben, asset, benShareId } = await household();
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    const bens = async (body: object) =>
      amounts((await preview(owner, asset.id, { split_method: 'share_of_use', ...body })).body.results[0]?.after ?? [])[
        'ben'
      ];
    // $20 ÷ 100 h, then ÷ 80 h and ÷ 200 h.
    expect(await bens({})).toBe(2);
    expect(await bens({ allocations: { ben: 40 } })).toBe(2.5);
    await api.deps.db.updateTable('periods').set({ split_method: 'share_of_use', max_hour_cents: 50 }).execute();
    expect(await bens({})).toBe(5);
    expect(await bens({ max_price_per_hour: null, owner_hours: 100 })).toBe(1);
  });

  it('leaves the odd cents of a closed month where they were, also without the account of a participant', async () => {
    const { owner, ben, ana, asset, benShareId, anaShareId } = await household();
    for (const month of ['01', '02', '03']) await use(benShareId, ben, `2026-${month}-10T10:00:00Z`, 1);
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { split_method: 'equal' } });
    setClock('2026-04-01T00:00:00Z');
    for (const [as, id] of [
      [ben, benShareId],
      [ana, anaShareId],
    ] as const) {
      const { body } = await api.call<SharedAsset>('GET', `/api/shared-assets/${id}/`, { as });
      await api.call('POST', `/api/shared-assets/${id}/agree/`, { as, body: { terms: body.terms } });
    }
    await use(benShareId, ben, '2026-04-10T10:00:00Z', 1);
    await use(benShareId, ben, '2026-05-10T10:00:00Z', 1);
    await use(benShareId, ben, '2026-06-10T10:00:00Z', 1);
    setClock('2026-07-05T00:00:00Z');
    await api.call('GET', '/api/balances/', { as: owner });
    for (const { user } of [ben, ana]) {
      await api.call('DELETE', '/api/me/', {
        as: user.id === ben.user.id ? ben : ana,
        body: { current_password: TEST_PASSWORD, keep_name: true },
      });
      const { results } = (await preview(owner, asset.id, {})).body;
      const ended = results.filter(({ month }) => month < '2026-07');
      expect(ended.map(({ month }) => month)).toEqual(['2026-06', '2026-05', '2026-04']);
      for (const { before, after } of ended) expect(amounts(after)).toEqual(amounts(before));
    }
  });

  it('changes nothing', async () => {
    const { owner, ben, asset, benShareId } = await household();
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    setClock('2026-02-20T00:00:00Z');
    await preview(owner, asset.id, { split_method: 'equal', owner_hours: 5, allocations: { ben: 1 } });
    const stored = await api.deps.db.selectFrom('periods').select(['split_method', 'owner_hours']).executeTakeFirst();
    expect(stored).toEqual({ split_method: 'usage', owner_hours: 0 });
    expect(await api.deps.db.selectFrom('statements').selectAll().execute()).toEqual([]);
    expect((await statements(ben))[0]?.lines[0]).toMatchObject({ allocated_hours: 60, amount: 0 });
  });

  it.each([
    [{ split_method: 'fair' }, 'split_method'],
    [{ base_percent: 101 }, 'base_percent'],
    [{ owner_hours: -1 }, 'owner_hours'],
    [{ allocations: { ben: 0 } }, 'allocations'],
    [{ allocations: { kim: 5 } }, 'allocations'],
  ])('rejects %j and names the field', async (body, field) => {
    const { owner, asset } = await household();
    const answer = await preview(owner, asset.id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(Object.keys((answer.body as unknown as { fields: object }).fields)[0]).toContain(field);
  });

  it('is only available to the owner', async () => {
    const { ben, asset } = await household();
    expect(await preview(ben, asset.id, {})).toMatchObject({ status: 404 });
  });
});

describe('the statements of all assets', () => {
  it('cover the current month, with every line for the owner and only their own for a member', async () => {
    const { owner, ben, ana, benShareId } = await household();
    const music = await api.addAsset(ben, { name: 'Music', subscription_cost: 5 });
    await api.share(ben, music, owner, 10);
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    const usernamesByAsset = (list: Statement[]) =>
      Object.fromEntries(list.map((each) => [each.asset_name, each.lines.map(({ username }) => username)]));
    expect(usernamesByAsset(await statements(owner))).toEqual({ Films: ['mira', 'ana', 'ben'], Music: ['mira'] });
    expect(usernamesByAsset(await statements(ben))).toEqual({ Films: ['ben'], Music: ['ben', 'mira'] });
    expect(usernamesByAsset(await statements(ana))).toEqual({ Films: ['ana'] });
    expect((await statements(ben))[0]).toMatchObject({ total_hours: 100, places: 3 });
    expect(usernamesByAsset(await statements(await api.register('zoe')))).toEqual({});
    expect((await statements(ben))[0]).toMatchObject({ month: '2026-01', closed: false, price: 20, owner: 'mira' });
  });

  it('use each asset’s own current month, which starts at different times', async () => {
    setClock('2026-01-01T12:00:00Z');
    const owner = await api.register('mira');
    for (const time_zone of ['Pacific/Kiritimati', 'America/Los_Angeles']) await api.addAsset(owner, { time_zone });
    setClock('2026-01-31T22:00:00Z');
    expect((await statements(owner)).map(({ month }) => month)).toEqual(['2026-02', '2026-01']);
  });

  it('of a past month are closed by then and leave out assets added later', async () => {
    const { owner, ben, benShareId } = await household();
    await use(benShareId, ben, '2026-01-10T10:00:00Z', 10);
    setClock('2026-02-10T00:00:00Z');
    await api.addAsset(owner, { name: 'Music' });
    const january = await statements(owner, '?month=2026-01');
    expect(january.map(({ asset_name, closed }) => [asset_name, closed])).toEqual([['Films', true]]);
    expect(amounts(january[0]?.lines ?? [])).toEqual({ mira: 18, ana: 0, ben: 2 });
    expect(january[0]).toMatchObject({ total_hours: 100, places: 3 });
    expect(january[0]?.lines.map(({ status }) => status)).toEqual([null, 'due', 'due']);
    expect(await statements(owner, '?month=2025-12')).toEqual([]);
    expect((await statements(owner, '?month=2026-02')).map((each) => each.asset_name)).toEqual(['Films', 'Music']);
  });

  it('leave out archived assets and those a member left before the month began', async () => {
    const { owner, ben, asset, benShareId } = await household();
    setClock('2026-01-20T00:00:00Z');
    await api.call('DELETE', `/api/assets/${asset.id}/share/${benShareId}/`, { as: owner });
    expect(await statements(ben)).toHaveLength(1);
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { archived: true } });
    setClock('2026-02-20T00:00:00Z');
    expect(await statements(ben)).toEqual([]);
    expect(await statements(owner)).toEqual([]);
    expect(await statements(ben, '?month=2026-01')).toHaveLength(1);
  });
});
