import type { SignedIn } from '@hourshare/contract/sign-ins';
import { endpoints, type Endpoint, type EndpointKey } from '@hourshare/contract/endpoints';
import { LIST_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestApi, type TestApi } from './testing/api.ts';
import { everyCase } from './testing/every-case.ts';
import { recordAllowances } from './testing/records.ts';
import { HANG_MILLISECONDS, randomRuns } from './testing/thorough.ts';

const MANY = 520;

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let stranger: SignedIn;
/** The owner's asset with many prices, statements, and sessions, and its member's share. */
let assetId: number;
let shareId: number;

beforeAll(async () => {
  api = await openTestApi();
  [owner, member, stranger] = [await api.register('mira'), await api.register('ben'), await api.register('lou')];
  await fill();
  await api.billedAsset(stranger, await api.register('kim'), '2026-02');
});
afterAll(() => api.close());

/** Gives the owner and the member more than one page of everything. */
async function fill() {
  const { db } = api.deps;
  const start = sql`'2026-01-01T00:00:00Z'::timestamptz`;
  const [mira, ben] = [owner.user.id, member.user.id];
  await db.updateTable('users').set({ administrator_since: api.clock.now }).where('id', '=', mira).execute();
  await sql`
    insert into assets (owner_id, name, description, created_at)
    select ${mira}, 'Asset ' || n, '', ${start} from generate_series(1, ${MANY}::int) n`.execute(db);
  await sql`
    with trusted as (
      insert into users (username, email, password_hash, time_zone, created_at)
      select 'trusted-' || n, 'trusted-' || n || '@example.org', '', 'UTC', ${start} from generate_series(1, ${MANY}::int) n
      returning id
    )
    insert into trusted_owners (member_id, owner_id, offers, created_at) select ${ben}, id, 'refuse', ${start} from trusted`.execute(
    db,
  );
  // Only the first asset has a new price every month.
  await sql`
    insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
      base_percent, owner_hours, owner_id, closed_at)
    select a.id, month, 'UTC', month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC', 100 + a.id % 7,
      case when a.id = 1 then month else '2026-01-01' end, 'usage', 0, 0, a.owner_id,
      case when month < '2026-03-01' then month at time zone 'UTC' + interval '34 days' end
    from assets a cross join lateral generate_series(
      timestamp '2026-01-01',
      timestamp '2026-04-01' + case when a.id = 1 then ${MANY - 4}::int else 0 end * interval '1 month',
      interval '1 month') month`.execute(db);
  await sql`
    insert into shares (asset_id, member_id, monthly_hours_allocated, created_at, accepted_at)
    select id, ${ben}, 10, ${start}, ${start} from assets order by id`.execute(db);
  await recordAllowances(db);
  ({ id: shareId, asset_id: assetId } = await db
    .selectFrom('shares')
    .select(['id', 'asset_id'])
    .orderBy('id')
    .executeTakeFirstOrThrow());
  await sql`
    insert into sessions (share_id, started_at, ended_at, ends_by)
    select ${shareId}, at, at + interval '1 hour', at + interval '1 day'
    from generate_series(1, ${MANY}::int) n, lateral (select ${start} + n * interval '1 hour' as at) start`.execute(db);

  const plan = JSON.stringify({
    cycle: { every: 1, unit: 'year', anchor: '2026-08-01' },
    spread: true,
    spreadFrom: null,
    trialUntil: null,
    startedOn: null,
  });
  await sql`update periods set plan = ${plan}::jsonb, cycle_cents = 1200`.execute(db);
  await sql`
    with cost as (
      insert into costs (asset_id, month, author_id, status, created_at)
      select ${assetId}, '2026-03-01', ${ben}, 'counted', ${start} from generate_series(1, ${MANY}::int) n returning id
    )
    insert into cost_versions (cost_id, version, text, day, amount_cents, split, payer_id, written_at)
    select id, 1, 'Fuel ' || id, '2026-03-01', 100, 'equal', ${ben}, ${start} from cost`.execute(db);

  const statements = (rows: ReturnType<typeof sql>) => sql`
    insert into statements (asset_id, asset_name, month, owner_id, owner_name, price_cents, currency, split_method,
      base_percent, owner_hours, owner_takes_part, measured, total_hours, places, ends_at, closes_at, closed_at)
    select asset_id, name, month, ${mira}::bigint, 'mira', 100, currency, 'equal', 0, 0, false, true, 10, 2, ${start}, ${start}, ${start}
    from (${rows}) of (asset_id, name, month, currency)`;
  await statements(sql`select id, name, date '2026-02-01', 'USD' from assets`).execute(db);
  await statements(sql`
    select ${assetId}::bigint, 'Asset 1', (date '2026-02-01' - n * interval '1 month')::date, 'USD'
    from generate_series(1, ${MANY - 2}::int) n`).execute(db);
  // Deleted assets, each billed to a guest whose account was deleted; two of the guests had the member's name.
  await statements(sql`
    select null::bigint, case n when 1 then 'ben' when 2 then 'BEN' else 'guest-' || n end, date '2025-12-01',
      case when n % 2 = 0 then 'EUR' else 'USD' end
    from generate_series(1, ${MANY - 1}::int) n`).execute(db);
  const lines = (role: string, columns: ReturnType<typeof sql>, where: ReturnType<typeof sql>) => sql`
    insert into statement_lines (statement_id, owner_id, role, allocation_hours, used_seconds, days, summed_hours,
      base_cents, odd_cents, user_id, username, amount_cents)
    select id, owner_id, ${role}, 10, 0, 28, 280, 0, 0, ${columns} from statements where ${where}`;
  await lines('owner', sql`owner_id, owner_name, 50`, sql`true`).execute(db);
  await lines('member', sql`${ben}::bigint, 'ben', 50`, sql`asset_id is not null`).execute(db);
  await lines('member', sql`null::bigint, asset_name, 50`, sql`asset_id is null`).execute(db);

  // The accounts have two events already; someone else's come in between.
  await sql`
    insert into security_events (user_id, event, count, actor, happened_at, last_at)
    select unnest(array[${mira}, ${ben}]::bigint[]), 'two_step_on', 1, 'user', ${start}, ${start}
    from generate_series(1, ${MANY - 2}::int) n`.execute(db);
  await sql`
    insert into notices (user_id, kind, cause, created_at, in_bell)
    select ${mira}, 'password_changed', n::text, now.at, true
    from generate_series(1, ${MANY}::int) n cross join (select ${start}::timestamptz as at) now`.execute(db);
  await sql`
    insert into manager_changes (asset_id, user_id, kind, changed_at)
    select ${assetId}, ${ben}, 'price', ${start} from generate_series(1, ${MANY}::int) n`.execute(db);

  await sql`
    insert into settlements (payer_id, payer_name, payee_id, payee_name, recorded_by, amount_cents, currency, settled_at,
      status, status_since)
    select ${ben}, 'ben', ${mira}, 'mira', 'ben', n, 'USD', ${start}, 'paid', ${start} from generate_series(1, ${MANY}::int) n`.execute(
    db,
  );
  await sql`
    insert into payment_steps (settlement_id, kind, by_payer, at)
    select id, 'paid', true, settled_at from settlements`.execute(db);
  await sql`
    insert into settlement_parts (settlement_id, line_id, amount_cents)
    select (select min(id) from settlements) + row_number() over (order by st.month, l.id) - 1, l.id, l.amount_cents
    from statement_lines l join statements st on st.id = l.statement_id
    where l.user_id = ${ben}
    order by st.month, l.id
    limit ${MANY}`.execute(db);
  await sql`
    insert into deposits (asset_id, asset_name, giver_id, giver_name, holder_id, holder_name, amount_cents, currency,
      recorded_by_giver, recorded_at)
    select ${assetId}, 'Asset 1', ${ben}, 'ben', ${mira}, 'mira', n, 'USD', true, ${start} from generate_series(1, ${MANY}::int) n`.execute(
    db,
  );
  await sql`
    update statement_lines set settled_cents = amount_cents
    where id in (select line_id from settlement_parts)`.execute(db);
}

