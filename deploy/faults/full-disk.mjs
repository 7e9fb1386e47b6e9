import { setTimeout as pause } from 'node:timers/promises';
import { Impossible, runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';

// Fills the disk of a server on the embedded database, and empties it again: node deploy/faults/full-disk.mjs [rounds]

const ROUNDS = Number(process.argv[2] ?? 3);
const FULL_MS = 5000;
const RECOVERS_WITHIN_MS = 5000;
const READY_WITHIN_MS = 120_000;

await runFault(async ({ check, checkOracle, install }) => {
  const { installation, client } = await install({ engine: 'embedded' });
  const [url = ''] = installation.urls;
  if (!installation.hasSmallDisk) throw new Impossible('a small disk can only be mounted as root on Linux');
  const load = await createLoad(client);
  const [pair] = load.pairs;
  const headers = { authorization: `Bearer ${pair?.owner.access}`, 'content-type': 'application/json' };
  const body = '{"usage_reminders":true}';
  const patch = async () => (await fetch(`${url}/api/me/`, { method: 'PATCH', headers, body })).status;
  const pid = installation.servers[0]?.pid;
  const stop = load.start();
  /** @type {Record<string, number>} */
  const answers = {};
  const note = (/** @type {string} */ answer) => (answers[answer] = (answers[answer] ?? 0) + 1);
  const recoveries = [];
  const readiness = new Set();
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(1000);
    const free = installation.fillDisk();
    // The log has room left in the files that it reuses, so writes may succeed for a moment.
    await until(async () => (await patch()) === 503, 'Running out of space', 60_000);
    const endsAt = performance.now() + FULL_MS;
    while (performance.now() < endsAt) {
      note(`PATCH ${await patch()}`);
      note(`GET ${(await fetch(`${url}/api/assets/?limit=5`, { headers })).status}`);
      readiness.add((await fetch(`${url}/readyz`)).status);
      await pause(50);
    }
    const freedAt = performance.now();
    free();
    await until(async () => (await patch()) === 200, 'Recovering', 60_000);
    recoveries.push(performance.now() - freedAt);
  }
  await stop();
  check(readiness.size === 1 && readiness.has(503), 'not ready while full');
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  await until(isReady, 'Being ready again', READY_WITHIN_MS);
  console.log(`  while full: ${JSON.stringify(answers)}`);
  const { 'PATCH 503': refused = 0, 'GET 200': read = 0, ...others } = answers;
  check(
    refused > 0 && Object.keys(others).length === 0,
    `${refused} writes answered 503 and ${read} reads 200, none otherwise`,
  );
  const slowest = Math.max(...recoveries);
  check(slowest <= RECOVERS_WITHIN_MS, `writes again ${seconds(slowest)} after there was room`);
  check(installation.servers[0]?.pid === pid && installation.servers[0]?.isRunning() === true, 'not restarted');
  await checkOracle(load);
});
