// A realistic household: half a year of sessions, and every state that a screen can show. All data is created through
// the app, so the database contains nothing that users couldn't have entered. The same date gives the same household.

import { eventsOfMeter } from './meters.mjs';

export const PASSWORD = 'correct horse battery';
const MONTHS = 6;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = 'Europe/Berlin';

/** The last one is new, and has nothing yet. */
export const PEOPLE = ['mira', 'ben', 'ana', 'chen', 'dora', 'emil'];
const MEMBERS = PEOPLE.slice(0, -1);

/** How to pay them. @type {Record<string, { kind: string, value: string, holder?: string }[]>} */
const PAYMENT_DETAILS = {
  mira: [{ kind: 'link', value: 'https://pay.example.org/mira?amount={amount}' }],
  ben: [{ kind: 'note', value: 'Cash, on the shelf in the hall' }],
  dora: [
    { kind: 'paypal', value: 'dora' },
    { kind: 'iban', value: 'DE02120300000000202051', holder: 'Dora Lind' },
  ],
};

/** Returns a day of the household's life, so that `MONTHS` months are closed on the given date. @param {Date} today @param {number} month @param {number} day */
function dayOf(today, month, day) {
  // A month closes 72 hours after it ends in its time zone.
  const unclosed = new Date(today.getTime() - 4 * DAY);
  return Date.UTC(unclosed.getUTCFullYear(), unclosed.getUTCMonth() - MONTHS + month, day, 6);
}

/** Returns when the household starts. @param {Date} today */
export const beginning = (today) => dayOf(today, 0, 1);

/**
 * @typedef {object} Membership
 * @property {number} allocation hours a month
 * @property {number} [perWeek] how often they start a session; never by default
 * @property {number} [hours] how long one lasts about
 * @property {number} [days] for how many days they do so; always by default
 * @property {number} [running] for how many minutes a session has been active at the end
 * @property {true} [ended] the owner has ended the share since
 * @property {{ month?: number, objection: string, reply: string, agrees?: true }[]} [quarrels] about an edit of a session: in the middle of a month, or at the end
 */

/**
 * What someone pays beside the price, by use unless said: on a day of a month, and then the owner counts it, or just now.
 *
 * @typedef {{ by: string, month?: number, day?: number, text: string, amount: number, split?: string }} Cost
 */

/**
 * Who pays for what, and who may use it for how long.
 *
 * @type {{ owner: string, name: string, description: string, cost: number, archived?: true, renewsInDays?: number, terms?: object, meters?: import('./meters.mjs').SampleMeter[], costs?: Cost[], offered?: { username: string, hours: number }, members: Record<string, Membership> }[]}
 */
