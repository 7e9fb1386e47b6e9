import { setTimeout as pause } from 'node:timers/promises';
import { Violation } from '../../harness/client.mjs';

// People who press buttons without a break, and the oracle: what the servers acknowledged, compared with what they have
// afterwards. Hand-written because load generators don't remember answers.

/** @typedef {import('../../harness/client.mjs').Answer} Answer */
/** @typedef {{ method: string, path: string, body?: object | undefined, access?: string | undefined }} Message */
/** @typedef {{ send: (message: Message) => Promise<Answer> }} Client that repeats what got no answer, with the same key */
/** @typedef {{ name: string, access: string, signedInAt: number }} Person */
/**
 * One owner and one member of an asset of theirs, who do one thing at a time.
 *
 * @typedef {object} Pair
 * @property {Person} owner
 * @property {Person} member
 * @property {number} asset
 * @property {number} share
 * @property {Set<string>} names of the assets that the owner was told they have
 * @property {Map<number, { start: string, end: string | null | undefined }>} sessions that the member was told of; an end
 *   is undefined if its answer was lost
 */

const PASSWORD = 'correct horse battery';
/** Access tokens expire after 15 minutes. */
const SIGNED_IN_MS = 10 * 60_000;

/** @param {string} what @param {Answer} answer @param {number} status */
function expectStatus(what, answer, status) {
  if (answer.status !== status) throw new Violation(`${what} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer.body;
}

/** @param {number} milliseconds since 1970 */
const wholeSeconds = (milliseconds) => Math.floor(milliseconds / 1000);

/**
 * Returns the seconds that ended sessions used, by month in UTC. As on the server, instants count without their milliseconds.
 *
 * @param {{ start_time: string, end_time: string | null }[]} sessions
 */
function usedSeconds(sessions) {
  /** @type {Map<string, number>} */
  const months = new Map();
  for (const { start_time: start, end_time: end } of sessions) {
    const endsAt = Date.parse(end ?? start);
    for (let from = new Date(start); from.getTime() < endsAt;) {
      const to = Math.min(endsAt, Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
      const month = from.toISOString().slice(0, 7);
      months.set(month, (months.get(month) ?? 0) + wholeSeconds(to) - wholeSeconds(from.getTime()));
      from = new Date(to);
    }
  }
  return months;
}

/**
 * Creates the people, and what they share.
 *
 * @param {Client} client
 * @param {{ pairs?: number, pauseMs?: number, limitsMayEnd?: boolean }} [options] `pauseMs` is how long each pair rests between two
 *   rounds; `limitsMayEnd` if sessions may reach their limit, as when a clock jumps
 */
export async function createLoad(client, { pairs: count = 4, pauseMs = 0, limitsMayEnd = false } = {}) {
  /** When each write was acknowledged, and how long that took. @type {{ at: number, ms: number }[]} */
  const writes = [];
  /** @type {Pair[]} */
  const pairs = [];
  const load = { isOver: false };

  /** @param {string} name @returns {Promise<Person>} */
  async function register(name) {
    const body = { username: name, email: `${name}@example.org`, password: PASSWORD };
    const { access } = expectStatus(
      'Registering',
      await client.send({ method: 'POST', path: '/api/register/', body }),
      201,
    );
    return { name, access, signedInAt: performance.now() };
  }

  /** @param {Person} person @param {string} call such as "GET /api/me/" @param {object} [body] */
  async function request(person, call, body) {
    const [method = '', path = ''] = call.split(' ');
    const send = () => client.send({ method, path, body, access: person.access });
    let answer = performance.now() - person.signedInAt < SIGNED_IN_MS ? await send() : undefined;
    if (!answer || answer.status === 401) {
      const credentials = { username: person.name, password: PASSWORD };
      const signedIn = await client.send({ method: 'POST', path: '/api/login/', body: credentials });
      person.access = expectStatus('Signing in', signedIn, 200).access;
      person.signedInAt = performance.now();
      answer = await send();
    }
    return answer;
  }

  /** @param {Person} person @param {string} call @param {number} status @param {object} [body] */
  const ask = async (person, call, status, body) =>
    expectStatus(`${call} of ${person.name}`, await request(person, call, body), status);

  for (let number = 0; number < count; number += 1) {
    const [owner, member] = [await register(`owner${number}`), await register(`member${number}`)];
    const terms = { name: `shared ${number}`, subscription_cost: 10, time_zone: 'UTC' };
    const { id: asset } = await ask(owner, 'POST /api/assets/', 201, terms);
    const offer = { username: member.name, monthly_hours_allocated: 20 };
    await ask(owner, `POST /api/assets/${asset}/share/`, 201, offer);
    const { results } = await ask(member, 'GET /api/shared-assets/', 200);
    const share = results[0].id;
    await ask(member, `POST /api/shared-assets/${share}/accept/`, 200, {});
    pairs.push({ owner, member, asset, share, names: new Set([terms.name]), sessions: new Map() });
  }

  /** @param {Person} person @param {string} call @param {number} status @param {object} [body] */
  async function write(person, call, status, body = {}) {
    const startedAt = performance.now();
    const answer = await request(person, call, body);
    if (answer.body?.code === 'no_active_session' && limitsMayEnd) return undefined;
    expectStatus(`${call} of ${person.name}`, answer, status);
    const at = performance.now();
    writes.push({ at, ms: at - startedAt });
    return answer.body;
  }

  /** @param {Pair} pair */
  async function press({ owner, member, share, names, sessions }) {
    const path = `/api/shared-assets/${share}`;
    for (let round = 1; !load.isOver; round += 1) {
      const name = `${owner.name} ${round}`;
      await write(owner, 'POST /api/assets/', 201, { name, subscription_cost: 1 });
      names.add(name);
      const { id, start_time: start } = await write(member, `POST ${path}/start/`, 201);
      sessions.set(id, { start, end: null });
      await ask(owner, 'GET /api/assets/?limit=5', 200);
      const ended = await write(member, `POST ${path}/end/`, 200);
      sessions.set(id, { start, end: ended?.end_time });
      if (pauseMs > 0) await pause(pauseMs);
    }
  }

  /** Starts all pairs. Returns what stops them once each has its answer. */
  function start() {
    load.isOver = false;
    const ended = Promise.all(pairs.map(press));
    // A violation is reported when the load is stopped.
    ended.catch(() => {
      load.isOver = true;
    });
    return async () => {
      load.isOver = true;
      await ended;
    };
  }

  /** @param {Person} person @param {string} path @returns {Promise<any[]>} */
  async function list(person, path) {
    const results = [];
    for (let cursor = ''; ;) {
      const page = await ask(person, `GET ${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, 200);
      results.push(...page.results);
      if (!page.next) return results;
      cursor = page.next;
    }
  }

  /** @param {Pair} pair */
  async function comparePair(pair) {
    const { owner, asset, names, sessions } = pair;
    const found = { lost: 0, doubled: 0, broken: /** @type {string[]} */ ([]) };
    const assets = (await list(owner, '/api/assets/?limit=500')).map((each) => /** @type {string} */ (each.name));
    found.lost += [...names].filter((name) => !assets.includes(name)).length;
    // Every request was answered in the end, so what no one was told of was done twice.
    found.doubled +=
      assets.length - new Set(assets).size + [...new Set(assets)].filter((name) => !names.has(name)).length;

    const listed = await list(owner, `/api/assets/${asset}/sessions/?limit=200`);
    const ids = new Set(listed.map(({ id }) => id));
    found.lost += [...sessions.keys()].filter((id) => !ids.has(id)).length;
    found.doubled += listed.filter(({ id }) => !sessions.has(id)).length + listed.length - ids.size;
    if (listed.filter(({ end_time: end }) => end === null).length > 1)
      found.broken.push(`share ${pair.share} has several open sessions`);
    for (const { id, start_time: start, end_time: end } of listed) {
      if (end !== null && Date.parse(end) < Date.parse(start)) found.broken.push(`session ${id} ends before it starts`);
      const told = sessions.get(id);
      const hasEnd = told?.end === undefined ? end !== null : told.end === end;
      if (told && (told.start !== start || !hasEnd))
        found.broken.push(`session ${id} is ${start} to ${end}, but ${told.start} to ${told.end} was acknowledged`);
    }

    const months = listed.map(({ start_time: start }) => /** @type {string} */ (start).slice(0, 7));
    const used = usedSeconds(listed);
    const isAllEnded = listed.every(({ end_time: end }) => end !== null);
    for (const month of new Set([...months, ...used.keys()])) {
      const { length } = months.filter((each) => each === month);
      // Rounded as answers are.
      const hours = Math.round((used.get(month) ?? 0) / 36) / 100;
      const path = `/api/assets/${asset}/analytics/?month=${month}`;
      const { total_sessions: total, total_usage: totalHours } = await ask(owner, `GET ${path}`, 200);
      if (total !== length) found.broken.push(`asset ${asset} has ${length} sessions in ${month}, but counts ${total}`);
      // A session that runs uses more while this looks.
      if (isAllEnded && totalHours !== hours)
        found.broken.push(`asset ${asset} was used for ${hours} h in ${month}, but counts ${totalHours}`);
    }
    return found;
  }

  /** Compares what was acknowledged with what the servers have now. Call it once the load is stopped. */
  async function compare() {
    /** @type {Awaited<ReturnType<typeof comparePair>>[]} */
    const all = [];
    for (const pair of pairs) all.push(await comparePair(pair));
    const sum = (/** @type {(found: (typeof all)[number]) => number} */ read) =>
      all.reduce((total, each) => total + read(each), 0);
    return {
      acknowledged: writes.length,
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
      broken: all.flatMap(({ broken }) => broken),
    };
  }

  /** Returns the longest time without an acknowledged write, in milliseconds. @param {number} from on performance.now() @param {number} [until] */
  function longestGap(from, until = performance.now()) {
    const times = [from, ...writes.map(({ at }) => at).filter((at) => at > from && at < until), until];
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
  }

  /** Returns how long a part of the writes took at most, in milliseconds. @param {number} part @param {number} from on performance.now() @param {number} until */
  function quantile(part, from, until) {
    const times = writes.filter(({ at }) => at > from && at < until).map(({ ms }) => ms);
    return times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
  }

  return { pairs, register, start, compare, ask, longestGap, quantile, writes: () => writes.length };
}
