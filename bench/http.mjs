import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { tokenOf } from '../harness/calls.mjs';
import { createDatabase, queryDatabase } from '../harness/databases.mjs';
import { cpuOf, MEASURED, median } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';
import { findPostgres } from '../harness/postgres.mjs';
import { seed } from './seed.mjs';

// Measures the cost of requests: rate, latency, and CPU time of server and database together, alternating with a
// floor server and, optionally, a built checkout of another version. Build first.
//
//   node bench/http.mjs           PostgreSQL, then the embedded engine, which has no floor
//   node bench/http.mjs growth    read times as the sessions of one share, and of all, grow
//
// Options: --engine postgresql|embedded --connections 1,16,64 --seconds 5 --rounds 3 --before <built checkout>
// --calls 'analytics;session log' --profile <folder> for the servers' CPU profiles; for growth: --one 1000,1000000
// --all 10000,10000000

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string' },
    connections: { type: 'string', default: '1,16,64' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    calls: { type: 'string' },
    before: { type: 'string' },
    profile: { type: 'string' },
    one: { type: 'string', default: '1000,1000000' },
    all: { type: 'string', default: '10000,10000000' },
  },
});
const numbers = (/** @type {string} */ list) => list.split(',').map(Number);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const HERE = resolve(import.meta.dirname, '..');

/** @typedef {import('./seed.mjs').Seeded} Seeded */
/** @typedef {{ name: string, url: string, pid: number, seeded: Seeded, bare: boolean, close: () => Promise<unknown> }} Target */
/** @typedef {[method: string, path: string][]} Requests */

/** What each connection requests repeatedly, and as whom. @type {Record<string, { as: 'owner' | 'member' | 'starter', bare: boolean, paths: (seeded: Seeded, connection: number) => Requests }>} */
const CALLS = {
  'shared list, 20 rows': { as: 'member', bare: true, paths: () => [['GET', '/api/shared-assets/']] },
  'start and end': {
    as: 'starter',
    bare: true,
    paths: ({ starterShares }, connection) => {
      const share = `/api/shared-assets/${starterShares[connection]}`;
      return [
        ['POST', `${share}/start/`],
        ['POST', `${share}/end/`],
      ];
    },
  },
  'asset list, 10 assets × 8 people': { as: 'owner', bare: false, paths: () => [['GET', '/api/assets/']] },
  analytics: {
    as: 'member',
    bare: false,
    paths: ({ memberShares }) => [['GET', `/api/shared-assets/${memberShares[0]}/analytics/`]],
  },
  'session log': {
    as: 'member',
    bare: false,
    paths: ({ memberShares }) => [['GET', `/api/shared-assets/${memberShares[0]}/logs/`]],
  },
};
const calls = Object.entries(CALLS).filter(([name]) => !options.calls || options.calls.split(';').includes(name));

