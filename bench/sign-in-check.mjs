import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, startServer } from './server.mjs';

// Measures the cost of looking up the sign-in of every request against a built checkout of a version that trusts
// access tokens, alternating. Keeping ended sign-ins in memory would at best perform like the latter. Source:
// docs/decisions/0034-sign-ins-checked-on-every-request.md.
//
//   node bench/sign-in-check.mjs <other checkout>          embedded engine
//   BENCH_DATABASE_URLS=postgresql://…/a,postgresql://…/b node bench/sign-in-check.mjs <other checkout>

const CONNECTIONS = 16;
const REQUESTS = 1000;
const ROUNDS = 5;
const PATHS = ['/api/me/', '/api/shared-assets/'];

const other = process.argv[2];
if (other === undefined) throw new Error('Name a built checkout to compare with.');
const checkouts = { 'with the lookup': resolve(import.meta.dirname, '..'), 'without it': resolve(other) };
const urls = process.env.BENCH_DATABASE_URLS?.split(',');

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** @param {string} url @param {string} token @returns {Promise<number>} */
const get = (url, token) =>
  new Promise((done, fail) => {
    request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode ?? 0));
    })
      .on('error', fail)
      .end();
  });

/** Returns the CPU seconds of a process so far. @param {number | undefined} pid */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const servers = [];
for (const [index, [name, checkout]] of Object.entries(checkouts).entries()) {
  const dataDir = await mkdtemp(join(tmpdir(), 'hourshare-bench-'));
  const database = urls?.[index];
  const settings = { DATA_DIR: dataDir, RATE_LIMIT: 'off', ...(database ? { DATABASE_URL: database } : {}) };
  const server = await startServer(settings, join(checkout, 'server', 'dist', 'main.js'));
  const account = {
    username: `bench${Date.now()}`,
    email: `${Date.now()}@example.org`,
    password: 'correct horse battery',
  };
  const answer = await fetch(`${server.url}/api/register/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  servers.push({ name, dataDir, ...server, token: (await answer.json()).access });
}

try {
  for (const path of PATHS) {
    /** @type {Record<string, { rate: number, cpu: number }[]>} */
    const figures = {};
    for (let round = 0; round <= ROUNDS; round++)
      for (const { name, url, pid, token } of servers) {
        const [startedAt, before] = [performance.now(), cpuSeconds(pid)];
        let remaining = REQUESTS;
        const connection = async () => {
          while (remaining-- > 0) if ((await get(url + path, token)) !== 200) throw new Error(`${path} failed`);
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, connection));
        const rate = REQUESTS / ((performance.now() - startedAt) / 1000);
        const cpu = ((cpuSeconds(pid) - before) * 1000) / REQUESTS;
        // The first round warms up.
        if (round > 0) (figures[name] ??= []).push({ rate, cpu });
      }
    const middle = (/** @type {string} */ name, /** @type {'rate' | 'cpu'} */ figure) =>
      median((figures[name] ?? []).map((each) => each[figure]));
    const [looking, believing] = Object.keys(checkouts);
    console.log(`${path}, ${urls ? 'PostgreSQL' : 'embedded'}, medians of ${ROUNDS} rounds`);
    for (const name of Object.keys(checkouts))
      console.log(
        `  ${name}: ${middle(name, 'rate').toFixed(0)} requests/s, ${middle(name, 'cpu').toFixed(3)} ms of CPU each`,
      );
    const ratio = (/** @type {'rate' | 'cpu'} */ figure) =>
      (middle(looking ?? '', figure) / middle(believing ?? '', figure)).toFixed(2);
    console.log(`  ratio: rate ${ratio('rate')}, CPU ${ratio('cpu')}`);
  }
} finally {
  agent.destroy();
  for (const server of servers) {
    await server.stop();
    await rm(server.dataDir, { recursive: true, force: true });
  }
}
