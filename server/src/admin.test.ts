import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Database } from './platform/database/database.ts';
import { NODE_FLAGS } from './platform/database/testing/node-flags.ts';
import { built, temporaryFolder } from './platform/database/testing/processes.ts';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { builtServer } from './testing/built-server.ts';
import { startServer } from './testing/server-process.ts';
import { isThorough } from './testing/thorough.ts';

// Runs the administrator's command as its own process on a database written by a server.

const engine = inject('databaseTemplate');
const embedded = !('databaseUrl' in engine);
const SECRET = 'canary-secret-K7qXw2vT9mZr4LpB8sNd';
let settings: Record<string, string>;
const cleanUps: (() => Promise<unknown>)[] = [];

/** Returns the settings for a database that no server has used, which is removed in the end. */
async function emptyDatabase(): Promise<Record<string, string>> {
  if ('databaseUrl' in engine) {
    const name = `hourshare_admin_${randomBytes(6).toString('hex')}`;
    await onServer(engine.databaseUrl, `create database ${name}`);
    cleanUps.push(() => onServer(engine.databaseUrl, `drop database ${name} with (force)`));
    return { DATABASE_URL: withDatabase(engine.databaseUrl, name) };
  }
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-admin-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder };
}

beforeAll(async () => {
  settings = { SECRET, ...(await emptyDatabase()) };
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

async function run(
  args: string[],
  { cwd, own = settings, isRead = true }: { cwd?: string; own?: Record<string, string>; isRead?: boolean } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    env: { PATH: process.env['PATH'], ...own },
    cwd,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (!isRead) child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const program = fileURLToPath(new URL('admin.js', builtServer));
const admin = (...args: string[]) => run([program, ...args]);

/** Works on the database, which nothing else may use if it is the embedded one. */
async function withDb<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const { openDatabase } = await built<typeof import('./platform/database/open.ts')>('platform/database/open.js');
  const { db, close } = await openDatabase({ databaseUrl: settings['DATABASE_URL'], dataDir: settings['DATA_DIR'] });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/** Corrupts the database with a statement that the product never runs. */
const corruptDatabase = (statement: string) => withDb((db) => sql.raw(statement).execute(db));

/** Sends a request. Returns the status and the body of the answer. */
async function post<T>(url: string, body: object): Promise<[status: number, body: T]> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return [answer.status, (await answer.json()) as T];
}

/** Returns the security events among the lines of a log. */
const eventsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"security event"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Starts a server and has it create an asset, a share, and a session. */
async function createHistory(): Promise<void> {
  const server = startServer(settings);
  const address = await server.ready;
  const call = async <T>(path: string, token: string, body?: object): Promise<T> => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const register = (username: string) =>
    call<SignedIn>('/api/register/', '', {
      username,
      email: `${username}@example.org`,
      password: 'correct horse battery',
    });
  const [mira, ben] = [await register('mira'), await register('ben')];
  const { id } = await call<{ id: number }>('/api/assets/', mira.access, { name: 'Films', subscription_cost: 20 });
  const { shared_with: shares } = await call<{ shared_with: { id: number }[] }>(
    `/api/assets/${id}/share/`,
    mira.access,
    { username: 'ben', monthly_hours_allocated: 5 },
  );
  for (const verb of ['start', 'end']) await call(`/api/shared-assets/${shares[0]?.id}/${verb}/`, ben.access);
  server.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
}

it('verifies days of use and periods, reports differences, and repairs open periods', async () => {
  await createHistory();
  const sound = await admin('verify');
  expect(sound).toMatchObject({ code: 0, stdout: 'Verified 1 asset: no differences.\n' });
  expect(eventsIn(sound.stderr)).toMatchObject([{ event: 'admin_command', command: 'verify', code: 0 }]);

  await corruptDatabase('update usage_days set seconds = seconds + 3600');
  const found = await admin('verify');
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(
    /^asset 1, share 1, \d{4}-\d\d-\d\d: 36\d\d s in 1 session stored, \d+ s in 1 session expected\nVerified 1 asset: 1 difference, 0 repaired\.\n$/,
  );
  const repaired = await admin('verify', '--repair');
  expect([repaired.code, repaired.stdout]).toEqual([0, expect.stringContaining('1 difference, 1 repaired')]);

  await corruptDatabase(
    "update periods set ends_at = ends_at + interval '1 hour' where month = (select min(month) from periods)",
  );
  expect(await admin('verify', '--repair')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^asset 1, \d{4}-\d\d: starts at a different time than the previous month ends\nVerified 1 asset: 1 difference, 0 repaired/,
    ) as string,
  });
  // Five processes open the database one after another.
}, 600_000);

