// How a price is split. Integers only: money is whole cents, use is whole seconds, weights are whole numbers, and what
// does not fit a double is worked out in bigint. Told with examples in docs/how-costs-are-split.md.

import type { SplitMethod } from '@hourshare/contract/periods';
import { daysIn, monthsSince2000, type SplitTerms } from '../periods/rules.ts';

export { monthsSince2000 };

/** What a member of an asset did in one month. */
export interface MemberShare {
  userId: number;
  /** Whole hours a month, as in force when the month or the share ended. */
  allocationHours: number;
  usedSeconds: number;
  /** Days of the month on which the member had a share. */
  days: number;
}

export interface MonthToSplit {
  /** `YYYY-MM` */
  month: string;
  priceCents: number;
  terms: SplitTerms;
  ownerId: number;
  members: readonly MemberShare[];
}

/** A month that runs or has ended, with who took part in it: the owner, then the members in their order. */
export interface PastMonth {
  running: boolean;
  /** Whether the asset was added, archived or restored within it. */
  partial: boolean;
  of: MonthToSplit;
  names: readonly string[];
}

export interface SplitLine {
  userId: number;
  role: 'owner' | 'member';
  amountCents: number;
  /** What of the amount comes from the base part of the price. */
  baseCents: number;
  /** How many cents of the amount come from rounding. */
  oddCents: number;
}

/** What one participant gets of an amount: whole cents, of which `odd` (0 or 1) by rounding up. */
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
 * Splits whole cents by weights (whole numbers, not negative, not all zero): each gets price × weight ÷ Σ weights
 * rounded down, and the missing cents go out one each by largest fraction; among equal fractions in order of user id,
 * starting at position `turn` of all participants. The parts are in the order of the weights and add up to the price.
 */
export function split(priceCents: number, weights: readonly Weight[], turn: number): Part[] {
  const total = weights.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const count = weights.length;
  const place = new Map(
    weights
      .map(({ userId }) => userId)
      .toSorted((left, right) => left - right)
      .map((userId, index) => [userId, (((index - turn) % count) + count) % count]),
  );
  const parts = weights.map(({ userId, weight }, index) => {
    const share = BigInt(priceCents) * BigInt(weight);
    return { index, cents: Number(share / total), rest: share % total, place: place.get(userId) ?? 0 };
  });
  const missing = priceCents - parts.reduce((sum, { cents }) => sum + cents, 0);
  const byRest = parts.toSorted((left, right) =>
    left.rest === right.rest ? left.place - right.place : left.rest > right.rest ? -1 : 1,
  );
  const lucky = new Set(byRest.slice(0, missing).map(({ index }) => index));
  return parts.map(({ index, cents }) => (lucky.has(index) ? { cents: cents + 1, odd: 1 } : { cents, odd: 0 }));
}

/** Seconds that were everyone's to use in a month: what members were allotted and what the owner keeps. */
export const availableSeconds = ({ terms, members }: Pick<MonthToSplit, 'terms' | 'members'>): number =>
  members.reduce((sum, { allocationHours }) => sum + allocationHours, terms.ownerHours) * SECONDS_PER_HOUR;

/** Seconds that a month's price is divided by under `usage`: those available, or those used where that is more. */
export const offeredSeconds = (of: MonthToSplit): number => Math.max(availableSeconds(of), usedSeconds(of));

/** Seconds that all members of a month used. */
export const usedSeconds = ({ members }: Pick<MonthToSplit, 'members'>): number =>
  members.reduce((sum, member) => sum + member.usedSeconds, 0);

/** The owner's weight, then each member's in the order given; whole numbers. */
export function weights(of: MonthToSplit, method: SplitMethod): number[] {
  const { terms, members, month } = of;
  const weightsBy: Record<SplitMethod, () => number[]> = {
    usage: () => [offeredSeconds(of) - usedSeconds(of), ...members.map((member) => member.usedSeconds)],
    allocation: () => [
      terms.ownerHours * daysIn(month),
      ...members.map(({ allocationHours, days }) => allocationHours * days),
    ],
    equal: () => [daysIn(month), ...members.map(({ days }) => days)],
  };
  return weightsBy[method]();
}

/** The part of a price, in cents, that is split by allocation before the rest is split by use; half up. */
const basePart = (priceCents: number, { method, basePercent }: SplitTerms): number =>
  method === 'usage' ? Math.floor((priceCents * basePercent + 50) / 100) : 0;

/**
 * Who pays how many cents of a month's price: the owner's line, then one for each member in the order given. The lines
 * add up to the price; where nothing says who had how much of it, the owner pays.
 */
export function splitMonth(of: MonthToSplit): SplitLine[] {
  const base = basePart(of.priceCents, of.terms);
  const first = partOf(of, base, 'allocation');
  const second = partOf(of, of.priceCents - base, of.terms.method);
  return idsOf(of).map((userId, index) => {
    const { cents: baseCents, odd: baseOdd } = first[index] ?? { cents: 0, odd: 0 };
    const { cents, odd } = second[index] ?? { cents: 0, odd: 0 };
    const role = index === 0 ? 'owner' : 'member';
    return { userId, role, amountCents: baseCents + cents, baseCents, oddCents: baseOdd + odd };
  });
}

const idsOf = ({ ownerId, members }: MonthToSplit): number[] => [ownerId, ...members.map(({ userId }) => userId)];

