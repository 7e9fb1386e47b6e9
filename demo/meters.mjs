// What records the use of the household's assets by itself.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * @typedef {object} SampleMeter
 * @property {string} name
 * @property {'sessions' | 'totals'} kind
 * @property {Record<string, string>} [names] what it calls members, by their username
 * @property {string[]} [members] who has a token of their own instead, by their username
 * @property {string} [unknown] a name that isn't matched to anyone yet
 * @property {number} days for how long it has been there
 * @property {{ name: string, days: number }} [file] what was imported into it, of how many days
 */

/** @typedef {{ at: number, doIt: () => Promise<unknown> }} Event */

/**
 * Adds a meter to an asset. Returns its events: members agree, it reports use, and a file is imported.
 *
 * @param {import('./clocked-app.mjs').ClockedApp['call']} call
 * @param {{ asset: string, owner: number | undefined, shares: Record<string, number>, ids: Record<string, number>, meter: SampleMeter }} parts
 * @param {{ today: Date, random: () => number }} time
 * @returns {Event[]}
 */
export function eventsOfMeter(call, { asset, owner: as, shares, ids, meter }, { today, random }) {
  const { name, kind, names = {}, members, unknown, days, file } = meter;
  const senders = members ?? [...Object.values(names), ...(unknown === undefined ? [] : [unknown])];
  const path = `${asset}meters/`;
  const begin = today.getTime() - days * DAY;
  let id = '';
  /** Each member's own, or for everyone that of the meter. @type {Record<string, string>} */
  const tokens = {};
  const add = async () => {
    const made = await call('POST', path, { as, body: { name, kind, per_member: members !== undefined } });
    id = String(made.meter.id);
    for (const sender of senders) tokens[sender] = made.token;
    const matched = Object.entries(names).map(([username, external_name]) => ({
      external_name,
      share_id: shares[username],
    }));
    if (!members) await call('PUT', `${path}${id}/names/`, { as, body: { names: matched } });
    for (const username of members ?? Object.keys(names)) {
      const own = `/api/shared-assets/${shares[username]}/meters/${id}/`;
      await call('POST', own, { as: ids[username], body: { agreed: true } });
      if (members) tokens[username] = (await call('POST', `${own}token/`, { as: ids[username] })).token;
    }
  };
  const tell = (/** @type {string} */ sender, /** @type {object} */ event) => () => {
    const events = [members ? event : { ...event, name: sender }];
    return call('POST', '/api/meters/events/', { token: tokens[sender] ?? '', body: { events } });
  };
  const iso = (/** @type {number} */ at) => new Date(at).toISOString();
  /** What someone used by some day. @param {number} day */
  const used = (day) => {
    if (kind === 'totals') return { at: iso(day), seconds: Math.round((0.2 + 2.5 * random()) * 3600) };
    const start = day - (2 + 2 * random()) * HOUR;
    return { type: 'session', start: iso(start), end: iso(start + (0.4 + random()) * HOUR) };
  };
  /** @type {Event[]} */
  const events = [{ at: begin, doIt: add }];
  for (let day = begin + DAY; day < today.getTime() - HOUR; day += DAY) {
    for (const [index, sender] of senders.entries()) {
      if (random() > 0.7) continue;
      events.push({ at: day, doIt: tell(sender, { id: `${index} ${day}`, ...used(day) }) });
    }
  }
  if (file) {
    const rows = Array.from({ length: file.days }, (_, index) => {
      const start = today.getTime() - (index + 1) * DAY - (5 + 3 * random()) * HOUR;
      return { name: file.name, start: iso(start), end: iso(start + (0.3 + random()) * HOUR) };
    });
    const load = () => call('POST', `${path}${id}/imports/`, { as, body: { rows } });
    events.push({ at: today.getTime() - 2 * HOUR, doIt: load });
  }
  return events;
}
