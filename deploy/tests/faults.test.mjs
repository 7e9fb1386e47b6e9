import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoad } from '../faults/load.mjs';

// Shows the oracle of deploy/faults servers that lose, double, or break something, one at a time.

/** @typedef {{ id: number, name: string }} Asset */
/** @typedef {{ id: number, start_time: string, end_time: string | null }} Session */
/** @typedef {{ assets: Asset[], sessions: Session[], total: number | undefined, hours: number | undefined }} Kept */

/** Returns a client of a server in memory with one owner and one member, and what that server keeps. */
function createServer() {
  /** @type {Kept} */
  const kept = { assets: [], sessions: [], total: undefined, hours: undefined };
  let ids = 0;
  // A session lasts for an hour.
  const time = () => new Date(Date.UTC(2026, 10, 1) + (ids += 1) * 3_600_000).toISOString();
  const active = () => kept.sessions.find(({ end_time: end }) => end === null);
  /** @type {[call: RegExp, answer: (body: any) => [status: number, body?: unknown]][]} */
  const calls = [
    [/^POST \/api\/register\//, () => [201, { access: 'token' }]],
    [
      /^POST \/api\/assets\/$/,
      ({ name }) => {
        const asset = { id: (ids += 1), name };
        kept.assets.push(asset);
        return [201, asset];
      },
    ],
    [/^POST \/api\/assets\/\d+\/share\/$/, () => [201, {}]],
    [/^GET \/api\/shared-assets\/$/, () => [200, { results: [{ id: 7 }] }]],
    [/accept\/$/, () => [200, {}]],
    [
      /start\/$/,
      () => {
        const session = { id: (ids += 1), start_time: time(), end_time: null };
        kept.sessions.push(session);
        return [201, { ...session }];
      },
    ],
    [/end\/$/, () => [200, Object.assign(active() ?? {}, { id: active()?.id, end_time: time() })]],
    [/^GET \/api\/assets\/\?/, () => [200, { results: kept.assets, next: null }]],
    [/sessions\/\?/, () => [200, { results: kept.sessions, next: null }]],
    [
      /analytics\//,
      () => [
        200,
        { total_sessions: kept.total ?? kept.sessions.length, total_usage: kept.hours ?? kept.sessions.length },
      ],
    ],
  ];
  /** @param {import('../faults/load.mjs').Message} message */
  const send = async ({ method, path, body }) => {
    await pause(1);
    const call = `${method} ${path}`;
    const [status, answer] = calls.find(([pattern]) => pattern.test(call))?.[1](body) ?? [404];
    return { status, body: structuredClone(answer), text: JSON.stringify(answer) ?? '', unsure: false };
  };
  return { kept, client: { send } };
}

/** Returns what the oracle finds after a load. @param {(kept: Kept) => void} breakSomething */
async function findingsAfter(breakSomething) {
  const { kept, client } = createServer();
  const load = await createLoad(client, { pairs: 1 });
  const stop = load.start();
  while (load.writes() < 20) await pause(5);
  await stop();
  breakSomething(kept);
  const { acknowledged, ...findings } = await load.compare();
  expect(acknowledged).toBe(load.writes());
  return findings;
}

/** @param {Kept} kept @param {(session: Session) => void} change */
const changeFirst = ({ sessions }, change) => {
  if (sessions[0]) change(sessions[0]);
};

test.for(
  /** @type {[name: string, breakSomething: (kept: Kept) => void, findings: object][]} */ ([
    ['finds nothing on a server that keeps everything', () => {}, { lost: 0, doubled: 0, broken: [] }],
    ['finds an asset that is lost', ({ assets }) => assets.pop(), { lost: 1, doubled: 0 }],
    [
      'finds an asset that is there twice',
      ({ assets }) => assets.push({ id: 900, name: assets[1]?.name ?? '' }),
      { doubled: 1 },
    ],
    [
      'finds an asset that no one was told of',
      ({ assets }) => assets.push({ id: 900, name: 'another' }),
      { doubled: 1 },
    ],
    ['finds a session that is lost', ({ sessions }) => sessions.pop(), { lost: 1, doubled: 0 }],
    [
      'finds a session that no one was told of',
      ({ sessions }) =>
        sessions.push({ id: 900, start_time: '2026-11-26T00:00:00.000Z', end_time: '2026-11-26T01:00:00.000Z' }),
      { lost: 0, doubled: 1 },
    ],
    [
      'finds several open sessions',
      ({ sessions }) => {
        for (const session of sessions.slice(0, 2)) session.end_time = null;
      },
      { broken: expect.arrayContaining(['share 7 has several open sessions']) },
    ],
    [
      'finds a session that ends before it starts',
      (kept) => changeFirst(kept, (session) => (session.end_time = '2026-10-25T00:00:00.000Z')),
      { broken: expect.arrayContaining([expect.stringContaining('ends before it starts')]) },
    ],
    [
      'finds a session whose start has changed',
      (kept) => changeFirst(kept, (session) => (session.start_time = '2026-11-25T00:00:00.000Z')),
      { broken: expect.arrayContaining([expect.stringContaining('was acknowledged')]) },
    ],
    [
      'finds a sum that does not equal its sessions',
      (kept) => (kept.total = 1),
      { broken: [expect.stringContaining('but counts 1')] },
    ],
    [
      'finds hours that are not those of the sessions',
      (kept) => (kept.hours = 1.01),
      { broken: [expect.stringContaining('but counts 1.01')] },
    ],
  ]),
)('%s', async ([, breakSomething, findings]) => {
  expect(await findingsAfter(breakSomething)).toMatchObject(findings);
});

test('reports the longest time without an acknowledged write', async () => {
  const { client } = createServer();
  const load = await createLoad(client, { pairs: 1 });
  const from = performance.now();
  await pause(200);
  const stop = load.start();
  await pause(50);
  await stop();
  expect(load.longestGap(from)).toBeGreaterThanOrEqual(195);
});