const hasResults = (answer: unknown) => answer instanceof z.ZodObject && 'results' in answer.shape;
const lists = (Object.entries<Endpoint>(endpoints) as [EndpointKey, Endpoint][]).filter(
  // What is chosen for each kind of notice has no pages.
  ([key, { answers, query }]) => key.startsWith('GET ') && query !== undefined && hasResults(answers[200]),
);
const maxOf = (key: string) => (/logs|sessions|notifications/.test(key) ? LOGS_PAGE_SIZE_MAX : LIST_PAGE_SIZE);

/** Each list with more results than fit one page: its path, its user, and its number of rows as a file. */
const expected: Record<string, [path: () => string, user: () => SignedIn, rowsOfCsv?: number]> = {
  'GET /api/me/security-events/': [() => '/api/me/security-events/?', () => owner],
  'GET /api/notifications/': [() => '/api/notifications/?', () => owner],
  'GET /api/administration/accounts/': [() => '/api/administration/accounts/?search=trusted-&', () => owner],
  'GET /api/assets/': [() => '/api/assets/?', () => owner],
  'GET /api/shared-assets/': [() => '/api/shared-assets/?', () => member],
  'GET /api/trusted-owners/': [() => '/api/trusted-owners/?', () => member],
  'GET /api/findings/': [() => '/api/findings/?', () => owner],
  'GET /api/assets/{id}/manager-changes/': [() => `/api/assets/${assetId}/manager-changes/?`, () => owner],
  'GET /api/assets/{id}/prices/': [() => `/api/assets/${assetId}/prices/?`, () => owner],
  'GET /api/assets/{id}/costs/': [() => `/api/assets/${assetId}/costs/?`, () => owner, MANY],
  'GET /api/shared-assets/{id}/costs/': [() => `/api/shared-assets/${shareId}/costs/?`, () => member, MANY],
  'GET /api/renewals/': [() => '/api/renewals/?', () => owner],
  'GET /api/assets/{id}/sessions/': [() => `/api/assets/${assetId}/sessions/?`, () => owner, MANY],
  'GET /api/shared-assets/{id}/logs/': [() => `/api/shared-assets/${shareId}/logs/?`, () => member, MANY],
  'GET /api/assets/{id}/statements/': [() => `/api/assets/${assetId}/statements/?`, () => owner, 2 * MANY],
  'GET /api/statements/': [() => '/api/statements/?', () => owner, 2 * MANY],
  'GET /api/balances/': [() => '/api/balances/?', () => owner, 2 * MANY - 3],
  'GET /api/settlements/': [() => '/api/settlements/?', () => owner, MANY],
  'GET /api/deposits/': [() => '/api/deposits/?', () => owner, MANY],
};

