import type { SignedIn } from '@hourshare/contract/sign-ins';
import { endpoints, type Endpoint } from '@hourshare/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from './testing/api.ts';
import { billingCalls, CLOSED } from './testing/bills.ts';
import { BILLED_MONTH, successfulCalls, type EndingKey } from './testing/successes.ts';
import { everyCase } from './testing/every-case.ts';
import { kept } from './testing/kept.ts';
import { recordSessions } from './testing/records.ts';
import { HANG_MILLISECONDS } from './testing/thorough.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const { setClock, get, household, record, send } = billingCalls(() => api);
const successes = kept(
  () => api,
  () => successfulCalls(api),
);

const calls = (Object.entries<Endpoint>(endpoints) as [EndingKey, Endpoint][])
  .filter(([, { csv }]) => csv)
  .map(([key]) => key);

const pathOf = (key: string, id: number | string) =>
  (key.split(' ')[1] ?? '').replace('{id}', String(id)).replace('{month}', BILLED_MONTH);

/** Returns the lines of a file, which must start with the byte order mark and end with a line break. */
async function readCsv(path: string, caller: SignedIn): Promise<string[]> {
  const { status, text } = await api.call('GET', path, { as: caller });
  expect([status, text.startsWith('\uFEFF'), text.endsWith('\r\n')]).toEqual([200, true, true]);
  return text.slice(1, -2).split('\r\n');
}

/** Returns the id and the user of a call that succeeds. */
async function findSuccess(key: EndingKey): Promise<[id: number, as: SignedIn]> {
  const [id, { as: caller }] = (await successes())[key][200]!;
  if (!caller) throw new Error('no one makes this call');
  return [id, caller];
}

const everyFile = (check: (key: EndingKey, id: number, caller: SignedIn) => Promise<void>) =>
  everyCase(calls, String, async (key) => check(key, ...(await findSuccess(key))));

