import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Analytics } from '@hourshare/contract/analytics';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { billingCalls } from '../../../testing/bills.ts';
import { recordSessions, runScheduledJobs } from '../../../testing/records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, statementsOf } = billingCalls(() => api);

interface Household {
  mira: SignedIn;
  ben: SignedIn;
  asset: OwnedAsset;
  share: SharedAsset;
}

/** Creates Mira's asset of $20.00, shared with Ben for 20 hours on March 10 at noon UTC. */
async function household(zone: string, terms: Record<string, unknown> = {}): Promise<Household> {
  const mira = await api.register('mira');
  const ben = await api.register('ben');
  const asset = await api.addAsset(mira, { subscription_cost: 20, time_zone: zone, ...terms });
  return { mira, ben, asset, share: await api.share(mira, asset, ben, 20) };
}

const change = ({ mira, asset }: Household, body: object) =>
  send<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as: mira, body });
const changeZone = (home: Household, zone: string) => change(home, { time_zone: zone });
const readAsset = ({ mira, asset }: Household) => get<OwnedAsset>(`/api/assets/${asset.id}/`, mira);
const analytics = ({ ben, share }: Household, month = '') =>
  get<Analytics>(`/api/shared-assets/${share.id}/analytics/${month && `?month=${month}`}`, ben);
const readUsedHours = async ({ ben, share }: Household) =>
  (await get<SharedAsset>(`/api/shared-assets/${share.id}/`, ben)).usage_this_month;

describe('a new time zone', () => {
  it('takes effect when the month ends in the old zone', async () => {
    const home = await household('UTC');
    const pendingChange = { time_zone: 'UTC', next_time_zone: { time_zone: 'Asia/Tokyo', from_month: '2026-04' } };
    expect(await changeZone(home, 'Asia/Tokyo')).toMatchObject(pendingChange);
    setClock('2026-03-31T23:59:59.999Z');
    expect(await readAsset(home)).toMatchObject(pendingChange);
    setClock('2026-04-01T00:00:00.000Z');
    expect(await readAsset(home)).toMatchObject({ time_zone: 'Asia/Tokyo', next_time_zone: null });
  });

  it('can be replaced by another in the same month', async () => {
    const home = await household('UTC');
    await changeZone(home, 'Asia/Tokyo');
    expect(await changeZone(home, 'Europe/Berlin')).toMatchObject({
      time_zone: 'UTC',
      next_time_zone: { time_zone: 'Europe/Berlin', from_month: '2026-04' },
    });
    setClock('2026-04-01T00:00:00Z');
    expect(await readAsset(home)).toMatchObject({ time_zone: 'Europe/Berlin', next_time_zone: null });
  });

  it('is dropped when the owner returns to the current zone', async () => {
    const home = await household('UTC');
    await changeZone(home, 'Asia/Tokyo');
    expect(await changeZone(home, 'UTC')).toEqual(await readAsset(home));
    expect(await readAsset(home)).toMatchObject({ time_zone: 'UTC', next_time_zone: null });
    setClock('2026-05-10T00:00:00Z');
    expect(await readAsset(home)).toMatchObject({ time_zone: 'UTC', next_time_zone: null });
  });

  it('must be valid and can only be set by the owner', async () => {
    const home = await household('UTC');
    const path = `/api/assets/${home.asset.id}/`;
    expect(await api.call('PATCH', path, { as: home.mira, body: { time_zone: 'Moon/Tycho' } })).toMatchObject({
      status: 400,
      body: { error: 'Unknown time zone', fields: { time_zone: ['Unknown time zone'] } },
    });
    expect(await api.call('PATCH', path, { as: home.ben, body: { time_zone: 'Asia/Tokyo' } })).toMatchObject({
      status: 404,
    });
    expect(await readAsset(home)).toMatchObject({ time_zone: 'UTC', next_time_zone: null });
  });

  it('survives concurrent changes to other terms', async () => {
    const home = await household('UTC');
    const changes = [{ time_zone: 'Asia/Tokyo' }, { split_method: 'equal' }, { subscription_cost: 7 }];
    await Promise.all([...changes, ...changes].map((body) => change(home, body)));
    expect(await readAsset(home)).toMatchObject({
      time_zone: 'UTC',
      next_time_zone: { time_zone: 'Asia/Tokyo', from_month: '2026-04' },
      split_method: 'usage',
      next_terms: { from_month: '2026-04', split_method: 'equal' },
      subscription_cost: 7,
    });
  });
});

