// Splits prices in integers only: whole cents, whole seconds, whole weights, and bigint where a double is too small.
// docs/how-costs-are-split.md has examples.
import type { SplitMethod } from '@hourshare/contract/fields';
import { daysInMonth, monthsSince2000, secondsOfSummedHours, type SplitTerms } from '../periods/rules.ts';
import {
  baseShareCents,
  inMonth,
  maximumBaseCents,
  maximumCents,
  roundUp,
  type AgreedTerms,
  type OwnUse,
} from '../assets/terms/rules.ts';

export { baseShareCents, daysInMonth, monthsSince2000, secondsOfSummedHours };

/** A member's part in one period of an asset. */
export interface MemberShare extends OwnUse {
  userId: number;
  /** Whole hours a month, as in force when the period or the share ended. */
  allocationHours: number;
  /** What they last said yes to by the end of the period; null outside the promise. */
  agreed: AgreedTerms | null;
  /** The lowest price of the period since then; null if none was lower than at its end. */
  lowestPriceCents: number | null;
}

export interface PeriodToSplit {
  /** `YYYY-MM` */
  month: string;
  priceCents: number;
  terms: SplitTerms;
  ownerId: number;
  /** The owner's own use, if they take part. */
  ownerUsedSeconds: number;
  /** The allowances at the fullest moment, with the reserved hours. */
  totalHours: number;
  /** The hours by which allowances are split, if those of another plan are tried. */
  allowanceHours?: number | undefined;
  /** The members at the fullest moment, and the owner. */
  places: number;
  members: readonly MemberShare[];
  /** The positions of the owner and the members that decide who bears an odd cent; by default those of their ids. */
  positions?: readonly number[] | undefined;
}

/** A running or ended period, with its participants' names: the owner first, then the members in their order. */
export interface PastPeriod extends PeriodToSplit {
  running: boolean;
  /** Whether the asset was added, archived or restored within it. */
  partial: boolean;
  /** What a month costs on average, if that isn't the price of each. */
  averageCents?: number;
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
  /** What the owner covers of it, because the member agreed to less, or had a lower price. */
  coveredCents: number;
}

