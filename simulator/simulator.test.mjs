import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { act, actionWeights } from './actions.mjs';
import { createChanges } from './changes.mjs';
import { createClient, Violation } from '../harness/client.mjs';
import { faultWeights } from './faults.mjs';
import { checkEverything } from './invariants.mjs';
import { createNetwork } from '../harness/network.mjs';
import { mostOf, partsOf } from './plans.mjs';
import { durationOf, makeStory, shorten } from './story.mjs';
import { createAsset, createPerson, createShare, createWorld } from './world.mjs';

const CHANCES = { actions: actionWeights, faults: faultWeights, faultRate: 0.1 };

/** @type {(() => void)[]} */
const cleanUps = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

describe('a story', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(makeStory(7, 50, CHANCES)).toEqual(makeStory(7, 50, CHANCES));
    expect(makeStory(8, 50, CHANCES)).not.toEqual(makeStory(7, 50, CHANCES));
  });

  test('of a thousand steps takes about two years and has every action and fault', () => {
    const story = makeStory(1, 1000, CHANCES);
    const years = durationOf(story) / (365 * 24 * 3_600_000);
    expect(years).toBeGreaterThan(1.5);
    expect(years).toBeLessThan(4);
    const kinds = new Set(story.flatMap(({ actions }) => actions.map(({ kind }) => kind)));
    expect([...kinds].toSorted()).toEqual(Object.keys(actionWeights).toSorted());
    const faults = new Set(story.flatMap(({ fault }) => (fault ? [fault.kind] : [])));
    expect([...faults].toSorted()).toEqual(Object.keys(faultWeights).toSorted());
  });

  test('is shortened to what it takes to fail, in the same time', async () => {
    const story = makeStory(3, 200, { ...CHANCES, faultRate: 0 });
    const has = (/** @type {import('./story.mjs').Step[]} */ steps, /** @type {string} */ kind) =>
      steps.some(({ actions }) => actions.some((action) => action.kind === kind));
    const shortest = await shorten(
      story,
      async (candidate) => has(candidate, 'archive') && has(candidate, 'settle'),
      () => false,
    );
    const kinds = shortest.flatMap(({ actions }) => actions.map(({ kind }) => kind));
    expect(kinds.toSorted()).toEqual(['archive', 'settle']);
    expect(durationOf(shortest)).toBe(durationOf(story));
  });
});

