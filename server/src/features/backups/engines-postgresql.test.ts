import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { inMemoryParams } from '../../platform/database/embedded-engine.ts';
import type { Database } from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { overEngine } from '../../platform/database/testing/over-engine.ts';
import { until } from '../../platform/database/testing/processes.ts';
import { onServer, withDatabase } from '../../platform/database/testing/templates.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { fillEveryTable, readEverything } from '../../testing/every-table.ts';
import { readLastBackup } from '../installation/service.ts';
import { backUpDaily } from './daily/service.ts';
import { backUp, copyDatabase, restore } from './service.ts';

// Between the engines, and among several servers. The embedded engine has only one of each.

const engine = inject('databaseTemplate');
const serverUrl = 'databaseUrl' in engine ? engine.databaseUrl : '';
const names: string[] = [];

let api: TestApi;
let folder: string;
let everything: Awaited<ReturnType<typeof readEverything>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hourshare-backups-'));
  api = await openTestApi();
  await fillEveryTable(api);
  everything = await readEverything(api.deps.db);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
  for (const name of names) await onServer(serverUrl, `drop database if exists ${name} with (force)`);
});

/** Creates an empty database on the server under test. Returns its address. */
async function createDatabase(settings = ''): Promise<string> {
  const name = `hourshare_copy_${randomBytes(6).toString('hex')}`;
  names.push(name);
  await onServer(serverUrl, `create database ${name}`);
  if (settings) await onServer(serverUrl, `alter database ${name} set ${settings}`);
  return withDatabase(serverUrl, name);
}

async function readAt(address: string) {
  const { db, close } = await openDatabase({ databaseUrl: address, poolSize: 1 });
  try {
    return await readEverything(db);
  } finally {
    await close();
  }
}

const over = (db: OpenDatabase['db']) => ({ ...api.deps, db });

describe('every table and all that belongs to it', () => {
  it('is the same after moving from PostgreSQL to the embedded engine and back', async () => {
    const embedded = overEngine(await PGlite.create({ startParams: inMemoryParams }));
    try {
      await migrate(embedded.db);
      const file = join(folder, 'moved.gz');
      await backUp(api.deps, file);
      await restore(over(embedded.db), file, { replace: false });
      expect(await readEverything(embedded.db)).toEqual(everything);

      const address = await createDatabase("bytea_output = 'escape'");
      const copied = await copyDatabase(over(embedded.db), address);
      expect(copied.rows).toBe(Object.values(everything.tables).flat().length);
      expect(await readAt(address)).toEqual(everything);
      await expect(copyDatabase(over(embedded.db), address)).rejects.toThrow(
        "The database at that address isn't empty (it has the table access_tokens); create an empty one.",
      );
    } finally {
      await embedded.close();
    }
  });
});

it('a copy and a migration say what the role lacks if it may not create tables', async () => {
  const address = await createDatabase();
  const role = names.at(-1) ?? '';
  await onServer(serverUrl, `create role ${role} login`);
  const limited = address.replace(/\/\/[^@/]*@/, `//${role}@`);
  await expect(copyDatabase(api.deps, limited)).rejects.toThrow(
    /^The role can't create tables at that address; make it the owner of the database\.$/,
  );
  const { db, close } = await openDatabase({ databaseUrl: limited, poolSize: 1 });
  try {
    await expect(migrate(db)).rejects.toThrow(
      new StartupError("The database role can't create tables; make it the owner of the database."),
    );
  } finally {
    await close();
    await onServer(serverUrl, `drop role ${role}`);
  }
});

describe('a backup', () => {
  it('has what was there when it began, whatever is written meanwhile', async () => {
    const address = await createDatabase();
    await copyDatabase(api.deps, address);
    const { db, close } = await openDatabase({ databaseUrl: address, poolSize: 4 });
    try {
      let written = 0;
      const end = new AbortController();
      const write = async () => {
        while (!end.signal.aborted) {
          // Both or neither.
          await db.transaction().execute(async (trx) => {
            const id = await addUser(trx, `writer-${written}`);
            await sql`insert into idempotency_keys values (${id}, 'k', 'h', 200, 'b', now())`.execute(trx);
          });
          written += 1;
        }
      };
      const writing = write();
      const file = join(folder, 'written.gz');
      await until(() => written >= 5, 'the first writes');
      await backUp(over(db), file);
      const after = written;
      end.abort();
      await writing;
      await restore(over(db), file, { replace: true });
      const { rows } = await sql<{ users: number; keys: number }>`
        select (select count(*) from users where username like 'writer-%') as users,
          (select count(*) from idempotency_keys where key = 'k') as keys`.execute(db);
      const [{ users, keys } = { users: 0, keys: -1 }] = rows;
      expect(users).toBe(keys);
      expect(users).toBeGreaterThanOrEqual(5);
      expect(users).toBeLessThanOrEqual(after);
    } finally {
      await close();
    }
  });
});