interface Page {
  results: Record<string, unknown>[];
  next: string | null;
}

const get = (path: string, caller: SignedIn) => api.call<Page>('GET', path, { as: caller });

/** Reads a list to its end, calling `betweenPages` before each further page. */
async function walk(path: string, caller: SignedIn, betweenPages?: () => Promise<unknown>): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    if (pages.length > 0) await betweenPages?.();
    const { status, body, text } = await get(`${path}${cursor && `&cursor=${cursor}`}`, caller);
    if (status !== 200) throw new Error(`${status} ${text}`);
    pages.push(body);
    cursor = body.next;
  }
  return pages;
}

const sizes = (pages: Page[]) => pages.map(({ results }) => results.length);
const resultsIn = (pages: Page[]) => pages.flatMap(({ results }) => results);
const textsIn = (pages: Page[]) => resultsIn(pages).map((each) => JSON.stringify(each));

/** JSON for forged cursors: some fits the key of a list, some nearly, some not at all. */
const FORGED = String.raw`
  null [] {} 0 -1 1 1.5 1e400 9007199254740991 9007199254740993 "1" true [[1],[2]] {"__proto__":1}
  [null,0] [null,null] [0,1] [1,0] [-8640000000000000,1] [8640000000000000,1] [253402214400000,1] [1e300,1]
  "2026-02" "2026-13" "2199-12" "-infinity" "0000-01" "2026-02\u0000"
  ["ben","USD",1] ["ben","USD",-1] ["ben","usd",0] ["ben","USD",9007199254740991] ["","",0] ["b\u0000n","USD",0]
  ["\ud800","USD",0] ["USD",1e308,1,""] ["\u0000",0,0,"\ud800"] ["USD",-1e308,9007199254740991,""]`
  .trim()
  .split(/\s+/);

