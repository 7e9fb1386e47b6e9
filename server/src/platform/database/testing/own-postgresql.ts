import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { until } from './processes.ts';

/** A test's own PostgreSQL server, which it may stop and start at will. */
export interface OwnPostgresql {
  url: string;
  start: () => Promise<void>;
  /** Stops it at once, as a crash would. Committed data stays. */
  stop: () => Promise<void>;
  remove: () => Promise<void>;
}

/** Returns the folder of the server's programs, also of others if named, or undefined when PostgreSQL isn't installed. */
export function postgresqlPrograms(...others: string[]): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(a) - Number(b)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return folders.find((folder) =>
    ['initdb', 'postgres', ...others].every((program) => existsSync(join(folder, program))),
  );
}

export const startOwnPostgresql = (programs: string): Promise<OwnPostgresql> =>
  startOwn(programs, (data) => ['initdb', '-D', data, '-A', 'trust', '-U', 'tester', '--no-sync']);

/** Starts a streaming replica of a test's own server. */
export const startOwnStandby = (programs: string, { url }: OwnPostgresql): Promise<OwnPostgresql> =>
  startOwn(programs, (data) => ['pg_basebackup', '-D', data, '-R', '-d', url, '-c', 'fast', '--no-sync']);

async function startOwn(
  programs: string,
  makeData: (data: string) => [program: string, ...args: string[]],
): Promise<OwnPostgresql> {
  const user = unprivileged();
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-pg-'));
  await chmod(folder, 0o755);
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const [program, ...options] = makeData(data);
  const made = spawnSync(join(programs, program), options, { encoding: 'utf8', cwd: folder, ...user });
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}`);

  const url = `postgresql:///postgres?host=${folder}&user=tester`;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off'];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    server = spawn(join(programs, 'postgres'), args, { stdio: 'ignore', cwd: folder, ...user });
    await until(() => answers(url), 'PostgreSQL');
  }

  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }

  async function remove(): Promise<void> {
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  await start();
  return { url, start, stop, remove };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns another user when running as root, which PostgreSQL and PgBouncer reject. Most PostgreSQL packages bring a
 * user.
 */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => spawnSync('id', [option, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as');
}
