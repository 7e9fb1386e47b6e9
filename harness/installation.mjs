import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOwnPostgres } from './postgres.mjs';
import { createDatabase } from './databases.mjs';
import { createNetwork } from './network.mjs';
import { createServer, runProgram } from './server.mjs';

// The built servers, their database, and everything that can go wrong with them. Clocks begin in the past and are moved
// forward, never beyond the real time, which is the database's.

const SECRET = 'Rk3vW9sLq0TzX7bN2mYc5HdF8gJ1pUaE';
/** More than a new embedded database needs, and little enough to fill quickly. */
const DISK_MB = 160;

/** @typedef {'embedded' | 'postgresql'} Engine */
/** @typedef {Awaited<ReturnType<typeof createInstallation>>} Installation */

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
  /** @type {import('./postgres.mjs').OwnServer | undefined} */
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
      const { url } = await createDatabase(found.url);
      network = await createNetwork(found.socket);
      cleanUps.push(network.close);
      store = { DATABASE_URL: `postgresql://hourshare@127.0.0.1:${network.port}${new URL(url).pathname}` };
    }
    const common = {
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      SECRET,
      ...store,
      ...settings,
    };
    const length = engine === 'postgresql' ? 2 : 1;
    const servers = Array.from({ length }, () => createServer(common, { clockOffset: offset }));
    cleanUps.push(async () => {
      await Promise.all(servers.map((server) => server.end('SIGKILL')));
    });
    // The first creates the tables.
    for (const server of servers) await server.start();

    return {
      engine,
      servers,
      network,
      hasSmallDisk,
      folder,
      urls: servers.map(({ url }) => url),
      now: () => new Date(Date.now() + offset),
      /** @param {number} milliseconds */
      advance: async (milliseconds) => {
        offset += milliseconds;
        await Promise.all(servers.map((server) => server.setClock(offset)));
      },
      /** Starts every server that doesn't run. */
      restart: async () => {
        for (const server of servers) if (!server.isRunning()) await server.start();
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
      startIntruder: () => runProgram(['main.js'], common, { clockOffset: offset }),
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
      /** Runs an administrator's command. Returns its exit code and output. */
      admin: (/** @type {string[]} */ ...args) => runProgram(['admin.js', ...args], common, { clockOffset: offset }),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