const folder = await mkdtemp(join(tmpdir(), 'hourshare-bench-'));
const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`] : [];

/** @type {Set<number>} */
const started = new Set();
// PostgreSQL stops with this process.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    for (const pid of started) process.kill(pid);
    process.exit(1);
  });

/** Starts the product on its own database. @param {string} name @param {string} checkout @param {Record<string, string>} database @param {object} [growth] @returns {Promise<Target>} */
async function product(name, checkout, database, growth) {
  const env = { ...MEASURED, ...database };
  const seeded = await seed(checkout, env, growth);
  const server = await startServer({ ...env, RATE_LIMIT: 'off' }, { checkout, nodeOptions: profiling });
  return { name, bare: false, seeded, url: server.url, pid: server.pid, close: () => server.end() };
}

/** Starts the floor server on a product's database. @param {Record<string, string>} database @param {Seeded} seeded @param {'member' | 'starter'} as @returns {Promise<Target>} */
async function floor(database, seeded, as) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor', 'server.mjs')], {
    env: { PATH: process.env.PATH, ...database, FLOOR_USER: String(seeded[as].id) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  started.add(pid);
  const [printed] = await once(child.stdout, 'data');
  const close = async () => {
    child.kill();
    await once(child, 'exit');
    started.delete(pid);
  };
  return { name: 'floor', bare: true, seeded, url: String(printed).trim(), pid, close };
}

/** @param {Target} target @param {'owner' | 'member' | 'starter'} as */
const signIn = async ({ url, seeded, bare }, as) => (bare ? undefined : tokenOf(url, seeded[as]));

/** Returns the CPU milliseconds of a PostgreSQL server, with all its processes. @param {number} postmaster */
function databaseCpu(postmaster) {
  let sum = cpuOf(postmaster, true);
  for (const pid of readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean))
    try {
      sum += cpuOf(Number(pid));
    } catch {
      // It has just ended, and counts as a child of the server.
    }
  return sum;
}

/** @typedef {{ rate: number, p50: number, p99: number, server: number, database: number, cpu: number }} Figures */

/** @param {Target} target @param {string} name @param {number} connections @param {number | undefined} postmaster @returns {Promise<Figures>} */
async function measure(target, name, connections, postmaster) {
  const call = CALLS[name];
  if (!call) throw new Error(`There is no call "${name}".`);
  const paths = Array.from({ length: connections }, (_, index) => call.paths(target.seeded, index));
  const token = await signIn(target, call.as);
  if (name === 'start and end')
    // The previous round may have stopped between a start and its end.
    for (const [, end] of paths)
      if (end)
        await fetch(target.url + end[1], {
          method: 'POST',
          headers: token ? { authorization: `Bearer ${token}` } : {},
        });
  const cpu = () => [cpuOf(target.pid), postmaster === undefined ? 0 : databaseCpu(postmaster)];
  const before = cpu();
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'load.mjs'),
    JSON.stringify({ url: target.url, token, seconds, paths }),
  ]);
  const [server = 0, database = 0] = cpu().map((after, index) => after - (before[index] ?? 0));
  const { requests, bad, seconds: took, p50, p99 } = JSON.parse(stdout);
  if (bad > 0 || requests === 0) throw new Error(`${target.name}, ${name}: ${bad} of ${requests} answers were wrong.`);
  return {
    rate: requests / took,
    p50,
    p99,
    server: server / requests,
    database: database / requests,
    cpu: (server + database) / requests,
  };
}

/** @param {string} engine @param {Target[]} targets by call @param {Record<string, Target>} floors @param {number | undefined} postmaster */
async function table(engine, targets, floors, postmaster) {
  console.log(
    '| call | connections | server | requests/s | p50 ms | p99 ms | CPU ms per request: server | database | both | rate ÷ floor | CPU ÷ floor |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  );
  for (const [name, call] of calls)
    for (const connections of numbers(options.connections)) {
      const competing = [...(call.bare && floors[call.as] ? [floors[call.as]] : []), ...targets];
      /** @type {Map<string, Figures[]>} */
      const figures = new Map(competing.map((target) => [target?.name ?? '', []]));
      // The first round warms up.
      for (let round = 0; round <= rounds; round++)
        for (const target of competing)
          if (target) {
            const result = await measure(target, name, connections, postmaster);
            if (round > 0) figures.get(target.name)?.push(result);
          }
      const middle = (/** @type {string} */ who, /** @type {keyof Figures} */ figure) =>
        median((figures.get(who) ?? []).map((each) => each[figure]));
      for (const who of figures.keys()) {
        const ratio = (/** @type {'rate' | 'cpu'} */ figure) =>
          figures.has('floor') && who !== 'floor' ? (middle(who, figure) / middle('floor', figure)).toFixed(2) : '';
        const parts = /** @type {const} */ (['server', 'database', 'cpu']);
        console.log(
          `| ${name}, ${engine} | ${connections} | ${who} | ${middle(who, 'rate').toFixed(0)} | ${middle(who, 'p50').toFixed(2)} | ${middle(who, 'p99').toFixed(2)} | ${parts.map((part) => middle(who, part).toFixed(2)).join(' | ')} | ${ratio('rate')} | ${ratio('cpu')} |`,
        );
      }
    }
}

/** @param {(database: () => Promise<Record<string, string>>, postmaster: number) => Promise<void>} work */
async function onPostgresql(work) {
  const server = await findPostgres();
  if ('missing' in server) {
    console.log(`Not measured on PostgreSQL: ${server.missing}`);
    return;
  }
  /** @type {Awaited<ReturnType<typeof createDatabase>>[]} */
  const made = [];
  try {
    const [{ pid }] = await queryDatabase(
      server.url,
      "select pid from pg_stat_activity where backend_type = 'checkpointer'",
    );
    const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    const database = async () => {
      const each = await createDatabase(server.url);
      made.push(each);
      return { DATABASE_URL: each.url };
    };
    await work(database, Number(parent));
  } finally {
    for (const each of made) await each.drop();
    await server.stop();
  }
}

const checkouts = { ...(options.before ? { before: resolve(options.before) } : {}), now: HERE };

async function costs() {
  if (options.engine !== 'embedded')
    await onPostgresql(async (database, postmaster) => {
      const targets = [];
      /** @type {Record<string, Target>} */
      const floors = {};
      for (const [name, checkout] of Object.entries(checkouts)) {
        const url = await database();
        const target = await product(name, checkout, url);
        targets.push(target);
        if (checkout === HERE)
          for (const as of /** @type {const} */ (['member', 'starter']))
            floors[as] = await floor(url, target.seeded, as);
      }
      await table('PostgreSQL', targets, floors, postmaster);
      for (const target of [...targets, ...Object.values(floors)]) await target.close();
    });
  if (options.engine !== 'postgresql') {
    const targets = [];
    for (const [name, checkout] of Object.entries(checkouts))
      targets.push(await product(name, checkout, { DATA_DIR: join(folder, name) }));
    await table('embedded', targets, {}, undefined);
    for (const target of targets) await target.close();
  }
}

async function growth() {
  await onPostgresql(async (database) => {
    for (const [what, sizes] of /** @type {const} */ ([
      ['inOneShare', numbers(options.one)],
      ['inAll', numbers(options.all)],
    ])) {
      const targets = [];
      for (const size of sizes)
        targets.push(
          await product(String(size), HERE, await database(), {
            [what]: size,
          }),
        );
      console.log(
        `\n| p50 in ms, ${what === 'inAll' ? 'sessions in all' : 'sessions of the share this month'} | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} | last ÷ first |`,
      );
      console.log(`| --- | ${sizes.map(() => '---').join(' | ')} | --- |`);
      for (const name of ['shared list, 20 rows', 'asset list, 10 assets × 8 people', 'analytics', 'session log']) {
        /** @type {number[][]} */
        const times = targets.map(() => []);
        for (let round = 0; round <= rounds; round++)
          for (const [index, target] of targets.entries()) {
            const { p50 } = await measure(target, name, 1, undefined);
            if (round > 0) times[index]?.push(p50);
          }
        const middles = times.map(median);
        const ratio = (middles.at(-1) ?? Number.NaN) / (middles[0] ?? Number.NaN);
        console.log(`| ${name} | ${middles.map((each) => each.toFixed(2)).join(' | ')} | ${ratio.toFixed(2)} |`);
      }
      for (const target of targets) await target.close();
    }
  });
}

try {
  await (positionals[0] === 'growth' ? growth() : costs());
} finally {
  await rm(folder, { recursive: true, force: true });
}