const ASSETS = [
  {
    owner: 'mira',
    name: 'Netflix Premium',
    description: 'Living room',
    cost: 22.99,
    offered: { username: 'dora', hours: 15 },
    members: {
      ana: { allocation: 40, perWeek: 4, hours: 1.6, running: 38 },
      ben: { allocation: 40, perWeek: 2, hours: 1.2 },
    },
    meters: [
      {
        name: 'Living room TV',
        kind: 'sessions',
        names: { ana: 'Ana', ben: 'Ben' },
        unknown: 'Guest',
        days: 9,
        file: { name: 'Ben', days: 6 },
      },
    ],
  },
  {
    owner: 'ben',
    name: 'Claude Max',
    description: 'Splits itself by what Claude Code counts',
    cost: 100,
    terms: { split_method: 'share_of_use', owner_takes_part: true },
    members: { mira: { allocation: 60 }, ana: { allocation: 60 }, chen: { allocation: 40 } },
    meters: [
      {
        name: 'Claude Code',
        kind: 'totals',
        members: ['mira', 'ana', 'chen'],
        days: 70,
      },
    ],
  },
  {
    owner: 'mira',
    name: 'Spotify Family',
    description: 'Six seats',
    cost: 16.99,
    members: {
      ana: {
        allocation: 60,
        perWeek: 9,
        hours: 1.1,
        quarrels: [
          {
            objection: 'The speaker in the kitchen played your list until the end. Was that someone else?',
            reply: 'I forgot to turn it off when I went out.',
          },
        ],
      },
      ben: { allocation: 40, perWeek: 5, hours: 0.8 },
      chen: { allocation: 20, perWeek: 2, hours: 0.5 },
      // Was a member for a while, and counts in those months.
      dora: { allocation: 10, perWeek: 3, hours: 0.7, days: 60, ended: true },
    },
  },
  {
    owner: 'mira',
    name: 'Strava',
    description: 'Running',
    cost: 79.99,
    renewsInDays: 20,
    members: { dora: { allocation: 20, perWeek: 1, hours: 1 } },
  },
  // No one has access to the first, and no member uses the second.
  { owner: 'mira', name: 'Cloud backup', description: 'Family photos', cost: 5, members: {} },
  {
    owner: 'ben',
    name: 'Donaudampfschifffahrtsgesellschaft, Bibliothek und Archivzugang für Mitglieder',
    description: 'For the book about the river. Tell me before you order scans: they cost extra.',
    cost: 0,
    members: { ana: { allocation: 10 }, chen: { allocation: 10 } },
  },
  {
    owner: 'mira',
    name: 'Ski lockers',
    description: 'Over for this year',
    cost: 18,
    archived: true,
    members: { ben: { allocation: 30, perWeek: 1, hours: 3, days: 45 } },
  },
  {
    owner: 'ben',
    name: 'Figma Professional',
    description: 'One seat, passed around',
    cost: 15,
    members: {
      mira: { allocation: 20, perWeek: 4, hours: 1.3, running: 84 },
      chen: {
        allocation: 30,
        perWeek: 3,
        hours: 2,
        quarrels: [
          {
            month: 4,
            objection: 'You were still in the file when I wanted to start.',
            reply: 'Right, I mixed up the days. Sorry!',
            agrees: true,
          },
        ],
      },
    },
  },
  {
    owner: 'ana',
    name: 'Dropbox Plus',
    description: '',
    cost: 11.99,
    // Exceeds the allowance from the middle of a month.
    members: {
      mira: { allocation: 12, perWeek: 6, hours: 1.2 },
      dora: { allocation: 10, perWeek: 1, hours: 2 },
    },
  },
  {
    owner: 'dora',
    name: 'Car share',
    description: 'Key in the drawer. Fill up when it is under a quarter.',
    cost: 240,
    terms: { extra_cost_limit: 60 },
    // Each fills up now and then; the last one waits for the owner.
    costs: [
      { by: 'ana', month: 4, day: 12, text: 'Fuel', amount: 58.4 },
      { by: 'ben', month: 5, day: 9, text: 'Fuel', amount: 61.2 },
      { by: 'dora', month: 5, day: 20, text: 'Insurance', amount: 96, split: 'equal' },
      { by: 'mira', text: 'Fuel', amount: 47.9 },
    ],
    offered: { username: 'chen', hours: 20 },
    members: {
      mira: { allocation: 30, perWeek: 1, hours: 3 },
      ben: { allocation: 60, perWeek: 2, hours: 4 },
      ana: { allocation: 30, perWeek: 1, hours: 2 },
    },
  },
  {
    owner: 'chen',
    name: 'Language course',
    description: 'Spanish until the summer',
    cost: 29,
    // Two months of use, and none since.
    members: { ana: { allocation: 15, perWeek: 4, hours: 0.8, days: 55 } },
  },
];