function partOf(of: MonthToSplit, cents: number, method: SplitMethod): Part[] {
  const ids = idsOf(of);
  const all = weights(of, method);
  const whole = all.some((weight) => weight > 0) ? all : all.map((_, index) => (index === 0 ? 1 : 0));
  return split(
    cents,
    whole.map((weight, index) => ({ userId: ids[index] ?? 0, weight })),
    monthsSince2000(of.month),
  );
}

/** Which case an amount is, for the sentence that explains it. */
type ExplanationKind =
  | ('free' | 'used' | 'overused' | 'used_nothing' | 'unused' | 'all_used' | 'nobody_used')
  | ('allowance' | 'allowance_days' | 'no_own_hours' | 'nobody_has_hours' | 'alone' | 'even' | 'days');

/** What part × price ÷ whole is told in: figures of two decimals at most, exact as they stand. */
interface Figures {
  part: number;
  whole: number;
  unit: 'hours' | 'seconds' | 'hour_days' | 'days' | 'people';
}

export interface PartExplained extends Figures {
  method: SplitMethod;
  kind: ExplanationKind;
  priceCents: number;
  amountCents: number;
  /** Which way the exact amount was rounded to whole cents. */
  rounding: 'up' | 'down' | null;
}

/**
 * What each line's amount was worked out from, in the order of the lines: the base part first, where there is one. Source:
 * docs/decisions/0038-explanations-are-data.md.
 */
export function explainLines(
  of: MonthToSplit,
  lines: readonly { amountCents: number; baseCents: number }[],
): PartExplained[][] {
  const base = basePart(of.priceCents, of.terms);
  const rest = of.priceCents - base;
  return lines.map(({ amountCents, baseCents }, index) => [
    ...(base > 0 ? [explainPart(of, index, { method: 'allocation', priceCents: base, amountCents: baseCents })] : []),
    ...(base === 0 || rest > 0
      ? [explainPart(of, index, { method: of.terms.method, priceCents: rest, amountCents: amountCents - baseCents })]
      : []),
  ]);
}

function explainPart(
  of: MonthToSplit,
  index: number,
  part: { method: SplitMethod; priceCents: number; amountCents: number },
): PartExplained {
  const all = weights(of, part.method);
  const weight = all[index] ?? 0;
  const total = all.reduce((sum, each) => sum + each, 0);
  const kind = part.priceCents === 0 ? 'free' : kindOf(of, index, { method: part.method, weight, total });
  const told = total > 0 && kind !== 'free' ? figures(of, part.method, { weight, total, kind }) : NO_FIGURES;
  const exact = BigInt(part.priceCents) * BigInt(weight);
  const given = BigInt(part.amountCents) * BigInt(total);
  const rounding = total === 0 || exact === given ? null : given > exact ? 'up' : 'down';
  return { ...part, ...told, kind, rounding };
}

const NO_FIGURES: Figures = { part: 0, whole: 0, unit: 'hours' };

function kindOf(
  of: MonthToSplit,
  index: number,
  { method, weight, total }: { method: SplitMethod; weight: number; total: number },
): ExplanationKind {
  const isOwner = index === 0;
  const days = daysIn(of.month);
  if (method === 'usage') {
    if (!isOwner) return weight === 0 ? 'used_nothing' : usedSeconds(of) > availableSeconds(of) ? 'overused' : 'used';
    if (usedSeconds(of) === 0) return 'nobody_used';
    return weight === 0 ? 'all_used' : 'unused';
  }
  if (method === 'allocation') {
    if (total === 0) return 'nobody_has_hours';
    if (isOwner) return weight === 0 ? 'no_own_hours' : 'allowance';
    return (of.members[index - 1]?.days ?? 0) >= days ? 'allowance' : 'allowance_days';
  }
  if (of.members.length === 0) return 'alone';
  return of.members.every((member) => member.days >= days) ? 'even' : 'days';
}

/** Seconds that make whole hundredths of an hour. */
const SECONDS_PER_HUNDREDTH = 36;

function figures(
  of: MonthToSplit,
  method: SplitMethod,
  { weight, total, kind }: { weight: number; total: number; kind: ExplanationKind },
): Figures {
  const fit = (unit: number) => weight % unit === 0 && total % unit === 0;
  if (method === 'usage')
    return fit(SECONDS_PER_HUNDREDTH)
      ? {
          part: weight / SECONDS_PER_HUNDREDTH / 100,
          whole: total / SECONDS_PER_HUNDREDTH / 100,
          unit: 'hours',
        }
      : { part: weight, whole: total, unit: 'seconds' };
  const days = daysIn(of.month);
  if (method === 'allocation')
    return fit(days)
      ? { part: weight / days, whole: total / days, unit: 'hours' }
      : { part: weight, whole: total, unit: 'hour_days' };
  return kind === 'even'
    ? { part: 1, whole: total / days, unit: 'people' }
    : { part: weight, whole: total, unit: 'days' };
}

/** Terms and allocations (whole hours a month by user id) in place of a month's own; what is not given stays. */
export interface Trial {
  method?: SplitMethod | undefined;
  basePercent?: number | undefined;
  ownerHours?: number | undefined;
  allocations: ReadonlyMap<number, number>;
}

/** A month as it would be to split under other terms: what was used and when stays as it was. */
export const underTrial = (
  of: MonthToSplit,
  { method, basePercent, ownerHours, allocations }: Trial,
): MonthToSplit => ({
  ...of,
  terms: {
    method: method ?? of.terms.method,
    basePercent: basePercent ?? of.terms.basePercent,
    ownerHours: ownerHours ?? of.terms.ownerHours,
  },
  members: of.members.map((member) => ({
    ...member,
    allocationHours: allocations.get(member.userId) ?? member.allocationHours,
  })),
});
