import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { verifyUsage } from './features/usage/service.ts';
import type { Database } from './platform/database/database.ts';
import { isUsable } from './platform/database/migrate.ts';
import { openPostgresql } from './platform/database/postgresql.ts';
import { testOptions } from './platform/database/testing/over-engine.ts';
import { NODE_FLAGS } from './platform/database/testing/node-flags.ts';
import { built, start, temporaryFolder, until } from './platform/database/testing/processes.ts';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { builtServer } from './testing/built-server.ts';
import { PASSWORD, RELEASED_SECRET } from './testing/released-household.ts';
import {
  columnsByTable,
  createSchema,
  lostRows,
  newest,
  readRows,
  writeHousehold,
} from './testing/released-schemas.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';

// Upgrades by servers that are killed or start at the same time, and older servers on newer databases.

const engine = inject('databaseTemplate');
const databaseUrl = 'databaseUrl' in engine ? engine.databaseUrl : undefined;
/** The last schema before several that change much. */
const OLD = '0005-whose-months';
/** Changes `users`, after periods have been rebuilt. */
const BLOCKED = '0009-languages';

/** What a server's jobs leave as it is, but for sessions that are active. */
const LASTING = new Set(['users', 'assets', 'shares', 'sessions', 'statements', 'statement_lines', 'settlements']);

/** A database with a household of the old schema. */
interface OldDatabase {
  /** What a server needs to use it. */
  settings: Record<string, string>;
  /** Opens it as it is for as long as the work takes. */
  open: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  before: Awaited<ReturnType<typeof readRows>>;
}

async function createOldDatabase(): Promise<OldDatabase> {
  const { settings, open } = databaseUrl === undefined ? await embeddedDatabase() : await serverDatabase(databaseUrl);
  const before = await open(async (db) => {
    await createSchema(db, OLD);
    await writeHousehold(db, OLD);
    return readRows(db);
  });
  return { settings, open, before };
}

async function embeddedDatabase(): Promise<Omit<OldDatabase, 'before'>> {
  const { openDatabase } = await built<typeof import('./platform/database/open.ts')>('platform/database/open.js');
  const dataDir = join(await temporaryFolder(), 'data');
  return {
    settings: { DATA_DIR: dataDir, SECRET: RELEASED_SECRET },
    open: async (work) => {
      const { db, close } = await openDatabase({ dataDir });
      try {
        return await work(db);
      } finally {
        await close();
      }
    },
  };
}

async function serverDatabase(url: string): Promise<Omit<OldDatabase, 'before'>> {
  const name = `hourshare_upgrade_${randomBytes(6).toString('hex')}`;
  await onServer(url, `create database ${name}`);
  onTestFinished(() => onServer(url, `drop database ${name} with (force)`));
  const address = withDatabase(url, name);
  return {
    settings: { DATABASE_URL: address, SECRET: RELEASED_SECRET },
    open: async (work) => {
      const { db, close } = await openPostgresql(address, testOptions);
      try {
        return await work(db);
      } finally {
        await close();
      }
    },
  };
}

