import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SignedIn } from '@hourshare/contract/accounts';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { builtServer } from './testing/built-server.ts';
import { startServer } from './testing/server-process.ts';

// Runs the administrator's command as its own process on a database written by a server.

const engine = inject('databaseTemplate');
const embedded = !('databaseUrl' in engine);
const SECRET = 'canary-secret-K7qXw2vT9mZr4LpB8sNd';
let settings: Record<string, string>;
let cleanUp: () => Promise<unknown>;

beforeAll(async () => {
  if ('databaseUrl' in engine) {
    const name = `hourshare_admin_${randomBytes(6).toString('hex')}`;
    await onServer(engine.databaseUrl, `create database ${name}`);
    settings = { SECRET, DATABASE_URL: withDatabase(engine.databaseUrl, name) };
    cleanUp = () => onServer(engine.databaseUrl, `drop database ${name} with (force)`);
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'hourshare-admin-'));
    settings = { SECRET, DATA_DIR: folder };
    cleanUp = () => rm(folder, { recursive: true, force: true });
  }
});
afterAll(() => cleanUp());

async function run(args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...settings } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const admin = (...args: string[]) => run([fileURLToPath(new URL('admin.js', builtServer())), ...args]);

/** Corrupts the database with a statement that the product never runs. */
const corruptDatabase = (statement: string) =>
  run([
    '--input-type=module',
    '-e',
    `const { openDatabase } = await import(${JSON.stringify(new URL('platform/database/open.js', builtServer()).href)});
     const { sql } = await import('kysely');
     const { db, close } = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir: process.env.DATA_DIR });
     await sql.raw(${JSON.stringify(statement)}).execute(db);
     await close();
     process.exit(0);`,
  ]);

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
  // Seven processes, each of which opens the database.
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
  second.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(await readdir(settings['DATA_DIR'] ?? tmpdir())).not.toContain('admin.sock');
  // This starts twelve processes.
}, 600_000);

it('prints its usage for unknown arguments', async () => {
  for (const args of [[], ['tidy'], ['verify', '--all']])
    expect(await admin(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('admin -- verify') as string,
    });
});
