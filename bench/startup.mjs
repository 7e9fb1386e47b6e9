import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../scripts/postgres.mjs';
import { MAIN, median, startServer } from './server.mjs';

// Measures how long the built server takes to become ready, and how much memory it uses when idle. Run `npm run
// build && node bench/startup.mjs` on Linux, because memory is read from /proc; figures are medians of ROUNDS runs.

const ROUNDS = 5;
const IDLE_MS = 5000;

/**
 * @param {Record<string, string>} settings
 * @param {{ idle?: boolean }} [options] with `idle`, memory is read a few seconds after the server is ready
 */
async function startOnce(settings, { idle = false } = {}) {
  const startedAt = performance.now();
  const server = await startServer(settings);
  const { status } = await fetch(`${server.url}/readyz`);
  const readyMs = performance.now() - startedAt;
  if (status !== 200) throw new Error(`/readyz answered ${status}`);
  if (idle) await wait(IDLE_MS);
  const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
  await server.stop();
  return { readyMs, memoryMB: Number(memory) / 1024 };
}

/** Returns how long a second server on a running one's folder takes to report that. @param {string} folder */
async function refusedOnce(folder) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder },
    encoding: 'utf8',
  });
  if (status !== 1 || !stderr.includes('is in use by process')) throw new Error(`The second server said: ${stderr}`);
  return performance.now() - startedAt;
}

/** @param {string} what @param {number[]} values @param {string} unit @param {number} aim */
function report(what, values, unit, aim) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));
  console.log(`| ${what} | ${median(values).toFixed(0)} ${unit} | ${low} to ${high} | ${aim} ${unit} |`);
}

/** @template T @param {() => Promise<T>} run @returns {Promise<T[]>} */
async function rounds(run) {
  /** @type {T[]} */
  const results = [];
  for (let round = 0; round < ROUNDS; round++) results.push(await run());
  return results;
}

const folder = mkdtempSync(join(tmpdir(), 'hourshare-bench-'));
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores, ${ROUNDS} rounds\n`);
console.log('| what | median | from lowest to highest | aim |\n| --- | --- | --- | --- |');
try {
  let count = 0;
  const created = await rounds(() => startOnce({ DATA_DIR: join(folder, String(count++)) }));
  report(
    'start to ready, new embedded database',
    created.map(({ readyMs }) => readyMs),
    'ms',
    8000,
  );

  const embedded = await rounds(() => startOnce({ DATA_DIR: join(folder, '0') }, { idle: true }));
  report(
    'start to ready, existing embedded database',
    embedded.map(({ readyMs }) => readyMs),
    'ms',
    1500,
  );
  report(
    'memory when idle, embedded',
    embedded.map(({ memoryMB }) => memoryMB),
    'MB',
    260,
  );

  const running = await startServer({ DATA_DIR: join(folder, '0') });
  report(
    'second start on the same folder, until it is refused',
    await rounds(() => refusedOnce(join(folder, '0'))),
    'ms',
    2000,
  );
  await running.stop();

  const server = await findPostgres();
  if ('missing' in server) console.log(`\nNot measured on PostgreSQL: ${server.missing}`);
  else {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('create database hourshare_bench');
    const url = new URL(server.url);
    url.pathname = '/hourshare_bench';
    const settings = { DATABASE_URL: url.href, SECRET: 'known to this benchmark alone, 32 characters' };
    await startOnce(settings); // migrates
    const served = await rounds(() => startOnce(settings, { idle: true }));
    report(
      'start to ready, PostgreSQL',
      served.map(({ readyMs }) => readyMs),
      'ms',
      1500,
    );
    report(
      'memory when idle, PostgreSQL',
      served.map(({ memoryMB }) => memoryMB),
      'MB',
      130,
    );
    await client.query('drop database hourshare_bench');
    await client.end();
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
