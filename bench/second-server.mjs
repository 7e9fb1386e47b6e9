import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { tokenOf } from '../harness/calls.mjs';
import { createDatabase } from '../harness/databases.mjs';
import { cpuOf, MEASURED, median } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';
import { findPostgres } from '../harness/postgres.mjs';
import { seed } from './seed.mjs';

// Measures what a request costs one server, and two on the same PostgreSQL with half of the connections each:
// npm run build && node bench/second-server.mjs [connections] [seconds] [rounds]
// Where two servers, their database, and the load share two cores, CPU time says more than the rate.

const CONNECTIONS = Number(process.argv[2] ?? 32);
const SECONDS = Number(process.argv[3] ?? 10);
const ROUNDS = Number(process.argv[4] ?? 3);

const postgres = await findPostgres();
if ('missing' in postgres) throw new Error(postgres.missing);
const env = { ...MEASURED, DATABASE_URL: (await createDatabase(postgres.url)).url, RATE_LIMIT: 'off' };
const seeded = await seed(resolve(import.meta.dirname, '..'), env);
const servers = [await startServer(env), await startServer(env)];
const url = servers[0]?.url ?? '';

/** @type {Record<string, { token: string, paths: (connection: number) => [string, string][] }>} */
const calls = {
  'start and end': {
    token: await tokenOf(url, seeded.starter),
    paths: (connection) =>
      ['start', 'end'].map((what) => ['POST', `/api/shared-assets/${seeded.starterShares[connection]}/${what}/`]),
  },
  'shared list, 20 rows': {
    token: await tokenOf(url, seeded.member),
    paths: () => [['GET', '/api/shared-assets/']],
  },
};

/** Returns answers a second, and the servers' CPU milliseconds for each. @param {string} name @param {number} count of servers */
async function measure(name, count) {
  const call = calls[name];
  if (!call) throw new Error(`There is no call "${name}".`);
  const used = servers.slice(0, count);
  const before = used.map(({ pid }) => cpuOf(pid));
  const outputs = await Promise.all(
    used.map(({ url }, index) => {
      const paths = Array.from({ length: CONNECTIONS / count }, (_, each) => call.paths(each * count + index));
      const options = JSON.stringify({ url, token: call.token, seconds: SECONDS, paths });
      return promisify(execFile)(process.execPath, [join(import.meta.dirname, 'load.mjs'), options]);
    }),
  );
  const results = outputs.map(({ stdout }) => JSON.parse(stdout));
  // A round may have stopped between a start and its end, so that the next one begins with a refusal.
  if (results.some(({ bad }) => bad > CONNECTIONS)) throw new Error(`Answers were wrong: ${JSON.stringify(results)}`);
  const cpu = used.reduce((sum, { pid }, index) => sum + cpuOf(pid) - (before[index] ?? 0), 0);
  const requests = results.reduce((sum, each) => sum + each.requests, 0);
  return { rate: requests / SECONDS, cpu: cpu / requests };
}

try {
  for (const name of Object.keys(calls)) {
    /** @type {{ rate: number, cpu: number }[][]} */
    const figures = [[], []];
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const count of [1, 2]) {
        const figure = await measure(name, count);
        if (round > 0) figures[count - 1]?.push(figure);
      }
    const [one, two] = figures.map((all) => ({
      rate: median(all.map(({ rate }) => rate)),
      cpu: median(all.map(({ cpu }) => cpu)),
    }));
    if (!one || !two) throw new Error('Nothing was measured.');
    const ratios = `${(two.rate / one.rate).toFixed(2)} times the rate, ${(two.cpu / one.cpu).toFixed(2)} times the CPU`;
    console.log(
      `${name}: one server ${Math.round(one.rate)} a second, ${one.cpu.toFixed(2)} ms of CPU each; two ${Math.round(two.rate)} a second, ${two.cpu.toFixed(2)} ms: ${ratios}`,
    );
  }
} finally {
  await Promise.all(servers.map((server) => server.end()));
  await postgres.stop();
}