function startWith({ settings }: OldDatabase): ServerProcess {
  const server = startServer(settings);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

const statusOfLogin = async (address: string) => {
  const body = JSON.stringify({ username: 'mira', password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${address}/api/login/`, { method: 'POST', headers, body })).status;
};

async function expectReady(server: ServerProcess): Promise<void> {
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  expect(await statusOfLogin(address)).toBe(200);
}

async function expectUpgraded({ open, before }: OldDatabase): Promise<void> {
  await open(async (db) => {
    expect(await isUsable(db)).toBe(true);
    const lasting = new Map(
      [...before]
        .filter(([table]) => LASTING.has(table))
        .map(([table, rows]) => [table, rows.filter(({ ended_at: end }) => end !== null)]),
    );
    expect(lostRows(lasting, await readRows(db), await columnsByTable(db))).toEqual([]);
    for await (const { days } of verifyUsage(db, { repair: false })) expect(days).toEqual([]);
  });
}

const expectUntouched = ({ open, before }: OldDatabase) =>
  open(async (db) => {
    expect(await readRows(db)).toEqual(before);
  });

/** Blocks migrations at the first one that changes `users`. Returns how to unblock them. */
async function blockMigrations({ settings }: OldDatabase): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
  await client.connect();
  await client.query('begin');
  await client.query('lock table users in access share mode');
  return () => client.end();
}

const waitingStatements = async ({ open }: OldDatabase) =>
  open(async (db) => {
    const { rows } = await sql<{ statement: string }>`
      select query as statement from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
      order by query`.execute(db);
    return rows.map(({ statement }) => statement);
  });

const CHANGES_USERS = expect.stringMatching(/^alter table users add column language/) as string;
const WAITS_ITS_TURN = expect.stringMatching(/^select pg_advisory_xact_lock/) as string;

describe.each(databaseUrl === undefined ? [] : ['PostgreSQL'])('on %s, an upgrade', () => {
  it('that is killed inside a migration leaves the database as it was, and the next start completes it', async () => {
    const database = await createOldDatabase();
    const unblock = await blockMigrations(database);
    const killed = startWith(database);
    await until(async () => (await waitingStatements(database)).length === 1, 'the migration that is blocked');
    expect(await waitingStatements(database)).toEqual([CHANGES_USERS]);
    killed.kill('SIGKILL');
    await killed.ended;
    await unblock();
    // Waits for the connection of the killed server, whose locks end with it.
    await expectUntouched(database);

    await expectReady(startWith(database));
    await expectUpgraded(database);
  });

  it('by two servers at once runs in one of them, and both get ready', async () => {
    const database = await createOldDatabase();
    const unblock = await blockMigrations(database);
    const servers = [startWith(database), startWith(database)];
    await until(async () => (await waitingStatements(database)).length === 2, 'both servers');
    expect(await waitingStatements(database)).toEqual([CHANGES_USERS, WAITS_ITS_TURN]);
    await unblock();
    for (const server of servers) await expectReady(server);
    await expectUpgraded(database);
  });
});

describe.each(databaseUrl === undefined ? ['the embedded engine'] : [])('on %s, an upgrade', () => {
  it.each([
    ['between two migrations', 'before', BLOCKED],
    ['after the last one', 'after', newest],
  ])('that is killed %s leaves the database as it was, and the next start completes it', async (_, moment, name) => {
    const database = await createOldDatabase();
    const killed = start('upgrade.mjs', [database.settings['DATA_DIR'] ?? '', moment, name]);
    expect(await killed.line()).toBe('stopped');
    killed.kill('SIGKILL');
    await killed.ended;
    await expectUntouched(database);

    const server = startWith(database);
    await expectReady(server);
    server.kill('SIGTERM');
    await server.ended;
    await expectUpgraded(database);
  });
});

/** Runs an administrator's command in its own process. */
function administer({ settings }: OldDatabase, ...args: string[]) {
  const file = fileURLToPath(new URL('admin.js', builtServer()));
  const env = { PATH: process.env['PATH'], ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...NODE_FLAGS, file, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

it('a version that is older than the database refuses it in one sentence, and changes nothing', async () => {
  const database = await createOldDatabase();
  const later = sql`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`;
  await database.open((db) => later.execute(db));
  const refusal =
    'The database was last used by a newer version of HourShare (it has 9999-later); run that version or a later one, or restore an older backup into an empty database (a new DATA_DIR or DATABASE_URL).\n';

  const server = startWith(database);
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect([server.stdout(), server.stderr()]).toEqual(['', refusal]);
  expect(administer(database, 'verify')).toEqual({ status: 1, stdout: '', stderr: refusal });
  await expectUntouched(database);
});

it("an administrator's command leaves the upgrade to a server", async () => {
  const database = await createOldDatabase();
  expect(administer(database, 'verify')).toEqual({
    status: 1,
    stdout: '',
    stderr: "The database isn't up to date; start HourShare once, then run this again.\n",
  });
  await expectUntouched(database);
});
