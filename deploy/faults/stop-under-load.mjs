import { setTimeout as pause } from 'node:timers/promises';
import { runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';
import { followEvents } from '../../harness/event-streams.mjs';

// Tells a server to stop while requests are in flight and event streams are open: node deploy/faults/stop-under-load.mjs [rounds]

const ROUNDS = Number(process.argv[2] ?? 5);
const IN_FLIGHT = 60;
const STREAMS = 48;
const ENDS_WITHIN_MS = 10_000;

await runFault(async ({ check, checkOracle, defer, install }) => {
  const { installation, client } = await install({ engine: 'embedded' });
  const [url = ''] = installation.urls;
  const [server] = installation.servers;
  const load = await createLoad(client, { pairs: 4 });
  const people = load.pairs.flatMap(({ owner, member }) => [owner, member]);
  const streams = Array.from({ length: STREAMS }, (_, index) => {
    const person = people[index % people.length];
    return followEvents(url, () => person?.access ?? '');
  });
  defer(() => Promise.all(streams.map((stream) => stream.close())));
  const areOpen = () => streams.every(({ state }) => state.isOpen);
  const stop = load.start();
  const times = [];
  /** @type {Record<string, number>} */
  const answers = {};
  let clean = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await until(areOpen, 'Opening the streams', 30_000);
    await pause(500);
    // Wrong passwords take the server longest.
    const inFlight = Array.from({ length: IN_FLIGHT }, (_, index) =>
      fetch(`${url}/api/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: people[index % people.length]?.name, password: 'a wrong one' }),
      }).then(
        ({ status }) => String(status),
        () => 'none',
      ),
    );
    await pause(200);
    const toldAt = performance.now();
    if ((await server?.end('SIGTERM')) === 0) clean += 1;
    times.push(performance.now() - toldAt);
    for (const answer of await Promise.all(inFlight)) answers[answer] = (answers[answer] ?? 0) + 1;
    await until(() => !streams.some(({ state }) => state.isOpen), 'Closing the streams', 5000);
    await installation.restart();
  }
  await stop();
  const { none = 0 } = answers;
  check(
    none === 0,
    `${ROUNDS * IN_FLIGHT - none} of ${ROUNDS * IN_FLIGHT} logins in flight answered ${JSON.stringify(answers)}`,
  );
  check(true, `all ${STREAMS} streams closed`);
  const slowest = Math.max(...times);
  check(
    clean === ROUNDS && slowest <= ENDS_WITHIN_MS,
    `ended with 0 in at most ${seconds(slowest)}, ${clean} of ${ROUNDS} times`,
  );
  await checkOracle(load);
});