/** One participant's part of an amount: whole cents, of which `odd` (0 or 1) comes from rounding up. */
export interface Part {
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

/** Returns the most that a month, `YYYY-MM`, costs by what was agreed to; null for the owner, and outside the promise. */
export const maximumOf = (line: OwnUse & { agreed: AgreedTerms | null }, month: string): number | null =>
  line.agreed && maximumCents(inMonth(line.agreed, month), line, daysInMonth(month));

/** Returns the seconds available to a member, rounded. */
export const memberSeconds = (period: PeriodToSplit, member: MemberShare): number =>
  secondsOfSummedHours(member.summedHours, period.month);

/** Returns the seconds that members used. */
export const membersUsedSeconds = ({ members }: Pick<PeriodToSplit, 'members'>): number =>
  members.reduce((sum, member) => sum + member.usedSeconds, 0);

/** Returns the seconds that members and the owner used. */
export const usedSeconds = (period: PeriodToSplit): number => period.ownerUsedSeconds + membersUsedSeconds(period);

/** Returns the used seconds that decide what is paid: those of the owner only by share of use. */
export const splitSeconds = (period: PeriodToSplit): number =>
  period.terms.method === 'share_of_use' ? usedSeconds(period) : membersUsedSeconds(period);

/** Returns whether a member used all that was available to them. */
export const usedUp = (period: PeriodToSplit, member: MemberShare): boolean =>
  member.usedSeconds * daysInMonth(period.month) >= member.summedHours * SECONDS_PER_HOUR;

/**
 * Returns the owner's weight, then each member's in the order given. What members don't use or have of the fullest moment is the
 * owner's, except by share of use.
 */
export function splitWeights(period: PeriodToSplit, method: SplitMethod): number[] {
  const { terms, members, month, totalHours, places, ownerUsedSeconds } = period;
  if (method === 'share_of_use')
    return [terms.ownerTakesPart ? ownerUsedSeconds : 0, ...members.map((member) => member.usedSeconds)];
  if (method !== 'equal' && totalHours === 0) return [1, ...members.map(() => 0)];
  const monthDays = daysInMonth(month);
  const [whole, weights] = {
    usage: () => [totalHours * SECONDS_PER_HOUR, members.map((member) => member.usedSeconds)] as const,
    allocation: () =>
      [(period.allowanceHours ?? totalHours) * monthDays, members.map(({ summedHours }) => summedHours)] as const,
    equal: () => [places * monthDays, members.map(({ days }) => days)] as const,
  }[method]();
  const sum = weights.reduce((one, other) => one + other, 0);
  return [Math.max(0, whole - sum), ...weights];
}

/**
 * Splits a period's price. Returns the owner's line, then one per member in the order given; they add up to the price.
 * No member pays more than what they agreed to allows, or than the lowest price since then; the owner pays what is left. The owner
 * pays everything if all weights are zero. Source: docs/how-costs-are-split.md.
 */
export function splitPeriod(period: PeriodToSplit): SplitLine[] {
  const { method } = period.terms;
  const base = baseShareCents(period.priceCents, period.terms);
  const baseParts = splitByMethod(period, base, 'allocation');
  const otherParts = splitByMethod(period, period.priceCents - base, method);
  const limits = partLimits(period);
  const lines = period.members.map((member, index): SplitLine => {
    const limit = limits(member, index + 1);
    const [base, other] = [baseParts[index + 1] ?? NO_PART, limited(otherParts[index + 1] ?? NO_PART, limit.byHour)];
    const [ofBase, ofOther] = [limited(base, limit.base), limited(other, limit.other)];
    const owed = base.cents + other.cents;
    const atPrice = ofBase.cents + ofOther.cents;
    const maximum = maximumOf(member, period.month) ?? owed;
    const amountCents = Math.min(atPrice, maximum);
    const line = { userId: member.userId, role: 'member' as const, amountCents, coveredCents: owed - amountCents };
    if (!member.agreed || line.coveredCents === 0 || amountCents < maximum)
      return { ...line, baseCents: ofBase.cents, oddCents: ofBase.odd + ofOther.odd };
    const agreedBase = maximumBaseCents(inMonth(member.agreed, period.month), member, daysInMonth(period.month));
    return { ...line, baseCents: Math.min(agreedBase, amountCents), oddCents: 0 };
  });
  const sumOf = (field: 'amountCents' | 'baseCents') => lines.reduce((sum, line) => sum + line[field], 0);
  const [ownBase, ownOther] = [baseParts[0] ?? NO_PART, otherParts[0] ?? NO_PART];
  const ownCents = period.priceCents - sumOf('amountCents');
  return [
    {
      userId: period.ownerId,
      role: 'owner',
      amountCents: ownCents,
      baseCents: Math.min(Math.max(0, base - sumOf('baseCents')), ownCents),
      // None once it is what limited lines leave.
      oddCents: ownCents === ownBase.cents + ownOther.cents ? ownBase.odd + ownOther.odd : 0,
      coveredCents: 0,
    },
    ...lines,
  ];
}

const NO_PART: Part = { cents: 0, odd: 0 };

const limited = (part: Part, limit: number): Part => (part.cents > limit ? { cents: limit, odd: 0 } : part);

/**
 * Returns how to find the most that each part of a member's line may be, in whole cents: by the lowest price of the month since their
 * yes and, by share of use, by the most that an hour costs.
 */
function partLimits(
  period: PeriodToSplit,
): (member: MemberShare, index: number) => Record<'base' | 'other' | 'byHour', number> {
  const { method, maxHourCents } = period.terms;
  const weigh = (each: SplitMethod) => {
    const weights = splitWeights(period, each).map(BigInt);
    const total = weights.reduce((one, other) => one + other, 0n);
    return (cents: number, index: number) =>
      total === 0n ? 0 : roundUp({ cents: BigInt(cents) * (weights[index] ?? 0n), by: total });
  };
  const [ofBase, ofOther] = [weigh('allocation'), weigh(method)];
  const none = Number.POSITIVE_INFINITY;
  return ({ lowestPriceCents: price, usedSeconds: used }, index) => {
    const byHour =
      method === 'share_of_use' && maxHourCents !== null
        ? roundUp({ cents: BigInt(used) * BigInt(maxHourCents), by: BigInt(SECONDS_PER_HOUR) })
        : none;
    if (price === null || price >= period.priceCents) return { base: none, other: none, byHour };
    const base = baseShareCents(price, period.terms);
    return { base: ofBase(base, index), other: ofOther(price - base, index), byHour };
  };
}

/** Splits an amount among the participants of a period, by one of the methods; the owner pays if all weights are zero. */
export function splitByMethod(period: PeriodToSplit, cents: number, method: SplitMethod): Part[] {
  const ids = [period.ownerId, ...period.members.map(({ userId }) => userId)];
  const weights = splitWeights(period, method);
  const ownerOnly = weights.map((_, index) => (index === 0 ? 1 : 0));
  return split(
    cents,
    (weights.some((weight) => weight > 0) ? weights : ownerOnly).map((weight, index) => ({
      userId: period.positions?.[index] ?? ids[index] ?? 0,
      weight,
    })),
    monthsSince2000(period.month),
  );
}
