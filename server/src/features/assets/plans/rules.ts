// What a calendar month costs at a price per cycle. Whole minor units and local dates only, so a time zone changes nothing. Source:
// docs/how-costs-are-split.md.

import { monthsOf, type Cycle } from '@hourshare/contract/cycles';

/** How a price spreads over months, as stored. An asset without one has a price per calendar month. */
export interface Plan {
  /** Null for calendar months. */
  cycle: Cycle | null;
  /** False charges all of a cycle in the month of its first day that isn't free. */
  spread: boolean;
  /** The start of the first cycle that `spread` applies to; those before go the other way. Null if it applies to all. */
  spreadFrom: string | null;
  /** The last day that costs nothing, YYYY-MM-DD. */
  trialUntil: string | null;
  /** The anchor of an asset that was added after it: there was no cycle before. Null if one may have been. */
  startedOn: string | null;
}

/** What one cycle adds to one month. Dates are YYYY-MM-DD. */
export interface PricePart {
  every: number;
  unit: 'month' | 'year';
  cycle_from: string;
  /** The whole cycle's. */
  cycle_days: number;
  cycle_cents: number;
  /** Days of the month that are in the cycle and aren't free. */
  days: number;
  cents: number;
  /** What the cycle has cost up to the end of these days. */
  so_far_cents: number;
  spread: boolean;
}

const DAY_MILLISECONDS = 24 * 3_600_000;
/** Shorter cycles renew too often to remind of each for long. */
export const REMINDED_MONTHS = 3;
/** The cycle of prices per calendar month. */
const CALENDAR: Cycle = { every: 1, unit: 'month', anchor: '2000-01-01' };

const toDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MILLISECONDS;
const toDate = (day: number): string => new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10);
/** Months since the year 0. */
const toMonth = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
/** A day of a month, or the month's last day if it has fewer, as days since 1970. */
const dayOfMonth = (month: number, day: number): number => {
  const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
  return Date.UTC(Math.floor(month / 12), month % 12, Math.min(day, last)) / DAY_MILLISECONDS;
};

/**
 * Returns the day since 1970 on which cycle `k` starts: counted from the anchor, never from the cycle before, and clamped to the last
 * day of its month.
 */
const cycleStart = (cycle: Cycle, k: number): number =>
  dayOfMonth(toMonth(cycle.anchor) + k * monthsOf(cycle), Number(cycle.anchor.slice(8, 10)));

/** Returns which cycle a day is in. */
function cycleOf(cycle: Cycle, day: number): number {
  const months = toMonth(toDate(day)) - toMonth(cycle.anchor);
  const k = Math.floor(months / monthsOf(cycle));
  return cycleStart(cycle, k) > day ? k - 1 : k;
}

/** Returns the date, YYYY-MM-DD, on which the cycle of a date starts. */
export const cycleStartOf = (cycle: Cycle, date: string): string =>
  toDate(cycleStart(cycle, cycleOf(cycle, toDay(date))));

/** Returns the date of the first renewal after a date. */
export const nextRenewal = (cycle: Cycle, date: string): string =>
  toDate(cycleStart(cycle, cycleOf(cycle, toDay(date)) + 1));

/** Returns when a plan that doesn't renew by itself ends: at its first renewal after a date and its first paid day. */
export function unrenewedEnd(plan: Plan | null, date: string): string | null {
  if (!plan?.cycle) return null;
  const firstPaid = plan.trialUntil === null ? date : addDays(plan.trialUntil, 1);
  return nextRenewal(plan.cycle, firstPaid > date ? firstPaid : date);
}

/** Returns whether a plan renews on a date. */
export const isRenewal = ({ cycle }: Plan, date: string): boolean =>
  cycle !== null && cycleStartOf(cycle, date) === date;

/** Returns a date some days later. */
export const addDays = (date: string, days: number): string => toDate(toDay(date) + days);

/**
 * Returns what each cycle adds to a month, `YYYY-MM`, in order: F(end) - F(start), where F(t) is the price times the days from the
 * cycle's start to t, divided by its days and rounded down. So the months of a cycle add up to its price. Free days, and cycles that
 * would start, or start to cost something, on or after `endsOn`, add nothing.
 */
export function partsOfMonth(
  { cycle, spread: isSpread, spreadFrom, trialUntil, startedOn }: Plan,
  month: string,
  { priceOf, endsOn = null }: { priceOf: (cycleFrom: string) => number; endsOn?: string | null },
): PricePart[] {
  const rhythm = cycle ?? CALENDAR;
  const [first, end] = [toDay(`${month}-01`), dayOfMonth(toMonth(`${month}-01`) + 1, 1)];
  const firstPaid = Math.max(
    trialUntil === null ? -Infinity : toDay(trialUntil) + 1,
    startedOn === null ? -Infinity : toDay(startedOn),
  );
  const parts: PricePart[] = [];
  for (let k = cycleOf(rhythm, first); cycleStart(rhythm, k) < end; k++) {
    const [start, until] = [cycleStart(rhythm, k), cycleStart(rhythm, k + 1)];
    const cycleFrom = toDate(start);
    const paidFrom = Math.max(start, firstPaid);
    if (endsOn !== null && toDate(paidFrom) >= endsOn) break;
    const [from, to] = [Math.max(first, start, firstPaid), Math.min(end, until)];
    if (from >= to) continue;
    const price = priceOf(cycleFrom);
    const upTo = (day: number) => Math.floor((price * (day - start)) / (until - start));
    const spread = isSpread === (spreadFrom === null || cycleFrom >= spreadFrom);
    const isCharged = spread || paidFrom >= first;
    const all = price - upTo(paidFrom);
    parts.push({
      every: rhythm.every,
      unit: rhythm.unit,
      cycle_from: cycleFrom,
      cycle_days: until - start,
      cycle_cents: price,
      days: to - from,
      cents: spread ? upTo(to) - upTo(from) : isCharged ? all : 0,
      so_far_cents: spread ? upTo(to) - upTo(paidFrom) : all,
      spread,
    });
  }
  return parts;
}

