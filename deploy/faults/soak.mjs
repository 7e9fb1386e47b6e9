import { setTimeout as pause } from 'node:timers/promises';
import { runFault, until } from './fault.mjs';
import { createLoad } from './load.mjs';
import { followEvents } from '../../harness/event-streams.mjs';

// Keeps a server busy and watches its memory, handles, and event loop: node deploy/faults/soak.mjs [minutes]

const MINUTES = Number(process.argv[2] ?? 30);
/** Memory settles at first. */
const WARM_UP_MINUTES = Math.min(5, MINUTES / 2);
const STREAMS = 100;
const STREAMS_PER_PERSON = 5;
const GROWS_MB_A_MINUTE = 1;
const METRICS_TOKEN = 'a-token-for-the-soak';
const MB = 1024 * 1024;

/** Returns the slope of the line through points, by least squares. @param {[x: number, y: number][]} points */
function slopeOf(points) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, height] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - middle) * (y - height), 0);
  return over / points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0);
}

await runFault(async ({ check, checkOracle, defer, install }) => {
  const { installation, client } = await install({ engine: 'postgresql', settings: { METRICS_TOKEN } });
  const load = await createLoad(client, { pairs: STREAMS / STREAMS_PER_PERSON / 2, pauseMs: 500 });
  const streams = load.pairs
    .flatMap(({ owner, member }) => [owner, member])
    .flatMap((person) =>
      Array.from({ length: STREAMS_PER_PERSON }, () => followEvents(installation.urls[0] ?? '', () => person.access)),
    );
  defer(() => Promise.all(streams.map((stream) => stream.close())));
  await until(() => streams.every(({ state }) => state.isOpen), `Opening ${STREAMS} streams`, 30_000);
  const stop = load.start();

  const read = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${installation.urls[0]}/metrics`, { headers })).text();
    const value = (/** @type {string} */ name) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    return {
      memory: value('process_resident_memory_bytes') / MB,
      heap: value('nodejs_heap_size_used_bytes') / MB,
      // One line for each type.
      handles: [...text.matchAll(/^nodejs_active_handles\{.*\} (\d+)$/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      ),
      files: value('process_open_fds'),
      lag: value('nodejs_eventloop_lag_p99_seconds') * 1000,
    };
  };
  /** @type {(Awaited<ReturnType<typeof read>> & { minute: number })[]} */
  const samples = [];
  const startedAt = performance.now();
  const minutes = () => (performance.now() - startedAt) / 60_000;
  let printed = 0;
  while (minutes() < MINUTES) {
    samples.push({ minute: minutes(), ...(await read()) });
    const last = samples.at(-1);
    if (last && last.minute >= printed) {
      printed += 1;
      const { minute, memory, heap, handles, files, lag } = last;
      console.log(
        `  minute ${minute.toFixed(0)}: ${memory.toFixed(0)} MB, heap ${heap.toFixed(0)} MB, ${handles} handles, ${files} files, event loop p99 ${lag.toFixed(0)} ms, ${load.writes()} writes`,
      );
    }
    await pause(5000);
  }
  await stop();
  const settled = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES);
  const slope = slopeOf(settled.map(({ minute, memory }) => [minute, memory]));
  check(
    slope < GROWS_MB_A_MINUTE,
    `memory changes by ${slope.toFixed(2)} MB a minute after ${WARM_UP_MINUTES} of ${MINUTES} minutes, to ${settled.at(-1)?.memory.toFixed(0)} MB`,
  );
  const [handles, files] = [settled.map((each) => each.handles), settled.map((each) => each.files)];
  check(
    (handles.at(-1) ?? 0) <= (handles[0] ?? 0) + 10 && (files.at(-1) ?? 0) <= (files[0] ?? 0) + 10,
    `handles ${handles[0]} to ${handles.at(-1)}, open files ${files[0]} to ${files.at(-1)}`,
  );
  const lags = settled.map(({ lag }) => lag).toSorted((one, other) => one - other);
  check(
    true,
    `event-loop delay p99 ${lags[Math.floor(lags.length / 2)]?.toFixed(0)} ms in the middle, ${lags.at(-1)?.toFixed(0)} ms at most`,
  );
  await checkOracle(load);
});
