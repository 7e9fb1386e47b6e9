import type { SplitMethod } from '@hourshare/contract/fields';
import { MAX_SESSION_HOURS_DEFAULT } from '@hourshare/contract/limits';
import { usualHourLimit } from '@hourshare/contract/money';

/** How the owner splits the price of an asset. */
export interface SplitTerms {
  method: SplitMethod;
  /** 0 to 100; with `usage` and `share_of_use`, this share of the price is split by allowance. */
  basePercent: number;
  /** Whole hours a month reserved for the owner. */
  ownerHours: number;
  /** With `share_of_use`, the most that an hour costs a member, in minor units; null with the others. */
  maxHourCents: number | null;
  /** Whether the owner has sessions, too. */
  ownerTakesPart: boolean;
  /** Whether members have sessions; if not, it is split evenly. */
  measured: boolean;
}

/** What an owner can change from a period on: the split, and how long sessions may last. */
export interface PeriodTerms extends SplitTerms {
  /** Whole hours after which a session ends automatically. */
  maxSessionHours: number;
  /** Whether someone chose the most that an hour costs. */
  maxHourChosen: boolean;
  /** How much of extra costs a member bears a month without being asked, in minor units. */
  extraCostCents: number;
}

const SECONDS_PER_HOUR = 3600;

/** Returns the number of days in a month, `YYYY-MM`. */
export const daysInMonth = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();

/**
 * Returns the whole seconds, rounded half up, available in a month, `YYYY-MM`, given the sum of the daily allowances in hours.
 */
export function secondsOfSummedHours(summedHours: number, month: string): number {
  const days = daysInMonth(month);
  return Math.floor((summedHours * SECONDS_PER_HOUR * 2 + days) / (days * 2));
}

/** Returns the months from January 2000 to a month, `YYYY-MM`; this decides who gets odd cents in that month. */
export const monthsSince2000 = (month: string): number =>
  (Number(month.slice(0, 4)) - 2000) * 12 + Number(month.slice(5, 7)) - 1;

/** A stretch of time. */
export interface Interval {
  startedAt: Date;
  endedAt: Date;
}

/** The terms of an asset whose owner has chosen none. */
export const DEFAULT_TERMS: PeriodTerms = {
  method: 'usage',
  basePercent: 0,
  ownerHours: 0,
  maxSessionHours: MAX_SESSION_HOURS_DEFAULT,
  maxHourCents: null,
  maxHourChosen: false,
  extraCostCents: 0,
  ownerTakesPart: false,
  measured: true,
};

/**
 * Returns consistent terms. What isn't measured is split evenly, without the owner's sessions. Only share of use limits the price of an
 * hour, by default to the price divided by all hours, including the owner's, rounded up.
 */
export function completeTerms(
  terms: PeriodTerms,
  { priceCents, memberHours }: { priceCents: number; memberHours: number },
): PeriodTerms {
  const method = terms.measured ? terms.method : 'equal';
  const chosen = method === 'share_of_use' ? terms.maxHourCents : null;
  return {
    ...terms,
    method,
    ownerTakesPart: terms.measured && terms.ownerTakesPart,
    maxHourCents:
      method === 'share_of_use' ? (chosen ?? usualHourLimit(priceCents, terms.ownerHours + memberHours)) : null,
    maxHourChosen: terms.maxHourChosen && chosen !== null,
  };
}

/** Returns terms as messages of the outbox tell of them; `max_hour_cents` in minor units. */
export const toFacts = (terms: PeriodTerms) => ({
  split_method: terms.method,
  base_percent: terms.basePercent,
  owner_hours: terms.ownerHours,
  max_session_hours: terms.maxSessionHours,
  max_hour_cents: terms.maxHourCents,
  extra_cost_cents: terms.extraCostCents,
  owner_takes_part: terms.ownerTakesPart,
  measured: terms.measured,
});

/** Returns terms as rows of periods have them. */
export const toRow = (terms: PeriodTerms) => ({ ...toFacts(terms), max_hour_chosen: terms.maxHourChosen });

export const isSame = (left: PeriodTerms, right: PeriodTerms): boolean =>
  JSON.stringify(toFacts(left)) === JSON.stringify(toFacts(right));
