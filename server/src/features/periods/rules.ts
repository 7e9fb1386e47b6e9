import type { SplitMethod } from '@hourshare/contract/fields';

/** How the owner splits the price of an asset. */
export interface SplitTerms {
  method: SplitMethod;
  /** 0 to 100; with `usage`, this share of the price is split by allowance. */
  basePercent: number;
  /** Whole hours a month reserved for the owner. */
  ownerHours: number;
}

/** What an owner can change from a period on: the split, and how long sessions may last. */
export interface PeriodTerms extends SplitTerms {
  /** Whole hours after which a session ends automatically. */
  maxSessionHours: number;
}

const SECONDS_PER_HOUR = 3600;

/** Returns the number of days in a month, `YYYY-MM`. */
export const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();

/**
 * Returns the whole seconds, rounded half up, that hour-days make available in a month, `YYYY-MM`: the monthly
 * allowance of each day, summed, and divided by the days of the month.
 */
export function secondsOfHourDays(hourDays: number, month: string): number {
  const days = daysInMonth(month);
  return Math.floor((hourDays * SECONDS_PER_HOUR * 2 + days) / (days * 2));
}

/** Returns the months from January 2000 to a month, `YYYY-MM`; this decides who gets odd cents in that month. */
export const monthsSince2000 = (month: string): number =>
  (Number(month.slice(0, 4)) - 2000) * 12 + Number(month.slice(5, 7)) - 1;

/** A stretch of time. */
export interface Interval {
  startedAt: Date;
  endedAt: Date;
}

/** Returns terms as events tell of them. */
export const toFacts = ({ method, basePercent, ownerHours, maxSessionHours }: PeriodTerms) => ({
  split_method: method,
  base_percent: basePercent,
  owner_hours: ownerHours,
  max_session_hours: maxSessionHours,
});

export const isSame = (left: PeriodTerms, right: PeriodTerms): boolean =>
  left.method === right.method &&
  left.basePercent === right.basePercent &&
  left.ownerHours === right.ownerHours &&
  left.maxSessionHours === right.maxSessionHours;
