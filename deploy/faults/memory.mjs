import { setTimeout as pause } from 'node:timers/promises';
import { runFault, seconds } from './fault.mjs';
import { createLoad } from './load.mjs';

// Gives a server too little memory, and starts it again whenever it dies of that: node deploy/faults/memory.mjs [MB] [minutes]

const LIMIT_MB = Number(process.argv[2] ?? 48);
const MINUTES = Number(process.argv[3] ?? 1);
const BACK_WITHIN_MS = 5000;

await runFault(async ({ check, checkOracle, install }) => {
  const settings = { NODE_OPTIONS: `--max-old-space-size=${LIMIT_MB}` };
  const { installation, client } = await install({ engine: 'embedded', settings });
  const [server] = installation.servers;
  const load = await createLoad(client, { pairs: 20 });
  const stop = load.start();
  const state = { isOver: false };
  const [pair] = load.pairs;
  // Lists and files take the most memory.
  const readers = Array.from({ length: 20 }, async () => {
    while (!state.isOver)
      await client.send({ method: 'GET', path: '/api/assets/?limit=500', access: pair?.owner.access });
  });
  const starts = [];
  const endsAt = performance.now() + MINUTES * 60_000;
  while (performance.now() < endsAt) {
    await pause(50);
    if (server?.isRunning()) continue;
    const diedAt = performance.now();
    await installation.restart();
    starts.push(performance.now() - diedAt);
  }
  state.isOver = true;
  await stop();
  await Promise.all(readers);
  check(starts.length > 0, `died ${starts.length} times of ${LIMIT_MB} MB for its heap in ${MINUTES} minutes`);
  const slowest = Math.max(0, ...starts);
  check(slowest <= BACK_WITHIN_MS, `back in at most ${seconds(slowest)}`);
  await checkOracle(load);
});