describe('each list as a file', { timeout: HANG_MILLISECONDS }, () => {
  it('downloads as text with a simple name and forbids caching', () =>
    everyFile(async (key, id, caller) => {
      for (const path of [pathOf(key, id), pathOf(key, id).slice(0, -1)]) {
        const { headers } = await api.call('GET', `${path}?format=csv`, { as: caller });
        expect(headers).toMatchObject({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': expect.stringMatching(/^attachment; filename="[a-z0-9-]+\.csv"$/) as string,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        expect((await readCsv(`${path}?format=csv`, caller))[0]).toMatch(/^[a-z_]+(?:,[a-z_]+)+$/);
      }
      expect(await api.call('HEAD', `${pathOf(key, id)}?format=csv`, { as: caller })).toMatchObject({
        status: 200,
        text: '',
      });
    }));

  it('is JSON by default or on request, and any other format is rejected', () =>
    everyFile(async (key, id, caller) => {
      const json = await api.call('GET', pathOf(key, id), { as: caller });
      expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
      expect((await api.call('GET', `${pathOf(key, id)}?format=json`, { as: caller })).body).toEqual(json.body);
      for (const format of ['xml', 'CSV', ''])
        expect(await api.call('GET', `${pathOf(key, id)}?format=${format}`, { as: caller })).toMatchObject({
          status: 400,
          body: { code: 'validation_failed', fields: { format: ['format must be json or csv'] } },
        });
    }));

  it('requires a token, and returns a JSON 404 or no rows for what the caller cannot see', () =>
    everyFile(async (key, id) => {
      expect(await api.call('GET', `${pathOf(key, id)}?format=csv`)).toMatchObject({
        status: 401,
        body: { code: 'not_signed_in' },
      });
      const stranger = await api.register('max');
      const answers = [id, 999, 'abc'].map((each) =>
        api.call('GET', `${pathOf(key, each)}?format=csv`, { as: stranger }),
      );
      const refused = expect.stringMatching(/^\{"error":"[^"]+","code":"not_found"[,}]/) as string;
      const nothing = expect.stringMatching(/^[^\r\n]+\r\n$/) as string;
      for (const { status, text } of await Promise.all(answers))
        expect([status, text]).toEqual(key.includes('{id}') ? [404, refused] : [200, nothing]);
    }));
});

describe('a statement as a file', () => {
  it('has every line for the owner and only their own for a member', async () => {
    const { mira, ben, asset } = await household();
    setClock(CLOSED);
    const path = `/api/assets/${asset.id}/statements/2026-02/?format=csv`;
    const head =
      'asset_name,owner,month,closed,closes_at,price,currency,split_method,base_percent,owner_hours,max_price_per_hour,total_hours,places,username,role,used_hours,allocated_hours,days,summed_hours,used_seconds,available_seconds,amount,base_amount,odd_cents,maximum,covered,status,status_since,settled,paid_amount,open_amount,sent_amount,ends_at,deleted_at,unbilled,added_seconds,metered_seconds,price_parts,price_amount,costs_amount,costs_paid';
    const end = '2026-03-01T00:00:00.000Z,,false,0,0,';
    const statement = `Netflix Premium,mira,2026-02,true,${CLOSED},20,USD,usage,0,0,,100,3`;
    expect(await readCsv(path, mira)).toEqual([
      head,
      `${statement},mira,owner,0,0,0,0,0,0,13.98,0,0,,0,,,false,,,,${end},13.98,0,0`,
      `${statement},ana,member,30,60,28,1680,108000,216000,6,0,0,10,0,due,,false,0,6,0,${end},6,0,0`,
      `${statement},ben,member,0.1,40,28,1120,360,144000,0.02,0,0,0.02,0,due,,false,0,0.02,0,${end},0.02,0,0`,
    ]);
    expect(await readCsv(path, ben)).toEqual([
      head,
      `${statement},ben,member,0.1,40,28,1120,360,144000,0.02,0,0,0.02,0,due,,false,0,0.02,0,${end},0.02,0,0`,
    ]);
    const { headers } = await api.call('GET', path, { as: mira });
    expect(headers['content-disposition']).toBe('attachment; filename="statement-netflix-premium-2026-02.csv"');
  });

  it('can cover all months of an asset and all assets of a month', async () => {
    const { mira, ana, asset } = await household();
    await api.addAsset(mira, { name: 'Gym', subscription_cost: 5 });
    setClock(CLOSED);
    const months = await readCsv(`/api/assets/${asset.id}/statements/?format=csv`, ana);
    expect(months.slice(1).map((line) => line.split(',').slice(2, 4))).toEqual([
      ['2026-03', 'false'],
      ['2026-02', 'true'],
    ]);
    const february = await readCsv('/api/statements/?month=2026-02&format=csv', mira);
    expect(february.slice(1).map((line) => [line.split(',')[0], line.split(',')[13]])).toEqual([
      ['Netflix Premium', 'mira'],
      ['Netflix Premium', 'ana'],
      ['Netflix Premium', 'ben'],
      ['Gym', 'mira'],
    ]);
    const { headers } = await api.call('GET', '/api/statements/?month=2026-02&format=csv', { as: mira });
    expect(headers['content-disposition']).toBe('attachment; filename="statements-2026-02.csv"');
  });

  it.each([
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`, 'statement-hyperlink-http-x-y-2026-02.csv'],
    ['@SUM(1+1)*cmd|x', "'@SUM(1+1)*cmd|x", 'statement-sum-1-1-cmd-x-2026-02.csv'],
    ['＝1+1', "'＝1+1", 'statement-1-1-2026-02.csv'],
    ['Films, "the best"', '"Films, ""the best"""', 'statement-films-the-best-2026-02.csv'],
    ['x;=1+1', `"x;'=1+1"`, 'statement-x-1-1-2026-02.csv'],
    ['映画とКино 🎬', '映画とКино 🎬', 'statement-2026-02.csv'],
    ['../"; filename=evil.exe', '"../""; filename=evil.exe"', 'statement-filename-evil-exe-2026-02.csv'],
  ])('is safe to open when the asset is called %s', async (name, cell, fileName) => {
    const { mira, asset } = await household();
    await send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body: { name } });
    const path = `/api/assets/${asset.id}/statements/2026-02/?format=csv`;
    for (const line of (await readCsv(path, mira)).slice(1))
      expect(line.startsWith(`${cell},mira,2026-02,`)).toBe(true);
    const { headers } = await api.call('GET', path, { as: mira });
    expect(headers['content-disposition']).toBe(`attachment; filename="${fileName}"`);
  });

  it('is safe to open when a username starts like a formula', async () => {
    const { mira, asset } = await household();
    await api.share(mira, asset, await api.register('-1-1'));
    const lines = await readCsv(`/api/assets/${asset.id}/statements/2026-02/?format=csv`, mira);
    expect(lines.map((line) => line.split(',')[13])).toEqual(['username', 'mira', "'-1-1", 'ana', 'ben']);
  });
});

describe('balances and settlements as files', () => {
  it('have a row for each charge', async () => {
    const { mira, ben, asset } = await household();
    setClock(CLOSED);
    await get(`/api/assets/${asset.id}/statements/`, mira);
    expect(await readCsv('/api/balances/?format=csv', mira)).toEqual([
      'username,asset_name,month,direction,amount,currency,status,status_since,open_amount,sent_amount',
      'ana,Netflix Premium,2026-02,they_owe,6,USD,due,,6,0',
      'ben,Netflix Premium,2026-02,they_owe,0.02,USD,due,,0.02,0',
    ]);
    await send('POST', '/api/settlements/', { as: mira, body: { username: 'ben' } });
    expect(await readCsv('/api/settlements/?format=csv', ben)).toEqual([
      'settlement,settled_at,recorded_by,username,paid,paid_amount,currency,asset_name,month,direction,amount,covered_amount,status,confirmed_at,undone_at,undo_asked_by',
      `1,${CLOSED},mira,mira,you_paid,0.02,USD,Netflix Premium,2026-02,you_owe,0.02,0.02,paid,${CLOSED},,`,
    ]);
  });
});

describe('analytics as a file', () => {
  it('has a row for each day with use, and for the owner each member', async () => {
    const { mira, ana, asset, shareOfAna, shareOfBen } = await household();
    await record(shareOfBen, '2026-02-03T20:00:00Z', 1.25);
    const path = `/api/shared-assets/${shareOfAna.id}/analytics/?format=csv`;
    expect(await readCsv(`${path}&month=2026-02`, ana)).toEqual([
      'asset_name,date,hours,metered_hours',
      'Netflix Premium,2026-02-03,16,0',
      'Netflix Premium,2026-02-04,14,0',
    ]);
    expect(await readCsv(`/api/assets/${asset.id}/analytics/?month=2026-02&format=csv`, mira)).toEqual([
      'asset_name,date,username,hours,metered_hours',
      'Netflix Premium,2026-02-03,ana,16,0',
      'Netflix Premium,2026-02-03,ben,1.25,0',
      'Netflix Premium,2026-02-04,ana,14,0',
      'Netflix Premium,2026-02-04,ben,0.1,0',
    ]);
    const { headers } = await api.call('GET', path, { as: ana });
    expect(headers['content-disposition']).toBe('attachment; filename="analytics-netflix-premium-2026-02.csv"');
  });
});

describe('sessions as a file', () => {
  const MANY = 450;

  /** Records sessions of an hour each, one after another, starting January 1. */
  async function recordUse(shareId: number, count: number) {
    const first = Date.parse('2026-01-01T00:00:00Z');
    const hour = (n: number) => new Date(first + n * 3_600_000);
    const sessions = Array.from({ length: count }, (_, n) => ({
      share_id: shareId,
      started_at: hour(n),
      ended_at: hour(n + 1),
      ends_by: hour(n + 24),
    }));
    await recordSessions(api.deps.db, sessions);
  }

  it('are complete, newest first, without repeats', async () => {
    const { mira, ana, asset, shareOfAna } = await household();
    await recordUse(shareOfAna.id, MANY);
    const ownSessions = await readCsv(`/api/shared-assets/${shareOfAna.id}/logs/?format=csv`, ana);
    expect(ownSessions[0]).toBe('asset_name,start_time,end_time,duration_minutes,added_late,source');
    expect(ownSessions[1]).toBe('Netflix Premium,2026-02-03T08:00:00.000Z,2026-02-04T14:00:00.000Z,1800,,pressed');
    expect(ownSessions).toHaveLength(1 + MANY + 1);
    const starts = ownSessions.slice(1).map((line) => line.split(',')[1]!);
    expect(starts).toEqual([...new Set(starts)].toSorted().toReversed());
    const allSessions = await readCsv(`/api/assets/${asset.id}/sessions/?format=csv`, mira);
    expect(allSessions).toHaveLength(1 + MANY + 2);
    expect(allSessions[1]).toBe('Netflix Premium,ben,2026-02-04T08:00:00.000Z,2026-02-04T08:06:00.000Z,6,,,,,,pressed');
  });

  it('have no end while running, and show the owner the original times', async () => {
    const { mira, ben, asset, shareOfBen } = await household();
    const logs = `/api/shared-assets/${shareOfBen.id}/logs/`;
    const { results } = await get<{ results: { id: number }[] }>(logs, ben);
    const body = { end_time: '2026-02-04T08:30:00Z' };
    await send('PATCH', `${logs}${results[0]?.id}/`, { as: ben, body });
    await send('POST', `/api/shared-assets/${shareOfBen.id}/start/`, { as: ben });
    expect((await readCsv(`${logs}?format=csv`, ben)).slice(1)).toEqual([
      'Netflix Premium,2026-02-20T12:00:00.000Z,,,,pressed',
      'Netflix Premium,2026-02-04T08:00:00.000Z,2026-02-04T08:30:00.000Z,30,,pressed',
    ]);
    expect((await readCsv(`/api/assets/${asset.id}/sessions/?format=csv`, mira))[2]).toBe(
      'Netflix Premium,ben,2026-02-04T08:00:00.000Z,2026-02-04T08:30:00.000Z,30,corrected,2026-02-20T12:00:00.000Z,2026-02-04T08:00:00.000Z,2026-02-04T08:06:00.000Z,,pressed',
    );
  });

  it.each(['limit=10', 'cursor=x'])('cannot be paged: %s', async (page) => {
    const { ana, shareOfAna } = await household();
    expect(
      await api.call('GET', `/api/shared-assets/${shareOfAna.id}/logs/?format=csv&${page}`, { as: ana }),
    ).toMatchObject({ status: 400, body: { code: 'validation_failed', fields: { format: [expect.any(String)] } } });
  });
});
