import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createLoad } from './load.mjs';
import { runFault, seconds, until } from './fault.mjs';

// Kills a server on the embedded database while it writes: node deploy/faults/embedded-kills.mjs [rounds]

const ROUNDS = Number(process.argv[2] ?? 20);
const READY_WITHIN_MS = 5000;

await runFault(async ({ check, checkOracle, install }) => {
  const { installation, client } = await install({ engine: 'embedded' });
  const load = await createLoad(client);
  const stop = load.start();
  const starts = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // In the middle of a write, however slow this machine is.
    const enough = load.writes() + randomInt(1, 40);
    await until(() => load.writes() >= enough, 'Writing', 60_000);
    await pause(randomInt(0, 50));
    await installation.servers[0]?.end('SIGKILL');
    const startedAt = performance.now();
    await installation.restart();
    starts.push(performance.now() - startedAt);
  }
  await stop();
  check(starts.length === ROUNDS, `reopened ${starts.length} of ${ROUNDS} times`);
  const slowest = Math.max(...starts);
  const median = starts.toSorted((one, other) => one - other)[Math.floor(starts.length / 2)] ?? 0;
  check(slowest < READY_WITHIN_MS, `ready again in ${seconds(median)} in the middle, ${seconds(slowest)} at most`);
  await checkOracle(load);
});
