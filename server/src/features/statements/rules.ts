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

const SECONDS_PER_HOUR = 3600;

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
const baseShareCents = (priceCents: number, { method, basePercent }: SplitTerms): number =>
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

/** Decides which sentence explains an amount. */
type ExplanationKind =
  | ('free' | 'used' | 'overused' | 'used_nothing' | 'unused' | 'all_used' | 'nobody_used')
  | (
      | 'allowance'
      | 'allowance_days'
      | 'allowance_changed'
      | 'no_own_hours'
      | 'nobody_has_hours'
      | 'alone'
      | 'even'
      | 'days'
    );

/** The part and whole of price × part ÷ whole, exact with two decimals at most. */
interface Figures {
  part: number;
  whole: number;
  unit: 'hours' | 'seconds' | 'hour_days' | 'second_days' | 'days' | 'people';
}

export interface ExplainedPart extends Figures {
  method: SplitMethod;
  kind: ExplanationKind;
  priceCents: number;
  amountCents: number;
  /** The direction in which the exact amount was rounded to whole cents. */
  rounding: 'up' | 'down' | null;
}

/**
 * Returns the calculation of each line's amount, in the order of the lines, the base share first if there is one. Source:
 * docs/decisions/0022-bills.md.
 */
export function explainLines(
  period: PeriodToSplit,
  lines: readonly { amountCents: number; baseCents: number }[],
): ExplainedPart[][] {
  const base = baseShareCents(period.priceCents, period.terms);
  const rest = period.priceCents - base;
  return lines.map(({ amountCents, baseCents }, index) => [
    ...(base > 0
      ? [explainPart(period, index, { method: 'allocation', priceCents: base, amountCents: baseCents })]
      : []),
    ...(base === 0 || rest > 0
      ? [
          explainPart(period, index, {
            method: period.terms.method,
            priceCents: rest,
            amountCents: amountCents - baseCents,
          }),
        ]
      : []),
  ]);
}

function explainPart(
  period: PeriodToSplit,
  index: number,
  part: { method: SplitMethod; priceCents: number; amountCents: number },
): ExplainedPart {
  const weights = splitWeights(period, part.method);
  const weight = weights[index] ?? 0;
  const total = weights.reduce((sum, each) => sum + each, 0);
  const kind = part.priceCents === 0 ? 'free' : explanationKind(period, index, { method: part.method, weight, total });
  const figures = total > 0 && kind !== 'free' ? toFigures(period, part.method, { weight, total, kind }) : NO_FIGURES;
  const exact = BigInt(part.priceCents) * BigInt(weight);
  const rounded = BigInt(part.amountCents) * BigInt(total);
  const rounding = total === 0 || exact === rounded ? null : rounded > exact ? 'up' : 'down';
  return { ...part, ...figures, kind, rounding };
}

const NO_FIGURES: Figures = { part: 0, whole: 0, unit: 'hours' };

function explanationKind(
  period: PeriodToSplit,
  index: number,
  { method, weight, total }: { method: SplitMethod; weight: number; total: number },
): ExplanationKind {
  const isOwner = index === 0;
  const days = daysInMonth(period.month);
  if (method === 'usage') {
    if (!isOwner)
      // By whole seconds, as both are shown: one isn't more than the other where they look the same.
      return weight === 0 ? 'used_nothing' : usedSeconds(period) > availableSeconds(period) ? 'overused' : 'used';
    if (usedSeconds(period) === 0) return 'nobody_used';
    return weight === 0 ? 'all_used' : 'unused';
  }
  if (method === 'allocation') {
    if (total === 0) return 'nobody_has_hours';
    if (isOwner) return weight === 0 ? 'no_own_hours' : 'allowance';
    const { allocationHours = 0, days: memberDays = 0, hourDays = 0 } = period.members[index - 1] ?? {};
    if (hourDays !== allocationHours * memberDays) return 'allowance_changed';
    return memberDays >= days ? 'allowance' : 'allowance_days';
  }
  if (period.members.length === 0) return 'alone';
  return period.members.every((member) => member.days >= days) ? 'even' : 'days';
}

