import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { callServer } from '../harness/calls.mjs';
import { createDatabase } from '../harness/databases.mjs';
import { cpuOf, MEASURED, memoryOf, quantile } from '../harness/measures.mjs';
import { findPostgres } from '../harness/postgres.mjs';
import { startServer } from '../harness/server.mjs';
import { newHousehold } from './household.mjs';

// Measures what meters cost others: 16 connections press Start and End, alone and beside 10,000 events a minute, in turns.
//
//   npm run build && node bench/meters.mjs [seconds a round] [rounds]

const SECONDS = Number(process.argv[2] ?? 30);
const ROUNDS = Number(process.argv[3] ?? 3);
const CONNECTIONS = 16;
const METERS = 10;
const MEMBERS = 10;
/** Of each meter a call in three seconds, with 50 events: 10,000 a minute in all. */
const CALL_MS = 3000;
const EVENTS = 50;

/** Adds a meter that records all members of an asset. Returns its token and what it calls them. @param {string} url */
async function meterOf(url) {
  const { owner, path, members } = await newHousehold(url, MEMBERS);
  const { meter, token } = await callServer(url, `POST ${path}meters/`, { name: 'Plug' }, owner.access);
  const names = members.map(({ share }) => ({ external_name: `Profile ${share}`, share_id: share }));
  await callServer(url, `PUT ${path}meters/${meter.id}/names/`, { names }, owner.access);
  for (const { access, share } of members)
    await callServer(url, `POST /api/shared-assets/${share}/meters/${meter.id}/`, { agreed: true }, access);
  return { token, names: names.map(({ external_name: name }) => name) };
}

let ids = 0;
/** Sends beats of a meter until it is told to stop. Returns how many. @param {string} url @param {{ token: string, names: string[] }} meter @param {() => boolean} isOver */
async function beat(url, { token, names }, isOver) {
  let sent = 0;
  await pause(Math.random() * CALL_MS);
  while (!isOver()) {
    const since = performance.now();
    const now = Date.now();
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      id: `${(ids += 1)}`,
      name: names[index % names.length],
      type: 'beat',
      at: new Date(now - index * 50).toISOString(),
    }));
    await callServer(url, 'POST /api/meters/events/', { events }, token);
    sent += EVENTS;
    await pause(Math.max(0, CALL_MS - (performance.now() - since)));
  }
  return sent;
}

/** Presses for some time on each connection. Returns how long each press took. @param {string} url @param {{ access: string, share: number }[]} members */
async function press(url, members) {
  /** @type {number[]} */
  const times = [];
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(
    members.map(async ({ access, share }) => {
      for (let count = 0; performance.now() < end || count % 2 === 1; count += 1) {
        const since = performance.now();
        await callServer(
          url,
          `POST /api/shared-assets/${share}/${count % 2 === 0 ? 'start' : 'end'}/`,
          undefined,
          access,
        );
        times.push(performance.now() - since);
      }
    }),
  );
  return times;
}

const found = await findPostgres();
if ('missing' in found) throw new Error(found.missing);
const folder = await mkdtemp(join(tmpdir(), 'hourshare-bench-'));
const { url: DATABASE_URL } = await createDatabase(found.url);
const server = await startServer({ ...MEASURED, RATE_LIMIT: 'off', DATA_DIR: folder, DATABASE_URL });
try {
  const { url, pid } = server;
  const { members } = await newHousehold(url, CONNECTIONS);
  const meters = [];
  for (let count = 0; count < METERS; count += 1) meters.push(await meterOf(url));
  await press(url, members); // warms up
  /** @type {{ alone: number[], beside: number[] }} */
  const times = { alone: [], beside: [] };
  let [sent, cpu] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.alone.push(...(await press(url, members)));
    let isOver = false;
    const beating = Promise.all(meters.map((meter) => beat(url, meter, () => isOver)));
    times.beside.push(...(await press(url, members)));
    isOver = true;
    sent += (await beating).reduce((sum, each) => sum + each, 0);
  }
  // What events cost alone.
  const before = cpuOf(pid);
  const until = performance.now() + SECONDS * 1000;
  const alone = await Promise.all(meters.map((meter) => beat(url, meter, () => performance.now() > until)));
  cpu = (cpuOf(pid) - before) / alone.reduce((sum, each) => sum + each, 0);
  for (const [name, each] of Object.entries(times))
    console.log(
      `${name}: ${each.length} presses, median ${quantile(each, 0.5).toFixed(1)} ms, p99 ${quantile(each, 0.99).toFixed(1)} ms`,
    );
  console.log(
    `p99 ${(quantile(times.beside, 0.99) / quantile(times.alone, 0.99)).toFixed(2)} times as long beside events`,
  );
  console.log(
    `${Math.round(sent / ((ROUNDS * SECONDS) / 60))} events a minute; an event costs the server ${cpu.toFixed(2)} ms; it uses ${memoryOf(pid).toFixed(0)} MB`,
  );
} finally {
  await server.end();
  await found.stop();
  await rm(folder, { recursive: true });
}
