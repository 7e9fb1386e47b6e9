import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { register } from '../harness/calls.mjs';
import { cpuOf, MEASURED, median } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';

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

const servers = [];
for (const [index, [name, checkout]] of Object.entries(checkouts).entries()) {
  const dataDir = await mkdtemp(join(tmpdir(), 'hourshare-bench-'));
  const database = urls?.[index];
  const settings = {
    ...MEASURED,
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    ...(database ? { DATABASE_URL: database } : {}),
  };
  const server = await startServer(settings, { checkout });
  const { access } = await register(server.url, `bench${Date.now()}`);
  servers.push({ name, dataDir, server, token: access });
}

try {
  for (const path of PATHS) {
    /** @type {Record<string, { rate: number, cpu: number }[]>} */
    const figures = {};
    for (let round = 0; round <= ROUNDS; round++)
      for (const { name, token, server } of servers) {
        const [startedAt, before] = [performance.now(), cpuOf(server.pid)];
        let remaining = REQUESTS;
        const connection = async () => {
          while (remaining-- > 0) if ((await get(server.url + path, token)) !== 200) throw new Error(`${path} failed`);
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, connection));
        const rate = REQUESTS / ((performance.now() - startedAt) / 1000);
        const cpu = (cpuOf(server.pid) - before) / REQUESTS;
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
  for (const { server, dataDir } of servers) {
    await server.end();
    await rm(dataDir, { recursive: true, force: true });
  }
}