/** Returns a source of numbers from 0 to 1, the same every time. */
function seeded(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Returns when a member uses the asset.
 *
 * @param {Membership} membership
 * @param {Date} today
 * @param {() => number} random
 */
function sessionsOf({ perWeek = 0, hours = 1, days, running }, today, random) {
  const begin = beginning(today);
  // A member with an active session hasn't just ended another one.
  const last = today.getTime() - (running === undefined ? 0 : running * MINUTE + HOUR);
  const until = days === undefined ? last : Math.min(last, begin + days * DAY);
  /** @type {{ start: number, end: number | undefined }[]} */
  const sessions = [];
  let free = begin;
  for (let day = begin; day < until; day += DAY) {
    if (random() > perWeek / 7) continue;
    // Mostly in the evening, sometimes past midnight.
    const start = Math.max(free + HOUR / 4, day + (15 + 8 * random()) * HOUR);
    const end = start + hours * (0.3 + 1.4 * random()) * HOUR;
    if (end > until) break;
    sessions.push({ start, end });
    free = end;
  }
  if (running !== undefined) sessions.push({ start: today.getTime() - running * MINUTE, end: undefined });
  return sessions;
}

/** @typedef {{ at: number, doIt: () => Promise<unknown> }} Event */

/**
 * Returns what people pay each other, in the second week of each month. Of the last payments, the one to mira isn't
 * confirmed, ben pays in part, and the others don't pay yet.
 *
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {Record<string, number>} ids
 * @param {Date} today
 */
function paymentsOf(call, ids, today) {
  const days = Array.from({ length: MONTHS }, (_, month) => dayOf(today, month + 1, 8)).filter(
    (day) => day + 2 * DAY < today.getTime(),
  );
  /** @param {string} payer @param {{ payees?: string[], part?: number }} [limits] */
  const pay = async (payer, { payees = MEMBERS, part = 1 } = {}) => {
    const { results } = await call('GET', '/api/balances/', { as: ids[payer] });
    for (const { username, net } of results.filter((/** @type {any} */ each) => each.net < 0)) {
      if (!payees.includes(username)) continue;
      const body = part === 1 ? { username } : { username, amount: Math.ceil(-net * part) };
      await call('POST', '/api/settlements/', { as: ids[payer], body });
    }
  };
  const confirm = async (/** @type {string} */ payee) => {
    const { results } = await call('GET', '/api/settlements/', { as: ids[payee] });
    for (const { id } of results.filter((/** @type {any} */ each) => each.can.confirm))
      await call('POST', `/api/settlements/${id}/confirm/`, { as: ids[payee] });
  };
  const earlier = days
    .slice(0, -1)
    .flatMap((day) => [
      ...MEMBERS.map((payer) => ({ at: day, doIt: () => pay(payer) })),
      ...MEMBERS.map((payee) => ({ at: day + 2 * DAY, doIt: () => confirm(payee) })),
    ]);
  const last = days.slice(-1).flatMap((day) => [
    { at: day, doIt: () => pay('ben', { payees: ['dora'], part: 0.5 }) },
    { at: day + DAY, doIt: () => confirm('dora') },
    { at: day + 2 * DAY, doIt: () => pay('ana', { payees: ['mira'] }) },
  ]);
  return [...earlier, ...last];
}

/**
 * Edits the last session that a member has ended, to which the owner objects a few hours later.
 *
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {{ asset: string, share: number, owner: number | undefined, member: number | undefined }} membership
 * @param {{ at: number, objection: string, reply: string, agrees?: true }} quarrel
 * @returns {Event[]}
 */
function quarrelOf(call, { asset, share, owner, member }, { at, objection, reply, agrees }) {
  const logs = `/api/shared-assets/${share}/logs/`;
  let session = '';
  const shorten = async () => {
    const { results } = await call('GET', logs, { as: member });
    const last = results.find((/** @type {any} */ each) => each.end_time !== null);
    session = String(last.id);
    const half = (new Date(last.start_time).getTime() + new Date(last.end_time).getTime()) / 2;
    const body = { end_time: new Date(half).toISOString() };
    await call('PATCH', `${logs}${session}/`, { as: member, body });
  };
  const object = () => call('POST', `${asset}sessions/${session}/objection/`, { as: owner, body: { text: objection } });
  const answer = () => call('POST', `${logs}${session}/objection/replies/`, { as: member, body: { text: reply } });
  const agree = () => call('POST', `${logs}${session}/objection/agree/`, { as: member });
  return [
    { at, doIt: shorten },
    { at: at + 2 * HOUR, doIt: object },
    { at: at + 3 * HOUR, doIt: answer },
    ...(agrees ? [{ at: at + 4 * HOUR, doIt: agree }] : []),
  ];
}

/**
 * Creates everything, from `beginning(today)` to that day.
 *
 * @param {Pick<import('./clocked-app.mjs').ClockedApp, 'call' | 'work'>} app
 * @param {(now: number) => void} setClock
 * @param {Date} today
 */
export async function liveTogether({ call, work }, setClock, today) {
  setClock(beginning(today));
  /** @type {Record<string, number>} */
  const ids = {};
  const register = async (/** @type {string} */ username) => {
    const body = { username, email: `${username}@example.org`, password: PASSWORD, time_zone: ZONE };
    ids[username] = (await call('POST', '/api/register/', { body })).user.id;
  };
  for (const username of MEMBERS) await register(username);
  for (const [username, methods] of Object.entries(PAYMENT_DETAILS))
    await call('PATCH', '/api/me/', { as: ids[username], body: { payment_details: { methods } } });

  const random = seeded(20);
  /** @type {Event[]} */
  const events = paymentsOf(call, ids, today);
  let sessions = 0;
  for (const {
    owner,
    name,
    description,
    cost,
    archived,
    renewsInDays,
    terms,
    meters = [],
    costs = [],
    offered,
    members,
  } of ASSETS) {
    const as = ids[owner];
    const anchor = new Date(today.getTime() + (renewsInDays ?? 0) * DAY).toISOString().slice(0, 10);
    const yearly = { cycle: { every: 1, unit: 'year', anchor }, cancel_by_days: 7 };
    const plan = renewsInDays === undefined ? {} : yearly;
    const body = { name, description, subscription_cost: cost, time_zone: ZONE, ...terms, ...plan };
    const asset = `/api/assets/${(await call('POST', '/api/assets/', { as, body })).id}/`;
    const offer = (/** @type {string} */ username, /** @type {number} */ hours) =>
      call('POST', `${asset}share/`, { as, body: { username, monthly_hours_allocated: hours } });
    /** @type {Record<string, number>} */
    const shares = {};
    for (const [username, membership] of Object.entries(members)) {
      await offer(username, membership.allocation);
      const { results } = await call('GET', '/api/shared-assets/', { as: ids[username] });
      const share = results.find((/** @type {any} */ each) => `/api/assets/${each.asset.id}/` === asset).id;
      shares[username] = share;
      await call('POST', `/api/shared-assets/${share}/accept/`, { as: ids[username] });
      const act = (/** @type {string} */ action) => () =>
        call('POST', `/api/shared-assets/${share}/${action}/`, { as: ids[username] });
      for (const { start, end } of sessionsOf(membership, today, random)) {
        sessions++;
        events.push({ at: start, doIt: act('start') });
        if (end !== undefined) events.push({ at: end, doIt: act('end') });
      }
      for (const { month, ...quarrel } of membership.quarrels ?? []) {
        const parties = { asset, share, owner: as, member: ids[username] };
        const at = month === undefined ? today.getTime() - 20 * HOUR : dayOf(today, month, 15);
        events.push(...quarrelOf(call, parties, { ...quarrel, at }));
      }
      if (membership.ended) {
        const at = beginning(today) + ((membership.days ?? 0) + 1) * DAY;
        events.push({ at, doIt: () => call('DELETE', `${asset}share/${share}/`, { as }) });
      }
    }
    for (const meter of meters)
      events.push(...eventsOfMeter(call, { asset, owner: as, shares, ids, meter }, { today, random: seeded(20) }));
    events.push(...costsOf(call, { asset, owner, shares, ids }, costs, today));
    if (offered) {
      const { username, hours } = offered;
      events.push({ at: today.getTime() - DAY, doIt: () => offer(username, hours) });
    }
    if (renewsInDays !== undefined)
      for (const [username, share] of Object.entries(shares)) {
        const vote = { renews_on: anchor, choice: 'smaller', line: 'I only ride at weekends' };
        const at = today.getTime() - 2 * DAY;
        events.push({
          at,
          doIt: () => call('POST', `/api/shared-assets/${share}/vote/`, { as: ids[username], body: vote }),
        });
      }
    if (archived) {
      const at = today.getTime() - 30 * DAY;
      events.push({ at, doIt: () => call('PATCH', asset, { as, body: { archived } }) });
    }
  }
  for (let day = beginning(today) + DAY; day < today.getTime(); day += DAY) events.push({ at: day, doIt: work });
  for (const { at, doIt } of events.toSorted((one, other) => one.at - other.at)) {
    setClock(at);
    await doIt();
  }
  setClock(today.getTime());
  // Last, so that a database that has this account has everything.
  await register('emil');
  await work();
  return { assets: ASSETS.length, sessions };
}

/**
 * Returns what people pay for an asset beside its price.
 *
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {{ asset: string, owner: string, shares: Record<string, number>, ids: Record<string, number> }} of
 * @param {Cost[]} costs
 * @param {Date} today
 * @returns {Event[]}
 */
function costsOf(call, { asset, owner, shares, ids }, costs, today) {
  return costs.flatMap(({ by, month, day = 1, text, amount, split = 'usage' }) => {
    const at = month === undefined ? today.getTime() - 5 * HOUR : dayOf(today, month, day);
    let id = 0;
    const add = async () => {
      const path = by === owner ? `${asset}costs/` : `/api/shared-assets/${shares[by]}/costs/`;
      ({ id } = await call('POST', path, { as: ids[by], body: { text, amount, split } }));
    };
    const count = () => call('POST', `${asset}costs/${id}/answer/`, { as: ids[owner], body: { answer: 'count' } });
    return [{ at, doIt: add }, ...(by === owner || month === undefined ? [] : [{ at: at + DAY, doIt: count }])];
  });
}

/** Signs in those whose screens are shown. @param {import('./clocked-app.mjs').ClockedApp['call']} call */
export async function signInAll(call) {
  /** @type {Record<string, any>} */
  const signIns = {};
  for (const username of ['mira', 'ben', 'ana', 'dora', 'emil'])
    signIns[username] = await call('POST', '/api/login/', { body: { username, password: PASSWORD } });
  return signIns;
}
