import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { callServer } from '../harness/calls.mjs';
import { createDatabase } from '../harness/databases.mjs';
import { followEvents } from '../harness/event-streams.mjs';
import { MEASURED, median, memoryOf, quantile } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';
import { findPostgres } from '../harness/postgres.mjs';
import { root } from '../scripts/processes.mjs';
import { newHousehold, newUser } from './household.mjs';

// Measures live events: from one person's press to the other's event stream while many are open, what a stream costs in
// memory, and what the outbox costs a write, against a built checkout of a version without one, in turns.
//
//   npm run build && node bench/events.mjs [streams] [other checkout]

const STREAMS = Number(process.argv[2] ?? 1000);
const OTHER = process.argv[3];
const PRESSES = 400;
const STREAMS_PER_USER = 6;
const ROUNDS = 5;
const WRITES = 300;

/** Opens a stream. @param {string} url @param {string} token @param {(name: string) => void} [onMessage] */
async function openStream(url, token, onMessage) {
  const stream = followEvents(url, () => token, onMessage);
  while (!stream.state.isOpen) await pause(1);
  return stream;
}

/** @param {string} url */
async function household(url) {
  const { owner, members } = await newHousehold(url, 1);
  const [member] = members;
  if (!member) throw new Error('The household has no member.');
  return { owner, member: member.access, share: `/api/shared-assets/${member.share}/` };
}

/** Measures presses on one server while streams are open on another, which may be the same. @param {{ url: string }} pressed @param {{ url: string, pid: number }} streaming */
async function measurePresses(pressed, streaming) {
  const { owner, member, share } = await household(pressed.url);
  const users = [];
  for (let count = 0; count * STREAMS_PER_USER < STREAMS - 1; count += 1) users.push(await newUser(pressed.url));
  const before = memoryOf(streaming.pid);
  const streams = [];
  for (let count = 0; count < STREAMS - 1; count += 1) {
    const { access } = users[Math.floor(count / STREAMS_PER_USER)];
    streams.push(await openStream(streaming.url, access));
  }
  const perStream = ((memoryOf(streaming.pid) - before) * 1024) / Math.max(1, STREAMS - 1);
  /** @type {(name: string) => void} */
  let arrived = () => undefined;
  streams.push(await openStream(streaming.url, owner.access, (name) => arrived(name)));
  /** @type {number[]} */
  const times = [];
  for (let count = 0; count < PRESSES; count += 1) {
    const verb = count % 2 === 0 ? 'start' : 'end';
    const seen = new Promise((done) => {
      arrived = (name) => name === `session.${verb}ed` && done(performance.now());
    });
    const since = performance.now();
    await callServer(pressed.url, `POST ${share}${verb}/`, undefined, member);
    times.push((await seen) - since);
  }
  await Promise.all(streams.map(({ close }) => close()));
  const milliseconds = (/** @type {number} */ part) => `${quantile(times, part).toFixed(1)} ms`;
  return `press to stream: median ${milliseconds(0.5)}, p99 ${milliseconds(0.99)}; a stream takes ${perStream.toFixed(1)} kB`;
}

/** Measures starts and ends per second on servers in turns. @param {Record<string, string>} urls by name */
async function measureWrites(urls) {
  const homes = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => ({ name, url, ...(await household(url)) })),
  );
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const { name, url, member, share } of homes) {
      const since = performance.now();
      for (let count = 0; count < WRITES; count += 1)
        await callServer(url, `POST ${share}${count % 2 === 0 ? 'start' : 'end'}/`, undefined, member);
      // The first round warms up.
      if (round > 0) (times[name] ??= []).push((performance.now() - since) / WRITES);
    }
  const [now = 0, before = 0] = Object.keys(urls).map((name) => median(times[name] ?? []));
  return `a start or end takes ${now.toFixed(2)} ms, without an outbox ${before.toFixed(2)} ms: ${(now / before).toFixed(2)} times as long`;
}

const found = await findPostgres();
if ('missing' in found) throw new Error(found.missing);
const postgres = found;
const folder = await mkdtemp(join(tmpdir(), 'hourshare-bench-'));
/** @type {import('../harness/server.mjs').Server[]} */
const running = [];
/** @param {Record<string, string>} database its settings @param {string} [checkout] */
async function start(database, checkout = root) {
  const dataDir = join(folder, `data-${running.length}`);
  const settings = { ...MEASURED, RATE_LIMIT: 'off', DATA_DIR: dataDir, ...database };
  const server = await startServer(settings, { checkout });
  running.push(server);
  return server;
}
const newDatabase = async () => ({ DATABASE_URL: (await createDatabase(postgres.url)).url });

try {
  const shared = await newDatabase();
  const [one, other] = [await start(shared), await start(shared)];
  console.log(`PostgreSQL, ${STREAMS} streams of the same server: ${await measurePresses(one, one)}`);
  console.log(`PostgreSQL, ${STREAMS} streams of another server: ${await measurePresses(one, other)}`);
  const embedded = await start({});
  console.log(`embedded, ${STREAMS} streams: ${await measurePresses(embedded, embedded)}`);
  if (OTHER !== undefined) {
    const now = await start(await newDatabase());
    const before = await start(await newDatabase(), resolve(OTHER));
    console.log(`PostgreSQL: ${await measureWrites({ now: now.url, before: before.url })}`);
    const before2 = await start({}, resolve(OTHER));
    console.log(`embedded: ${await measureWrites({ now: embedded.url, before: before2.url })}`);
  }
} finally {
  for (const server of running) await server.end();
  await postgres.stop();
  await rm(folder, { recursive: true });
}