it('works while the server runs, and after it was killed', async () => {
  const first = startServer({ ...settings, LOG_LEVEL: 'info' });
  const address = await first.ready;
  const post = async (path: string, body: object) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const registration = async () =>
    ((await (await fetch(`${address}/api/about/`)).json()) as { registration: string }).registration;

  const created = await admin('create', 'cleo', 'cleo@example.org');
  const [, link = ''] = created.stdout.split('\n');
  expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining('Created cleo.') as string });
  // A command in its own process doesn't know which port the server chose.
  expect(link.startsWith(`${address}/reset-password#`)).toBe(embedded);
  const password = 'a walnut on the stairs';
  const token = link.replace(/^.*#/, '');
  expect((await post('/api/password-reset/confirm/', { token, password })).status).toBe(204);
  const signIn = async () => (await post('/api/login/', { username: 'cleo', password })).status;
  expect(await signIn()).toBe(200);

  expect(await admin('disable', 'cleo')).toMatchObject({ code: 0, stdout: 'Disabled cleo; 1 sign-in ended.\n' });
  expect(await signIn()).toBe(403);
  expect(await admin('registration', 'closed')).toMatchObject({ code: 0 });
  expect(await registration()).toBe('closed');
  expect(await admin('delete', 'cleo', '--yes')).toMatchObject({ code: 0, stdout: 'Deleted cleo.\n' });
  expect(await admin('enable', 'cleo')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('No account has the username cleo.\n') as string,
  });
  const commands = eventsIn(first.stdout()).filter(({ event }) => event === 'admin_command');
  const ranHere = [
    ['create', 0],
    ['disable', 0],
    ['registration', 0],
    ['delete', 0],
    ['enable', 1],
  ];
  expect(commands.map(({ command, code }) => [command, code])).toEqual(embedded ? ranHere : []);

  first.kill('SIGKILL');
  await first.ended;
  expect(await admin('registration')).toMatchObject({ code: 0, stdout: 'Registration is closed.\n' });
  const second = startServer(settings);
  await second.ready;
  expect(await admin('registration', 'open')).toMatchObject({ code: 0, stdout: 'Registration is open.\n' });
  // As "admin stats | head -1" does.
  const unread = await run([program, 'stats'], { isRead: false });
  expect(unread).toMatchObject({ code: 0, stdout: '' });
  // A command in its own process logs itself there, and nothing else.
  expect(unread.stderr.split('\n').filter((line) => !line.includes('"security event"'))).toEqual(['']);
  second.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(await readdir(settings['DATA_DIR'] ?? tmpdir())).not.toContain('admin.sock');
  // This starts thirteen processes.
}, 600_000);

it('backs up and restores while the server runs, into a file named from where the command was typed', async () => {
  const folder = await temporaryFolder();
  const server = startServer({ ...settings, LOG_LEVEL: 'info' });
  const address = await server.ready;
  const register = async (username: string) => {
    const body = { username, email: `${username}@example.org`, password: 'a walnut on the stairs' };
    return post<SignedIn>(`${address}/api/register/`, body);
  };
  const me = async ({ access }: SignedIn) =>
    (await fetch(`${address}/api/me/`, { headers: { authorization: `Bearer ${access}` } })).status;
  const [, nora] = await register('nora');

  const made = await run([program, 'backup', 'now.gz'], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("doesn't include SECRET") as string });
  expect((await stat(join(folder, 'now.gz'))).mode & 0o777).toBe(0o600);
  // Needs no settings, and no server.
  expect(await run([program, 'restore', 'now.gz', '--check'], { cwd: folder, own: {} })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /now\.gz can be restored: \d+ rows in \d+ tables, from [\d-]+ [\d:]+ UTC, by version \S+\.\nIt needs the SECRET with the code [\da-f]{8}\.\n$/,
    ) as string,
  });
  const [, late] = await register('late');
  expect(await run([program, 'backup', 'now.gz'], { cwd: folder })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('now.gz already exists; choose another name.\n') as string,
  });
  expect(await run([program, 'restore', 'now.gz'], { cwd: folder })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('add --replace to delete everything') as string,
  });
  expect([await me(nora), await me(late)]).toEqual([200, 200]);
  expect(await run([program, 'restore', 'now.gz', '--replace'], { cwd: folder })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored \d+ rows in \d+ tables\. Everything matches the backup\.\n$/) as string,
  });
  expect([await me(nora), await me(late)]).toEqual([200, 401]);
  expect((await register('late'))[0]).toBe(201);
  const here = eventsIn(server.stdout()).filter(({ event }) => event === 'admin_command');
  const ran = ['backup', 'backup', 'restore', 'restore'];
  expect(here.map(({ command }) => command)).toEqual(embedded ? ran : []);
  expect(await readdir(folder)).toEqual(['now.gz']);
  server.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
}, 600_000);