/** Waits until a request waits for a table. */
async function untilWaiting(): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database()::text as name`.execute(api.deps.db);
  await until(async () => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      const found = await client.query(
        `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and state = 'active'`,
        [rows[0]?.name],
      );
      return (found.rowCount ?? 0) > 0;
    } finally {
      await client.end();
    }
  }, 'a request that waits');
}

const addUser = async (db: Database, username: string): Promise<number> => {
  const email = `${username}@example.org`;
  const row = { username, email, password_hash: '', time_zone: 'UTC', created_at: new Date(0) };
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;
};

describe('a restore', () => {
  it('keeps requests of other servers waiting, which then find the restored data', async () => {
    const file = join(folder, 'before.gz');
    await backUp(api.deps, file);
    const mira = await api.register('extra');
    let answer: ReturnType<typeof api.call> | undefined;
    const other = await openDatabase({ databaseUrl: await addressOf(api.deps.db), poolSize: 2 });
    const watched = other.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        // The first sequence is written just before the end.
        if (!answer && result.rows.some((row) => 'setval' in row)) {
          answer = api.call('GET', '/api/me/', { as: mira });
          await untilWaiting();
        }
        return result;
      },
    });
    try {
      await restore(over(watched), file, { replace: true });
    } finally {
      await other.close();
    }
    // It waited until the restore had ended the sign-in.
    expect((await answer)?.status).toBe(401);
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });

  it('says what depends on the tables, and changes nothing', async () => {
    const address = await createDatabase();
    await copyDatabase(api.deps, address);
    const file = join(folder, 'view.gz');
    await backUp(api.deps, file);
    await onServer(address, 'create view report as select id from users');
    const { db, close } = await openDatabase({ databaseUrl: address, poolSize: 2 });
    try {
      await expect(restore(over(db), file, { replace: true })).rejects.toThrow(
        /^Other objects depend on HourShare's tables \(.*\)\. Drop them, restore, then recreate them\.$/s,
      );
      expect(await readEverything(db)).toMatchObject({ tables: everything.tables });
    } finally {
      await close();
    }
  });
});

async function addressOf(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database()::text as name`.execute(db);
  return withDatabase(serverUrl, rows[0]?.name ?? '');
}

it('one of several servers makes the daily backup', async () => {
  const dir = join(folder, 'daily');
  const others = await Promise.all(
    Array.from({ length: 5 }, async () => openDatabase({ databaseUrl: await addressOf(api.deps.db), poolSize: 2 })),
  );
  try {
    const made: unknown[] = [];
    await Promise.all(
      others.map(({ db }, number) => {
        // In their own folders, too.
        const config = { ...api.deps.config, BACKUP_DIR: join(dir, String(number)), BACKUP_KEEP: 2 };
        const log = Object.assign(Object.create(api.deps.log) as typeof api.deps.log, {
          info: (...line: unknown[]) => made.push(line),
        });
        return backUpDaily({ ...over(db), config, log }, new AbortController().signal);
      }),
    );
    expect(made).toHaveLength(1);
  } finally {
    await Promise.all(others.map(({ close }) => close()));
  }
});

it("a daily backup that another server made first leaves no file, and doesn't count as failed", async () => {
  const dir = join(folder, 'raced');
  const clock = () => new Date('2026-08-01T00:00:00Z');
  const faster = new Date('2026-08-01T00:00:01Z');
  let isRecorded = false;
  const db = api.deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isRecorded && result.rows.some((row) => 'lines' in row)) {
        isRecorded = true;
        await api.deps.db.updateTable('installation').set({ backed_up_at: faster }).execute();
      }
      return result;
    },
  });
  const config = { ...api.deps.config, BACKUP_DIR: dir };
  await backUpDaily({ ...over(db), config, clock }, new AbortController().signal);
  expect(isRecorded).toBe(true);
  expect(readdirSync(dir)).toEqual([]);
  expect(await readLastBackup(api.deps.db)).toEqual({ madeAt: faster, failedAt: null });
});