/** Seconds in a hundredth of an hour. */
const SECONDS_PER_HUNDREDTH = 36;

/** Returns the figures in the largest unit that keeps them exact. */
function toFigures(
  period: PeriodToSplit,
  method: SplitMethod,
  { weight, total, kind }: { weight: number; total: number; kind: ExplanationKind },
): Figures {
  const days = daysInMonth(period.month);
  const isExactIn = (unit: number) => weight % unit === 0 && total % unit === 0;
  const inUnit = (size: number, unit: Figures['unit'], decimals = 1): Figures => ({
    part: weight / size / decimals,
    whole: total / size / decimals,
    unit,
  });
  if (method === 'usage') {
    if (isExactIn(SECONDS_PER_HUNDREDTH * days)) return inUnit(SECONDS_PER_HUNDREDTH * days, 'hours', 100);
    if (isExactIn(days)) return inUnit(days, 'seconds');
    if (isExactIn(SECONDS_PER_HUNDREDTH)) return inUnit(SECONDS_PER_HUNDREDTH, 'hour_days', 100);
    return inUnit(1, 'second_days');
  }
  if (method === 'allocation') return isExactIn(days) ? inUnit(days, 'hours') : inUnit(1, 'hour_days');
  return kind === 'even' ? inUnit(days, 'people') : inUnit(1, 'days');
}

/** Terms and allowances (whole hours a month by user id) to try in place of a period's own; omitted ones stay. */
export interface Trial {
  method?: SplitMethod | undefined;
  basePercent?: number | undefined;
  ownerHours?: number | undefined;
  allocations: ReadonlyMap<number, number>;
}

/** Returns a period with the terms of a trial, its allowances on all of each member's days, and its own use. */
export const applyTrial = (
  period: PeriodToSplit,
  { method, basePercent, ownerHours, allocations }: Trial,
): PeriodToSplit => ({
  ...period,
  terms: {
    method: method ?? period.terms.method,
    basePercent: basePercent ?? period.terms.basePercent,
    ownerHours: ownerHours ?? period.terms.ownerHours,
  },
  members: period.members.map((member) => {
    const hours = allocations.get(member.userId);
    return hours === undefined ? member : { ...member, allocationHours: hours, hourDays: hours * member.days };
  }),
});

/** What a member would have of an asset, and under which terms. */
export interface Offer {
  memberId: number;
  /** Whole hours a month. */
  allocationHours: number;
  priceCents: number;
  terms: SplitTerms;
}

/**
 * Returns what an offered asset would have cost its member in a period, in cents, and the seconds that they are assumed to
 * have used: they have access for the whole month, and use all of their hours if use decides the amount. A `running` period
 * counts as if all its members had access for all of it.
 */
export function estimateOffer(
  { running, ...period }: PeriodToSplit & { running: boolean },
  { memberId, allocationHours, priceCents, terms }: Offer,
): { amountCents: number; usedSeconds: number } {
  const days = daysInMonth(period.month);
  const usedAll = terms.method === 'usage' ? allocationHours * SECONDS_PER_HOUR : 0;
  const allMonth = (member: MemberShare): MemberShare => ({ ...member, days, hourDays: member.allocationHours * days });
  // They may have been a member before.
  const others = period.members.filter(({ userId }) => userId !== memberId);
  const lines = splitPeriod({
    ...period,
    priceCents,
    terms,
    places: undefined,
    members: [
      ...(running ? others.map(allMonth) : others),
      allMonth({ userId: memberId, allocationHours, usedSeconds: usedAll, days, hourDays: 0 }),
    ],
  });
  return { amountCents: lines.at(-1)?.amountCents ?? 0, usedSeconds: usedAll };
}
