import { once } from 'node:events';
import autocannon from 'autocannon';
import { quantile } from '../harness/measures.mjs';

// Runs one round of load in its own process, so that its cost doesn't count as the server's.
//   node bench/load.mjs '{ "url", "token", "seconds", "paths": [[["GET", "/api/…/"], …] for each connection] }'

/** @type {{ url: string, token?: string, seconds: number, paths: ['GET' | 'POST', string][][] }} */
const { url, token, seconds, paths } = JSON.parse(process.argv[2] ?? '');
const headers = token ? { authorization: `Bearer ${token}` } : {};

/** @type {number[]} */
const milliseconds = [];
let next = 0;
const run = autocannon(
  {
    url,
    connections: paths.length,
    duration: seconds,
    setupClient: (client) => {
      const requests = paths[next++ % paths.length] ?? [];
      client.setRequests(requests.map(([method, path]) => ({ method, path, headers })));
    },
  },
  () => undefined,
);
run.on('response', (_client, _status, _bytes, took) => milliseconds.push(took));
/** @type {import('autocannon').Result[]} */
const [result] = await once(run, 'done');
if (!result) throw new Error('The load has no result.');
process.stdout.write(
  JSON.stringify({
    requests: milliseconds.length,
    bad: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
  }),
);
