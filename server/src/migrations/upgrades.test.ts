import { endpoints, type EndpointKey } from '@hourshare/contract/endpoints';
import type { SignedIn, TokenPair } from '@hourshare/contract/accounts';
import type { Analytics } from '@hourshare/contract/analytics';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../commands.ts';
import { requireSameSecret } from '../features/accounts/service.ts';
import { isUsable, migrate } from '../platform/database/migrate.ts';
import { codeAt } from '../platform/one-time-codes.ts';
import { openTestApi, type TestApi } from '../testing/api.ts';
import { runScheduledJobs } from '../testing/records.ts';
import {
  household,
  ISSUED,
  PASSWORD,
  RELEASED_SECRET,
  TYPED_PASSWORD,
  UPGRADED_AT,
} from '../testing/released-household.ts';
import {
  columnsByTable,
  createSchema,
  lostRows,
  migrateTo,
  newest,
  readRows,
  schemas,
  writeHousehold,
} from '../testing/released-schemas.ts';

// Upgrades a database from each released schema, filled as the version with that schema would have, and uses it with this version.
// docs/contributing.md says how to add to the data.

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

// What the closed months say, in amounts and seconds of use. Without statements, the first start closes them, to the same cents.
const LINES = {
  'Films 2026-01': { mira: [8.5, 0], ana: [1, 14_400], ben: [0.5, 7200] },
  'Films 2026-02': { mira: [8.5, 0], ana: [1, 14_400], ben: [0.5, 7200] },
  'Car 2026-01': { ana: [10, 0], mira: [10, 0], kim: [10, 3600] },
  'Car 2026-02': { ana: [12, 0], mira: [12, 5400], kim: [6, 0] },
  'Cabin 2026-01': { mira: [5, 0] },
  'Cabin 2026-02': { mira: [5, 0] },
};

/** What people owe each other: what others owe them, and what they owe. */
const balancesOf = (schema: string) =>
  schema < '0002'
    ? {
        mira: { ana: [2, 22], ben: [1, 0] },
        ana: { kim: [16, 0], mira: [22, 2] },
        ben: { mira: [0, 1] },
        kim: { ana: [0, 16] },
      }
    : {
        mira: { ana: [1, 12], ben: [0.5, 0] },
        ana: { kim: [6, 0], mira: [12, 1] },
        ben: { mira: [0, 0.5] },
        kim: { ana: [0, 6] },
      };

const logIn = (username: string, password: string, code?: string) =>
  api.call<SignedIn>('POST', '/api/login/', {
    body: { username, password, ...(code !== undefined && { code }) },
  });

/** Signs in with the password that the old version hashed. */
async function signIn(username: string, suffix = ''): Promise<SignedIn> {
  const { status, body } = await logIn(`${username}${suffix}`, username === 'ben' ? TYPED_PASSWORD : PASSWORD);
  expect({ username, status }).toEqual({ username, status: 200 });
  return body;
}

async function read<Body>(as: SignedIn, path: string): Promise<Body> {
  const { status, body, text } = await api.call<Body>('GET', path, { as });
  if (status !== 200 && !(status === 204 && path.endsWith('/active-session/')))
    throw new Error(`GET ${path} as ${as.user.username} answered ${status}: ${text}`);
  return body;
}

const list = async <Item>(as: SignedIn, path: string) => (await read<{ results: Item[] }>(as, path)).results;

async function verify(): Promise<string> {
  const outputs = runCommand(api.deps, ['verify']);
  let text = '';
  for (;;) {
    const { done, value } = await outputs.next();
    if (done) return `${text}exit code ${value}`;
    text += `${value.text}\n`;
  }
}
const VERIFIED = expect.stringMatching(/^Verified \d+ assets: no differences\.\nexit code 0$/) as string;

const readBalances = async (as: SignedIn) =>
  Object.fromEntries(
    (await list<Balance>(as, '/api/balances/')).map((each) => [each.username, [each.they_owe, each.you_owe]]),
  );