/** Starts a server whose answers are listed, the last of which repeats. @param {{ status: number, headers?: Record<string, string>, isLost?: boolean }[]} answers */
async function serverWith(...answers) {
  /** @type {(string | string[] | undefined)[]} */
  const keys = [];
  const server = createServer((request, response) => {
    const { status, headers = {}, isLost } = answers[Math.min(keys.length, answers.length - 1)] ?? { status: 500 };
    keys.push(request.headers['idempotency-key']);
    request.resume();
    if (isLost) request.socket.destroy();
    else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"id":1}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const client = createClient([`http://127.0.0.1:${port}`]);
  cleanUps.push(() => {
    client.close();
    server.close();
  });
  return { client, keys, url: `http://127.0.0.1:${port}` };
}

describe('a client', () => {
  const message = { method: 'POST', path: '/api/assets/', body: {} };

  test('repeats a request without an answer with the same key, and says that it is unsure', async () => {
    const { client, keys } = await serverWith({ status: 201, isLost: true }, { status: 201 });
    expect(await client.send(message)).toMatchObject({ status: 201, body: { id: 1 }, unsure: true });
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test('repeats after a 503 with Retry-After', async () => {
    const { client } = await serverWith({ status: 503, headers: { 'retry-after': '1' } }, { status: 201 });
    expect(await client.send(message)).toMatchObject({ status: 201, unsure: true });
  });

  test.each([
    ['an internal error', { status: 500 }, /answered 500/],
    ['a 503 without Retry-After', { status: 503 }, /without Retry-After/],
  ])('reports %s', async (_, answer, reason) => {
    const { client } = await serverWith(answer);
    const failure = await client.send(message).catch((error) => error);
    expect(failure).toBeInstanceOf(Violation);
    expect(failure.message).toMatch(reason);
  });
});

describe('people', () => {
  /** @param {string} url @param {() => boolean} [hasWrongClock] */
  function worldAt(url, hasWrongClock = () => false) {
    const now = () => new Date('2026-03-02T00:00:00Z');
    const world = createWorld(/** @type {any} */ ({ urls: [url], now, hasWrongClock }));
    cleanUps.push(world.client.close);
    const person = createPerson('user0q', '');
    world.people.push(person);
    return { world, person };
  }
  const refused = [{ status: 200 }, { status: 401 }];
  const threeTimes = [...refused, ...refused, ...refused];

  test('ask again while the clock of a server is wrong, and sign in each time', async () => {
    const server = await serverWith(...threeTimes, ...refused, { status: 200 });
    const { world, person } = worldAt(server.url, () => server.keys.length < 8);
    expect(await world.ask(person, 'GET /api/balances/')).toMatchObject({ status: 200 });
    expect(server.keys).toHaveLength(10);
  });

  test('sign in once for several requests at the same time', async () => {
    const server = await serverWith({ status: 200 });
    const { world, person } = worldAt(server.url);
    await Promise.all([world.ask(person, 'GET /api/balances/'), world.ask(person, 'GET /api/assets/')]);
    expect(server.keys).toHaveLength(3);
  });

  test('take the third refusal for an answer when all clocks are right', async () => {
    const server = await serverWith(...threeTimes, { status: 200 });
    const { world, person } = worldAt(server.url);
    expect(await world.ask(person, 'GET /api/balances/')).toMatchObject({ status: 401 });
  });

  test('may fail to sign in only after trying to delete their account', async () => {
    const lost = { status: 204, isLost: true };
    const signIn = { status: 200 };
    const server = await serverWith(signIn, { status: 204 }, signIn, lost, { status: 401 });
    const { world, person } = worldAt(server.url);
    const others = Array.from({ length: 5 }, (_, n) => createPerson(`user${n + 1}q`, ''));
    world.people.push(...others);
    await act(world, { kind: 'deleteAccount', dice: [0, 0, 0] });
    expect(person.isDeleted).toBe(true);
    expect(await world.ask(person, 'GET /api/me/')).toMatchObject({ status: 401 });

    const other = await serverWith({ status: 401 });
    const { world: broken, person: living } = worldAt(other.url);
    await expect(broken.ask(living, 'GET /api/me/')).rejects.toThrow(/could not sign in/);
  });

  test.each([[['archive', 'start']], [['start', 'archive']]])(
    'know that a start may end at once: %j',
    async (kinds) => {
      const server = await serverWith({ status: 200 });
      const { world, person } = worldAt(server.url);
      const asset = /** @type {any} */ ({ id: 1, owner: 'user0q', isArchived: false, isDeleted: false });
      world.assets.set(1, asset);
      world.shares.set(5, createShare({ id: 5, asset, member: 'user0q', state: 'open', since: 0 }));
      await world.ask(person, 'GET /api/me/');
      // Each is on its way before the other is answered.
      await Promise.all(kinds.map((kind) => act(world, { kind, dice: [0, 0] })));
      expect([...world.sessions.values()]).toMatchObject([{ mayHaveEnded: true }]);
    },
  );
});

test('someone who claims to be a person may see all assets to which the owner has added that person', async () => {
  const now = () => new Date('2026-03-02T00:00:00Z');
  const world = createWorld(/** @type {any} */ ({ urls: [], now }));
  cleanUps.push(world.client.close);
  for (const name of ['user0q', 'user1q', 'user2q'])
    world.people.push({ ...createPerson(name, ''), isDeleted: name === 'user2q' });
  const [first, second, deleted, handedOver, other] = [1, 2, 3, 4, 5].map((id) => {
    const people = { owner: id > 3 ? 'user2q' : 'user0q', names: new Set(), managers: new Set(), heirs: new Set() };
    const hosts = new Set([1, 3, 4].includes(id) ? ['user0q'] : []);
    const asset = /** @type {any} */ ({ id, word: `asset${id}z`, ...people, hosts, isDeleted: id === 3 });
    world.assets.set(id, asset);
    return asset;
  });
  world.shares.set(5, createShare({ id: 5, asset: first, member: undefined, state: 'open', since: 0 }));
  const body = { claim: { link: '/claim/token' }, shared_with: [] };
  world.ask = async () => ({ status: 201, body, text: '', unsure: false });
  await Promise.all([
    act(world, { kind: 'claim', dice: [0, 0, 0] }),
    act(world, { kind: 'addPerson', dice: [0.6, 0] }),
  ]);
  const { sees } = world.personOf('user1q');
  for (const asset of [first, second, deleted, handedOver]) expect(sees).toContain(asset.word);
  expect(sees).not.toContain(other.word);
});

describe('what months cost', () => {
  const YEARLY = { every: 1, unit: 'year', anchor: '2026-03-14' };
  const plan = { cycle: YEARLY, spread: true, trial_until: null, started_on: null };
  const free = { ...plan, cycle: null, trial_until: '2026-04-20' };

  test.each([
    ['30 days of a year', plan, '2026-11', 12_000, [[30, 986, 8613]]],
    [
      'two years',
      plan,
      '2027-03',
      12_000,
      [
        [13, 428, 12_000],
        [18, 590, 590],
      ],
    ],
    ['one that just began', { ...plan, started_on: '2026-03-14' }, '2026-03', 12_000, [[18, 591, 591]]],
    ['a trial', free, '2026-04', 3000, [[10, 1000, 1000]]],
    ['nothing yet', free, '2026-03', 3000, []],
    [
      'all of a year at once',
      { ...plan, spread: false },
      '2026-03',
      12_000,
      [
        [13, 0, 12_000],
        [18, 12_000, 12_000],
      ],
    ],
    [
      'all of the next year at once',
      { ...plan, spread: false, spread_from: '2027-03-14' },
      '2027-03',
      12_000,
      [
        [13, 428, 12_000],
        [18, 12_000, 12_000],
      ],
    ],
    ['none of it', { ...plan, spread: false }, '2026-04', 12_000, [[30, 0, 12_000]]],
  ])('is %s', (_, plan, month, price, expected) => {
    const parts = partsOf(plan, month, () => price);
    expect(parts.map(({ days, amount, so_far }) => [days, amount, so_far])).toEqual(expected);
  });

  test('is counted from the anchor, and to the end', () => {
    const monthly = { ...plan, cycle: { every: 1, unit: 'month', anchor: '2026-01-31' } };
    const parts = (/** @type {string | null} */ end) =>
      partsOf(monthly, '2026-03', () => 3100, end).map(({ cycle_from: from, days }) => [from, days]);
    expect(parts(null)).toEqual([
      ['2026-02-28', 30],
      ['2026-03-31', 1],
    ]);
    expect(parts('2026-03-31')).toEqual([['2026-02-28', 30]]);
  });

  test.each([
    ['usage', { used_seconds: 30 * 3600 }, {}, 600],
    ['usage', { used_seconds: 16 * 3600, summed_hours: 600 }, { base_percent: 25, price: 12, total_hours: 40 }, 510],
    ['allocation', { summed_hours: 60 }, { total_hours: 20 }, 200],
    ['equal', { days: 15 }, { price: 10, places: 3 }, 167],
    ['share_of_use', { used_seconds: 1800 }, { max_price_per_hour: 1 }, 50],
    ['equal', { days: 30 }, { places: 2, plan: { ...plan, price: 120 } }, 493],
  ])('is at most what a yes to %s allows', (split_method, line, more, most) => {
    const terms = { split_method, base_percent: 0, price: 20, total_hours: 100, places: 2, ...more };
    const used = { used_seconds: 0, summed_hours: 0, days: 30, ...line };
    expect(mostOf(terms, used, { month: '2026-11', unit: 100 })).toBe(most);
  });
});

describe('the network to the database', () => {
  async function echo() {
    const folder = mkdtempSync(join(tmpdir(), 'hourshare-network-'));
    const server = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(
      join(folder, 'socket'),
    );
    await once(server, 'listening');
    const network = await createNetwork(join(folder, 'socket'));
    const socket = connect(network.port, '127.0.0.1');
    await once(socket, 'connect');
    cleanUps.push(() => {
      socket.destroy();
      network.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const answer = async (/** @type {string} */ text) => {
      const received = once(socket, 'data');
      socket.write(text);
      return String((await received)[0]);
    };
    return { network, socket, answer };
  }

  test('passes bytes on both ways', async () => {
    const { answer } = await echo();
    expect(await answer('hello')).toBe('hello');
  });

  test('delays everything while it is silent, and loses nothing', async () => {
    const { network, answer } = await echo();
    const end = network.silence();
    const late = answer('hello');
    expect(await Promise.race([late, pause(100, 'nothing')])).toBe('nothing');
    end();
    expect(await late).toBe('hello');
  });

  test('resets its connections when it is cut', async () => {
    const { network, socket, answer } = await echo();
    await answer('hello');
    const closed = once(socket, 'error');
    network.cut();
    expect((await closed)[0]).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('the invariants', () => {
  const START = '2026-03-01T10:00:00.000Z';
  const END = '2026-03-01T11:00:00.000Z';
  const line = (/** @type {number} */ id, /** @type {number} */ amount, more = {}) => ({
    id,
    username: 'user0q',
    amount,
    price_amount: amount,
    costs_amount: 0,
    costs_paid: 0,
    costs: [],
    maximum: null,
    ...more,
  });
  const session = (/** @type {object} */ more = {}) => ({
    id: 7,
    start_time: START,
    end_time: END,
    edited: null,
    objection: null,
    ...more,
  });
  const closed = (/** @type {object} */ more = {}) => ({
    asset_name: 'asset0z',
    owner: 'user0q',
    month: '2026-02',
    closed: true,
    price: 10,
    currency: 'USD',
    costs: [],
    price_parts: [],
    lines: [line(1, 4), line(2, 6)],
    ...more,
  });
  const entry = { id: 5, invitation_id: null, person: false, pending: false, shared_with_username: 'user1q' };

  const shownAsset = (/** @type {object} */ more = {}) => ({
    id: 1,
    name: 'asset0z',
    archived: false,
    subscription_cost: 10,
    your_role: 'owner',
    owner_takes_part: false,
    own_share_id: null,
    shared_with: [entry],
    ...more,
  });

  /** A world of one asset with one member, and a server that shows what it is told to. @param {Record<string, any>} shown */
  function worldThatShows(shown) {
    const people = ['user0q', 'user1q'].map((name) => ({
      ...createPerson(name, ''),
      sees: new Set(['user0q', 'user1q', 'asset0z']),
    }));
    const asset = createAsset({ id: 1, word: 'asset0z', owner: 'user0q', currency: 'USD', price: 10, limit: 24 });
    asset.names.add('user1q');
    const share = createShare({ id: 5, asset, member: 'user1q', state: 'open', since: 0 });
    const times = [{ start: START, end: END }];
    /** @type {Record<string, any>} */
    const answers = {
      '/api/assets/1/': shownAsset(),
      'user0q /api/assets/': [shownAsset()],
      '/api/me/': { time_zone: 'UTC' },
      '/api/assets/1/sessions/': [session()],
      'user1q /api/shared-assets/5/logs/': [session()],
      '/api/assets/1/statements/': [closed()],
      'POST /api/assets/1/replay/': { months: [] },
      '/api/me/export/': { statements: [] },
      verify: { code: 0, output: '' },
      ...shown,
    };
    const [assets, shares] = [new Map([[1, asset]]), new Map([[5, share]])];
    const world = {
      changes: createChanges(assets, shares),
      months: '2026-03 2026-03',
      count: () => {},
      installation: {
        now: () => new Date('2026-03-02T00:00:00Z'),
        admin: async (/** @type {string} */ command) => answers[command],
      },
      people,
      assets,
      shares,
      sessions: new Map([
        [7, { id: 7, share, times, earlier: [], isEdited: false, isRemoved: false, mayHaveEnded: false }],
      ]),
      payments: new Map(),
      deposits: new Map(),
      entries: new Map(),
      startedAt: Date.parse('2026-03-01T00:00:00Z'),
      openAmounts: new Map(),
      checkedAt: Date.parse('2026-03-01T00:00:00Z'),
      statements: new Map(),
      words: new Set(['user0q', 'user1q', 'user2q', 'asset0z']),
      personOf: (/** @type {string} */ name) => people.find((person) => person.name === name),
      living: () => people,
      meet: () => {},
      ask: async (/** @type {{ name: string }} */ { name }, /** @type {string} */ call) => {
        const path = call.replace('GET ', '');
        const body = answers[`${name} ${path}`] ?? answers[path];
        return { status: body ? 200 : 404, body, text: JSON.stringify(body), unsure: false };
      },
      list: async (/** @type {{ name: string }} */ { name }, /** @type {string} */ whole) => {
        const path = whole.replace(/\?.*/, '');
        const results = answers[`${name} ${path}`] ?? answers[path] ?? [];
        return { results, text: JSON.stringify(results) };
      },
    };
    return { world: /** @type {any} */ (world), answers };
  }
  const failureOf = (/** @type {any} */ world, step = 0) =>
    checkEverything(world, step).then(
      () => undefined,
      (error) => error.message,
    );

  test('accept what was acknowledged', async () => {
    const { world } = worldThatShows({});
    expect(await failureOf(world)).toBeUndefined();
  });

  test.each([
    ['a lost session', { '/api/assets/1/sessions/': [] }, /Session 7 .* is lost/],
    ['a lost session of the member', { 'user1q /api/shared-assets/5/logs/': [] }, /Session 7 .* is lost/],
    ['a session twice', { '/api/assets/1/sessions/': [session(), session()] }, /listed twice/],
    ['an unknown session', { '/api/assets/1/sessions/': [session(), session({ id: 8 })] }, /no one was told of/],
    ['another end', { '/api/assets/1/sessions/': [session({ end_time: '2026-03-01T12:00:00.000Z' })] }, /acknowledged/],
    [
      "an owner's part without terms",
      { '/api/assets/1/': shownAsset({ own_share_id: 6 }) },
      /takes no part in asset0z/,
    ],
    [
      'use of an owner who takes no part',
      {
        '/api/assets/1/statements/': [closed({ lines: [line(1, 4, { role: 'owner', used_seconds: 5 }), line(2, 6)] })],
      },
      /takes no part in asset0z in 2026-02/,
    ],
    ['a lost member', { '/api/assets/1/': shownAsset({ shared_with: [] }) }, /is open, but shown as undefined/],
    ['a lost asset', { '/api/assets/1/': undefined }, /lost asset0z/],
    [
      'charges that miss the price',
      { '/api/assets/1/statements/': [closed({ lines: [line(1, 4), line(2, 5.99)] })] },
      /sum to 9.99, not 10/,
    ],
    [
      'a charge beyond what was agreed to',
      { '/api/assets/1/statements/': [closed({ lines: [line(1, 4), line(2, 6, { maximum: 5.99 })] })] },
      /pays 6 of asset0z in 2026-02, having agreed to 5.99/,
    ],
    ['a name of a stranger', { '/api/notifications/': [{ text: 'user2q' }] }, /user0q sees user2q/],
    [
      'a name of a stranger in an export',
      { '/api/me/export/': { statements: [], text: 'user2q' } },
      /sees user2q in their export/,
    ],
    ['an export that fails', { '/api/me/export/': undefined }, /user0q can't export/],
    ['an asset twice', { 'user0q /api/assets/': [shownAsset(), shownAsset()] }, /user0q has an asset twice/],
    ['an unknown asset', { 'user0q /api/assets/': [shownAsset(), shownAsset({ id: 2 })] }, /owns asset 2, of which no/],
    ['an asset that a list lacks', { 'user0q /api/assets/': [] }, /user0q no longer finds asset0z/],
    ['a share twice', { 'user0q /api/shared-assets/': [{ id: 5 }, { id: 5 }] }, /user0q has a share twice/],
    ['a member twice', { '/api/assets/1/': shownAsset({ shared_with: [entry, entry] }) }, /asset0z has a member twice/],
    ["someone else's share", { 'user0q /api/shared-assets/5/': {} }, /user0q asked for \/api\/shared-assets\/5\//],
    [
      'balances that differ',
      { '/api/balances/': [{ username: 'user1q', currency: 'USD', net: 6 }] },
      /user0q is owed 6 USD by user1q, who owes 0/,
    ],
    ['totals that differ', { verify: { code: 1, output: 'a day has 2 hours, not 3' } }, /verify found: a day has 2/],
    ['an unknown payment', { '/api/settlements/': [{ id: 3 }] }, /payment that no one was told of/],
  ])('reject %s', async (_, shown, reason) => {
    const { world } = worldThatShows(shown);
    expect(await failureOf(world)).toMatch(reason);
  });

  const YEARLY = { every: 1, unit: 'year', anchor: '2026-03-14' };
  const pricePart = {
    every: 1,
    unit: 'year',
    cycle_from: '2026-03-14',
    cycle_days: 365,
    cycle_price: 120,
    days: 30,
    amount: 9.86,
    so_far: 86.13,
    spread: true,
  };
  const november = (/** @type {object} */ more = {}, /** @type {object} */ ofPart = {}) => ({
    ...closed({
      month: '2026-11',
      price: 9.86,
      price_parts: [{ ...pricePart, ...ofPart }],
      ends_at: '2026-12-01T00:00:00Z',
    }),
    lines: [line(1, 4), line(2, 5.86)],
    ...more,
  });
  const terms = { split_method: 'equal', base_percent: 0, price: 10, places: 2, total_hours: 10, extra_cost_limit: 6 };
  const member = { role: 'member', username: 'user1q', used_seconds: 0, summed_hours: 0, days: 30 };
  const renewal = (/** @type {object} */ more = {}) => ({
    asset_id: 1,
    kind: 'renewal',
    on: '2026-03-14',
    price: 120,
    cycle: YEARLY,
    votes: [{ username: 'user1q', choice: 'keep' }],
    decision: null,
    ...more,
  });
  const reminder = (/** @type {string} */ at) => ({
    kind: 'renewal',
    asset_name: 'asset0z',
    text: 'asset0z renews on March 14',
    detail: '$120.00; cancel by February 28',
    created_at: at,
  });
  const deposit = (/** @type {object} */ more = {}) => ({
    id: 4,
    amount: 50,
    currency: 'USD',
    direction: 'you_hold',
    status: 'held',
    ...more,
  });
  const metered = (/** @type {object} */ more = {}) =>
    session({
      id: 8,
      source: 'metered',
      meter: 'Netflix',
      start_time: END,
      end_time: '2026-03-01T12:00:00.000Z',
      ...more,
    });

  /** A world whose asset is paid by the year, with a deposit and a file. */
  function paidByTheYear() {
    const deposits = { '/api/deposits/': [deposit()], 'user1q /api/deposits/': [deposit({ direction: 'they_hold' })] };
    const shown = worldThatShows({
      '/api/assets/1/': shownAsset({ cycle: YEARLY, ends_on: null, trial_until: null }),
      '/api/assets/1/statements/': [november()],
      '/api/renewals/': [renewal()],
      '/api/notifications/': [reminder('2026-02-21T08:00:00Z'), reminder('2026-01-29T08:00:00Z')],
      ...deposits,
      'user1q /api/shared-assets/5/logs/': [metered(), session()],
    });
    const [asset] = shown.world.assets.values();
    asset.cycles.add(JSON.stringify(YEARLY));
    asset.prices.add(120);
    for (const days of [30, 7, 1]) asset.reminders.add(days);
    asset.votes.set('2026-03-14 user1q', new Set(['keep']));
    asset.decisions.add('2026-03-14 canceled');
    const share = shown.world.shares.get(5);
    share.mayBeMetered = true;
    share.imported.push({ from: Date.parse(END), to: Date.parse('2026-03-01T11:30:00.000Z') });
    share.imported.push({ from: Date.parse('2026-03-01T11:15:00.000Z'), to: Date.parse('2026-03-01T12:00:00.000Z') });
    const people = { giver: 'user1q', holder: 'user0q' };
    shown.world.deposits.set(4, { id: 4, ...people, amount: 50, currency: 'USD', states: new Set(['held']), tries: 0 });
    return { ...shown, asset, share };
  }

  test('accept a plan, a deposit, and a file', async () => {
    const { world } = paidByTheYear();
    expect(await failureOf(world)).toBeUndefined();
  });

  test.each([
    ['a month of no plan', { '/api/assets/1/statements/': [november({}, { days: 29 })] }, /which no plan of it makes/],
    ['parts that miss the price', { '/api/assets/1/statements/': [november({ price: 9.85 })] }, /sum to 9.86/],
    [
      'a price per cycle that no one set',
      { '/api/assets/1/statements/': [november({}, { cycle_price: 121 })] },
      /no one set 121/,
    ],
    [
      'a price per month that no one set',
      { '/api/assets/1/statements/': [closed({ price: 11, lines: [line(1, 5), line(2, 6)] })] },
      /asset0z costs 11 in 2026-02, .* no one set/,
    ],
    [
      'months of a cycle that miss its price',
      { '/api/assets/1/statements/': [november({}, { days: 365, amount: 119.99 })] },
      /sum to 11999, not 12000/,
    ],
    ['a renewal on another day', { '/api/renewals/': [renewal({ on: '2026-03-15' })] }, /no cycle begins then/],
    ['a renewal at no price', { '/api/renewals/': [renewal({ price: 1 })] }, /no one set its price/],
    ['a renewal twice', { '/api/renewals/': [renewal(), renewal()] }, /has a renewal twice/],
    ['a decision of no one', { '/api/renewals/': [renewal({ decision: 'renewed' })] }, /no one decided that/],
    [
      'a canceled renewal that comes',
      { '/api/renewals/': [renewal({ decision: 'canceled' })] },
      /the opposite of what was decided/,
    ],
    ['a lost vote', { '/api/renewals/': [renewal({ votes: [] })] }, /user1q said keep/],
    [
      'a vote of no one',
      { '/api/renewals/': [renewal({ votes: [...renewal().votes, { username: 'user0q', choice: 'keep' }] })] },
      /user0q never voted/,
    ],
    [
      'a reminder twice',
      { '/api/notifications/': [reminder('2026-01-29T08:00:01Z'), reminder('2026-01-29T08:00:00Z')] },
      /told 2 times, of 1/,
    ],
    ['a lost deposit', { '/api/deposits/': [] }, /Deposit 4 is gone for user0q, not held/],
    ['a deposit that was given back alone', { '/api/deposits/': [deposit({ status: 'returned' })] }, /is returned for/],
    ['another amount of a deposit', { '/api/deposits/': [deposit({ amount: 49 })] }, /Deposit 4 of 50 USD/],
    ['a deposit twice', { '/api/deposits/': [deposit(), deposit()] }, /has a deposit twice/],
    ['an unknown deposit', { '/api/deposits/': [deposit(), deposit({ id: 5 })] }, /deposit that no one was told of/],
    [
      'use that is in no file',
      { 'user1q /api/shared-assets/5/logs/': [metered({ end_time: '2026-03-01T12:00:01.000Z' }), session()] },
      /Session 8 of user1q on asset0z is in no file/,
    ],
  ])('reject %s', async (_, shown, reason) => {
    const { world, answers } = paidByTheYear();
    Object.assign(answers, shown);
    expect(await failureOf(world)).toMatch(reason);
  });

  test('reject a renewal of the year that is not listed', async () => {
    const { world, answers } = paidByTheYear();
    answers['/api/renewals/'] = [];
    expect(await failureOf(world)).toMatch(/The renewal of asset0z on 2026-03-14 isn't listed/);
  });

  test('reject a vote that is not as it was acknowledged', async () => {
    const { world, asset } = paidByTheYear();
    asset.votes.set('2026-03-14 user1q', new Set(['keep', 'cancel']));
    world.changes.begin('POST /api/shared-assets/5/vote/');
    world.changes.note('POST /api/shared-assets/5/vote/', {
      ...renewal({ votes: [{ username: 'user1q', choice: 'cancel' }] }),
      your_vote: 'cancel',
    });
    expect(await failureOf(world)).toMatch(/was acknowledged as .*cancel/);
  });

  test('reject what costs more than the last yes, and a yes that no one said', async () => {
    const { world, answers, share } = paidByTheYear();
    const agreed = (/** @type {number} */ price) =>
      shownAsset({ shared_with: [{ ...entry, agreed: { ...terms, price } }], ends_on: null, cycle: null });
    const show = (/** @type {number} */ amount) => {
      world.statements.clear();
      answers['/api/assets/1/statements/'] = [november({ lines: [line(1, 9.86 - amount), line(2, amount, member)] })];
      return failureOf(world);
    };
    answers['/api/renewals/'] = [];
    answers['/api/assets/1/'] = agreed(10);
    expect(await show(5)).toBeUndefined();
    expect(await show(5.01)).toMatch(/user1q pays 5.01 of asset0z in 2026-11, and said yes to 5 by/);
    answers['/api/assets/1/'] = agreed(12);
    world.changes.begin('PATCH /api/assets/1/');
    expect(await show(5.01)).toMatch(/without a yes to .*12/);
    share.mayHaveAgreed = true;
    expect(await show(5.01)).toBeUndefined();
  });

  test('know that a plan archives its asset when it ends', async () => {
    const { world, answers, asset } = paidByTheYear();
    const shown = (/** @type {string} */ end) =>
      shownAsset({ archived: true, cycle: YEARLY, ends_on: end, trial_until: null });
    answers['/api/renewals/'] = [];
    answers['/api/assets/1/'] = shown('2026-03-04');
    expect(await failureOf(world)).toMatch(/asset0z is archived/);
    answers['/api/assets/1/'] = shown('2026-03-02');
    expect(await failureOf(world)).toBeUndefined();
    expect(asset.isArchived).toBe(true);
  });

  const cost = (/** @type {object} */ more = {}) => ({
    id: 3,
    version: 1,
    at: '2026-01-31T10:00:00.000Z',
    date: '2026-01-31',
    text: 'Fuel 0',
    amount: 6,
    split: 'equal',
    month: '2026-02',
    closed: false,
    status: 'counted',
    author: 'user0q',
    paid_by: 'user1q',
    person: null,
    repeats: null,
    earlier: [],
    answers: [],
    ...more,
  });
  const again = (/** @type {object} */ more = {}) =>
    cost({ id: 4, date: '2026-02-28', repeats: { every: 1, until: null, next: '2026-03-31' }, ...more });
  const part = (/** @type {number} */ id, amount = 3) => ({ id, amount, split_amount: 3, standing: 'charged' });
  const february = (/** @type {object} */ ofMember = {}, /** @type {object} */ more = {}) => {
    const lines = [
      line(1, 10, { price_amount: 4, costs_amount: 6, costs: [part(3), part(4)] }),
      line(2, 0, {
        ...member,
        price_amount: 6,
        costs_amount: 6,
        costs_paid: 12,
        costs: [part(3), part(4)],
        ...ofMember,
      }),
    ];
    return closed({ closed: false, ends_at: '2026-03-01T00:00:00Z', costs: [cost(), again()], lines, ...more });
  };

  /** A world of a cost that came again, and a member who bears half of it. @param {Record<string, any>} more */
  function withCosts(more = {}, author = 'user0q') {
    const costs = { '/api/assets/1/costs/': [again(), cost()], '/api/assets/1/statements/': [february()] };
    const shown = worldThatShows({ ...costs, ...more });
    const [asset] = shown.world.assets.values();
    asset.hasCosts = true;
    shown.world.entries.set('Fuel 0', { asset, author, rhythm: { every: 1, until: null } });
    const agreed = { ...terms, price: 20 };
    shown.world.shares.get(5).agreed.push({ from: 0, at: 0, terms: agreed });
    return { ...shown, asset };
  }

  test('accept a cost that came again, and that more was said yes to', async () => {
    expect(await failureOf(withCosts().world)).toBeUndefined();
    const yes = [{ username: 'user1q', answer: 'yes', amount: 4 }];
    const lines = [
      line(1, 9, { price_amount: 4, costs_amount: 5, costs: [part(3, 2), part(4)] }),
      line(2, 1, { ...member, price_amount: 6, costs_amount: 7, costs_paid: 12, costs: [part(3, 4), part(4)] }),
    ];
    const charged = {
      '/api/assets/1/costs/': [again(), cost({ answers: yes })],
      '/api/assets/1/statements/': [february({}, { lines })],
    };
    expect(await failureOf(withCosts(charged).world)).toBeUndefined();
    yes.splice(0, 1, { username: 'user1q', answer: 'yes', amount: 3 });
    expect(await failureOf(withCosts(charged).world)).toMatch(/pays 7 of costs without a yes, beyond 6/);
    // Who enters it says yes to it.
    const author = 'user1q';
    const entered = { ...charged, '/api/assets/1/costs/': [again({ author }), cost({ author })] };
    expect(await failureOf(withCosts(entered, author).world)).toBeUndefined();
  });

  test.each([
    ['a cost of no one', { '/api/assets/1/costs/': [cost({ text: 'Fuel 7' })] }, /no one wrote that/],
    ['a cost twice', { '/api/assets/1/costs/': [again({ id: 5 }), again(), cost()] }, /came twice/],
    [
      'one that came on another day',
      { '/api/assets/1/costs/': [again({ date: '2026-02-27' }), cost()] },
      /isn't on a day/,
    ],
    ['one of another amount', { '/api/assets/1/costs/': [again({ amount: 7 }), cost()] }, /isn't what came before/],
    [
      'one that did not come',
      { '/api/assets/1/costs/': [again({ date: '2026-03-31', month: '2026-03' }), cost()] },
      /didn't come after 2026-02-01/,
    ],
    [
      'one that comes twice again',
      { '/api/assets/1/costs/': [again(), cost({ repeats: { every: 1, until: null, next: '2026-03-31' } })] },
      /comes again, though a later one does/,
    ],
    [
      'one that comes on another day again',
      { '/api/assets/1/costs/': [again({ repeats: { every: 1, until: null, next: '2026-03-28' } }), cost()] },
      /comes again otherwise/,
    ],
    [
      'a cost on no statement',
      { '/api/assets/1/statements/': [february({}, { costs: [cost()] })] },
      /Of asset0z in 2026-02, .*Fuel 0.* counts, and on the statement/,
    ],
    [
      'a cost of which a part is lost',
      {
        '/api/assets/1/statements/': [
          february(
            {},
            {
              lines: [
                line(1, 13, { price_amount: 7, costs_amount: 6, costs: [part(3), part(4)] }),
                line(2, -3, { ...member, price_amount: 6, costs_amount: 3, costs_paid: 12, costs: [part(3)] }),
              ],
            },
          ),
        ],
      },
      /Cost 4 of 6 of asset0z in 2026-02 is split into 3/,
    ],
    [
      'a credit for what someone else paid',
      {
        '/api/assets/1/costs/': [again(), cost()],
        '/api/assets/1/statements/': [february({}, { costs: [cost(), again({ paid_by: 'user0q' })] })],
      },
      /user0q on asset0z in 2026-02, .* paid 0, which is/,
    ],
    [
      'a charge to which its member said no',
      { '/api/assets/1/costs/': [again(), cost({ answers: [{ username: 'user1q', answer: 'no', amount: null }] })] },
      /pays for 3, to which they said no/,
    ],
    [
      'a closed month that is replayed otherwise',
      {
        'POST /api/assets/1/replay/': {
          months: [{ month: '2026-02', people: [{ username: 'user0q', paid: 4, replayed: 5 }] }],
        },
      },
      /is replayed as .*user0q 4 5/,
    ],
  ])('reject %s', async (_, shown, reason) => {
    expect(await failureOf(withCosts(shown).world)).toMatch(reason);
  });

  test('reject a cost that is lost or changes by itself, and accept what someone changed or counted', async () => {
    const { world, answers } = withCosts();
    const show = (/** @type {any[]} */ ...costs) => {
      answers['/api/assets/1/costs/'] = costs;
      return failureOf(world);
    };
    expect(await show(again(), cost())).toBeUndefined();
    expect(await show(cost())).toMatch(/asset0z lost cost 4/);
    expect(await show(again({ status: 'removed' }), cost())).toMatch(/which no one changed/);
    const changed = again({ version: 2, text: 'Fuel 1', earlier: [again()] });
    expect(await show(changed, cost())).toMatch(/no one wrote that/);
    world.changes.begin('PATCH /api/assets/1/costs/4/');
    world.changes.note('PATCH /api/assets/1/costs/4/', again({ split: 'usage' }));
    expect(await show(again(), cost())).toMatch(/was acknowledged as .*usage/);
  });

  test('reject recorded use that its member has removed', async () => {
    const { world, share } = paidByTheYear();
    share.refused.push({ from: Date.parse('2026-03-01T11:59:59.000Z'), to: Date.parse('2026-03-01T13:00:00.000Z') });
    expect(await failureOf(world)).toMatch(/Session 8 .* is recorded again, though they removed it/);
  });

  test('import each file again, which adds nothing', async () => {
    const name = (/** @type {string} */ result, hours = 1) => ({
      names: [{ external_name: 'Profile 5', hours: 1, parts: [{ result, hours }] }],
    });
    const again = (/** @type {any} */ body, dry = body) => {
      const { world, answers, asset } = paidByTheYear();
      const rows = [{ name: 'Profile 5', start: END, end: '2026-03-01T12:00:00.000Z' }];
      asset.files = { id: 9, token: '', rows, counted: new Set(['Profile 5']) };
      const { ask } = world;
      world.ask = async (/** @type {any} */ person, /** @type {string} */ call, /** @type {any} */ sent) => {
        if (!call.endsWith('/imports/')) return ask(person, call);
        const shown = sent.dry_run ? dry : body;
        return { status: 200, body: shown, text: JSON.stringify(shown), unsure: false };
      };
      return { failure: failureOf(world), answers };
    };
    expect(await again(name('known')).failure).toBeUndefined();
    expect(await again(name('counted')).failure).toMatch(/The same file again added 1 h of Profile 5/);
    expect(await again(name('known'), name('counted')).failure).toMatch(/was to become .*counted.*, and became/);
    expect(await again(name('known', 0.5)).failure).toMatch(/Of 1 h of Profile 5 on asset0z, 0.5 h became/);
    const lost = again(name('known'));
    lost.answers['user1q /api/shared-assets/5/logs/'] = [session()];
    expect(await lost.failure).toMatch(/1 h of a file count for user1q on asset0z, of which 0 h are recorded/);
  });

  test('reject an open amount that changes without a payment', async () => {
    const balance = (/** @type {number} */ open, net = open) => [
      { username: 'user2q', currency: 'USD', net, lines: [{ id: 3, open_amount: open, direction: 'they_owe' }] },
    ];
    const { world, answers } = worldThatShows({ 'user0q /api/balances/': balance(6) });
    world.people[0].sees.add('user2q');
    expect(await failureOf(world)).toBeUndefined();
    answers['user0q /api/balances/'] = balance(6, 5);
    expect(await failureOf(world)).toMatch(/user0q is owed 5 USD by user2q, of 6/);
    answers['user0q /api/balances/'] = balance(5);
    world.changes.begin('POST /api/assets/1/deposits/');
    expect(await failureOf(world)).toMatch(/Of charge 3, 6 was open, and without a payment 5 is/);
    world.changes.begin('POST /api/settlements/3/confirm/');
    expect(await failureOf(world)).toBeUndefined();
  });

  test("read one person's export after each step", async () => {
    const { world, answers } = worldThatShows({});
    answers['/api/me/export/'] = { statements: [], text: 'user2q' };
    world.people[0].sees.add('user2q');
    expect(await failureOf(world, 0)).toBeUndefined();
    expect(await failureOf(world, 1)).toMatch(/user1q sees user2q in their export/);
  });

  test('reject a closed statement that changes, but not one that is paid or whose person joins', async () => {
    const { world, answers } = worldThatShows({});
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/assets/1/statements/'] = [closed({ lines: [line(2, 6, { status: 'paid', hue: 4 }), line(1, 4)] })];
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/assets/1/statements/'] = [closed({ lines: [line(1, 5), line(2, 5)] })];
    expect(await failureOf(world)).toMatch(/changed from/);
  });

  test('reject what no longer is as one action was answered, and accept what several changed', async () => {
    const { world, answers } = worldThatShows({});
    const patch = (/** @type {any} */ body) => {
      world.changes.begin('PATCH /api/assets/1/');
      world.changes.note('PATCH /api/assets/1/', body);
    };
    patch(shownAsset());
    expect(await failureOf(world)).toBeUndefined();
    patch(shownAsset({ base_percent: 50 }));
    expect(await failureOf(world)).toMatch(/asset0z was acknowledged as .*50/);
    patch(shownAsset());
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/assets/1/'] = shownAsset({ shared_with: [{ ...entry, monthly_hours_allocated: 7 }] });
    expect(await failureOf(world)).toMatch(/asset0z changed, though no one changed it/);
  });

  test('reject prices that no longer are as an action was answered', async () => {
    const { world, answers } = worldThatShows({});
    const prices = { results: [{ from_month: '2026-04', price: 12 }], next: null };
    const schedule = () => {
      world.changes.begin('POST /api/assets/1/prices/');
      world.changes.note('POST /api/assets/1/prices/', prices);
    };
    schedule();
    answers['user0q /api/assets/1/prices/'] = prices;
    expect(await failureOf(world)).toBeUndefined();
    schedule();
    answers['user0q /api/assets/1/prices/'] = { results: [], next: null };
    expect(await failureOf(world)).toMatch(/The prices of asset0z were acknowledged as .*12/);
  });

  test('accept either of two edits in one step', async () => {
    const { world } = worldThatShows({});
    const [first] = world.sessions.values();
    first.times = [{ start: START, end: '2026-03-01T10:30:00.000Z' }, ...first.times];
    expect(await failureOf(world)).toBeUndefined();
    expect(first.times).toEqual([{ start: START, end: END }]);
  });

  test('reject a session that no longer is as an action was answered', async () => {
    const { world } = worldThatShows({});
    world.changes.begin('POST /api/assets/1/sessions/7/objection/');
    world.changes.note('POST /api/assets/1/sessions/7/objection/', session({ objection: { status: 'open' } }));
    expect(await failureOf(world)).toMatch(/Session 7 of asset0z has another objection than acknowledged/);
  });

  test('reject sessions that overlap, but not days, or what was removed', async () => {
    const { world, answers } = worldThatShows({});
    world.shares.get(5).mayBeMetered = true;
    const metered = (/** @type {object} */ more) =>
      session({ id: 8, source: 'metered', start_time: END, end_time: '2026-03-01T12:00:00.000Z', ...more });
    const show = (/** @type {object} */ more) => {
      answers['user1q /api/shared-assets/5/logs/'] = [metered(more), session()];
      return failureOf(world);
    };
    const earlier = { start_time: '2026-03-01T10:59:59.999Z' };
    expect(await show({})).toBeUndefined();
    expect(await show(earlier)).toMatch(/Sessions 7 and 8 of user1q on asset0z overlap/);
    expect(await show({ start_time: '2026-03-01T09:00:00.000Z', end_time: null })).toMatch(
      /Sessions 8 and 7 .* overlap/,
    );
    expect(await show({ ...earlier, day: '2026-03-01' })).toBeUndefined();
    expect(await show({ ...earlier, edited: { kind: 'removed' } })).toBeUndefined();
  });

  test('reject the session of another member in a log', async () => {
    const { world } = worldThatShows({});
    const [first] = world.sessions.values();
    world.sessions.set(7, { ...first, share: { ...first.share, id: 6 } });
    expect(await failureOf(world)).toMatch(/Session 7 of asset0z is in another list/);
  });

  test('reject the times before an edit, until an objection has restored them', async () => {
    const { world, answers } = worldThatShows({});
    const [first] = world.sessions.values();
    const edited = { start: START, end: '2026-03-01T10:30:00.000Z' };
    Object.assign(first, { earlier: first.times, times: [edited] });
    expect(await failureOf(world)).toMatch(/Session 7 .* acknowledged/);
    const restored = session({ edited: { kind: 'restored' }, objection: { status: 'agreed' } });
    answers['/api/assets/1/sessions/'] = [restored];
    answers['user1q /api/shared-assets/5/logs/'] = [restored];
    expect(await failureOf(world)).toBeUndefined();
  });

  test('reject a payment that changes or loses an event', async () => {
    const sent = { kind: 'sent', username: 'user1q', at: START };
    const paid = { kind: 'confirmed', username: 'user0q', at: END };
    const payment = { id: 3, amount: 4, events: [sent] };
    const { world, answers } = worldThatShows({ '/api/settlements/': [payment] });
    const people = ['user0q', 'user1q'];
    world.payments.set(3, { id: 3, people, amount: 4, events: [`sent ${START}`] });
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/settlements/'] = [{ ...payment, events: [sent, paid] }];
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/settlements/'] = [payment];
    expect(await failureOf(world)).toMatch(/Payment 3 of 4 with sent .*, confirmed .* is/);
    answers['/api/settlements/'] = [{ ...payment, amount: 5, events: [sent, paid] }];
    expect(await failureOf(world)).toMatch(/Payment 3 of 4/);
  });

  test('reject a charge that is not as it was marked', async () => {
    const { world } = worldThatShows({});
    const call = 'POST /api/statement-lines/1/mark/';
    world.changes.begin(call);
    world.changes.note(call, { id: 1, status: 'paid' });
    expect(await failureOf(world)).toMatch(/Charge 1 was marked as paid/);
  });

  test('reject a trusted owner and a time zone that are lost', async () => {
    const { world } = worldThatShows({});
    world.people[0].trusted.add('user1q');
    expect(await failureOf(world)).toMatch(/user0q no longer trusts user1q/);
    world.people[0].trusted.clear();
    world.people[0].zone = 'Asia/Kolkata';
    expect(await failureOf(world)).toMatch(/user0q chose Asia\/Kolkata/);
  });

  test('reject a charge in an export that its owner does not read', async () => {
    const { world, answers } = worldThatShows({});
    answers['/api/me/export/'] = { statements: [closed({ lines: [line(2, 7)] })] };
    expect(await failureOf(world)).toMatch(/user0q is charged 7 for asset0z, the owner reads 6/);
  });

  test('reject a closed statement that is lost, also of a deleted asset', async () => {
    const { world, answers } = worldThatShows({});
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/assets/1/statements/'] = [];
    expect(await failureOf(world)).toMatch(/user0q lost the statement of asset0z for 2026-02/);
    world.assets.get(1).isDeleted = true;
    answers['user0q /api/assets/'] = [];
    answers['/api/statements/'] = [closed()];
    expect(await failureOf(world)).toBeUndefined();
    answers['/api/statements/'] = [];
    expect(await failureOf(world)).toMatch(/user0q lost the statement of asset0z for 2026-02/);
  });

  test('accept a session that its limit ended, and reject one that nothing did', async () => {
    const active = {
      '/api/assets/1/sessions/': [session({ end_time: '2026-03-02T10:00:00.000Z' })],
      'user1q /api/shared-assets/5/logs/': [session({ end_time: '2026-03-02T10:00:00.000Z' })],
    };
    const { world } = worldThatShows(active);
    world.sessions.get(7).times = [{ start: START, end: null }];
    expect(await failureOf(world)).toBeUndefined();
    const { world: other } = worldThatShows({});
    other.sessions.get(7).times = [{ start: START, end: null }];
    expect(await failureOf(other)).toMatch(/nothing ended it/);
  });

  test('accept an end that was meant for an earlier session, and a late one that shortens it', async () => {
    const { world, answers } = worldThatShows({});
    const [first] = world.sessions.values();
    first.times = [{ start: START, end: null }];
    // It reached its limit before the second started.
    const times = [{ start: '2026-03-03T10:00:00.000Z', end: null }];
    world.sessions.set(8, { ...first, id: 8, times });
    const end = { id: 8, start_time: '2026-03-03T10:00:00.000Z', end_time: '2026-03-03T10:30:00.000Z' };
    answers['POST /api/shared-assets/5/end/'] = session(end);
    await act(world, { kind: 'end', dice: [0, 0] });
    expect(world.sessions.get(8).times).toEqual([{ start: end.start_time, end: end.end_time }]);
    expect(first.mayHaveEnded).toBe(false);
    const shortened = { ...end, end_time: '2026-03-03T10:10:00.000Z' };
    answers['POST /api/shared-assets/5/late-end/'] = session(shortened);
    await act(world, { kind: 'lateEnd', dice: [0, 0] });
    expect(world.sessions.get(8).times.at(-1)).toEqual({ start: end.start_time, end: shortened.end_time });
  });

  test('expect that a handover ends the access of people without an account', async () => {
    const { world, answers } = worldThatShows({});
    const [asset] = world.assets.values();
    world.shares.set(6, createShare({ id: 6, asset, member: undefined, state: 'open', since: 0 }));
    expect(await failureOf(world)).toMatch(/Share 6 of a person .* is open, but shown as undefined/);
    asset.heirs.add('user1q');
    answers['user0q /api/assets/1/'] = shownAsset({ your_role: 'member' });
    answers['user0q /api/assets/'] = [];
    answers['user1q /api/assets/'] = [shownAsset()];
    expect(await failureOf(world)).toBeUndefined();
    expect(world.shares.get(6).state).toBe('ended');
  });

  test('accept either end of a removal that got no answer, and no change afterwards', async () => {
    const { world } = worldThatShows({});
    world.sessions.get(7).isRemoved = undefined;
    expect(await failureOf(world)).toBeUndefined();
    expect(world.sessions.get(7).isRemoved).toBe(false);

    const { world: other, answers } = worldThatShows({
      '/api/assets/1/sessions/': [],
      'user1q /api/shared-assets/5/logs/': [],
    });
    other.sessions.get(7).isRemoved = undefined;
    expect(await failureOf(other)).toBeUndefined();
    answers['/api/assets/1/sessions/'] = [session()];
    expect(await failureOf(other)).toMatch(/was removed and counts/);
  });
});
