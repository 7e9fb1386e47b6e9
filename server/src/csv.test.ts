import type { SignedIn } from '@hourshare/contract/accounts';
import { endpoints, type Endpoint, type EndpointKey } from '@hourshare/contract/endpoints';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from './testing/api.ts';
import { bills, CLOSED } from './testing/bills.ts';
import { BILLED_MONTH, successes } from './testing/successes.ts';
import { recordSessions } from './testing/records.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { at, get, household, record, send } = bills(() => api);

const calls = (Object.entries<Endpoint>(endpoints) as [EndpointKey, Endpoint][])
  .filter(([, { csv }]) => csv)
  .map(([key]) => key);

const pathOf = (key: string, id: number | string) =>
  (key.split(' ')[1] ?? '').replace('{id}', String(id)).replace('{month}', BILLED_MONTH);

/** A file as lines; it has to begin with the byte order mark and end with the end of a line. */
async function file(path: string, as: SignedIn): Promise<string[]> {
  const { status, text } = await api.call('GET', path, { as });
  expect([status, text.startsWith('\uFEFF'), text.endsWith('\r\n')]).toEqual([200, true, true]);
  return text.slice(1, -2).split('\r\n');
}

/** The one success of a call: who makes it, and of what. */
async function successOf(key: EndpointKey): Promise<[id: number, as: SignedIn]> {
  const [id, { as }] = (await successes(api))[key][200]!;
  if (!as) throw new Error('nobody makes this call');
  return [id, as];
}

describe.each(calls)('%s as a file', (key) => {
  it('is text to keep, under a plain name, that nothing caches', async () => {
    const [id, as] = await successOf(key);
    for (const path of [pathOf(key, id), pathOf(key, id).slice(0, -1)]) {
      const { headers } = await api.call('GET', `${path}?format=csv`, { as });
      expect(headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': expect.stringMatching(/^attachment; filename="[a-z0-9-]+\.csv"$/) as string,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect((await file(`${path}?format=csv`, as))[0]).toMatch(/^[a-z_]+(?:,[a-z_]+)+$/);
    }
    expect(await api.call('HEAD', `${pathOf(key, id)}?format=csv`, { as })).toMatchObject({ status: 200, text: '' });
  });

  it('is JSON when nothing or JSON is asked for, and refused when anything else is', async () => {
    const [id, as] = await successOf(key);
    const plain = await api.call('GET', pathOf(key, id), { as });
    expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await api.call('GET', `${pathOf(key, id)}?format=json`, { as })).body).toEqual(plain.body);
    for (const format of ['xml', 'CSV', ''])
      expect(await api.call('GET', `${pathOf(key, id)}?format=${format}`, { as })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { format: ['format must be json or csv'] } },
      });
  });

  it('is nobody’s without a token, and what is foreign or gone is not there, in JSON', async () => {
    const [id] = await successOf(key);
    expect(await api.call('GET', `${pathOf(key, id)}?format=csv`)).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
    const stranger = await api.register('lou');
    const answers = [id, 999, 'abc'].map((each) =>
      api.call('GET', `${pathOf(key, each)}?format=csv`, { as: stranger }),
    );
    const refused = expect.stringMatching(/^\{"error":"[^"]+","code":"not_found"\}$/) as string;
    const nothing = expect.stringMatching(/^[^\r\n]+\r\n$/) as string;
    for (const { status, text } of await Promise.all(answers))
      expect([status, text]).toEqual(key.includes('{id}') ? [404, refused] : [200, nothing]);
  });
});

describe('a statement as a file', () => {
  it('has every line for the owner, and their own alone for a member', async () => {
    const { mira, ben, asset } = await household();
    at(CLOSED);
    const path = `/api/assets/${asset.id}/statements/2026-02/?format=csv`;
    const head =
      'asset_name,owner,month,closed,closes_at,price,currency,split_method,base_percent,owner_hours,offered_hours,allotted_hour_days,shared_days,username,role,used_hours,allocated_hours,days,amount,base_amount,odd_cents,status,status_since,settled';
    const of = `Netflix Premium,mira,2026-02,true,${CLOSED},20,USD,usage,0,0,100,2800,84`;
    expect(await file(path, mira)).toEqual([
      head,
      `${of},mira,owner,0,0,0,13.98,0,0,,,false`,
      `${of},ana,member,30,60,28,6,0,0,due,,false`,
      `${of},ben,member,0.1,40,28,0.02,0,0,due,,false`,
    ]);
    expect(await file(path, ben)).toEqual([head, `${of},ben,member,0.1,40,28,0.02,0,0,due,,false`]);
    const { headers } = await api.call('GET', path, { as: mira });
    expect(headers['content-disposition']).toBe('attachment; filename="statement-netflix-premium-2026-02.csv"');
  });

  it('comes with the other months of its asset, and with the other assets of its month', async () => {
    const { mira, ana, asset } = await household();
    await api.addAsset(mira, { name: 'Gym', subscription_cost: 5 });
    at(CLOSED);
    const months = await file(`/api/assets/${asset.id}/statements/?format=csv`, ana);
    expect(months.slice(1).map((line) => line.split(',').slice(2, 4))).toEqual([
      ['2026-03', 'false'],
      ['2026-02', 'true'],
    ]);
    const february = await file('/api/statements/?month=2026-02&format=csv', mira);
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
    for (const line of (await file(path, mira)).slice(1)) expect(line.startsWith(`${cell},mira,2026-02,`)).toBe(true);
    const { headers } = await api.call('GET', path, { as: mira });
    expect(headers['content-disposition']).toBe(`attachment; filename="${fileName}"`);
  });

  it('is safe to open when a member’s name begins as a formula does', async () => {
    const { mira, asset } = await household();
    await api.share(mira, asset, await api.register('-1-1'));
    const lines = await file(`/api/assets/${asset.id}/statements/2026-02/?format=csv`, mira);
    expect(lines.map((line) => line.split(',')[13])).toEqual(['username', 'mira', "'-1-1", 'ana', 'ben']);
  });
});