/** Amount and use on every line that these people see of the closed months, by asset and month. */
async function readLines(people: SignedIn[]): Promise<Record<string, Record<string, number[]>>> {
  const found: Record<string, Record<string, number[]>> = {};
  for (const as of people)
    for (const month of ['2026-01', '2026-02'])
      for (const statement of await list<Statement>(as, `/api/statements/?month=${month}`)) {
        expect(statement).toMatchObject({ month, closed: true });
        const lines = (found[`${statement.asset_name} ${month}`] ??= {});
        for (const line of statement.lines) lines[line.username] = [line.amount, line.used_seconds];
      }
  return found;
}

/** Payments that are final, with what happened to them and the charges that they cover. */
const readPayments = async (as: SignedIn) =>
  (await list<Settlement>(as, '/api/settlements/'))
    .filter(({ status }) => status === 'paid')
    .map(({ direction, amount, events, lines }) => [
      `${direction} ${amount}`,
      ...events.map(({ kind, username }) => `${kind} by ${username}`),
      ...lines.map((line) => `${line.asset_name} ${line.month}: ${line.covered_amount}`).toSorted(),
    ]);

const hasPayments = (schema: string) => schema >= '0002';
const PAYMENTS = [
  ['you_paid 9', 'paid by ana', 'Car 2026-01: 10', 'Films 2026-01: 1'],
  ['they_paid 0.5', 'paid by mira', 'Films 2026-01: 0.5'],
];

/** Returns the paths of all calls that only read, as a user makes them. */
async function readablePaths(as: SignedIn): Promise<string[]> {
  const assets = await list<OwnedAsset>(as, '/api/assets/');
  const shares = await list<SharedAsset>(as, '/api/shared-assets/');
  const offers = shares.filter(({ status }) => status === 'offered');
  const used = shares.filter(({ status }) => status !== 'offered');
  const past = await list<SharedAsset>(as, '/api/shared-assets/?status=past');
  const managed = used.filter(({ manager_since: since }) => since !== null).map(({ asset }) => asset);
  const named = (path: string) => {
    if (path.startsWith('/api/assets/')) return [...assets, ...managed];
    return path.endsWith('/estimate/') ? offers : [...used, ...past];
  };
  return (
    (Object.keys(endpoints) as EndpointKey[])
      // The event stream does not end by itself.
      .filter((key) => key.startsWith('GET ') && !key.includes('{token}') && !('stream' in endpoints[key]))
      .flatMap((key) => {
        const path = key.slice('GET '.length).replace('{month}', '2026-02');
        return path.includes('{id}') ? named(path).map(({ id }) => path.replace('{id}', String(id))) : [path];
      })
  );
}

/** Uses what the earlier version issued: sign-ins, second steps, the tokens of scripts, and links. */
async function useIssued(schema: string, ana: SignedIn): Promise<void> {
  const refreshed = await api.call<TokenPair>('POST', '/api/token/refresh/', {
    body: { refresh: ISSUED.refreshToken },
  });
  expect(refreshed.status).toBe(200);

  const disabled = await logIn('max', PASSWORD);
  expect(disabled.status).toBe(schema < '0022' ? 200 : 403);
  const hasTwoSteps = schema >= '0025';
  expect((await logIn('sam', PASSWORD)).status).toBe(hasTwoSteps ? 401 : 200);
  // Ignored where signing in takes no second step.
  expect((await logIn('sam', PASSWORD, codeAt(ISSUED.twoStepKey, api.clock.now))).status).toBe(200);
  expect((await logIn('sam', PASSWORD, ISSUED.recoveryCode)).status).toBe(200);

  const about = await api.call<{ registration: string }>('GET', '/api/about/');
  expect(about.body.registration).toBe(schema < '0022' ? 'open' : 'invited');
  const status = async (path: string, token?: string) =>
    (await api.call('GET', path, token === undefined ? {} : { token })).status;
  const path = (link: string) => `/api/${encodeURI(link)}/`;
  expect(await status(path(`invitations/${ISSUED.invitation}`))).toBe(schema < '0013' ? 404 : 200);
  expect(await status(path(`claims/${ISSUED.claim}`))).toBe(schema < '0018' ? 404 : 200);
  const mailed = schema < '0020' ? 400 : 204;
  const confirm = async (what: string, body: object) =>
    (await api.call('POST', `/api/${what}/confirm/`, { body })).status;
  expect(await confirm('me/email-change', { token: ISSUED.emailChange })).toBe(mailed);
  const password = 'a new battery staple';
  expect(await confirm('password-reset', { token: ISSUED.reset, password })).toBe(mailed);
  expect((await logIn('mira', password)).status).toBe(mailed === 204 ? 200 : 401);
  const hasTokens = schema >= '0027';
  expect(await status('/api/assets/', ISSUED.accountToken)).toBe(hasTokens ? 200 : 401);
  expect(await status('/api/shared-assets/1/active-session/', ISSUED.shareToken)).toBe(hasTokens ? 200 : 401);
  expect((await list<SharedAsset>(ana, '/api/shared-assets/'))[0]?.manager_since !== null).toBe(schema >= '0029');
}

