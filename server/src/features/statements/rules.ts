// Splits prices in integers only: whole cents, whole seconds, whole weights, and bigint where a double is too small.
// docs/how-costs-are-split.md has examples.
import type { SplitMethod } from '@hourshare/contract/fields';
import { daysInMonth, monthsSince2000, secondsOfHourDays, type SplitTerms } from '../periods/rules.ts';

export { daysInMonth, monthsSince2000, secondsOfHourDays };

/** A member's part in one period of an asset. */
export interface MemberShare {
  userId: number;
  /** Whole hours a month, as in force when the period or the share ended. */
  allocationHours: number;
  usedSeconds: number;
  /** Days of the month on which the member had access. */
  days: number;
  /** The monthly allowance of each of those days, in whole hours, summed. */
  hourDays: number;
}

export interface PeriodToSplit {
  /** `YYYY-MM` */
  month: string;
  priceCents: number;
  terms: SplitTerms;
  ownerId: number;
  members: readonly MemberShare[];
  /** The positions of the owner and the members that decide who bears an odd cent; by default those of their ids. */
  places?: readonly number[] | undefined;
}

/** A running or ended period, with its participants' names: the owner first, then the members in their order. */
export interface PastPeriod extends PeriodToSplit {
  running: boolean;
  /** Whether the asset was added, archived or restored within it. */
  partial: boolean;
  names: readonly string[];
}

export interface SplitLine {
  userId: number;
  role: 'owner' | 'member';
  amountCents: number;
  /** The part of the amount that comes from the base share. */
  baseCents: number;
  /** How many cents of the amount come from rounding. */
  oddCents: number;
}

/** One participant's part of an amount: whole cents, of which `odd` (0 or 1) comes from rounding up. */
interface Part {
  cents: number;
  odd: number;
}

interface Weight {
  userId: number;
  weight: number;
}

export const SECONDS_PER_HOUR = 3600;

/**
 * Splits whole cents by weights (whole numbers, not negative, not all zero): price × weight ÷ Σ weights rounded down,
 * with remaining cents going to the largest fractions, one each. Ties go by user id, starting at position `turn`;
 * returns the parts in the order of the weights.
 */
export function split(priceCents: number, weights: readonly Weight[], turn: number): Part[] {
  const total = weights.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const count = weights.length;
  const rank = new Map(
    weights
      .map(({ userId }) => userId)
      .toSorted((left, right) => left - right)
      .map((userId, index) => [userId, (((index - turn) % count) + count) % count]),
  );
  const parts = weights.map(({ userId, weight }, index) => {
    const share = BigInt(priceCents) * BigInt(weight);
    return { index, cents: Number(share / total), fraction: share % total, rank: rank.get(userId) ?? 0 };
  });
  const remaining = priceCents - parts.reduce((sum, { cents }) => sum + cents, 0);
  const byFraction = parts.toSorted((left, right) =>
    left.fraction === right.fraction ? left.rank - right.rank : left.fraction > right.fraction ? -1 : 1,
  );
  const roundedUp = new Set(byFraction.slice(0, remaining).map(({ index }) => index));
  return parts.map(({ index, cents }) => (roundedUp.has(index) ? { cents: cents + 1, odd: 1 } : { cents, odd: 0 }));
}

/** Returns the hour-days available to all members. */
export const allMembersHourDays = (period: PeriodToSplit): number =>
  period.members.reduce((sum, { hourDays }) => sum + hourDays, 0);

/** Returns the hour-days available in a period: the members' and those reserved for the owner, who has all days. */
const periodHourDays = (period: PeriodToSplit): number =>
  allMembersHourDays(period) + period.terms.ownerHours * daysInMonth(period.month);

/** Returns the seconds available to a member, rounded. */
export const memberSeconds = (period: PeriodToSplit, member: MemberShare): number =>
  secondsOfHourDays(member.hourDays, period.month);

/** Returns the seconds available in a period, rounded once: to its members and for the owner. */
export const availableSeconds = (period: PeriodToSplit): number =>
  secondsOfHourDays(periodHourDays(period), period.month);

/** Returns the seconds that `usage` divides the price by, rounded: those available, or those used where that is more. */
export const offeredSeconds = (period: PeriodToSplit): number =>
  Math.max(availableSeconds(period), usedSeconds(period));

/** Returns the seconds that all members used. */
export const usedSeconds = ({ members }: Pick<PeriodToSplit, 'members'>): number =>
  members.reduce((sum, member) => sum + member.usedSeconds, 0);

/** Returns whether a member used all that was available to them. */
export const usedUp = (period: PeriodToSplit, member: MemberShare): boolean =>
  member.usedSeconds * daysInMonth(period.month) >= member.hourDays * SECONDS_PER_HOUR;

/** Returns by how many second-days less was used than was available; negative if more was. */
const unusedSecondDays = (period: PeriodToSplit): number =>
  periodHourDays(period) * SECONDS_PER_HOUR - usedSeconds(period) * daysInMonth(period.month);

/**
 * Returns the owner's weight, then each member's in the order given. By use, seconds are multiplied by the days of the
 * month, so that hours available by day are whole numbers, too.
 */
export function splitWeights(period: PeriodToSplit, method: SplitMethod): number[] {
  const { terms, members, month } = period;
  const monthDays = daysInMonth(month);
  const byMethod: Record<SplitMethod, () => number[]> = {
    usage: () => [Math.max(0, unusedSecondDays(period)), ...members.map((member) => member.usedSeconds * monthDays)],
    allocation: () => [terms.ownerHours * monthDays, ...members.map(({ hourDays }) => hourDays)],
    equal: () => [monthDays, ...members.map(({ days }) => days)],
  };
  return byMethod[method]();
}

/** Returns the base share of a price in cents, rounded half up: it is split by allowance, the rest by use. */
export const baseShareCents = (priceCents: number, { method, basePercent }: SplitTerms): number =>
  method === 'usage' ? Math.floor((priceCents * basePercent + 50) / 100) : 0;

/**
 * Splits a period's price. Returns the owner's line, then one per member in the order given; they add up to the price.
 * The owner pays everything if all weights are zero.
 */
export function splitPeriod(period: PeriodToSplit): SplitLine[] {
  const base = baseShareCents(period.priceCents, period.terms);
  const baseParts = splitByMethod(period, base, 'allocation');
  const otherParts = splitByMethod(period, period.priceCents - base, period.terms.method);
  return participantIds(period).map((userId, index) => {
    const { cents: baseCents, odd: baseOdd } = baseParts[index] ?? { cents: 0, odd: 0 };
    const { cents, odd } = otherParts[index] ?? { cents: 0, odd: 0 };
    const role = index === 0 ? 'owner' : 'member';
    return { userId, role, amountCents: baseCents + cents, baseCents, oddCents: baseOdd + odd };
  });
}

const participantIds = ({ ownerId, members }: PeriodToSplit): number[] => [
  ownerId,
  ...members.map(({ userId }) => userId),
];

function splitByMethod(period: PeriodToSplit, cents: number, method: SplitMethod): Part[] {
  const ids = participantIds(period);
  const weights = splitWeights(period, method);
  const ownerOnly = weights.map((_, index) => (index === 0 ? 1 : 0));
  return split(
    cents,
    (weights.some((weight) => weight > 0) ? weights : ownerOnly).map((weight, index) => ({
      userId: period.places?.[index] ?? ids[index] ?? 0,
      weight,
    })),
    monthsSince2000(period.month),
  );
}