describe('the months of an asset that changes zones', () => {
  it('meet where the old zone ends the first one; the new zone divides the later days', async () => {
    const home = await household('America/New_York');
    await changeZone(home, 'Europe/Berlin');
    // March ends in New York at 04:00Z, which is 06:00 on April 1 in Berlin; April 2 begins there at 22:00Z.
    await record(home.share, '2026-04-01T03:30:00Z', 19.5);
    setClock('2026-04-10T00:00:00Z');
    expect((await analytics(home, '2026-03')).daily_usage).toEqual({ '2026-03-31': 0.5 });
    expect((await analytics(home)).daily_usage).toEqual({ '2026-04-01': 18, '2026-04-02': 1 });
    expect(await readUsedHours(home)).toBe(19);
    // April ends at midnight in Berlin.
    expect(await statementOf(home.asset, '2026-04', home.mira)).toMatchObject({
      closes_at: '2026-05-03T22:00:00.000Z',
    });
  });

  it('count hours that a zone further west puts before the month toward its first day', async () => {
    const home = await household('Pacific/Kiritimati');
    await changeZone(home, 'Pacific/Pago_Pago');
    // April begins where March ends in Kiritimati, at 10:00Z, 25 hours before April 1 in Pago Pago.
    const start = new Date('2026-03-31T09:00:00Z');
    const running = { share_id: home.share.id, started_at: start, ends_by: new Date(start.getTime() + 51 * 3_600_000) };
    await recordSessions(api.deps.db, [running]);
    setClock('2026-03-31T10:30:00Z');
    expect(await analytics(home)).toMatchObject({
      month: '2026-04',
      daily_usage: { '2026-04-01': 0.5 },
      weekly_usage: [{ week: 1, hours: 0.5 }],
    });
    expect(await readUsedHours(home)).toBe(0.5);
    setClock('2026-04-10T00:00:00Z');
    expect((await analytics(home, '2026-03')).daily_usage).toEqual({ '2026-03-31': 1 });
    expect((await analytics(home)).daily_usage).toEqual({ '2026-04-01': 49, '2026-04-02': 1 });
  });

  it('count as shared in full when a zone far east skips the first day', async () => {
    const home = await household('Pacific/Pago_Pago', { split_method: 'equal' });
    await changeZone(home, 'Pacific/Kiritimati');
    // April begins where March ends in Pago Pago, at 11:00Z, which is 01:00 on April 2 in Kiritimati.
    await record(home.share, '2026-04-01T10:00:00Z', 2);
    setClock('2026-04-01T10:59:00Z');
    await api.share(home.mira, home.asset, await api.register('ana'));
    setClock('2026-04-10T00:00:00Z');
    expect((await analytics(home)).daily_usage).toEqual({ '2026-04-02': 1 });
    const { lines } = await statementOf(home.asset, '2026-04', home.mira);
    expect(lines).toMatchObject([
      { amount: 6.67 },
      { username: 'ana', days: 30, amount: 6.66 },
      { username: 'ben', days: 30, used_hours: 1, amount: 6.67 },
    ]);
  });

  it('stay contiguous through several zones, even while no server runs', async () => {
    const home = await household('America/New_York');
    await changeZone(home, 'Europe/Berlin');
    setClock('2026-04-20T12:00:00Z');
    await changeZone(home, 'Asia/Tokyo');
    for (const [from, hours] of [
      ['2026-04-01T00:00:00Z', 10],
      ['2026-04-30T20:00:00Z', 10],
      ['2026-05-31T10:00:00Z', 10],
    ] as const)
      await record(home.share, from, hours);
    setClock('2026-07-20T00:00:00Z');
    await runScheduledJobs(api.deps);
    const statements = (await statementsOf(home.asset, home.mira)).toReversed();
    expect(
      statements.map(({ month, closed, closes_at, lines }) => [month, closed, closes_at, lines[1]?.used_hours]),
    ).toEqual([
      ['2026-03', true, '2026-04-04T04:00:00.000Z', 4],
      ['2026-04', true, '2026-05-03T22:00:00.000Z', 8],
      ['2026-05', true, '2026-06-03T15:00:00.000Z', 13],
      ['2026-06', true, '2026-07-03T15:00:00.000Z', 5],
      ['2026-07', false, '2026-08-03T15:00:00.000Z', 0],
    ]);
  });

  it('start and end correctly when clocks are set back', async () => {
    setClock('2026-10-10T00:00:00Z');
    const home = await household('Europe/Berlin');
    await changeZone(home, 'America/Havana');
    // October ends in Berlin at 23:00Z, an hour later in UTC than it began. In Havana, November 1 has two midnights and
    // ends at 05:00Z on the 2nd.
    await record(home.share, '2026-10-31T22:00:00Z', 32);
    setClock('2026-11-10T00:00:00Z');
    expect((await analytics(home, '2026-10')).daily_usage).toEqual({ '2026-10-31': 1 });
    expect((await analytics(home)).daily_usage).toEqual({ '2026-11-01': 30, '2026-11-02': 1 });
  });
});