/** Writes with this version: ends the active session, starts another one, pays a balance, and adds an asset. */
async function continueUse({ ana, ben }: { ana: SignedIn; ben: SignedIn }): Promise<void> {
  const post = async (as: SignedIn, path: string, body?: object) => {
    const { status, text } = await api.call('POST', path, { as, ...(body && { body }) });
    return { path, status, ...(status >= 300 && { text }) };
  };
  const share = '/api/shared-assets/1/';
  expect(await post(ana, `${share}end/`)).toEqual({ path: `${share}end/`, status: 200 });
  expect(await post(ana, `${share}start/`)).toEqual({ path: `${share}start/`, status: 201 });
  const paid = await post(ana, '/api/settlements/', { username: 'mira' });
  expect(paid).toEqual({ path: '/api/settlements/', status: 201 });
  expect((await readBalances(ana))['mira']).toBeUndefined();
  const added = { name: 'Bicycle', subscription_cost: 3 };
  expect(await post(ben, '/api/assets/', added)).toEqual({ path: '/api/assets/', status: 201 });
}

describe('an upgrade', () => {
  it.each(schemas)('keeps everything in a database at schema %s, which then works as before', async (schema) => {
    const { db } = api.deps;
    api.clock.now = new Date(UPGRADED_AT);
    await createSchema(db, schema);
    await writeHousehold(db, schema);
    const before = await readRows(db);

    await migrate(db);
    expect(await isUsable(db)).toBe(true);
    expect(lostRows(before, await readRows(db), await columnsByTable(db))).toEqual([]);
    expect(await verify()).toEqual(VERIFIED);
    await requireSameSecret(db, RELEASED_SECRET, undefined);
    await runScheduledJobs(api.deps);

    const [mira, ana, ben, kim] = [await signIn('mira'), await signIn('ana'), await signIn('ben'), await signIn('kim')];
    const people = [mira, ana, ben, kim];
    for (const as of people) for (const path of await readablePaths(as)) await read(as, path);
    const {
      'Hut 2026-01': hut,
      'Kayak 2026-01': _,
      ...lines
    } = { ...(await readLines(people)) } as Record<string, Record<string, number[]>>;
    expect({ ...lines, ...(hut && { 'Cabin 2026-01': hut }) }).toEqual(LINES);
    const balances = people.map(async (as) => [as.user.username, await readBalances(as)] as const);
    expect(Object.fromEntries(await Promise.all(balances))).toEqual(balancesOf(schema));
    const usage = async (month: string) =>
      (await read<Analytics>(ana, `/api/shared-assets/1/analytics/?month=${month}`)).daily_usage;
    expect(await usage('2026-03')).toEqual({
      '2026-03-01': 2,
      '2026-03-28': 0.5,
      '2026-03-29': 3.5,
      '2026-03-31': 2,
    });
    expect(await usage('2026-04')).toEqual({ '2026-04-01': 12 });
    expect(
      (await list<{ from_month: string; subscription_cost: number }>(mira, '/api/assets/1/prices/')).map((each) => [
        each.from_month,
        each.subscription_cost,
      ]),
    ).toEqual([
      ['2026-01', 10],
      ['2026-03', 12],
      ['2026-05', 15],
    ]);

    const assets = (await list<OwnedAsset>(mira, '/api/assets/')).map((each) => [
      each.name,
      each.max_session_hours,
      each.owner_hours,
      each.archived,
    ]);
    expect(assets).toEqual([
      ['Films', 30, 0, false],
      ['Cabin', 24, 10, true],
    ]);
    // Archived since February, so no one is charged for April.
    const april = await list<Statement>(mira, '/api/statements/?month=2026-04');
    expect(april.map((each) => each.asset_name).toSorted()).toEqual(['Car', 'Films']);
    expect(await readPayments(mira)).toEqual(hasPayments(schema) ? PAYMENTS : []);

    await useIssued(schema, ana);
    await continueUse({ ana, ben });
    expect(await verify()).toEqual(VERIFIED);
  });

  it('keeps what each version wrote into one database that was upgraded at every release', async () => {
    const { db } = api.deps;
    api.clock.now = new Date(UPGRADED_AT);
    await createSchema(db, schemas[0] ?? '');
    for (const [number, schema] of [...schemas, newest].entries()) {
      const before = await readRows(db);
      await migrateTo(db, schema);
      const lost = lostRows(before, await readRows(db), await columnsByTable(db));
      expect({ schema, lost }).toEqual({ schema, lost: [] });
      await writeHousehold(db, schema, number);
    }
    await migrate(db);
    await runScheduledJobs(api.deps);
    expect(await verify()).toEqual(VERIFIED);
    for (const [number, schema] of [...schemas, newest].entries()) {
      const suffix = number === 0 ? '' : String(number);
      const mira = await signIn('mira', suffix);
      const expected = Object.entries(balancesOf(schema).mira).map(([name, each]) => [`${name}${suffix}`, each]);
      expect({ schema, ...(await readBalances(mira)) }).toEqual({ schema, ...Object.fromEntries(expected) });
    }
  });
});