it('covers every list of the contract', () => {
  expect(Object.keys(expected).toSorted()).toEqual(lists.map(([key]) => key).toSorted());
});

interface List {
  key: EndpointKey;
  path: () => string;
  caller: () => SignedIn;
  max: number;
  rowsOfCsv: number | undefined;
}

const everyList = (check: (list: List) => Promise<void>, some = lists) =>
  everyCase(
    some,
    ([key]) => key,
    ([key]) => {
      const [path, caller, rowsOfCsv] = expected[key]!;
      return check({ key, path, caller, max: maxOf(key), rowsOfCsv });
    },
  );

describe('each list', { timeout: HANG_MILLISECONDS }, () => {
  it('contains everything exactly once, whatever the page size', () =>
    everyList(async ({ path, caller, max }) => {
      const pages = await walk(`${path()}limit=${max}`, caller());
      expect(sizes(pages)).toEqual(max === 500 ? [500, 20] : [200, 200, 120]);
      expect(new Set(textsIn(pages)).size).toBe(MANY);
      const smaller = await walk(`${path()}limit=97`, caller());
      expect(sizes(smaller)).toEqual([97, 97, 97, 97, 97, 35]);
      expect(textsIn(smaller)).toEqual(textsIn(pages));
    }));

  it('marks a full last page as the last', () =>
    everyList(async ({ path, caller }) => {
      expect(sizes(await walk(`${path()}limit=130`, caller()))).toEqual([130, 130, 130, 130]);
    }));

  it('rejects a limit that is not a whole number in range', () =>
    everyList(async ({ path, caller, max }) => {
      for (const limit of [
        '0',
        `${max + 1}`,
        '-1',
        '1.5',
        'abc',
        '1e2',
        '1e9',
        '',
        '%205',
        '9'.repeat(40),
        '1&limit=2',
      ])
        expect([limit, await get(`${path()}limit=${limit}`, caller())]).toMatchObject([
          limit,
          { status: 400, body: { fields: { limit: [`limit must be a whole number from 1 to ${max}`] } } },
        ]);
      for (const limit of [1, max]) expect((await get(`${path()}limit=${limit}`, caller())).status).toBe(200);
    }));

  it('answers a forged cursor with 400 or the caller’s own rows', () =>
    everyList(async ({ path, caller, max }) => {
      const own = new Set(textsIn(await walk(`${path()}limit=${max}`, caller())));
      const ask = async (cursor: string) => {
        const { status, body } = await get(`${path()}limit=2&cursor=${encodeURIComponent(cursor)}`, caller());
        const foreign = status === 200 ? body.results.filter((each) => !own.has(JSON.stringify(each))) : [];
        expect([cursor, status === 200 || status === 400, foreign]).toEqual([cursor, true, []]);
      };
      const encoded = (text: string) => Buffer.from(text).toString('base64url');
      for (const text of FORGED) await ask(encoded(text));
      for (const cursor of ['', '%00', 'a'.repeat(201), '😀']) await ask(cursor);
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.json({ maxDepth: 1 }).map(encoded),
            fc.string({ unit: 'binary', maxLength: 40 }),
            fc.base64String(),
          ),
          ask,
        ),
        { numRuns: randomRuns(25) },
      );
    }));

  it('gives a stranger with the owner’s cursor nothing more than without it', () =>
    everyList(async ({ key, path, caller }) => {
      const { body } = await get(`${path()}limit=1`, caller());
      const strangerAnswer = await get(path(), stranger);
      const answer = await get(`${path()}cursor=${body.next}`, stranger);
      const status = /\{id\}|\/administration\//.test(key) ? 404 : 200;
      expect([strangerAnswer.status, answer.status]).toEqual([status, status]);
      const known = new Set(strangerAnswer.body.results?.map((each) => JSON.stringify(each)));
      expect(answer.body.results?.filter((each) => !known.has(JSON.stringify(each))) ?? []).toEqual([]);
    }));

  it('is always complete as a file', () =>
    everyList(
      async ({ path, caller, rowsOfCsv = Number.NaN }) => {
        const { text } = await get(`${path()}format=csv`, caller());
        expect(text.trimEnd().split('\r\n')).toHaveLength(1 + rowsOfCsv);
        for (const page of ['limit=10', 'cursor=x'])
          expect(await get(`${path()}format=csv&${page}`, caller())).toMatchObject({
            status: 400,
            body: { fields: { format: ['A CSV file contains the whole list. Leave out limit and cursor'] } },
          });
      },
      lists.filter(([, { csv }]) => csv),
    ));
});