describe('what is open and what has been settled as files', () => {
  it('have a row for each line', async () => {
    const { mira, ben, asset } = await household();
    at(CLOSED);
    await get(`/api/assets/${asset.id}/statements/`, mira);
    expect(await file('/api/balances/?format=csv', mira)).toEqual([
      'username,asset_name,month,direction,amount,currency,status,status_since',
      'ana,Netflix Premium,2026-02,they_owe,6,USD,due,',
      'ben,Netflix Premium,2026-02,they_owe,0.02,USD,due,',
    ]);
    await send('POST', '/api/settlements/', { as: mira, body: { username: 'ben' } });
    expect(await file('/api/settlements/?format=csv', ben)).toEqual([
      'settlement,settled_at,recorded_by,username,paid,paid_amount,currency,asset_name,month,direction,amount',
      `1,${CLOSED},mira,mira,you_paid,0.02,USD,Netflix Premium,2026-02,you_owe,0.02`,
    ]);
  });
});

describe('analytics as a file', () => {
  it('have a row for each day with use, to the owner for each member', async () => {
    const { mira, ana, asset, shareOfAna, shareOfBen } = await household();
    await record(shareOfBen, '2026-02-03T20:00:00Z', 1.25);
    const path = `/api/shared-assets/${shareOfAna.id}/analytics/?format=csv`;
    expect(await file(`${path}&month=2026-02`, ana)).toEqual([
      'asset_name,date,hours',
      'Netflix Premium,2026-02-03,16',
      'Netflix Premium,2026-02-04,14',
    ]);
    expect(await file(`/api/assets/${asset.id}/analytics/?month=2026-02&format=csv`, mira)).toEqual([
      'asset_name,date,username,hours',
      'Netflix Premium,2026-02-03,ana,16',
      'Netflix Premium,2026-02-03,ben,1.25',
      'Netflix Premium,2026-02-04,ana,14',
      'Netflix Premium,2026-02-04,ben,0.1',
    ]);
    const { headers } = await api.call('GET', path, { as: ana });
    expect(headers['content-disposition']).toBe('attachment; filename="analytics-netflix-premium-2026-02.csv"');
  });
});

describe('sessions as a file', () => {
  const MANY = 450;

  /** Sessions of an hour each, one after the other, from the first of January on. */
  async function used(shareId: number, count: number) {
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

  it('are all there, newest first, each once', async () => {
    const { mira, ana, asset, shareOfAna } = await household();
    await used(shareOfAna.id, MANY);
    const own = await file(`/api/shared-assets/${shareOfAna.id}/logs/?format=csv`, ana);
    expect(own[0]).toBe('asset_name,start_time,end_time,duration_minutes');
    expect(own[1]).toBe('Netflix Premium,2026-02-03T08:00:00.000Z,2026-02-04T14:00:00.000Z,1800');
    expect(own).toHaveLength(1 + MANY + 1);
    const starts = own.slice(1).map((line) => line.split(',')[1]!);
    expect(starts).toEqual([...new Set(starts)].toSorted().toReversed());
    const everybodys = await file(`/api/assets/${asset.id}/sessions/?format=csv`, mira);
    expect(everybodys).toHaveLength(1 + MANY + 2);
    expect(everybodys[1]).toBe('Netflix Premium,ben,2026-02-04T08:00:00.000Z,2026-02-04T08:06:00.000Z,6,,,,');
  });

  it('have no end while they run, and say to the owner how they first stood', async () => {
    const { mira, ben, asset, shareOfBen } = await household();
    const logs = `/api/shared-assets/${shareOfBen.id}/logs/`;
    const { results } = await get<{ results: { id: number }[] }>(logs, ben);
    const body = { end_time: '2026-02-04T08:30:00Z' };
    await send('PATCH', `${logs}${results[0]?.id}/`, { as: ben, body });
    await send('POST', `/api/shared-assets/${shareOfBen.id}/start/`, { as: ben });
    expect((await file(`${logs}?format=csv`, ben)).slice(1)).toEqual([
      'Netflix Premium,2026-02-20T12:00:00.000Z,,',
      'Netflix Premium,2026-02-04T08:00:00.000Z,2026-02-04T08:30:00.000Z,30',
    ]);
    expect((await file(`/api/assets/${asset.id}/sessions/?format=csv`, mira))[2]).toBe(
      'Netflix Premium,ben,2026-02-04T08:00:00.000Z,2026-02-04T08:30:00.000Z,30,corrected,2026-02-20T12:00:00.000Z,2026-02-04T08:00:00.000Z,2026-02-04T08:06:00.000Z',
    );
  });

  it.each(['limit=10', 'cursor=x'])('are not asked for in pages: %s', async (page) => {
    const { ana, shareOfAna } = await household();
    expect(
      await api.call('GET', `/api/shared-assets/${shareOfAna.id}/logs/?format=csv&${page}`, { as: ana }),
    ).toMatchObject({ status: 400, body: { code: 'validation_failed', fields: { format: [expect.any(String)] } } });
  });
});