/** From before the first release; none is ever added. */
const BREAKING = ['0002-costs', '0006-periods', '0012-payments', '0014-terms', '0017-deletion'];

/** The columns of the database. A row of a table can't be added without those that are required. */
async function readColumns(): Promise<{ table: string; column: string; required: boolean }[]> {
  const { rows } = await sql<{ table: string; column: string; required: boolean }>`
    select table_name as "table", column_name as "column",
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as required
    from information_schema.columns where table_schema = 'public'`.execute(api.deps.db);
  return rows;
}

describe('a migration', () => {
  it('removes or requires no column, or names the migration that servers need from then on', async () => {
    const { db } = api.deps;
    await createSchema(db, schemas[0] ?? '');
    const breaking: string[] = [];
    for (const schema of [...schemas.slice(1), newest]) {
      const before = await readColumns();
      await migrateTo(db, schema);
      const after = await readColumns();
      const isAsBefore = before.every(({ table, column }) =>
        after.some((each) => each.table === table && each.column === column),
      );
      const isRequired = after.some(
        ({ table, column, required }) =>
          required &&
          before.some((each) => each.table === table) &&
          !before.some((each) => each.table === table && each.column === column && each.required),
      );
      if (!isAsBefore || isRequired) breaking.push(schema);
    }
    expect(breaking.filter((name) => !/-needs-\d{4}$/.test(name))).toEqual(BREAKING);
  });

  it('only needs an earlier one', () => {
    const names = [...schemas, newest];
    const needed = names.flatMap(
      (name) =>
        /-needs-(\d{4})$/
          .exec(name)
          ?.slice(1)
          .map((number) => [name, number]) ?? [],
    );
    expect(
      needed.filter(([name = '', number = '']) => !names.some((each) => each.startsWith(`${number}-`) && each < name)),
    ).toEqual([]);
  });
});

describe('the test data', () => {
  it('has a value for each column of each released schema, and for no other', async () => {
    const { db } = api.deps;
    await createSchema(db, schemas[0] ?? '');
    const known = new Set<string>();
    const missing = new Map<string, string>();
    const written = new Set(household.flatMap(({ table, rows }) => rows.flatMap((row) => namesIn(table, row))));
    for (const schema of [...schemas, newest]) {
      await migrateTo(db, schema);
      for (const [table, columns] of await columnsByTable(db))
        for (const column of columns) {
          const name = `${table}.${column}`;
          known.add(name);
          if (!written.has(name) && !missing.has(name)) missing.set(name, schema);
        }
    }
    expect([...missing].map(([name, schema]) => `${name} of ${schema} is not in released-household.ts`)).toEqual([]);
    expect([...written].filter((name) => !known.has(name))).toEqual([]);
  });
});

const namesIn = (table: string, row: object) =>
  Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([column]) => `${table}.${column}`);
