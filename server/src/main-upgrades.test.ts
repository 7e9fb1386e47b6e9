import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Database } from './platform/database/database.ts';
import { knownMigrations, migrate } from './platform/database/migrate.ts';
import { openPostgresql } from './platform/database/postgresql.ts';
import { testOptions } from './platform/database/testing/over-engine.ts';
import { NODE_FLAGS } from './platform/database/testing/node-flags.ts';
import { built, start, temporaryFolder, until } from './platform/database/testing/processes.ts';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { createPasswords } from './platform/passwords.ts';
import { TEST_PASSWORD } from './testing/api.ts';
import { buildServer, builtServer } from './testing/built-server.ts';
import { readEverything, type Everything } from './testing/every-table.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';

// Upgrades by servers that are killed or start at the same time, and databases that a server refuses.

const engine = inject('databaseTemplate');
const databaseUrl = 'databaseUrl' in engine ? engine.databaseUrl : undefined;

/** What a newer version has. */
const MIGRATIONS = {
  '9998-nick': ['create table nicks (nick text)', "alter table users add column nick text not null default 'none'"],
  '9999-more': ['alter table assets add column nickname text', 'insert into nicks select nick from users'],
};
const [FIRST_NEW, LAST_NEW] = Object.keys(MIGRATIONS) as [string, string];

/** A database of this version with an account. */
interface UsedDatabase {
  /** What a server needs to use it. */
  settings: Record<string, string>;
  /** Opens it as it is for as long as the work takes. */
  open: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  before: Everything;
}

const SECRET = 'a secret that only tests know, 32+ characters';
const MIRA = { username: 'mira', email: 'mira@example.org', time_zone: 'UTC', created_at: new Date(0) };

async function createUsedDatabase(): Promise<UsedDatabase> {
  const database = databaseUrl === undefined ? await embeddedDatabase() : await serverDatabase(databaseUrl);
  const hash = await createPasswords().hash(TEST_PASSWORD);
  const before = await database.open(async (db) => {
    await migrate(db);
    await db
      .insertInto('users')
      .values({ ...MIRA, password_hash: hash })
      .execute();
    return readEverything(db);
  });
  return { ...database, before };
}

