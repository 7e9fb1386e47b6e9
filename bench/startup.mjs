import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createDatabase } from '../harness/databases.mjs';
import { MEASURED, median, memoryOf } from '../harness/measures.mjs';
import { runProgram, startServer } from '../harness/server.mjs';
import { findPostgres } from '../harness/postgres.mjs';

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
  const server = await startServer({ ...MEASURED, ...settings });
  const { status } = await fetch(`${server.url}/readyz`);
  const readyMs = performance.now() - startedAt;
  if (status !== 200) throw new Error(`/readyz answered ${status}`);
  if (idle) await wait(IDLE_MS);
  const memoryMB = memoryOf(server.pid);
  await server.end();
  return { readyMs, memoryMB };
}

/** Returns how long a second server on a running one's folder takes to report that. @param {string} folder */
async function refusedOnce(folder) {
  const startedAt = performance.now();
  const { code, output } = await runProgram(['main.js'], { DATA_DIR: folder });
  if (code !== 1 || !output.includes('is in use by process')) throw new Error(`The second server said: ${output}`);
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

  const running = await startServer({ ...MEASURED, DATA_DIR: join(folder, '0') });
  report(
    'second start on the same folder, until it is refused',
    await rounds(() => refusedOnce(join(folder, '0'))),
    'ms',
    2000,
  );
  await running.end();

  const server = await findPostgres();
  if ('missing' in server) console.log(`\nNot measured on PostgreSQL: ${server.missing}`);
  else {
    const database = await createDatabase(server.url);
    const settings = { DATABASE_URL: database.url };
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
    await database.drop();
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
