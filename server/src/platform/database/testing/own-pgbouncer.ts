import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { unprivileged } from './own-postgresql.ts';
import { until } from './processes.ts';

/**
 * A PgBouncer in transaction mode that keeps no prepared statements, with few server connections per role and database for
 * all clients.
 */
export interface OwnPgbouncer {
  /** Returns the address of a database behind it. */
  url: (user: string, database: string) => string;
  /** Opens new connections to the server, so that changed defaults take effect. */
  reconnect: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Returns the program's path, or undefined when PgBouncer isn't installed. */
export function pgbouncerProgram(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].filter(Boolean);
  return folders
    .map((folder) => join(folder, 'pgbouncer'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns the minor version: 18 for 1.18. */
const versionOf = (program: string): number =>
  Number(/\d+\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1]);

/** Starts a PgBouncer in front of the server whose socket is in this folder. */
export async function startOwnPgbouncer(
  program: string,
  { serverFolder, users, connections }: { serverFolder: string; users: string[]; connections: number },
): Promise<OwnPgbouncer> {
  const user = unprivileged();
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-pgb-'));
  const file = join(folder, 'pgbouncer.ini');
  const userList = join(folder, 'users.txt');
  await writeFile(userList, users.map((name) => `"${name}" ""\n`).join(''));
  // Versions before 1.21 can't keep prepared statements; later ones do unless told otherwise.
  const losesStatements = versionOf(program) < 21 ? '' : 'max_prepared_statements = 0\n';
  await writeFile(
    file,
    `[databases]
* = host=${serverFolder}
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = trust
auth_file = ${userList}
admin_users = ${users[0]}
pool_mode = transaction
default_pool_size = ${connections}
${losesStatements}`,
  );
  if (user) for (const path of [folder, file, userList]) await chown(path, user.uid, user.gid);
  const child = spawn(program, ['--quiet', file], { stdio: 'ignore', cwd: folder, ...user });
  const ended = once(child, 'exit');
  const url: OwnPgbouncer['url'] = (name, database) =>
    `postgresql:///${database}?host=${folder}&port=6432&user=${name}`;

  async function administer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: url(users[0]!, 'pgbouncer') });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async function stop(): Promise<void> {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await until(
      () =>
        administer('show version').then(
          () => true,
          () => false,
        ),
      'PgBouncer',
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, reconnect: () => administer('reconnect'), stop };
}
