import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findPostgres } from '../scripts/postgres.mjs';
import { queryDatabase } from '../scripts/proxied-servers.mjs';
import { median, startServer } from './server.mjs';

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

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * @param {string} url
 * @param {{ method?: string, token?: string, body?: object }} [options]
 * @returns {Promise<any>}
 */
const send = (url, { method = 'GET', token, body } = {}) =>
  new Promise((done, fail) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    request(url, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (/** @type {string} */ part) => (text += part));
      answer.on('end', () => {
        if ((answer.statusCode ?? 500) >= 400) fail(new Error(`${method} ${url}: ${answer.statusCode} ${text}`));
        else done(text === '' ? undefined : JSON.parse(text));
      });
    })
      .on('error', fail)
      .end(body && JSON.stringify(body));
  });

let accounts = 0;
/** @param {string} url */
function register(url) {
  const username = `bench${(accounts += 1)}`;
  return send(`${url}/api/register/`, {
    method: 'POST',
    body: { username, email: `${username}@example.org`, password: 'correct horse battery' },
  });
}

/** Opens a stream; resolves once its first event has arrived. @param {string} url @param {string} token @param {(name: string) => void} onEvent */
const openStream = (url, token, onEvent) =>
  new Promise((done, fail) => {
    const opened = request(
      `${url}/api/events/`,
      { agent: new Agent(), headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        if (answer.statusCode !== 200) fail(new Error(`A stream answered ${answer.statusCode}.`));
        let rest = '';
        answer.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
          const blocks = (rest + part).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const name = /^event: (.+)/.exec(block)?.[1];
            if (name !== undefined) onEvent(name);
          }
          done(() => opened.destroy());
        });
        answer.on('error', () => undefined);
      },
    );
    opened.on('error', fail).end();
  });

/** @param {number | undefined} pid */
const residentMB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** @param {string} url */
async function household(url) {
  const [owner, member] = [await register(url), await register(url)];
  const asset = await send(`${url}/api/assets/`, {
    method: 'POST',
    token: owner.access,
    body: { name: 'Sauna', subscription_cost: 30 },
  });
  await send(`${url}/api/assets/${asset.id}/share/`, {
    method: 'POST',
    token: owner.access,
    body: { username: member.user.username, monthly_hours_allocated: 20 },
  });
  const { results } = await send(`${url}/api/shared-assets/`, { token: member.access });
  const share = `${url}/api/shared-assets/${results[0].id}/`;
  await send(`${share}accept/`, { method: 'POST', token: member.access, body: { monthly_hours_allocated: 20 } });
  return { owner, member, share: `/api/shared-assets/${results[0].id}/` };
}

/** @param {number[]} values @param {number} part */
const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

/** Measures presses on one server while streams are open on another, which may be the same. @param {{ url: string }} pressed @param {{ url: string, pid: number | undefined }} streaming */
async function measurePresses(pressed, streaming) {
  const { owner, member, share } = await household(pressed.url);
  const users = [];
  for (let count = 0; count * STREAMS_PER_USER < STREAMS - 1; count += 1) users.push(await register(pressed.url));
  const before = residentMB(streaming.pid);
  const closes = [];
  for (let count = 0; count < STREAMS - 1; count += 1) {
    const { access } = users[Math.floor(count / STREAMS_PER_USER)];
    closes.push(await openStream(streaming.url, access, () => undefined));
  }
  const perStream = ((residentMB(streaming.pid) - before) * 1024) / Math.max(1, STREAMS - 1);
  /** @type {(name: string) => void} */
  let arrived = () => undefined;
  closes.push(await openStream(streaming.url, owner.access, (name) => arrived(name)));
  /** @type {number[]} */
  const times = [];
  for (let count = 0; count < PRESSES; count += 1) {
    const verb = count % 2 === 0 ? 'start' : 'end';
    const seen = new Promise((done) => {
      arrived = (name) => name === `session.${verb}ed` && done(performance.now());
    });
    const since = performance.now();
    await send(`${pressed.url}${share}${verb}/`, { method: 'POST', token: member.access });
    times.push((await seen) - since);
  }
  for (const close of closes) close();
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
        await send(`${url}${share}${count % 2 === 0 ? 'start' : 'end'}/`, { method: 'POST', token: member.access });
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
/** @type {{ url: string, pid: number | undefined, stop: () => Promise<void> }[]} */
const running = [];
/** @param {string} database its name, or '' for the embedded engine @param {string} [checkout] */
async function start(database, checkout = resolve(import.meta.dirname, '..')) {
  const url = new URL(postgres.url);
  url.pathname = `/${database}`;
  const settings = {
    SECRET: 'for measurements alone, 32 characters',
    RATE_LIMIT: 'off',
    DATA_DIR: join(folder, `data-${running.length}`),
    ...(database === '' ? {} : { DATABASE_URL: url.href }),
  };
  const server = await startServer(settings, join(checkout, 'server', 'dist', 'main.js'));
  running.push(server);
  return server;
}

try {
  for (const name of ['events', 'now', 'before']) await queryDatabase(postgres.url, `create database ${name}`);
  const [one, other] = [await start('events'), await start('events')];
  console.log(`PostgreSQL, ${STREAMS} streams of the same server: ${await measurePresses(one, one)}`);
  console.log(`PostgreSQL, ${STREAMS} streams of another server: ${await measurePresses(one, other)}`);
  const embedded = await start('');
  console.log(`embedded, ${STREAMS} streams: ${await measurePresses(embedded, embedded)}`);
  if (OTHER !== undefined) {
    const now = await start('now');
    const before = await start('before', resolve(OTHER));
    console.log(`PostgreSQL: ${await measureWrites({ now: now.url, before: before.url })}`);
    const before2 = await start('', resolve(OTHER));
    console.log(`embedded: ${await measureWrites({ now: embedded.url, before: before2.url })}`);
  }
} finally {
  for (const { stop } of running) await stop();
  await postgres.stop();
  await rm(folder, { recursive: true });
}