it('moves to a machine where no server has run, with the secret that DATA_DIR keeps', async () => {
  const file = join(await temporaryFolder(), 'all.gz');
  const machine = async () => ({ DATA_DIR: await temporaryFolder(), ...(await emptyDatabase()) });
  const [old, next] = [await machine(), await machine()];
  const before = startServer(old);
  const address = await before.ready;
  const body = { username: 'nora', email: 'nora@example.org', password: 'a walnut on the stairs' };
  const [, nora] = await post<SignedIn>(`${address}/api/register/`, body);
  expect(await run([program, 'backup', file], { own: old })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The file holds the secret of this server, so keep it private.') as string,
  });
  before.kill('SIGTERM');
  await before.ended;

  const restored = await run([program, 'restore', file], { own: next });
  expect(restored.code).toBe(0);
  // The embedded database's server would have adopted it itself.
  expect(restored.stdout.includes('Restart every running server of this database.')).toBe(!embedded);
  const after = startServer(next);
  const moved = await after.ready;
  const headers = { authorization: `Bearer ${nora.access}` };
  expect((await fetch(`${moved}/api/me/`, { headers })).status).toBe(200);
  after.kill('SIGTERM');
  expect((await after.ended).code).toBe(0);
}, 600_000);

// Starts sixteen processes, so only thorough runs try it.
it.each(isThorough ? [[0.3, 0.5, 0.7]] : [])(
  'leaves everything as it was if it is killed %d, %d, and %d of the way through a restore',
  async (...parts) => {
    const file = join(await temporaryFolder(), 'before.gz');
    const state = () =>
      withDb(async (db) => {
        const hashOf = (table: string) =>
          `(select md5(string_agg(t::text, ' ' order by id)) from ${table} t) as ${table}`;
        const { rows } = await sql.raw(`select ${['users', 'shares', 'sessions'].map(hashOf).join(', ')}`).execute(db);
        return JSON.stringify(rows);
      });
    expect((await admin('backup', file)).code).toBe(0);
    const earlier = await state();
    await corruptDatabase(
      `insert into sessions (share_id, started_at, ended_at, ends_by)
     select (select min(id) from shares), now() - i * interval '2 min', now() - i * interval '2 min' + interval '1 min', now()
     from generate_series(1, 20000) i`,
    );
    expect((await admin('create', 'dora', 'dora@example.org')).code).toBe(0);
    const later = await state();
    const full = join(await temporaryFolder(), 'after.gz');
    expect((await admin('backup', full)).code).toBe(0);

    const began = performance.now();
    expect((await admin('restore', full, '--replace')).code).toBe(0);
    const milliseconds = performance.now() - began;
    expect(await state()).toBe(later);
    expect((await admin('restore', file, '--replace')).code).toBe(0);
    expect(await state()).toBe(earlier);
    const found: string[] = [];
    for (const part of parts) {
      const child = spawn(process.execPath, [...NODE_FLAGS, program, 'restore', full, '--replace'], {
        env: { PATH: process.env['PATH'], ...settings },
        stdio: 'ignore',
      });
      const ended = once(child, 'close');
      await pause(milliseconds * part);
      child.kill('SIGKILL');
      await ended;
      found.push(await state());
    }
    // A restore that was faster than the first one may have come to its end.
    for (const each of found) expect([earlier, later]).toContain(each);
    expect((await admin('restore', full, '--replace')).code).toBe(0);
    expect(await state()).toBe(later);
  },
  600_000,
);

it('creates no database where the settings lead to none, nor before a file to restore was read', async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, 'none');
  // These are the same whatever the engine.
  const commands = [['users'], ['backup', join(folder, 'a.gz')], ['copy-database', 'postgresql://127.0.0.1/x']];
  for (const args of embedded ? commands : [])
    expect(await run([program, ...args], { own: { DATA_DIR: dataDir } })).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${dataDir} that this user can read; set DATA_DIR or DATABASE_URL as the server has it, or start the server first.\n`,
    });
  const database = { SECRET, ...(embedded ? { DATA_DIR: dataDir } : await emptyDatabase()) };
  const file = join(folder, 'missing.gz');
  for (const args of [['--check'], []])
    expect(await run([program, 'restore', file, ...args], { own: database })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Can't read \S+missing\.gz \(ENOENT[^\n]+\n$/) as string,
    });
  expect(await readdir(folder)).toEqual([]);
  // No table was made.
  expect((await run([program, 'users'], { own: database })).stderr).toContain(
    embedded ? 'There is no database' : "The database isn't up to date",
  );
}, 600_000);

it('prints its usage for unknown arguments', async () => {
  expect(await admin('verify', '--all')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('admin -- verify') as string,
  });
});