describe('the statements of a month', () => {
  it('include those of deleted assets, in pages', async () => {
    expect(sizes(await walk('/api/statements/?month=2026-02', owner))).toEqual([500, 20]);
    // One asset has a statement for every month; the other statements of December belong to deleted assets.
    const december = await walk('/api/statements/?month=2025-12', owner);
    expect(resultsIn(december).map((each) => each['asset_id'])).toEqual([assetId, ...Array(MANY - 1).fill(null)]);
    expect(textsIn(await walk('/api/statements/?month=2025-12&limit=50', owner))).toEqual(textsIn(december));
  });

  it('for a member are those with a line of theirs, in full pages', async () => {
    expect(sizes(await walk('/api/statements/?month=2025-12&limit=5', member))).toEqual([1]);
    expect(sizes(await walk('/api/statements/?month=2026-02&limit=260', member))).toEqual([260, 260]);
    const months = await walk(`/api/assets/${assetId}/statements/?limit=100`, member);
    expect(sizes(months)).toEqual([100, 100, 100, 100, 100, 20]);
    expect(resultsIn(months).every(({ lines }) => Array.isArray(lines) && lines.length === 1)).toBe(true);
  });
});

describe('the balances', () => {
  it('are separate by user and currency, even if the name of a deleted account is used again', async () => {
    const first: Page[] = [];
    for (let cursor = ''; first.length < 4; cursor = `&cursor=${first.at(-1)?.next}`)
      first.push((await get(`/api/balances/?limit=1${cursor}`, owner)).body);
    expect(
      resultsIn(first).map(({ username, currency, lines }) => [
        username,
        currency,
        Array.isArray(lines) && lines.length,
      ]),
    ).toEqual([
      ['BEN', 'EUR', 1],
      ['ben', 'USD', 1],
      ['ben', 'USD', MANY - 2],
      ['guest-10', 'EUR', 1],
    ]);
  });
});

// Runs last, because these tests change what the others count.
describe('when rows are added and removed', () => {
  const idsIn = (pages: Page[]) => resultsIn(pages).map(({ id }) => Number(id));

  it('between two pages, the rest of the list stays the same', async () => {
    const before = idsIn(await walk('/api/assets/?', owner));
    const deleted = before.filter((_, n) => [99, 100, 101, 250, 399, 519].includes(n));
    const pending = [...deleted];
    const added: number[] = [];
    const pages = await walk('/api/assets/?limit=100', owner, async () => {
      for (const id of pending.splice(0)) {
        await api.call('DELETE', `/api/assets/${id}/`, { as: owner });
        added.push((await api.addAsset(owner, { name: `in place of ${id}` })).id);
      }
    });
    // The rows already read stay, including the last one; only rows that still exist follow.
    const rest = before.slice(100).filter((id) => !deleted.includes(id));
    expect(idsIn(pages)).toEqual([...before.slice(0, 100), ...rest, ...added]);
  });

  it('while a list is read, every row that stays appears exactly once', async () => {
    const before = idsIn(await walk('/api/shared-assets/?', member));
    const ending = before.filter((_, n) => n % 40 === 20);
    const changes = ending.map((id) =>
      api.deps.db.updateTable('shares').set({ ended_at: api.clock.now }).where('id', '=', id).execute(),
    );
    const additions = Array.from({ length: 10 }, async (_, n) => {
      const { id } = await api.addAsset(owner, { name: `new ${n}` });
      const body = { username: 'ben', monthly_hours_allocated: 1 };
      return api.call('POST', `/api/assets/${id}/share/`, { as: owner, body });
    });
    const [pages] = await Promise.all([walk('/api/shared-assets/?limit=40', member), ...changes, ...additions]);
    const ids = idsIn(pages);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(before.filter((id) => !ending.includes(id))));
  });
});
