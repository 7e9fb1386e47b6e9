// What records the use of the household's assets by itself.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * @typedef {object} SampleMeter
 * @property {string} name
 * @property {'sessions' | 'totals'} kind
 * @property {Record<string, string>} names what it calls members, by their username
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
  const { name, kind, names, unknown, days, file } = meter;
  const path = `${asset}meters/`;
  const begin = today.getTime() - days * DAY;
  let [token, id] = ['', ''];
  const add = async () => {
    const made = await call('POST', path, { as, body: { name, kind } });
    [token, id] = [made.token, String(made.meter.id)];
    const matched = Object.entries(names).map(([username, external_name]) => ({
      external_name,
      share_id: shares[username],
    }));
    await call('PUT', `${path}${id}/names/`, { as, body: { names: matched } });
    for (const username of Object.keys(names)) {
      const answer = `/api/shared-assets/${shares[username]}/meters/${id}/`;
      await call('POST', answer, { as: ids[username], body: { agreed: true } });
    }
  };
  const tell = (/** @type {object[]} */ events) => () =>
    call('POST', '/api/meters/events/', { token, body: { events } });
  const iso = (/** @type {number} */ at) => new Date(at).toISOString();
  /** @type {Event[]} */
  const events = [{ at: begin, doIt: add }];
  for (let day = begin + DAY; day < today.getTime() - HOUR; day += DAY) {
    const told = [...Object.values(names), ...(unknown === undefined ? [] : [unknown])].flatMap((external, index) => {
      if (random() > 0.7) return [];
      const event = { id: `${index} ${day}`, name: external };
      if (kind === 'totals') return { ...event, at: iso(day), seconds: Math.round((0.2 + 2.5 * random()) * 3600) };
      const start = day - (2 + 2 * random()) * HOUR;
      return { ...event, type: 'session', start: iso(start), end: iso(start + (0.4 + random()) * HOUR) };
    });
    if (told.length > 0) events.push({ at: day, doIt: tell(told) });
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
