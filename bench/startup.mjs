import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../scripts/postgres.mjs';
import { median, startServer } from './server.mjs';

// How long the built server takes from its start to being ready, and how much memory it keeps when idle.
// `npm run build && node bench/startup.mjs`; Linux, because memory is read from /proc. The medians of ROUNDS runs.

const ROUNDS = 5;
const IDLE_MS = 5000;

/**
 * @param {Record<string, string>} settings
 * @param {{ idle?: boolean }} [options] with `idle`, memory is read some seconds after it became ready
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

/** @param {string} what @param {number[]} values @param {string} unit @param {number} aim */
function report(what, values, unit, aim) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));
  console.log(`| ${what} | ${median(values).toFixed(0)} ${unit} | ${low} to ${high} | ${aim} ${unit} |`);
}

/** @param {() => Promise<Awaited<ReturnType<typeof startOnce>>>} run */
async function rounds(run) {
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
