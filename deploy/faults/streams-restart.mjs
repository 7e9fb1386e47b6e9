import { setTimeout as pause } from 'node:timers/promises';
import { runFault, seconds, until } from './fault.mjs';
import { createLoad } from './load.mjs';
import { followEvents } from '../../harness/event-streams.mjs';

// Restarts a server with 200 open event streams while it writes: node deploy/faults/streams-restart.mjs [streams]

const STREAMS = Number(process.argv[2] ?? 200);
const STREAMS_PER_PERSON = 6;
const BACK_WITHIN_MS = 10_000;

await runFault(async ({ check, checkOracle, defer, install }) => {
  const { installation, client } = await install({ engine: 'embedded' });
  const [url = ''] = installation.urls;
  const [server] = installation.servers;
  const people = Math.ceil(STREAMS / STREAMS_PER_PERSON);
  const load = await createLoad(client, { pairs: Math.ceil(people / 2), pauseMs: 1000 });
  const followers = load.pairs
    .flatMap((pair) => [
      { pair, person: pair.owner },
      { pair, person: pair.member },
    ])
    .flatMap((each) => Array.from({ length: STREAMS_PER_PERSON }, () => each))
    .slice(0, STREAMS)
    .map(({ pair, person }) => ({ pair, person, stream: followEvents(url, () => person.access) }));
  defer(() => Promise.all(followers.map(({ stream }) => stream.close())));
  const open = () => followers.filter(({ stream }) => stream.state.isOpen).length;
  await until(() => open() === STREAMS, `Opening ${STREAMS} streams`, 30_000);
  const stop = load.start();

  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    await pause(5000);
    const endedAt = performance.now();
    const code = await server?.end(signal);
    const stopping = performance.now() - endedAt;
    if (signal === 'SIGTERM')
      check(code === 0 && stopping <= 10_000, `SIGTERM: ended with ${code} in ${seconds(stopping)}`);
    const startedAt = performance.now();
    await installation.restart();
    const readyAfter = performance.now() - startedAt;
    await until(() => open() === STREAMS, `Opening ${STREAMS} streams again`, 60_000);
    const back = performance.now() - startedAt;
    check(
      back <= BACK_WITHIN_MS,
      `${signal}: ready in ${seconds(readyAfter)}, all ${STREAMS} streams back in ${seconds(back)}`,
    );
  }
  await pause(5000);
  await stop();
  // Events are passed on within a second.
  await pause(5000);
  let lost = 0;
  let doubled = 0;
  let expected = 0;
  for (const { pair, person, stream } of followers) {
    const ids = stream.messages.map(({ id }) => id);
    doubled += ids.length - new Set(ids).size;
    const count = (/** @type {string} */ kind) => stream.messages.filter(({ name }) => name === kind).length;
    // The asset that a pair shares came before the streams.
    const wanted = person === pair.owner ? [[pair.names.size - 1, count('asset.added')]] : [];
    wanted.push([pair.sessions.size, count('session.started')], [pair.sessions.size, count('session.ended')]);
    for (const [told = 0, seen = 0] of wanted) {
      expected += told;
      lost += Math.max(0, told - seen);
      doubled += Math.max(0, seen - told);
    }
  }
  check(lost === 0 && doubled === 0, `${lost} of ${expected} events lost, ${doubled} doubled`);
  const resets = followers.filter(({ stream }) => stream.state.resets > 0).length;
  check(resets === 0, `${resets} streams had to read everything anew`);
  await checkOracle(load);
});
