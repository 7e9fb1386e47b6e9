import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const MAIN = join(dirname(dirname(fileURLToPath(import.meta.url))), 'server', 'dist', 'main.js');
const MOVED_CLOCK = join(dirname(fileURLToPath(import.meta.url)), 'moved-clock.mjs');
const READY_WITHIN_MS = 300_000;
const EXIT_WITHIN_MS = 20_000;

export type Engine = 'embedded' | 'PostgreSQL';

/** The engines that this machine can run. Journeys about data run on both. */
export const engines: Engine[] = process.env.TEST_DATABASE_URL ? ['embedded', 'PostgreSQL'] : ['embedded'];

export interface RunningServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. It survives a restart. */
  readonly url: string;
  readonly dataDir: string;
  /** Everything that the server has printed so far. */
  readonly log: string;
  /** Asks it to stop, as a service manager does. Returns its exit code. */
  stop: () => Promise<number | null>;
  /** Kills it as a power cut would. */
  kill: () => Promise<void>;
  /** Stops it if it runs, and starts it on the same port and data. */
  restart: () => Promise<void>;
  /** Advances its clock for the rest of its life, including restarts. */
  advance: (milliseconds: number) => Promise<void>;
  /** Stops it and removes its data. */
  dispose: () => Promise<void>;
}

async function createDatabase() {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('No PostgreSQL here: take the engine from `engines`');
  const name = `e2e_${randomBytes(8).toString('hex')}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}

/** Starts the built server on a free port of this machine, with its own empty data. */
export async function startServer(
  engine: Engine = 'embedded',
  settings: NodeJS.ProcessEnv = {},
  main = MAIN,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-e2e-'));
  const dataDir = join(folder, 'data');
  const database = engine === 'PostgreSQL' ? await createDatabase() : undefined;
  // Settings of whoever runs the tests must not reach the server.
  const { TEST_DATABASE_URL: _test, DATABASE_URL: _database, APP_URL: _address, ...inherited } = process.env;
  let port = '0';
  let url = '';
  let log = '';
  let clockOffset = 0;
  let child: ChildProcess;

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  async function launch() {
    let printed = '';
    // Optimizing the embedded engine's code takes a fourth of the server's processor time here, and pays off only later.
    child = spawn(process.execPath, ['--liftoff-only', '--import', MOVED_CLOCK, main], {
      env: {
        ...inherited,
        HOST: '127.0.0.1',
        PORT: port,
        DATA_DIR: dataDir,
        RATE_LIMIT: 'off',
        CLOCK_OFFSET_MS: String(clockOffset),
        ...(database && { DATABASE_URL: database.url }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    await new Promise<void>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`The server ${what}. It printed:\n${printed}`));
      const timer = setTimeout(() => fail(`was not ready after ${READY_WITHIN_MS / 1000} s`), READY_WITHIN_MS);
      const listen = (chunk: string) => {
        log += chunk;
        printed += chunk;
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed);
        if (!found?.[1]) return;
        clearTimeout(timer);
        [url, port] = [found[0], found[1]];
        resolve();
      };
      child.stdout?.setEncoding('utf8').on('data', listen);
      child.stderr?.setEncoding('utf8').on('data', listen);
      child.once('error', (error) => fail(`could not be started: ${error.message}`));
      // `close` comes after the last of the output, `exit` before it.
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        fail(`ended with ${signal ?? `code ${code}`}`);
      });
    }).catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL') {
    if (hasEnded()) return child.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    let overdue = false;
    const timer = setTimeout(() => {
      overdue = true;
      child.kill('SIGKILL');
    }, EXIT_WITHIN_MS);
    await exited;
    clearTimeout(timer);
    if (overdue) throw new Error(`The server was still there ${EXIT_WITHIN_MS / 1000} s after ${signal}:\n${log}`);
    return child.exitCode;
  }

  async function dispose() {
    try {
      await end('SIGTERM');
    } finally {
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  try {
    // Creating an embedded database takes seconds, and copying one doesn't. PREPARED_DATA is set by prepare-data.ts.
    // A killed server leaves its socket behind, which can't be copied.
    const filter = (path: string) => !path.endsWith('.sock');
    if (process.env.PREPARED_DATA && !database)
      await cp(process.env.PREPARED_DATA, dataDir, { recursive: true, filter });
    await launch();
  } catch (error) {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    dataDir,
    get url() {
      return url;
    },
    get log() {
      return log;
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    restart: async () => {
      await end('SIGTERM');
      await launch();
    },
    advance: async (milliseconds) => {
      clockOffset += milliseconds;
      const moved = once(child, 'message');
      child.send(clockOffset);
      await moved;
    },
    dispose,
  };
}
