import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { callServer, register } from '../harness/calls.mjs';
import { MEASURED, median, memoryOf } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';

// Measures what one user can do to others on the embedded engine: how long another user's read takes while the owner
// of 500 shared assets reads their list 40 times at once, and how much memory unread responses hold. Run `npm run
// build && node bench/fairness.mjs`.

const OWNED = 500;
const AT_ONCE = 40;
const ROUNDS = 3;
const CONNECTIONS = 50;
const PIPELINED = 30;

const folder = mkdtempSync(join(tmpdir(), 'hourshare-bench-'));
const settings = { ...MEASURED, DATA_DIR: join(folder, 'data'), SHARE_CONSENT: 'off' };

/** @param {string} url @param {string} access @param {string} path */
async function get(url, access, path) {
  const startedAt = performance.now();
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${access}` } });
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { status: answer.status, bytes, milliseconds: performance.now() - startedAt };
}

/** Fills the database without limits: an owner of many assets, and a member of a few. */
async function household() {
  const server = await startServer({ ...settings, RATE_LIMIT: 'off' });
  const people = await Promise.all(['mira', 'ben', 'kim', 'lee'].map((username) => register(server.url, username)));
  const [owner, ...others] = people;
  for (let number = 1; number <= OWNED; number++) {
    const asset = { name: `Subscription ${number}`, description: 'Living room and phones', subscription_cost: 9.99 };
    const { id } = await callServer(server.url, 'POST /api/assets/', asset, owner.access);
    for (const { user } of others)
      if (number <= 20 || user.username !== 'ben') {
        const offer = { username: user.username, monthly_hours_allocated: 20 };
        await callServer(server.url, `POST /api/assets/${id}/share/`, offer, owner.access);
      }
  }
  await server.end();
  return { owner: owner.access, member: others[0].access };
}

const { owner, member } = await household();

{
  const server = await startServer(settings);
  await get(server.url, owner, '/api/assets/');
  const baseline = [];
  for (let round = 0; round < 20; round++) baseline.push(await get(server.url, member, '/api/shared-assets/'));
  const ownerAlone = await get(server.url, owner, '/api/assets/');
  /** @type {number[]} */
  const underLoad = [];
  /** @type {Record<number, number>} */
  const statuses = {};
  for (let round = 0; round < ROUNDS; round++) {
    const pending = new Set(Array.from({ length: AT_ONCE }, (_, number) => number));
    for (const number of pending)
      void get(server.url, owner, '/api/assets/').then(({ status }) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        pending.delete(number);
      });
    while (pending.size > 0) underLoad.push((await get(server.url, member, '/api/shared-assets/')).milliseconds);
  }
  const normal = median(baseline.map(({ milliseconds }) => milliseconds));
  const slowed = median(underLoad);
  console.log(`the owner's list: ${ownerAlone.milliseconds.toFixed(0)} ms, ${(ownerAlone.bytes / 1e3).toFixed(0)} kB`);
  console.log(`another user's read alone: ${normal.toFixed(1)} ms`);
  console.log(
    `while the owner reads ${AT_ONCE} times at once: median ${slowed.toFixed(1)} ms, longest ${Math.max(...underLoad).toFixed(0)} ms, ratio ${(slowed / normal).toFixed(1)}`,
  );
  console.log(`answers to the owner by status: ${JSON.stringify(statuses)}`);
  await server.end();
}

{
  const server = await startServer({ ...settings, RATE_LIMIT: 'off' });
  // Includes the memory of having served many requests.
  for (let count = 0; count < 50; count++) await get(server.url, owner, '/api/assets/');
  const before = memoryOf(server.pid);
  const request = `GET /api/assets/ HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${owner}\r\n\r\n`;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write(request.repeat(PIPELINED));
    return socket;
  });
  let peak = 0;
  for (let second = 0; second < 60; second++) {
    await pause(1000);
    peak = Math.max(peak, memoryOf(server.pid));
  }
  console.log(
    `memory with ${CONNECTIONS} connections of ${PIPELINED} pipelined reads, never read: from ${before.toFixed(0)} to ${peak.toFixed(0)} MB`,
  );
  for (const socket of sockets) socket.destroy();
  await server.end();
}

rmSync(folder, { recursive: true });
