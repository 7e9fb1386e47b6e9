import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../testing/server-process.ts';
import { isThorough } from '../../testing/thorough.ts';
import { closeTree } from '../data-folder.ts';
import { startEngine } from './embedded-engine.ts';
import { overConnection } from './embedded.ts';
import { lastingConnection } from './embedded-pool.ts';
import { isUnavailable } from './failure.ts';
import { migrate } from './migrate.ts';
import { overEngine } from './testing/over-engine.ts';
import {
  built,
  childrenOf,
  hasProc,
  seeded,
  start,
  temporaryFolder,
  until,
  type Process,
} from './testing/processes.ts';
import { tidy } from './upkeep.ts';

const { openDatabase } = await built<typeof import('./open.ts')>('platform/database/open.js');

// Creating a database takes seconds; copying one doesn't.
const original = join(tmpdir(), `hourshare-test-original-${process.pid}`);
beforeAll(async () => {
  await (await openDatabase({ dataDir: original })).close();
});
afterAll(() => rm(original, { recursive: true, force: true }));

const hasModes = process.platform !== 'win32';

async function createdFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(original, folder, { recursive: true });
  return folder;
}

// Shows a process's system calls. Not installed everywhere.
const tracer = 'strace';

function canTrace(): boolean {
  return spawnSync(tracer, ['-f', '-e', 'trace=fsync', process.execPath, '--version']).status === 0;
}

describe('a commit', () => {
  test('syncs the log to disk before it is acknowledged', async () => {
    const { engine, files } = await startEngine(join(await createdFolder(), 'database'));
    const { db, close } = overEngine(engine);
    await sql`create table notes (id int)`.execute(db);
    for (let number = 0; number < 100; number += 1) {
      const before = files.syncs;
      await sql`insert into notes values (${number})`.execute(db);
      expect(files.syncs).toBeGreaterThan(before);
    }
    await close();
  });

  test.runIf(canTrace())('reaches the operating system as an fsync call', async () => {
    const folder = await createdFolder();
    const trace = join(folder, 'trace');
    const command = [tracer, '-f', '-qq', '-e', 'trace=fsync', '-o', trace, process.execPath];
    expect(await start('write.mjs', [folder, 'row', '50'], command).ended).toBe(0);
    const calls = (await readFile(trace, 'utf8')).split('\n').filter((line) => /fsync\(.*= 0$/.test(line));
    expect(calls.length).toBeGreaterThanOrEqual(50);
  });
});

describe('a killed process', () => {
  test('loses and duplicates no acknowledged write, several times in a row', async () => {
    const folder = await createdFolder();
    const random = seeded(20_261_121);
    let expected: string[] = [];
    for (let round = 0; round < (isThorough ? 10 : 2); round += 1) {
      const writer = start('write.mjs', [folder, `round${round}`]);
      const found = JSON.parse((await writer.line()).slice('found '.length)) as string[];
      // The last write may have succeeded without its acknowledgment.
      expect(found.slice(0, expected.length)).toEqual(expected);
      expect(found.length).toBeLessThanOrEqual(expected.length + (round > 0 ? 1 : 0));
      await writer.line();
      await pause(random() * 500);
      writer.kill('SIGKILL');
      await writer.ended;
      const written = writer.lines.slice(1).map((line) => line.slice('wrote '.length));
      expect(written.length).toBeGreaterThan(0);
      expected = [...found, ...written];
    }
    const last = start('write.mjs', [folder, 'last', '1']);
    const found = JSON.parse((await last.line()).slice('found '.length)) as string[];
    expect(found.slice(0, expected.length)).toEqual(expected);
    expect(new Set(found).size).toBe(found.length);
    expect(await last.ended).toBe(0);
  });
});

describe('a second process', () => {
  test('is rejected on the same folder while the first continues', async () => {
    const folder = await createdFolder();
    const first = start('open.mjs', [folder]);
    expect(await first.line()).toBe('open');
    const second = start('open.mjs', [folder]);
    expect(await second.line()).toBe(
      `refused: The data folder ${folder} is in use by process ${first.pid}; stop that process first, or set DATA_DIR to another folder.`,
    );
    expect(await second.ended).toBe(1);
    await first.finish();
    const third = start('open.mjs', [folder]);
    expect(await third.line()).toBe('open');
    await third.finish();
  });
});

describe('a data folder that was copied while a server was using it', () => {
  test('can be used at once by another server, but not the original under another path', async () => {
    const [folder, other] = [await createdFolder(), await temporaryFolder()];
    const serve = (dataDir: string) => {
      const server = startServer({ DATA_DIR: dataDir });
      onTestFinished(async () => {
        server.kill('SIGKILL');
        await server.ended;
      });
      return server;
    };
    expect(await serve(folder).ready).toBeDefined();
    const [copy, link] = [join(other, 'copy'), join(other, 'link')];
    // Node.js doesn't copy sockets.
    expect(spawnSync('cp', ['-a', folder, copy]).status).toBe(0);
    const onCopy = serve(copy);
    const address = await onCopy.ready;
    expect(onCopy.stderr()).toBe('');
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    await symlink(folder, link);
    for (const path of [folder, copy, link]) {
      const refused = serve(path);
      expect((await refused.ended).code).toBe(1);
      expect(refused.stderr()).toContain(`The data folder ${path} is in use by process `);
    }
  });
});

describe('a first start', () => {
  const leftIn = async (folder: string) => (await readdir(folder)).filter((name) => !name.endsWith('.lock'));

  /** Returns the folder in which a process creates the database, or undefined if there is none yet. */
  const unfinishedOf = async (folder: string, { pid }: Process) =>
    (await readdir(folder)).find((name) => name.startsWith(`database.new-${pid}-`));

  async function unfinishedHas(folder: string, process: Process, path: string): Promise<boolean> {
    const unfinished = await unfinishedOf(folder, process);
    if (unfinished === undefined) return false;
    return (await readdir(join(folder, unfinished)).catch(() => [] as string[])).includes(path);
  }

  const moments: [string, (folder: string, first: Process) => Promise<boolean>][] = [
    ['has taken the lock', async (folder) => (await readdir(folder)).includes('database-1.lock')],
    ['has begun to create', async (folder, first) => (await unfinishedOf(folder, first)) !== undefined],
    ['has written half of the files', (folder, first) => unfinishedHas(folder, first, 'pg_multixact')],
    ['has started the engine', (folder, first) => unfinishedHas(folder, first, 'postmaster.pid')],
  ];

  test('leaves nothing that blocks the next when killed at any moment', { timeout: 600_000 }, async () => {
    const folder = await temporaryFolder();
    // Each start meets what the one before it left.
    for (const [moment, isReached] of moments) {
      const first = start('open.mjs', [folder]);
      await until(() => isReached(folder, first), `a process that ${moment}`);
      first.kill('SIGKILL');
      await first.ended;
      expect(first.lines).toEqual([]);
    }
    const next = start('open.mjs', [folder]);
    expect(await next.line()).toBe('open');
    await next.finish();
    expect(await leftIn(folder)).toEqual(['database']);
  });

  test("reports that it can't write its files, and leaves nothing behind", async () => {
    const folder = await temporaryFolder();
    const first = start('open.mjs', [folder]);
    await until(async () => (await unfinishedOf(folder, first)) !== undefined, 'the moment');
    const unfinished = await unfinishedOf(folder, first);
    // The engine wants a folder here. What its file system throws then isn't an Error.
    await writeFile(join(folder, unfinished!, 'global'), '');
    expect(await first.line()).toMatch(
      /^refused: The process that creates .* \(Error: ENOTDIR: not a directory\); make sure that /,
    );
    expect(await first.ended).toBe(1);
    expect(await leftIn(folder)).toEqual([]);
  });

  test.runIf(hasProc)('reports that its child process was killed, and leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    const first = start('open.mjs', [folder]);
    await until(async () => (await unfinishedOf(folder, first)) !== undefined, 'the moment');
    const [creator] = await childrenOf(first.pid);
    process.kill(creator!, 'SIGKILL');
    expect(await first.line()).toMatch(
      /^refused: The process that creates the embedded database was killed by SIGKILL; make sure that .* start again\.$/,
    );
    expect(await first.ended).toBe(1);
    expect(await leftIn(folder)).toEqual([]);
  });
});

