import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { findPostgres } from '../scripts/postgres.mjs';
import { queryDatabase } from '../scripts/proxied-servers.mjs';
import { startServer } from './server.mjs';

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
  good.sort((one, other) => one - other);
  const percentile = (/** @type {number} */ part) => Math.round(good[Math.floor(good.length * part)] ?? Number.NaN);
  return { good: good.length / SECONDS, p50: percentile(0.5), p99: percentile(0.99), others, errors, timeouts };
}

/** @param {number | undefined} pid @returns {number} in MB */
const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function measure() {
  const postgres = await findPostgres();
  if ('missing' in postgres) throw new Error(postgres.missing);
  await queryDatabase(postgres.url, 'create database overload');
  const DATABASE_URL = postgres.url.replace('/postgres?', '/overload?');
  const server = await startServer({
    DATABASE_URL,
    SECRET: 'known to this benchmark alone, 32 characters',
    RATE_LIMIT: 'off',
  });
  try {
    const tokens = [];
    for (let number = 0; number < USERS; number += 1) {
      const post = async (
        /** @type {string} */ path,
        /** @type {object} */ body,
        /** @type {string} */ access = '',
      ) => {
        const headers = { 'content-type': 'application/json', ...(access && { authorization: `Bearer ${access}` }) };
        return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
      };
      const account = {
        username: `user${number}`,
        email: `user${number}@example.org`,
        password: 'correct horse battery',
      };
      const { access } = await post('/api/register/', account);
      for (const name of ['Films', 'Car', 'Gym']) await post('/api/assets/', { name, subscription_cost: 12 }, access);
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
      health.sort((one, other) => one - other);
      const slowest = Math.round(health[Math.floor(health.length * 0.99)] ?? Number.NaN);
      console.log(
        `${connections} connections: ${Math.round(good)} good answers a second, ${p50} ms median, ${p99} ms p99; others ${JSON.stringify(others)}, ${errors} errors, ${timeouts} timeouts; /healthz p99 ${slowest} ms; at most ${Math.round(watched.memory)} MB`,
      );
    }
  } finally {
    await server.stop();
    await postgres.stop();
  }
}

if (process.argv[2]?.startsWith('{')) process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2]))));
else await measure();