async function embeddedDatabase(): Promise<Omit<UsedDatabase, 'before'>> {
  const { openDatabase } = await built<typeof import('./platform/database/open.ts')>('platform/database/open.js');
  const dataDir = join(await temporaryFolder(), 'data');
  return {
    settings: { DATA_DIR: dataDir, SECRET },
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

async function serverDatabase(url: string): Promise<Omit<UsedDatabase, 'before'>> {
  const name = `hourshare_upgrade_${randomBytes(6).toString('hex')}`;
  await onServer(url, `create database ${name}`);
  onTestFinished(() => onServer(url, `drop database ${name} with (force)`));
  const address = withDatabase(url, name);
  return {
    settings: { DATABASE_URL: address, SECRET },
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

function startWith({ settings }: UsedDatabase, build?: URL): ServerProcess {
  const server = startServer(settings, build);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

async function expectReady(server: ServerProcess): Promise<void> {
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  const body = JSON.stringify({ username: 'mira', password: TEST_PASSWORD });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${address}/api/login/`, { method: 'POST', headers, body })).status).toBe(200);
}

const expectUpgraded = ({ open }: UsedDatabase) =>
  open(async (db) => {
    const { rows } = await sql`select username, users.nick, nicks.nick as copy from users cross join nicks`.execute(db);
    expect(rows).toEqual([{ username: 'mira', nick: 'none', copy: 'none' }]);
    const { rows: done } = await sql`select name from kysely_migration order by name`.execute(db);
    expect(done).toEqual([...knownMigrations(), FIRST_NEW, LAST_NEW].map((name) => ({ name })));
  });

const expectUntouched = ({ open, before }: UsedDatabase) =>
  open(async (db) => {
    expect(await readEverything(db)).toEqual(before);
  });

/** Blocks migrations at the first one that changes `users`. Returns how to unblock them. */
async function blockMigrations({ settings }: UsedDatabase): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
  await client.connect();
  await client.query('begin');
  await client.query('lock table users in access share mode');
  const unblock = () => client.end();
  onTestFinished(unblock);
  return unblock;
}

// A process that checks for a deadlock still waits for its lock, but isn't seen to wait for a moment.
const waitingStatements = async ({ open }: UsedDatabase) =>
  open(async (db) => {
    const { rows } = await sql<{ statement: string }>`
      select query as statement from pg_stat_activity
      where datname = current_database() and pid in (select pid from pg_locks where not granted)
      order by query`.execute(db);
    return rows.map(({ statement }) => statement);
  });

const CHANGES_USERS = expect.stringMatching(/^alter table users add column nick/) as string;
const WAITS_ITS_TURN = expect.stringMatching(/^select pg_advisory_xact_lock/) as string;

describe.each(databaseUrl === undefined ? [] : ['PostgreSQL'])('on %s, an upgrade', () => {
  it('that is killed inside a migration leaves the database as it was, and the next start completes it', async () => {
    const [database, newer] = [await createUsedDatabase(), await buildServer(MIGRATIONS)];
    const unblock = await blockMigrations(database);
    const killed = startWith(database, newer);
    await until(async () => (await waitingStatements(database)).length === 1, 'the migration that is blocked');
    expect(await waitingStatements(database)).toEqual([CHANGES_USERS]);
    killed.kill('SIGKILL');
    await killed.ended;
    await unblock();
    // Waits for the connection of the killed server, whose locks end with it.
    await expectUntouched(database);

    await expectReady(startWith(database, newer));
    await expectUpgraded(database);
  });

  it('by two servers at once runs in one of them, and both get ready', async () => {
    const [database, newer] = [await createUsedDatabase(), await buildServer(MIGRATIONS)];
    const unblock = await blockMigrations(database);
    const servers = [startWith(database, newer), startWith(database, newer)];
    await until(async () => (await waitingStatements(database)).length === 2, 'both servers');
    expect(await waitingStatements(database)).toEqual([CHANGES_USERS, WAITS_ITS_TURN]);
    await unblock();
    for (const server of servers) await expectReady(server);
    await expectUpgraded(database);
  });
});

describe.each(databaseUrl === undefined ? ['the embedded engine'] : [])('on %s, an upgrade', () => {
  it.each([
    ['inside one, after the migration before it', 'before', LAST_NEW],
    ['after the last one', 'after', LAST_NEW],
  ])('that is killed %s leaves the database as it was, and the next start completes it', async (_, moment, name) => {
    const [database, newer] = [await createUsedDatabase(), await buildServer(MIGRATIONS)];
    const killed = start('upgrade.mjs', [newer.href, database.settings['DATA_DIR'] ?? '', moment, name]);
    expect(await killed.line()).toBe('stopped');
    killed.kill('SIGKILL');
    await killed.ended;
    await expectUntouched(database);

    const server = startWith(database, newer);
    await expectReady(server);
    server.kill('SIGTERM');
    await server.ended;
    await expectUpgraded(database);
  });
});

/** Runs an administrator's command in its own process. */
function administer({ settings }: UsedDatabase, args: string[], build = builtServer) {
  const file = fileURLToPath(new URL('admin.js', build));
  const env = { PATH: process.env['PATH'], ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...NODE_FLAGS, file, ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

/** Makes a backup that can be restored, and returns its path. */
async function backUp(database: UsedDatabase): Promise<string> {
  const file = join(await temporaryFolder(), 'backup.gz');
  expect(administer(database, ['backup', file])).toMatchObject({ status: 0 });
  return file;
}

/** Returns what a server and an administrator's command say about a database before they end. */
async function refusals(database: UsedDatabase, backup: string): Promise<object[]> {
  const server = startWith(database);
  const { code } = await server.ended;
  const said = { status: code, stdout: server.stdout(), stderr: server.stderr() };
  return [said, administer(database, ['restore', backup, '--replace'])];
}

const refused = (sentence: string) =>
  ['server', 'command'].map(() => ({ status: 1, stdout: '', stderr: `${sentence}\n` }));

it('a version that is older than the database refuses it in one sentence, and changes nothing', async () => {
  const database = await createUsedDatabase();
  const backup = await backUp(database);
  const before = await database.open(async (db) => {
    await sql`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(db);
    return readEverything(db);
  });
  expect(await refusals(database, backup)).toEqual(
    refused(
      'The database was last used by a newer version of HourShare (it has 9999-later); run that version or a later one, or restore an older backup into an empty database (a new DATA_DIR or DATABASE_URL).',
    ),
  );
  await expectUntouched({ ...database, before });
});

it('a database of an unreleased version is refused in one sentence, and nothing is changed or added', async () => {
  const database = await createUsedDatabase();
  const backup = await backUp(database);
  const names = ['0001-initial', '0035-large-installations'];
  const before = await database.open(async (db) => {
    await sql`delete from kysely_migration`.execute(db);
    await sql`insert into kysely_migration select unnest(${names}::text[]), ''`.execute(db);
    return readEverything(db);
  });
  const folder = database.settings['DATA_DIR'];
  const listed = () => folder && readdirSync(folder).filter((name) => !/^database-\d+\.lock$/.test(name));
  const files = listed();
  // Without SECRET, a server that starts adds one to the folder.
  const { SECRET: _, ...settings } = database.settings;
  expect(await refusals(folder === undefined ? database : { ...database, settings }, backup)).toEqual(
    refused(
      "The database was made by an unreleased version of HourShare, which this version can't read; start with an empty database (a new DATA_DIR or DATABASE_URL).",
    ),
  );
  await expectUntouched({ ...database, before });
  expect(listed()).toEqual(files);
});

it("an administrator's command leaves the upgrade to a server", async () => {
  const database = await createUsedDatabase();
  expect(administer(database, ['verify'], await buildServer(MIGRATIONS))).toEqual({
    status: 1,
    stdout: '',
    stderr: "The database isn't up to date; start HourShare once, then run this again.\n",
  });
  await expectUntouched(database);
});