/** Returns the paths in a folder that the group or others may access. */
async function openToOthers(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  const modes = await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).mode & 0o077));
  return paths.filter((_, index) => modes[index] !== 0);
}

/** Runs work in a process whose umask removes no permissions. */
function withOpenUmask<T>(work: () => T): T {
  const before = process.umask(0);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

describe.runIf(hasModes)('other users', () => {
  /** Runs a server on the folder with a new account, and returns the files it has created so far. */
  async function serve(folder: string): Promise<{ created: string[]; stop: () => Promise<unknown> }> {
    const before = new Set(await readdir(folder, { recursive: true }));
    const server = withOpenUmask(() => startServer({ DATA_DIR: folder }));
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await server.ended;
    });
    const address = await server.ready;
    const answer = await fetch(`${address}/api/register/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'mira', email: 'mira@example.org', password: 'correct horse battery' }),
    });
    expect(answer.status).toBe(201);
    const created = (await readdir(folder, { recursive: true })).filter((path) => !before.has(path));
    const stop = async () => {
      server.kill('SIGTERM');
      return server.ended;
    };
    return { created, stop };
  }

  test("can't access anything that a first start creates in an open folder", async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o777);
    const { stop } = await serve(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await openToOthers(folder)).toEqual([]);
    expect(await stop()).toEqual({ code: 0, signal: null });
    expect(await openToOthers(folder)).toEqual([]);
  });

  test('lose access to a database whose files were open to everyone', async () => {
    const folder = await createdFolder();
    for (const path of await readdir(folder, { recursive: true })) await chmod(join(folder, path), 0o777);
    await chmod(folder, 0o777);
    const { created, stop } = await serve(folder);
    // Includes the tables' files.
    expect(created.filter((path) => path.includes('base')).length).toBeGreaterThan(20);
    expect(await openToOthers(folder)).toEqual([]);
    expect(await stop()).toEqual({ code: 0, signal: null });
    expect(await openToOthers(folder)).toEqual([]);
  });

  test("can't open a table or log that the engine creates, whatever the umask", async () => {
    const folder = join(await createdFolder(), 'database');
    closeTree(folder);
    const { engine } = await startEngine(folder);
    const before = process.umask(0);
    try {
      await engine.exec('create table notes (id int); select pg_switch_wal(); insert into notes values (1)');
      await engine.close();
    } finally {
      process.umask(before);
    }
    expect(
      (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name)).length,
    ).toBeGreaterThan(1);
    expect(await openToOthers(folder)).toEqual([]);
  });
});

describe('opening', () => {
  test('rejects a folder that contains something else', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'database'));
    await expect(openDatabase({ dataDir: folder })).rejects.toMatchObject({
      name: 'StartupError',
      message: `${join(folder, 'database')} doesn't contain a database; move it away, or set DATA_DIR to another folder.`,
    });
  });

  test('rejects a damaged database with the reason, and releases the lock', async () => {
    const folder = await createdFolder();
    await writeFile(join(folder, 'database', 'global', 'pg_control'), 'damaged');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(openDatabase({ dataDir: folder })).rejects.toMatchObject({
        name: 'StartupError',
        message: expect.stringMatching(
          /^Can't open the embedded database in .* \(.*pg_control.*\); check that/,
        ) as string,
      });
    }
  });

  test('rejects a data folder that is a file', async () => {
    const folder = join(await temporaryFolder(), 'file');
    await writeFile(folder, '');
    await expect(openDatabase({ dataDir: folder })).rejects.toMatchObject({ name: 'StartupError' });
  });
});

