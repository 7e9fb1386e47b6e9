import type { Statement, StatementLine } from '@hourshare/contract/statements';
import type { Price } from '@hourshare/contract/periods';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { freshAccess, openTestApi, type TestApi } from '../../testing/api.ts';
import { amounts, billingCalls, CLOSED, JUST_BEFORE } from '../../testing/bills.ts';
import { recordAssets, recordSessions, runScheduledJobs } from '../../testing/records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, statementsOf, household } = billingCalls(() => api);

describe('a statement', () => {
  it('is an estimate during the month, with the owner’s line first', async () => {
    const { mira, asset } = await household();
    expect(await statementOf(asset, '2026-02', mira)).toEqual({
      asset_id: asset.id,
      asset_name: 'Netflix Premium',
      owner: 'mira',
      month: '2026-02',
      ended: false,
      closed: false,
      costs: [],
      ends_at: '2026-03-01T00:00:00.000Z',
      closes_at: CLOSED,
      deleted_at: null,
      unbilled: false,
      price: 20,
      price_parts: [],
      renewal: null,
      price_changes: [],
      next_price: null,
      edited_sessions: [],
      silences: [],
      currency: 'USD',
      split_method: 'usage',
      base_percent: 0,
      owner_hours: 0,
      max_price_per_hour: null,
      owner_takes_part: false,
      measured: true,
      total_hours: 100,
      places: 3,
      used_seconds: 30.1 * 3600,
      lines: [
        statementLine({ username: 'mira', role: 'owner', days: 0, amount: 13.98, agreed: null, maximum: null }),
        statementLine({
          username: 'ana',
          used_hours: 30,
          allocated_hours: 60,
          sources: [{ source: 'pressed', meter: null, seconds: 108_000 }],
          amount: 6,
          maximum: 10,
        }),
        statementLine({
          username: 'ben',
          used_hours: 0.1,
          allocated_hours: 40,
          sources: [{ source: 'pressed', meter: null, seconds: 360 }],
          amount: 0.02,
          maximum: 0.02,
        }),
      ],
    });
  });

  it('shows a member the total and only their own line', async () => {
    const { ana, asset } = await household();
    expect(await statementOf(asset, '2026-02', ana)).toMatchObject({
      price: 20,
      total_hours: 100,
      lines: [{ username: 'ana', amount: 6 }],
    });
  });

  it('is closed by the first request after 72 hours, and not before', async () => {
    const { mira, ana, asset } = await household();
    setClock(JUST_BEFORE);
    expect(await statementOf(asset, '2026-02', mira)).toMatchObject({ ended: true, closed: false });
    setClock(CLOSED);
    const closed = await statementOf(asset, '2026-02', ana);
    expect(closed).toMatchObject({ closed: true, lines: [{ username: 'ana', amount: 6, status: 'due' }] });
    expect((await statementsOf(asset, mira)).map(({ month, closed }) => [month, closed])).toEqual([
      ['2026-03', false],
      ['2026-02', true],
    ]);
  });

  it('never changes once closed, even if the asset, its shares, or its sessions do', async () => {
    const { mira, asset, shareOfAna } = await household();
    setClock(CLOSED);
    const closed = await statementOf(asset, '2026-02', mira);
    await send('PATCH', `/api/assets/${asset.id}/`, {
      as: mira,
      body: { name: 'Renamed', subscription_cost: 99, split_method: 'equal', owner_hours: 700 },
    });
    await send('PATCH', `/api/assets/${asset.id}/share/${shareOfAna.id}/`, {
      as: mira,
      body: { monthly_hours_allocated: 1 },
    });
    await send('DELETE', `/api/assets/${asset.id}/share/${shareOfAna.id}/`, { as: mira });
    await api.deps.db.deleteFrom('sessions').execute();
    expect(await statementOf(asset, '2026-02', mira)).toEqual(closed);
    await expect(
      send('POST', `/api/assets/${asset.id}/prices/`, {
        as: mira,
        body: { from_month: '2026-02', subscription_cost: 1 },
      }),
    ).rejects.toThrow('month_closed');
  });

  it('uses the price, terms, and allowances in force when the month ended', async () => {
    const { mira, asset, shareOfAna } = await household();
    setClock('2026-03-02T12:00:00Z');
    await send('PATCH', `/api/assets/${asset.id}/`, {
      as: mira,
      body: { subscription_cost: 99, split_method: 'equal', owner_hours: 7 },
    });
    const body = { monthly_hours_allocated: 1 };
    await send('PATCH', `/api/assets/${asset.id}/share/${shareOfAna.id}/`, { as: mira, body });
    await send('PATCH', `/api/assets/${asset.id}/share/${shareOfAna.id}/`, { as: mira, body });
    const february = { mira: 13.98, ana: 6, ben: 0.02 };
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual(february);
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject({ price: 99, split_method: 'usage' });
    setClock(CLOSED);
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual(february);
  });

  it('of an ended month uses a corrected price until it is closed', async () => {
    const { mira, asset } = await household();
    setClock('2026-03-02T12:00:00Z');
    const prices = (body: object) =>
      send<{ results: Price[] }>('POST', `/api/assets/${asset.id}/prices/`, { as: mira, body });
    await prices({ from_month: '2026-03', subscription_cost: 20 });
    await prices({ from_month: '2026-02', subscription_cost: 10 });
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual({ mira: 6.99, ana: 3, ben: 0.01 });
    expect((await statementOf(asset, '2026-03', mira)).price).toBe(20);
  });

  // An owner closed a month in its first second, with a forgotten session of 24 hours in it.
  it('can be closed early by the owner only when every member has nothing to edit', async () => {
    const { mira, ana, ben, asset, shareOfBen } = await household();
    const call = (action: string, month: string, caller: SignedIn) =>
      api.call<Statement>('POST', `/api/assets/${asset.id}/statements/${month}/${action}/`, { as: caller });
    expect(await call('close', '2026-02', mira)).toMatchObject({ status: 400, body: { code: 'month_not_ended' } });
    expect(await call('confirm', '2026-02', ana)).toMatchObject({ status: 400, body: { code: 'month_not_ended' } });
    setClock('2026-03-01T00:00:00Z');
    expect(await call('close', '2026-02', ana)).toMatchObject({ status: 404 });
    expect(await call('close', '2026-01', mira)).toMatchObject({ status: 404 });
    expect(await call('close', '2026-04', mira)).toMatchObject({ status: 404 });
    const refused = { status: 400, body: { code: 'members_may_edit' } };
    expect(await call('close', '2026-02', mira)).toMatchObject(refused);
    expect(await call('confirm', '2026-02', ana)).toMatchObject({
      status: 200,
      body: { closed: false, lines: [{ username: 'ana', confirmed_at: '2026-03-01T00:00:00.000Z' }] },
    });
    // Someone whose access has ended also has a say.
    await send('DELETE', `/api/assets/${asset.id}/share/${shareOfBen.id}/`, { as: mira });
    expect(await call('close', '2026-02', mira)).toMatchObject(refused);
    expect(await call('confirm', '2026-02', ben)).toMatchObject({ status: 200 });
    expect((await statementOf(asset, '2026-02', mira)).lines.map((line) => line.confirmed_at !== null)).toEqual([
      false,
      true,
      true,
    ]);
    expect(await call('close', '2026-02', mira)).toMatchObject({ status: 200, body: { closed: true } });
    expect(await call('close', '2026-02', mira)).toMatchObject({ status: 200, body: { closed: true } });
    expect(await call('confirm', '2026-02', ana)).toMatchObject({ status: 400, body: { code: 'month_closed' } });
  });

  it('of a closed month does not exist for someone who joined later', async () => {
    const { mira, asset } = await household();
    setClock(CLOSED);
    expect((await statementOf(asset, '2026-02', mira)).closed).toBe(true);
    const zoe = await api.register('zoe');
    await api.share(mira, asset, zoe);
    const path = `/api/assets/${asset.id}/statements/`;
    expect((await api.call('GET', `${path}2026-02/`, { as: zoe })).status).toBe(404);
    expect(await get(path, zoe)).toMatchObject({ results: [{ month: '2026-03' }] });
  });

  it('can be closed at once if no one else had access', async () => {
    setClock('2026-02-10T00:00:00Z');
    const mira = await api.register('mira');
    const { id } = await api.addAsset(mira);
    setClock('2026-03-01T00:00:00Z');
    const close = `/api/assets/${id}/statements/2026-02/close/`;
    expect(await api.call('POST', close, { as: mira })).toMatchObject({ status: 200, body: { closed: true } });
  });

  it('does not exist for a month spent archived, so that month is not closed either', async () => {
    const { mira, asset } = await household();
    setClock('2026-02-28T23:59:59Z');
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } });
    // The schedule hasn't closed February, as on a server that was off.
    setClock('2026-04-01T00:00:00Z');
    const close = `/api/assets/${asset.id}/statements/2026-03/close/`;
    const months = api.deps.db.selectFrom('periods').select('month').where('closed_at', 'is not', null);
    expect((await api.call('POST', close, { as: mira })).status).toBe(404);
    expect(await months.execute()).toEqual([]);
  });

  it('answers what was closed if the month was neither billed nor used', async () => {
    const { mira, ana, ben, asset } = await household();
    setClock('2026-03-10T00:00:00Z');
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true, bill: 'nothing' } });
    setClock('2026-04-01T00:00:00Z');
    for (const as of [ana, ben]) await send('POST', `/api/assets/${asset.id}/statements/2026-03/confirm/`, { as });
    const path = `/api/assets/${asset.id}/statements/2026-03/`;
    expect(await api.call<Statement>('POST', `${path}close/`, { as: mira })).toMatchObject({
      status: 200,
      body: { closed: true, unbilled: true, lines: [{ amount: 0 }, { amount: 0 }, { amount: 0 }] },
    });
    expect((await api.call('GET', path, { as: mira })).status).toBe(404);
  });

  it('keeps its position in the list when it is closed', async () => {
    const { mira, ana, ben, asset } = await household();
    await api.addAsset(mira);
    setClock('2026-03-01T00:00:00Z');
    for (const as of [ana, ben]) await send('POST', `/api/assets/${asset.id}/statements/2026-02/confirm/`, { as });
    await send('POST', `/api/assets/${asset.id}/statements/2026-02/close/`, { as: mira });
    const { results } = await get<{ results: Statement[] }>('/api/statements/?month=2026-02', mira);
    expect(results).toMatchObject([{ asset_id: asset.id, closed: true }, { closed: false }]);
  });

  it('is listed for its owner, its members, or both', async () => {
    const { mira, ana, asset } = await household();
    const figma = await api.addAsset(ana, { name: 'Figma' });
    await api.share(ana, figma, mira, 10);
    const listed = async (query: string) =>
      (await get<{ results: Statement[] }>(`/api/statements/?month=2026-02${query}`, mira)).results.map(
        ({ asset_id: id }) => id,
      );
    const expectEach = async () => {
      expect(await listed('&role=owner')).toEqual([asset.id]);
      expect(await listed('&role=member')).toEqual([figma.id]);
      expect(await listed('')).toEqual([asset.id, figma.id]);
    };
    await expectEach();
    setClock(CLOSED);
    await expectEach();
    expect(await api.call('GET', '/api/statements/?role=both', { as: mira })).toMatchObject({
      status: 400,
      body: { fields: { role: ['role must be owner or member'] } },
    });
  });

  it('is not found for months before the asset, future months, or users without access', async () => {
    const { mira, asset } = await household();
    const zoe = await api.register('zoe');
    for (const [month, caller] of [
      ['2026-01', mira],
      ['2026-03', mira],
      ['2026-02', zoe],
    ] as const)
      expect(await api.call('GET', `/api/assets/${asset.id}/statements/${month}/`, { as: caller })).toMatchObject({
        status: 404,
      });
  });

  it('is closed exactly once by 20 concurrent requests to two servers', async () => {
    const { mira, ana, asset } = await household();
    setClock(CLOSED);
    const second = await buildApp(api.deps);
    const tokens = await Promise.all([mira, ana].map((each) => freshAccess(api.deps, each)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? api.app : second).inject({
          url: `/api/assets/${asset.id}/statements/2026-02/`,
          headers: { authorization: `Bearer ${tokens[index % 4 < 2 ? 0 : 1]}` },
        }),
      ),
    );
    await second.close();
    expect([...new Set(answers.map(({ statusCode }) => statusCode))]).toEqual([200]);
    expect(await api.deps.db.selectFrom('statements').selectAll().execute()).toHaveLength(1);
    expect(await api.deps.db.selectFrom('statement_lines').selectAll().execute()).toHaveLength(3);
  });

  it('is created by the schedule for every month without a running server, and sessions end at their limit', async () => {
    const { mira, asset, shareOfBen } = await household();
    const [started = 0] = await recordSessions(api.deps.db, [
      {
        share_id: shareOfBen.id,
        started_at: new Date('2026-02-28T20:00:00Z'),
        ends_by: new Date('2026-03-01T20:00:00Z'),
      },
    ]);
    setClock('2026-06-04T00:00:00Z');
    await runScheduledJobs(api.deps);
    await runScheduledJobs(api.deps);
    const stored = await api.deps.db.selectFrom('statements').select(['month', 'closed_at']).orderBy('month').execute();
    expect(stored.map(({ month }) => month)).toEqual(['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01']);
    const session = await api.deps.db.selectFrom('sessions').select('ended_at').where('id', '=', started).execute();
    expect(session).toEqual([{ ended_at: new Date('2026-03-01T20:00:00Z') }]);
    // Ben used 0.1 h and the four hours of February 28; the other twenty belong to March.
    expect((await statementOf(asset, '2026-02', mira)).lines.at(-1)).toMatchObject({ used_hours: 4.1 });
    expect((await statementOf(asset, '2026-03', mira)).lines.at(-1)).toMatchObject({ used_hours: 20, amount: 4 });
  });

  it('is closed by a read only with 49 others; the schedule closes all', async () => {
    const mira = await api.register('mira');
    const added = new Date('2026-02-10T12:00:00Z');
    const assets = Array.from({ length: 60 }, () => ({ owner_id: mira.user.id, created_at: added }));
    await recordAssets(api.deps.db, assets, added);
    setClock(CLOSED);
    const closed = async () => (await api.deps.db.selectFrom('statements').select('id').execute()).length;
    await get('/api/statements/?limit=1', mira);
    expect(await closed()).toBe(50);
    await runScheduledJobs(api.deps);
    expect(await closed()).toBe(60);
  });

  it('is created by the schedule even if that of another asset fails', async () => {
    const { mira, asset: broken } = await household();
    const intact = await api.addAsset(mira);
    // A month with a statement that is still open, which the code never produces.
    await api.deps.db
      .insertInto('statements')
      .values({
        asset_id: broken.id,
        asset_name: 'Broken',
        month: '2026-02-01',
        owner_id: mira.user.id,
        owner_name: 'mira',
        price_cents: 0,
        currency: 'USD',
        split_method: 'usage',
        base_percent: 0,
        owner_hours: 0,
        owner_takes_part: false,
        measured: true,
        total_hours: 0,
        places: 1,
        ends_at: new Date('2026-03-01T00:00:00Z'),
        closes_at: new Date(CLOSED),
        closed_at: new Date(CLOSED),
      })
      .execute();
    setClock(CLOSED);
    await runScheduledJobs(api.deps);
    const february = api.deps.db.selectFrom('periods').where('month', '=', '2026-02-01').orderBy('asset_id');
    expect(await february.select(['asset_id', 'closed_at']).execute()).toEqual([
      { asset_id: broken.id, closed_at: null },
      { asset_id: intact.id, closed_at: new Date(CLOSED) },
    ]);
  });

  it('combines two shares of a member in a month; a day in both has the larger allowance', async () => {
    const { mira, ana, asset, shareOfAna } = await household({ split_method: 'allocation' });
    setClock('2026-02-10T12:00:00Z');
    await send('DELETE', `/api/assets/${asset.id}/share/${shareOfAna.id}/`, { as: mira });
    setClock('2026-02-10T18:00:00Z');
    const newShare = await api.share(mira, asset, ana, 10);
    await record(newShare, '2026-02-11T00:00:00Z', 2);
    setClock(CLOSED);
    const { lines } = await statementOf(asset, '2026-02', mira);
    expect(lines.map(({ username }) => username)).toEqual(['mira', 'ana', 'ben']);
    // 10 days of 60 h and 18 of 10 h, of 100 h on 28 days: $20.00 × 780 ÷ 2,800.
    expect(lines[1]).toMatchObject({ used_hours: 32, allocated_hours: 10, days: 28, summed_hours: 780, amount: 5.57 });
  });

  it('counts the days on which a share existed', async () => {
    const { mira, asset, shareOfBen } = await household({ split_method: 'equal' });
    setClock('2026-02-14T23:59:00Z');
    await send('DELETE', `/api/assets/${asset.id}/share/${shareOfBen.id}/`, { as: mira });
    setClock(CLOSED);
    const february = await statementOf(asset, '2026-02', mira);
    expect(february.lines.map(({ days }) => days)).toEqual([0, 28, 14]);
    expect(amounts(february)).toEqual({ mira: 10, ana: 6.67, ben: 3.33 });
    expect(amounts(await statementOf(asset, '2026-03', mira))).toEqual({ mira: 10, ana: 10 });
  });

  it('is not created for a month the asset spent archived', async () => {
    const { mira, asset } = await household({ split_method: 'equal' });
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: true } });
    setClock('2026-05-02T00:00:00Z');
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { archived: false } });
    expect((await statementsOf(asset, mira)).map(({ month }) => month)).toEqual(['2026-05', '2026-02']);
    expect(await api.call('GET', `/api/assets/${asset.id}/statements/2026-04/`, { as: mira })).toMatchObject({
      status: 404,
    });
  });
});

function statementLine(line: Partial<StatementLine>): StatementLine {
  return {
    id: null,
    username: '',
    hue: expect.any(Number) as number,
    role: 'member',
    used_hours: 0,
    used_seconds: Math.round((line.used_hours ?? 0) * 3600),
    sources: [],
    allocated_hours: 0,
    available_seconds: (line.allocated_hours ?? 0) * 3600,
    days: 28,
    summed_hours: (line.allocated_hours ?? 0) * 28,
    amount: 0,
    price_amount: line.amount ?? 0,
    costs_amount: 0,
    costs_paid: 0,
    base_amount: 0,
    odd_cents: 0,
    agreed: expect.any(Object) as StatementLine['agreed'],
    maximum: null,
    covered: 0,
    asked: false,
    objected_at: null,
    explanation: expect.any(Array) as StatementLine['explanation'],
    costs: [],
    confirmed_at: null,
    status: null,
    status_since: null,
    settled: false,
    paid_amount: null,
    open_amount: null,
    sent_amount: null,
    ...line,
  };
}
