// A realistic household: half a year of sessions, and every state that a screen can show. All data is created through
// the app, so the database contains nothing that users couldn't have entered. The same date gives the same household.

export const PASSWORD = 'correct horse battery';
const MONTHS = 6;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = 'Europe/Berlin';

/** The last one is new, and has nothing yet. */
export const PEOPLE = ['mira', 'ben', 'ana', 'chen', 'dora', 'emil'];

/** Returns when the household starts, `MONTHS` before the given date. @param {Date} today */
export const beginning = (today) => today.getTime() - MONTHS * 30 * DAY;

/**
 * @typedef {object} Membership
 * @property {number} allocation hours a month
 * @property {number} [perWeek] how often they start a session; never by default
 * @property {number} [hours] how long one lasts about
 * @property {number} [days] for how many days they do so; always by default
 * @property {number} [running] for how many minutes a session has been active at the end
 * @property {true} [ended] the owner has ended the share since
 */

/**
 * Who pays for what, and who may use it for how long.
 *
 * @type {{ owner: string, name: string, description: string, cost: number, archived?: true, members: Record<string, Membership> }[]}
 */
const ASSETS = [
  {
    owner: 'mira',
    name: 'Netflix Premium',
    description: 'Living room and phones',
    cost: 22.99,
    members: {
      ana: { allocation: 40, perWeek: 4, hours: 1.6, running: 38 },
      ben: { allocation: 40, perWeek: 2, hours: 1.2 },
    },
  },
  {
    owner: 'mira',
    name: 'Spotify Family',
    description: 'Six seats, four taken',
    cost: 16.99,
    members: {
      ana: { allocation: 60, perWeek: 9, hours: 1.1 },
      ben: { allocation: 40, perWeek: 5, hours: 0.8 },
      chen: { allocation: 20, perWeek: 2, hours: 0.5 },
      // Was a member for a while, and counts in those months.
      dora: { allocation: 10, perWeek: 3, hours: 0.7, days: 60, ended: true },
    },
  },
  {
    owner: 'mira',
    name: 'Strava',
    description: 'Running club',
    cost: 11.99,
    members: { dora: { allocation: 20, perWeek: 1, hours: 1 } },
  },
  // No one has access to the first, and no member uses the second.
  { owner: 'mira', name: 'Cloud backup', description: 'Nobody has asked for it yet', cost: 5, members: {} },
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
      chen: { allocation: 30, perWeek: 3, hours: 2 },
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
    name: 'Car share, the blue one with the roof box',
    description: 'Key in the drawer. Fill up when it is under a quarter.',
    cost: 240,
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
    members: { mira: { allocation: 15, perWeek: 4, hours: 0.8, days: 55 } },
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

/**
 * Creates everything, from `beginning(today)` to that day.
 *
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {(now: number) => void} setClock
 * @param {Date} today
 */
export async function liveTogether(call, setClock, today) {
  setClock(beginning(today));
  /** @type {Record<string, number>} */
  const ids = {};
  for (const username of PEOPLE) {
    const body = { username, email: `${username}@example.org`, password: PASSWORD, time_zone: ZONE };
    ids[username] = (await call('POST', '/api/register/', { body })).user.id;
  }

  const random = seeded(20);
  /** @type {{ at: number, doIt: () => Promise<unknown> }[]} */
  const events = [];
  let sessions = 0;
  for (const { owner, name, description, cost, archived, members } of ASSETS) {
    const as = ids[owner];
    const body = { name, description, subscription_cost: cost, time_zone: ZONE };
    const asset = `/api/assets/${(await call('POST', '/api/assets/', { as, body })).id}/`;
    for (const [username, membership] of Object.entries(members)) {
      const shared = { username, monthly_hours_allocated: membership.allocation };
      await call('POST', `${asset}share/`, { as, body: shared });
      const { results } = await call('GET', '/api/shared-assets/', { as: ids[username] });
      const share = results.find((/** @type {any} */ each) => `/api/assets/${each.asset.id}/` === asset).id;
      await call('POST', `/api/shared-assets/${share}/accept/`, { as: ids[username] });
      const act = (/** @type {string} */ action) => () =>
        call('POST', `/api/shared-assets/${share}/${action}/`, { as: ids[username] });
      for (const { start, end } of sessionsOf(membership, today, random)) {
        sessions++;
        events.push({ at: start, doIt: act('start') });
        if (end !== undefined) events.push({ at: end, doIt: act('end') });
      }
      if (membership.ended) {
        const at = beginning(today) + ((membership.days ?? 0) + 1) * DAY;
        events.push({ at, doIt: () => call('DELETE', `${asset}share/${share}/`, { as }) });
      }
    }
    if (archived) {
      const at = today.getTime() - 30 * DAY;
      events.push({ at, doIt: () => call('PATCH', asset, { as, body: { archived } }) });
    }
  }
  for (const { at, doIt } of events.toSorted((one, other) => one.at - other.at)) {
    setClock(at);
    await doIt();
  }
  setClock(today.getTime());
  return { assets: ASSETS.length, sessions };
}
