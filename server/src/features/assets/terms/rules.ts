// What a member agreed to, and what that limits. Whole cents, seconds, and hours, and exact fractions of them. Source:
// docs/how-costs-are-split.md.

import type { SplitMethod } from '@hourshare/contract/fields';
import { dearestMonthCents, isOtherPlan, monthCents, type Plan } from '../plans/rules.ts';

/** The price of a month for one of its members, as it was shown to them. */
export interface AgreedTerms {
  method: SplitMethod;
  basePercent: number;
  /** Of a cycle of the plan, if there is one; otherwise of a month. */
  priceCents: number;
  /** An hour costs the price divided by these. */
  totalHours: number;
  /** A place costs the price divided by these. */
  places: number;
  /** The member's allowance, in whole hours a month. */
  monthlyHours: number;
  /** The most that an hour costs; null unless split by share of use. */
  maxHourCents: number | null;
  /** How the price spreads over months; none for a price per calendar month. */
  plan: Plan | null;
  /** How much of extra costs they bear a month without being asked. */
  extraCostCents: number;
}

/** Returns terms with what a month, `YYYY-MM`, costs by their price. */
export const inMonth = (terms: AgreedTerms, month: string): AgreedTerms =>
  terms.plan ? { ...terms, priceCents: monthCents(terms.priceCents, terms.plan, month), plan: null } : terms;

/** What a member used and had in a month. */
export interface OwnUse {
  usedSeconds: number;
  /** Days with access. */
  days: number;
  /** The allowance of each of those days, in whole hours, added up. */
  summedHours: number;
}

/** An amount in cents: `cents` ÷ `by`. */
interface Fraction {
  cents: bigint;
  by: bigint;
}

const SECONDS_PER_HOUR = 3600;

/** Returns the base share of a price in whole cents, rounded half up: it is split by allowance, the rest by use. */
export const baseShareCents = (
  priceCents: number,
  { method, basePercent }: Pick<AgreedTerms, 'method' | 'basePercent'>,
): number => (method === 'usage' || method === 'share_of_use' ? Math.floor((priceCents * basePercent + 50) / 100) : 0);

/**
 * Returns the unit prices of terms in exact cents: of an hour used, of an hour of allowance, and of a place. Without any hours,
 * an hour costs nothing.
 */
function unitPrices(terms: AgreedTerms): Record<'hour' | 'allowance' | 'place', Fraction> {
  const base = baseShareCents(terms.priceCents, terms);
  const of = (cents: number, by: number): Fraction => (by === 0 ? NOTHING : { cents: BigInt(cents), by: BigInt(by) });
  const none = { hour: NOTHING, allowance: NOTHING, place: NOTHING };
  const { method, priceCents, totalHours, places, maxHourCents } = terms;
  if (method === 'equal') return { ...none, place: of(priceCents, places) };
  if (method === 'allocation') return { ...none, allowance: of(priceCents, totalHours) };
  const hour = method === 'usage' ? of(priceCents - base, totalHours) : of(maxHourCents ?? 0, 1);
  return { ...none, hour, allowance: of(base, totalHours) };
}

const NOTHING: Fraction = { cents: 0n, by: 1n };

/**
 * Returns the most, in whole cents, that a month costs a member who agreed to these terms of the month, for what they used and had. It is rounded
 * up, so that rounding alone never makes an amount smaller.
 */
export function maximumCents(terms: AgreedTerms, own: OwnUse, monthDays: number): number {
  const { hour, allowance, place } = unitPrices(terms);
  const sum = [
    times(hour, own.usedSeconds, SECONDS_PER_HOUR),
    times(allowance, own.summedHours, monthDays),
    times(place, own.days, monthDays),
  ].reduce((one, other) => ({ cents: one.cents * other.by + other.cents * one.by, by: one.by * other.by }));
  return roundUp(sum);
}

/** Returns the part of that maximum that comes from the base share, rounded up. */
export function maximumBaseCents(terms: AgreedTerms, own: OwnUse, monthDays: number): number {
  const isPart = terms.method !== 'allocation';
  return isPart ? roundUp(times(unitPrices(terms).allowance, own.summedHours, monthDays)) : 0;
}

const times = ({ cents, by }: Fraction, part: number, whole: number): Fraction => ({
  cents: cents * BigInt(part),
  by: by * BigInt(whole),
});

/** Returns cents rounded up to a whole number. */
export const roundUp = ({ cents, by }: Fraction): number => Number((cents + by - 1n) / by);

const isMore = (one: Fraction, other: Fraction): boolean => one.cents * other.by > other.cents * one.by;

/** How far the last clocks on earth are behind UTC. */
const LATEST_ZONE_MS = 12 * 3_600_000;

/**
 * Returns whether terms cost more than what a member agreed to: another method, another plan, a higher price of an hour or a place
 * per cycle, more hours that cost something, or more of extra costs. Cheaper terms need no yes, nor, at an instant, other terms of
 * free days that are over everywhere.
 */
export function costsMore(terms: AgreedTerms, agreed: AgreedTerms, now?: Date): boolean {
  const since = now && new Date(now.getTime() - LATEST_ZONE_MS).toISOString().slice(0, 10);
  if (terms.extraCostCents > agreed.extraCostCents) return true;
  if (terms.priceCents === 0) return false;
  if (terms.method !== agreed.method || isOtherPlan(terms.plan, agreed.plan, since)) return true;
  const [shown, before] = [unitPrices(terms), unitPrices(agreed)];
  return (
    isMore(shown.hour, before.hour) ||
    isMore(shown.allowance, before.allowance) ||
    isMore(shown.place, before.place) ||
    (shown.allowance.cents > 0n && terms.monthlyHours > agreed.monthlyHours)
  );
}

/**
 * Returns what all of the dearest month costs at most by these terms, in whole cents, rounded up: every hour of the allowance, or a
 * place.
 */
export const costOfAll = (terms: AgreedTerms): number =>
  maximumCents(
    { ...terms, priceCents: dearestMonthCents(terms.priceCents, terms.plan), plan: null },
    { usedSeconds: terms.monthlyHours * SECONDS_PER_HOUR, days: 1, summedHours: terms.monthlyHours },
    1,
  );
