import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../scripts/free-port.mjs';
import { startOwnPostgres } from '../scripts/postgres.mjs';
import { root } from '../scripts/processes.mjs';
import { queryDatabase } from '../scripts/proxied-servers.mjs';
import { createNetwork } from './network.mjs';

// The built servers, their database, and everything that can go wrong with them. Clocks begin in the past and are moved
// forward, never beyond the real time, which is the database's.

const MAIN = join(root, 'server', 'dist', 'main.js');
const ADMIN = join(root, 'server', 'dist', 'admin.js');
const CLOCK = pathToFileURL(join(root, 'e2e', 'moved-clock.mjs')).href;
const SECRET = 'Rk3vW9sLq0TzX7bN2mYc5HdF8gJ1pUaE';
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 15_000;
/** More than a new embedded database needs, and little enough to fill quickly. */
const DISK_MB = 160;

/** @typedef {'embedded' | 'postgresql'} Engine */
/** @typedef {Awaited<ReturnType<typeof createInstallation>>} Installation */

/** @param {NodeJS.ProcessEnv} settings */
function createServer(settings) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let log = '';
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  return {
    isRunning,
    log: () => log,
    pid: () => child?.pid,
    /** @param {number} offset of its clock, in milliseconds */
    start: async (offset) => {
      const started = spawn(process.execPath, ['--import', CLOCK, MAIN], {
        env: { ...settings, CLOCK_OFFSET_MS: String(offset) },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      child = started;
      let printed = '';
      await new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`A server did not start. It printed:\n${printed}`));
        const timer = setTimeout(fail, READY_WITHIN_MS);
        for (const stream of [started.stdout, started.stderr])
          stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
            log = (log + text).slice(-200_000);
            printed += text;
            if (!printed.includes('HourShare is ready at ')) return;
            clearTimeout(timer);
            resolve(undefined);
          });
        started.once('close', () => {
          clearTimeout(timer);
          fail();
        });
      });
    },
    /** @param {number} offset */
    setClock: async (offset) => {
      if (!child || !isRunning()) return;
      const waiting = new AbortController();
      const { signal } = waiting;
      const moved = [once(child, 'message', { signal }), once(child, 'exit', { signal })];
      child.send(offset);
      await Promise.race(moved);
      waiting.abort();
      await Promise.allSettled(moved);
    },
    /** Returns the exit code. @param {NodeJS.Signals} signal */
    end: async (signal) => {
      if (!child || !isRunning()) return child?.exitCode ?? null;
      const exited = once(child, 'exit');
      child.kill(signal);
      const isLate = await Promise.race([exited.then(() => false), pause(STOPPED_WITHIN_MS, true, { ref: false })]);
      if (!isLate) return child.exitCode;
      child.kill('SIGKILL');
      await exited;
      throw new Error(`A server had not stopped ${STOPPED_WITHIN_MS / 1000} s after ${signal}.`);
    },
  };
}

/** Returns a folder on a small disk of its own, or undefined where that isn't possible. @param {string} folder */
function mountSmallDisk(folder) {
  const options = ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'hourshare-simulator', folder];
  return process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('mount', options).status === 0;
}

/**
 * Starts one server on the embedded database, or two on PostgreSQL.
 *
 * @param {object} options
 * @param {Engine} options.engine
 * @param {number} [options.startsAt] when the servers' clocks begin, in milliseconds since 1970
 * @param {string} [options.databaseUrl] of a PostgreSQL database, instead of one of its own
 * @param {Record<string, string>} [options.settings] more settings of the servers
 */
