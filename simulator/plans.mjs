// What months cost at a price per cycle, and what a yes allows, calculated day by day. See docs/how-costs-are-split.md.

/** @typedef {{ every: number, unit: string, anchor: string }} Cycle */
/** @typedef {{ cycle: Cycle | null, spread: boolean, spread_from?: string | null, trial_until: string | null, started_on: string | null }} Plan */

const DAY_MS = 86_400_000;
/** @type {Cycle} */
const CALENDAR = { every: 1, unit: 'month', anchor: '2000-01-01' };

/** Returns days since 1970. @param {string} date */
export const dayOf = (date) => Date.parse(date) / DAY_MS;
/** @param {number} day */
export const dateOf = (day) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Returns the same day of another month, or the last of a shorter one. @param {string} date @param {number} months */
export function addMonths(date, months) {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return Date.UTC(year, month - 1 + months, Math.min(day, last)) / DAY_MS;
}

/** Returns the day on which a cycle begins. @param {Cycle} cycle @param {number} k counted from the anchor */
const beginning = ({ every, unit, anchor }, k) => addMonths(anchor, k * every * (unit === 'year' ? 12 : 1));

/** Returns the days between which a day is: the first of its cycle and of the next. @param {Cycle} cycle @param {number} day */
export function cycleAround(cycle, day) {
  let k = 0;
  while (beginning(cycle, k) > day) k -= 1;
  while (beginning(cycle, k + 1) <= day) k += 1;
  return { start: beginning(cycle, k), end: beginning(cycle, k + 1) };
}

/** @param {string} month such as "2026-03" */
const daysIn = (month) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
};

/**
 * Returns what each cycle adds to a month: every day costs what the price of the days up to then, rounded down, grows by on it or,
 * not spread, the first day that isn't free costs all that is left.
 *
 * @param {Plan} plan
 * @param {string} month
 * @param {(cycleFrom: string) => number} priceOf in smallest units
 * @param {string | null} [endsOn] from when on no cycle begins to cost something
 */
export function partsOf(plan, month, priceOf, endsOn = null) {
  const { cycle, spread_from: switched, trial_until: trial, started_on: started } = plan;
  const firstPaid = Math.max(trial === null ? 0 : dayOf(trial) + 1, started === null ? 0 : dayOf(started));
  /** @type {Map<number, { cycle_from: string, cycle_days: number, days: number, amount: number, so_far: number }>} */
  const parts = new Map();
  const first = dayOf(`${month}-01`);
  for (let day = Math.max(first, firstPaid); day < first + daysIn(month); day += 1) {
    const { start, end } = cycleAround(cycle ?? CALENDAR, day);
    const paidFrom = Math.max(start, firstPaid);
    if (endsOn !== null && paidFrom >= dayOf(endsOn)) break;
    const price = priceOf(dateOf(start));
    // Cycles from before a switch stay as they were.
    const isBefore = start < dayOf(switched ?? '1970-01-01');
    const spread = isBefore ? !plan.spread : plan.spread;
    const upTo = (/** @type {number} */ until) => Math.floor((price * (until - start)) / (end - start));
    const part = parts.get(start) ?? {
      cycle_from: dateOf(start),
      cycle_days: end - start,
      days: 0,
      amount: 0,
      so_far: spread ? 0 : price - upTo(paidFrom),
    };
    parts.set(start, part);
    part.days += 1;
    if (spread) part.so_far = upTo(day + 1) - upTo(paidFrom);
    part.amount += spread ? upTo(day + 1) - upTo(day) : day === paidFrom ? part.so_far : 0;
  }
  return [...parts.values()];
}

/**
 * Returns the most, in smallest units, that a month costs a member with what they used and had, by what they said yes to.
 *
 * @param {any} terms
 * @param {{ used_seconds: number, summed_hours: number, days: number }} line
 * @param {{ month: string, unit: number }} where
 */
export function mostOf(terms, { used_seconds: seconds, summed_hours: summed, days }, { month, unit }) {
  const { plan, split_method: method, base_percent: percent, total_hours: hours, places } = terms;
  const cents = (/** @type {number} */ amount) => Math.round(amount * unit);
  const price = plan
    ? partsOf(plan, month, () => cents(plan.price)).reduce((sum, { amount }) => sum + amount, 0)
    : cents(terms.price);
  const base = Math.floor((price * percent + 50) / 100);
  const [used, held] = [seconds / 3600, summed / daysIn(month)];
  const perHour = hours === 0 ? 0 : 1 / hours;
  const most =
    method === 'usage'
      ? (used * (price - base) + held * base) * perHour
      : method === 'allocation'
        ? held * price * perHour
        : method === 'equal'
          ? ((days / daysIn(month)) * price) / places
          : used * cents(terms.max_price_per_hour ?? 0) + held * base * perHour;
  return Math.ceil(most - 1e-6);
}
