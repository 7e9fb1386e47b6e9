import { Temporal } from 'temporal-polyfill';
import { remember } from './plain-months.ts';

// A reference implementation of what months cost at a price per cycle, written from docs/how-costs-are-split.md: each day costs
// what the rounded price of its cycle so far grows by on it, and a month costs its days. Dates are local, YYYY-MM-DD.

export interface PlainCycle {
  every: number;
  unit: 'month' | 'year';
  anchor: string;
}

/** How a price is paid. An asset without a plan has a price per calendar month. */
export interface PlainPlan {
  /** Null for calendar months of which the first ones are free. */
  cycle: PlainCycle | null;
  spread: boolean;
  /** Cycles that start earlier are paid the other way. */
  spreadFrom: string | null;
  /** The last day that costs nothing. */
  trialUntil: string | null;
  /** Before this day there was no cycle. */
  startedOn: string | null;
}

/** What a cycle adds to a month. */
export interface PlainPart {
  cycleFrom: string;
  cycleDays: number;
  cycleCents: number;
  days: number;
  cents: number;
  soFarCents: number;
}

const CALENDAR: PlainCycle = { every: 1, unit: 'month', anchor: '2000-01-01' };

const later = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();

/**
 * Returns the days of a month: in which cycle each is, and after how many of its days. Renewals are counted from the anchor, and fall
 * on the last day of months that are too short.
 */
const daysIn = remember((month, cycleAsText) => {
  const { every, unit, anchor }: PlainCycle = JSON.parse(cycleAsText);
  const renewal = (k: number) =>
    Temporal.PlainDate.from(anchor).add(unit === 'year' ? { years: every * k } : { months: every * k });
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  return Array.from({ length: daysInMonth }, (_, index) => {
    const date = later(`${month}-01`, index);
    let k = 0;
    while (renewal(k).toString() > date) k -= 1;
    while (renewal(k + 1).toString() <= date) k += 1;
    const from = renewal(k);
    const daysUntil = (other: Temporal.PlainDate | string) => from.until(other, { largestUnit: 'day' }).days;
    return { date, cycleFrom: from.toString(), before: daysUntil(date), cycleDays: daysUntil(renewal(k + 1)) };
  });
});

const daysOf = (cycle: PlainCycle, month: string) => daysIn(month, JSON.stringify(cycle));

/** Returns when a cycle starts in a month, if one does. */
export const startIn = (cycle: PlainCycle, month: string): string | undefined =>
  daysOf(cycle, month).find(({ date, cycleFrom }) => date === cycleFrom)?.date;

/** Returns when a cycle starts next after a date. */
function nextStart(cycle: PlainCycle, date: string): string {
  let month = Temporal.PlainYearMonth.from(date.slice(0, 7));
  for (;;) {
    const start = startIn(cycle, month.toString());
    if (start !== undefined && start > date) return start;
    month = month.add({ months: 1 });
  }
}

/** Returns when what doesn't renew by itself ends: when its cycle starts again after a date and the first paid day. */
export function unrenewedEnd(plan: PlainPlan | null, date: string): string | null {
  if (!plan?.cycle) return null;
  const paid = plan.trialUntil === null ? date : later(plan.trialUntil, 1);
  return nextStart(plan.cycle, paid > date ? paid : date);
}

/** Returns the first of the days of a cycle that isn't free. */
const firstPaidOf = remember((cycleFrom, trialUntil, startedOn) => {
  const paid = [cycleFrom, startedOn, trialUntil && later(trialUntil, 1)].toSorted().at(-1) ?? '';
  const before = Temporal.PlainDate.from(cycleFrom).until(paid, { largestUnit: 'day' }).days;
  return { paid, before };
});

/** Returns what each cycle adds to a month, in order. Those that would begin to cost something once it has ended add nothing. */
export function plainParts(
  { cycle, spread: isSpread, spreadFrom, trialUntil, startedOn }: PlainPlan,
  month: string,
  { priceOf, endsOn }: { priceOf: (cycleFrom: string) => number; endsOn: string | null },
): PlainPart[] {
  const parts = new Map<string, PlainPart>();
  for (const { date, cycleFrom, before, cycleDays } of daysOf(cycle ?? CALENDAR, month)) {
    const first = firstPaidOf(cycleFrom, trialUntil ?? '', startedOn ?? '');
    if (date < first.paid || (endsOn !== null && first.paid >= endsOn)) continue;
    const cycleCents = priceOf(cycleFrom);
    const spread = spreadFrom !== null && cycleFrom < spreadFrom ? !isSpread : isSpread;
    const upTo = (days: number) => Number((BigInt(cycleCents) * BigInt(days)) / BigInt(cycleDays));
    const free = upTo(first.before);
    const part = parts.get(cycleFrom) ?? { cycleFrom, cycleDays, cycleCents, days: 0, cents: 0, soFarCents: 0 };
    part.days += 1;
    if (spread) part.cents += upTo(before + 1) - upTo(before);
    else if (date === first.paid) part.cents = cycleCents - free;
    part.soFarCents = (spread ? upTo(before + 1) : cycleCents) - free;
    parts.set(cycleFrom, part);
  }
  return [...parts.values()];
}

/** Returns what a month costs at one price per cycle. */
export const plainMonthCents = (cents: number, plan: PlainPlan, month: string): number =>
  plainParts(plan, month, { priceOf: () => cents, endsOn: null }).reduce((sum, part) => sum + part.cents, 0);