/** Returns what parts add up to. */
export const sumOfParts = (parts: readonly PricePart[]): number => parts.reduce((sum, { cents }) => sum + cents, 0);

/** Returns what a month costs at one price per cycle; without a plan, that is the price of each month. */
export const monthCents = (price: number, plan: Plan | null | undefined, month: string): number =>
  plan ? sumOfParts(partsOfMonth(plan, month, { priceOf: () => price })) : price;

/** Leap days repeat in this many months, and with them cycles in the least common multiple with their own. */
const LEAP_MONTHS = 48;
const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other));

/** Returns what the dearest month costs. Free days don't count, because they end. */
export function dearestMonthCents(price: number, plan: Plan | null | undefined): number {
  if (!plan?.cycle) return price;
  const { spread, spreadFrom, trialUntil } = plan;
  const all = spread ? dearestOfSpread(price, { ...plan, cycle: plan.cycle }) : price;
  // The last cycle before a switch can end in the month in which the next is charged, or be charged once it is no longer free.
  const turns = spreadFrom === null ? [] : [spreadFrom, ...(trialUntil === null ? [] : [addDays(trialUntil, 1)])];
  return Math.max(all, ...turns.map((date) => monthCents(price, plan, date.slice(0, 7))));
}

function dearestOfSpread(price: number, plan: Plan & { cycle: Cycle }): number {
  const [from, months] = [toMonth(plan.cycle.anchor), monthsOf(plan.cycle)];
  const length = (LEAP_MONTHS * months) / commonDivisor(LEAP_MONTHS, months);
  const costs = Array.from({ length }, (_, index) =>
    monthCents(price, { ...plan, spreadFrom: null, trialUntil: null }, toDate(dayOfMonth(from + index, 1)).slice(0, 7)),
  );
  return Math.max(...costs);
}

/** Returns whether two plans are the same in everything. Rows may have the fields in another order. */
export const isSamePlan = (one: Plan | null, other: Plan | null): boolean =>
  JSON.stringify(allOf(one)) === JSON.stringify(allOf(other));

const allOf = (plan: Plan | null) => plan && [...timesOf(plan), plan.spreadFrom, plan.trialUntil, plan.startedOn];

/** Returns whether two plans have the same cycles. */
export const hasSameCycles = (one: Pick<Plan, 'cycle'> | null, other: Pick<Plan, 'cycle'> | null): boolean =>
  JSON.stringify(cycleOrNone(one)) === JSON.stringify(cycleOrNone(other));

/** Returns whether prices of two plans are of different numbers of months. */
export const isOtherLength = (one: Pick<Plan, 'cycle'> | null, other: Pick<Plan, 'cycle'> | null): boolean =>
  monthsOf(one?.cycle ?? CALENDAR) !== monthsOf(other?.cycle ?? CALENDAR);

/** Returns whether a cycle has the same renewals as a plan, however it is written, and since when they are paid. */
export const hasSameRenewals = ({ cycle: one, startedOn }: Plan, other: Cycle | null): boolean =>
  one !== null &&
  other !== null &&
  monthsOf(one) === monthsOf(other) &&
  one.anchor.slice(8) === other.anchor.slice(8) &&
  (toMonth(one.anchor) - toMonth(other.anchor)) % monthsOf(one) === 0 &&
  (startedOn === null || other.anchor >= startedOn);

/** Returns whether a plan charges other days than another, or at other times. Days that were free before `since` don't count. */
export const isOtherPlan = (one: Plan | null | undefined, other: Plan | null | undefined, since = ''): boolean =>
  JSON.stringify(timesOf(one)) !== JSON.stringify(timesOf(other)) ||
  (one?.spreadFrom ?? '') > (other?.spreadFrom ?? '') ||
  (freeUntil(other) >= since && freeUntil(one) < freeUntil(other));

/**
 * Returns the start of the first cycle that a plan's `spread` applies to when it replaces another in a month, `YYYY-MM`; null if it
 * applies to all. Of a cycle of which a month has ended, the other months would no longer add up to its price.
 */
export function spreadStart(
  plan: Plan,
  before: Plan,
  { month, since }: { month: string; since: string },
): string | null {
  if (!plan.cycle || !hasSameCycles(plan, before) || since >= month) return null;
  if (plan.spread === before.spread) return before.spreadFrom;
  const first = nextRenewal(plan.cycle, addDays(`${month}-01`, -1));
  // Switched back before it applied.
  return before.spreadFrom === first ? null : first;
}

const cycleOrNone = (plan: Pick<Plan, 'cycle'> | null | undefined) =>
  plan?.cycle ? [plan.cycle.every, plan.cycle.unit, plan.cycle.anchor] : [];
const timesOf = (plan: Plan | null | undefined) => [...cycleOrNone(plan), ...(plan?.cycle ? [plan.spread] : [])];
const freeUntil = (plan: Plan | null | undefined): string => plan?.trialUntil ?? '';

/** Returns a plan to store: null if it is what assets without one have. */
export const storedPlan = (plan: Plan): Plan | null =>
  plan.cycle === null && plan.trialUntil === null ? null : { ...plan, spread: plan.cycle === null || plan.spread };