describe('while the new zone’s clock still shows the previous month', () => {
  /**
   * Returns a household one hour into April, which began where March ended in Kiritimati. In Pago Pago it is noon on
   * March 30.
   */
  async function newlyMovedHousehold() {
    const home = await household('Pacific/Kiritimati');
    await record(home.share, '2026-03-31T09:00:00Z', 1);
    await record(home.share, '2026-03-31T10:10:00Z', 0.5);
    await changeZone(home, 'Pacific/Pago_Pago');
    setClock('2026-03-31T11:00:00Z');
    return home;
  }

  it('prices, terms, and allowances change from the new month on', async () => {
    const home = await newlyMovedHousehold();
    await change(home, { subscription_cost: 30, owner_hours: 5 });
    const path = `/api/assets/${home.asset.id}/share/${home.share.id}/`;
    await send('PATCH', path, { as: home.mira, body: { monthly_hours_allocated: 40 } });
    const march = { price: 20, owner_hours: 0, ended: true, lines: [{}, { allocated_hours: 20, used_hours: 1 }] };
    const april = { price: 30, owner_hours: 0, ended: false, lines: [{}, { allocated_hours: 40, used_hours: 0.5 }] };
    expect(await statementOf(home.asset, '2026-03', home.mira)).toMatchObject(march);
    expect(await statementOf(home.asset, '2026-04', home.mira)).toMatchObject(april);
    expect(await readAsset(home)).toMatchObject({
      subscription_cost: 30,
      next_terms: { from_month: '2026-05', owner_hours: 5 },
    });
  });

  it('the previous month can be closed while sessions of the new one can be edited', async () => {
    const home = await newlyMovedHousehold();
    const march = `/api/assets/${home.asset.id}/statements/2026-03`;
    await send('POST', `${march}/confirm/`, { as: home.ben, body: {} });
    await send('POST', `${march}/close/`, { as: home.mira, body: {} });
    const logs = `/api/shared-assets/${home.share.id}/logs/`;
    const { results } = await get<{ results: { id: number }[] }>(logs, home.ben);
    const edit = (id: number | undefined, start_time: string) =>
      api.call('PATCH', `${logs}${id}/`, { as: home.ben, body: { start_time } });
    expect(await edit(results[0]?.id, '2026-03-31T10:20:00Z')).toMatchObject({ status: 200 });
    expect(await edit(results[0]?.id, '2026-03-31T09:59:00Z')).toMatchObject({ body: { code: 'month_closed' } });
    expect(await edit(results[1]?.id, '2026-03-31T09:30:00Z')).toMatchObject({ body: { code: 'month_closed' } });
  });

  it('another change of zone waits for the following month', async () => {
    const home = await newlyMovedHousehold();
    expect(await changeZone(home, 'Asia/Tokyo')).toMatchObject({
      time_zone: 'Pacific/Pago_Pago',
      next_time_zone: { time_zone: 'Asia/Tokyo', from_month: '2026-05' },
    });
  });
});