export async function createInstallation({ engine, startsAt = Date.now(), databaseUrl, settings = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-simulator-'));
  const hasSmallDisk = engine === 'embedded' && mountSmallDisk(folder);
  let offset = startsAt - Date.now();
  let isClockWrong = false;
  /** @type {(() => Promise<void> | void)[]} */
  const cleanUps = [
    () => {
      if (hasSmallDisk) spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  ];
  const dispose = async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  };

  /** @type {Record<string, string>} */
  let store = { DATA_DIR: join(folder, 'data') };
  /** @type {import('../scripts/postgres.mjs').OwnServer | undefined} */
  let postgres;
  /** @type {Awaited<ReturnType<typeof createNetwork>> | undefined} */
  let network;
  try {
    if (databaseUrl !== undefined) {
      store = { DATABASE_URL: databaseUrl };
    } else if (engine === 'postgresql') {
      const found = await startOwnPostgres();
      if ('missing' in found) throw new Error(found.missing);
      postgres = found;
      cleanUps.push(found.stop);
      await queryDatabase(found.url, 'create database simulator');
      network = await createNetwork(found.socket);
      cleanUps.push(network.close);
      store = { DATABASE_URL: `postgresql://hourshare@127.0.0.1:${network.port}/simulator` };
    }
    const common = {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      SECRET,
      ...store,
      ...settings,
    };
    const ports = [];
    for (let count = engine === 'postgresql' ? 2 : 1; count > 0; count -= 1) ports.push(await freePort());
    const servers = ports.map((port) => createServer({ ...common, PORT: String(port) }));
    cleanUps.push(async () => {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
    });
    // The first creates the tables.
    for (const server of servers) await server.start(offset);

    return {
      engine,
      servers,
      network,
      hasSmallDisk,
      folder,
      urls: ports.map((port) => `http://127.0.0.1:${port}`),
      now: () => new Date(Date.now() + offset),
      /** @param {number} milliseconds */
      advance: async (milliseconds) => {
        offset += milliseconds;
        await Promise.all(servers.map((server) => server.setClock(offset)));
      },
      /** Starts every server that doesn't run. */
      restart: async () => {
        for (const server of servers) if (!server.isRunning()) await server.start(offset);
      },
      restartDatabase: () => postgres?.restart(),
      /** Sets the clock of one server, or right again without an argument. @param {number} [milliseconds] by which it is wrong */
      setWrongClock: async (milliseconds = 0) => {
        isClockWrong ||= milliseconds !== 0;
        await servers.at(-1)?.setClock(offset + milliseconds);
        isClockWrong = milliseconds !== 0;
      },
      hasWrongClock: () => isClockWrong,
      /** Starts a second server on the folder of the embedded database. Returns its exit code and what it printed. */
      startIntruder: async () => {
        const env = { ...common, PORT: '0', CLOCK_OFFSET_MS: String(offset) };
        const child = spawn(process.execPath, ['--import', CLOCK, MAIN], {
          env,
          stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        });
        let printed = '';
        child.stderr?.setEncoding('utf8').on('data', (text) => (printed += text));
        const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
        const [code] = await once(child, 'close');
        clearTimeout(timer);
        return { code, printed };
      },
      /** Fills the disk. Returns what frees it again. */
      fillDisk: () => {
        const file = join(folder, 'ballast');
        const { bavail, bsize } = statfsSync(folder);
        writeFileSync(file, Buffer.alloc(0));
        const block = Buffer.alloc(1024 * 1024);
        try {
          for (let written = 0; written < bavail * bsize; written += block.length)
            writeFileSync(file, block, { flag: 'a' });
          for (;;) writeFileSync(file, block.subarray(0, 4096), { flag: 'a' });
        } catch {
          // It is full.
        }
        return () => {
          truncateSync(file, 0);
          rmSync(file);
        };
      },
      /** Runs an administrator's command. Returns its exit code and output. @param {string[]} args */
      admin: async (...args) => {
        const env = { ...common, PORT: '0', CLOCK_OFFSET_MS: String(offset) };
        const child = spawn(process.execPath, ['--import', CLOCK, ADMIN, ...args], {
          env,
          stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        });
        let output = '';
        for (const stream of [child.stdout, child.stderr])
          stream?.setEncoding('utf8').on('data', (text) => (output += text));
        const [code] = await once(child, 'close');
        return { code, output };
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
