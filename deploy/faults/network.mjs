import { setTimeout as pause } from 'node:timers/promises';
import { runFault, seconds } from './fault.mjs';
import { createLoad } from './load.mjs';

// Resets, slows down, and silences the network between two servers and their database: node deploy/faults/network.mjs

const ANSWERS_WITHIN_MS = 5000;
const RECOVERS_WITHIN_MS = 5000;

await runFault(async ({ check, checkOracle, install }) => {
  const { installation, client } = await install({ engine: 'postgresql' });
  const { network } = installation;
  if (!network) throw new Error('There is no network to break.');
  const load = await createLoad(client, { pairs: 6 });
  const stop = load.start();

  /** @param {string} name @param {() => Promise<void>} happen */
  async function breakNetwork(name, happen) {
    await pause(2000);
    client.counts.longestMs = 0;
    await happen();
    const mendedAt = performance.now();
    const before = load.writes();
    while (load.writes() === before && performance.now() - mendedAt < 30_000) await pause(20);
    const recovery = performance.now() - mendedAt;
    check(recovery <= RECOVERS_WITHIN_MS, `${name}: writes ${seconds(recovery)} later`);
    await pause(3000);
    const { longestMs } = client.counts;
    check(longestMs <= ANSWERS_WITHIN_MS, `every answer within ${Math.ceil(longestMs)} ms`);
  }
  await breakNetwork('20 resets', async () => {
    for (let count = 0; count < 20; count += 1) {
      network.cut();
      await pause(100);
    }
  });
  await breakNetwork('200 ms slower for 10 s', async () => {
    network.slowDown(200);
    await pause(10_000);
    network.slowDown(0);
  });
  await breakNetwork('silent for 15 s', async () => {
    const end = network.silence();
    await pause(15_000);
    end();
  });
  await stop();
  const { unanswered, unavailable, requests } = client.counts;
  check(unanswered === 0, `${unanswered} of ${requests} requests without an answer, ${unavailable} answered 503`);
  await checkOracle(load);
});
