import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';

// Starts a second server on the folder of the first while that writes, and leaves stale locks behind:
// node deploy/faults/two-processes.mjs [rounds of stale locks]

const ROUNDS = Number(process.argv[2] ?? 20);
const INTRUDERS = 5;
const EXITS_WITHIN_MS = 2000;

await runFault(async ({ check, checkOracle, install }) => {
  const { installation, client } = await install({ engine: 'embedded' });
  const [server] = installation.servers;
  const load = await createLoad(client);
  const stop = load.start();
  const times = [];
  let named = 0;
  for (let count = 0; count < INTRUDERS; count += 1) {
    const startedAt = performance.now();
    const { code, output } = await installation.startIntruder();
    times.push(performance.now() - startedAt);
    if (code !== 0 && output.includes(`in use by process ${server?.pid};`)) named += 1;
  }
  check(named === INTRUDERS, `${named} of ${INTRUDERS} second processes ended and named the first`);
  const slowest = Math.max(...times);
  check(slowest < EXITS_WITHIN_MS, `in at most ${seconds(slowest)}`);

  let taken = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = load.writes();
    await until(() => load.writes() > before, 'Writing', 60_000);
    await server?.end('SIGKILL');
    // In every other round, the id of the killed process now belongs to this one.
    if (round % 2 === 1) reuseId(join(installation.folder, 'data'));
    await installation.restart();
    taken += 1;
  }
  check(taken === ROUNDS, `${taken} of ${ROUNDS} stale locks taken over`);
  await stop();
  await checkOracle(load);
});

/** Writes the id of this process into the newest lock, with the start of the one that held it. @param {string} folder */
function reuseId(folder) {
  const newest = readdirSync(folder)
    .filter((name) => /^database-\d+\.lock$/.test(name))
    .toSorted((one, other) => Number(/\d+/.exec(one)) - Number(/\d+/.exec(other)))
    .at(-1);
  if (newest === undefined) throw new Error(`There is no lock in ${folder}.`);
  const file = join(folder, newest);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pid: process.pid }));
}
