import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { callServer, register } from '../harness/calls.mjs';
import { createDatabase } from '../harness/databases.mjs';
import { MEASURED, memoryOf, quantile } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';
import { findPostgres } from '../harness/postgres.mjs';

// Measures whether a server under far too much load answers as many requests well as under a load that it can handle:
// npm run build && node bench/overload.mjs [connections] [seconds]
// Then ten and a hundred times the connections, each of which repeats at once, whatever Retry-After says; twice, because
// memory that grows shows in the second round.

const CONNECTIONS = Number(process.argv[2] ?? 32);
const SECONDS = Number(process.argv[3] ?? 20);
const FACTORS = [1, 10, 100, 1, 10, 100, 1];
const USERS = 60;

/** Runs in a process of its own. @param {{ url: string, tokens: string[], connections: number }} options */
async function load({ url, tokens, connections }) {
  let next = 0;
  const run = autocannon(
    {
      url,
      connections,
      duration: SECONDS,
      setupClient: (client) => {
        const headers = { authorization: `Bearer ${tokens[next++ % tokens.length]}` };
        client.setRequests(['/api/assets/', '/api/shared-assets/'].map((path) => ({ method: 'GET', path, headers })));
      },
    },
    () => undefined,
  );
  /** @type {number[]} */
  const good = [];
  /** @type {Record<number, number>} */
  const others = {};
  run.on('response', (_client, status, _bytes, took) => {
    if (status === 200) good.push(took);
    else others[status] = (others[status] ?? 0) + 1;
  });
  const [{ errors, timeouts }] = /** @type {[import('autocannon').Result]} */ (await once(run, 'done'));
  const percentile = (/** @type {number} */ part) => Math.round(quantile(good, part));
  return { good: good.length / SECONDS, p50: percentile(0.5), p99: percentile(0.99), others, errors, timeouts };
}

async function measure() {
  const postgres = await findPostgres();
  if ('missing' in postgres) throw new Error(postgres.missing);
  const { url: databaseUrl } = await createDatabase(postgres.url);
  const server = await startServer({ ...MEASURED, DATABASE_URL: databaseUrl, RATE_LIMIT: 'off' });
  try {
    const tokens = [];
    for (let number = 0; number < USERS; number += 1) {
      const { access } = await register(server.url, `user${number}`);
      for (const name of ['Films', 'Car', 'Gym'])
        await callServer(server.url, 'POST /api/assets/', { name, subscription_cost: 12 }, access);
      tokens.push(access);
    }
    for (const factor of FACTORS) {
      const connections = CONNECTIONS * factor;
      /** @type {number[]} */
      const health = [];
      const watched = { isOver: false, memory: 0 };
      const watch = (async () => {
        while (!watched.isOver) {
          const startedAt = performance.now();
          await fetch(`${server.url}/healthz`);
          health.push(performance.now() - startedAt);
          watched.memory = Math.max(watched.memory, memoryOf(server.pid));
          await pause(50);
        }
      })();
      const child = promisify(execFile)(process.execPath, [
        import.meta.filename,
        JSON.stringify({ url: server.url, tokens, connections }),
      ]);
      const { good, p50, p99, others, errors, timeouts } = JSON.parse((await child).stdout);
      watched.isOver = true;
      await watch;
      const slowest = Math.round(quantile(health, 0.99));
      console.log(
        `${connections} connections: ${Math.round(good)} good answers a second, ${p50} ms median, ${p99} ms p99; others ${JSON.stringify(others)}, ${errors} errors, ${timeouts} timeouts; /healthz p99 ${slowest} ms; at most ${Math.round(watched.memory)} MB`,
      );
    }
  } finally {
    await server.end();
    await postgres.stop();
  }
}

if (process.argv[2]?.startsWith('{')) process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2]))));
else await measure();