function refuseSyncs(engine: PGlite): void {
  const { NODEFS: files } = engine.Module as unknown as { NODEFS: { stream_ops: { fsync: () => number } } };
  const inputOutputError = 29;
  files.stream_ops.fsync = () => inputOutputError;
}

describe('an engine that stops', () => {
  test('fails the statements in flight, restarts, and keeps every acknowledged write', async () => {
    const folder = join(await createdFolder(), 'database');
    const first = await startEngine(folder);
    const { db, close } = overConnection(
      lastingConnection(first, folder, { log: { info: () => undefined, warn: () => undefined } }),
    );
    await sql`create table notes (id int)`.execute(db);
    await sql`insert into notes values (1)`.execute(db);

    // PostgreSQL stops rather than accept a commit that the disk rejected.
    refuseSyncs(first.engine);
    const failures = await Promise.allSettled([2, 3, 4].map((id) => sql`insert into notes values (${id})`.execute(db)));
    for (const failure of failures) {
      expect(failure).toMatchObject({ reason: { name: 'EngineStoppedError' } });
      expect(failure.status === 'rejected' && isUnavailable(failure.reason)).toBe(true);
    }

    await sql`insert into notes values (5)`.execute(db);
    const { rows } = await sql<{ id: number }>`select id from notes where id not in (2, 3, 4) order by id`.execute(db);
    expect(rows).toEqual([{ id: 1 }, { id: 5 }]);
    await close();
  });
});

describe('a migration', () => {
  test('stops the start with a message when the disk rejects it', async () => {
    const { engine, files, stopped } = await startEngine(join(await createdFolder(), 'database'));
    const { db } = overEngine(engine);
    refuseSyncs(engine);
    await expect(migrate(db)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /^Can't bring the database up to date \(.*\); check that it is running and that its disk has space, then start again\.$/,
      ) as string,
    });
    expect(stopped()).toBeDefined();
    files.abandon();
  });
});

describe('upkeep', () => {
  test('vacuums the tables that need it and truncates the log', async () => {
    const { engine } = await startEngine(join(await createdFolder(), 'database'));
    const { db, close } = overEngine(engine);
    await migrate(db);
    await sql`create table notes (id int primary key, text text)`.execute(db);
    await sql`insert into notes select n, 'note' from generate_series(1, 20000) n`.execute(db);
    await sql`update notes set text = 'changed'`.execute(db);
    // Statistics arrive up to a second later; this flushes them now.
    await sql`select pg_stat_force_next_flush()`.execute(db);
    await tidy(db);
    const dead = await sql<{ dead: number }>`
      select n_dead_tup as dead from pg_stat_user_tables where relname = 'notes'`.execute(db);
    expect(dead.rows).toEqual([{ dead: 0 }]);
    const behind = await sql<{ behind: number }>`
      select (pg_current_wal_insert_lsn() - redo_lsn)::bigint as behind from pg_control_checkpoint()`.execute(db);
    expect(behind.rows[0]!.behind).toBeLessThan(1_000_000);
    await close();
  });
});
