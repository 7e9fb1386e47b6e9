// Splits what an asset costs beside its price, such as fuel that someone paid. Whole cents, as everywhere. Source:
// docs/how-costs-are-split.md.

import type { CostSplit } from '@hourshare/contract/costs';
import type { SplitMethod } from '@hourshare/contract/fields';
import { toFigures, type Figures } from '../explaining/rules.ts';
import {
  baseShareCents,
  monthsSince2000,
  split,
  splitByMethod,
  splitWeights,
  type Part,
  type PeriodToSplit,
} from '../rules.ts';

/** A cost that counts in a period. */
export interface CostToSplit {
  cents: number;
  split: CostSplit;
  /** Who entered it; null for an account that is gone altogether. */
  authorId: number | null;
  /** Who paid it. */
  payerId: number | null;
  /** Whose it is; null unless it is one person's. */
  personId: number | null;
  /** The allowances agreed to and held on its date, of everyone who had access then, in whole hours. */
  access: readonly { userId: number; hours: number }[];
  /** What members answered to it as it is now. */
  answers: readonly { userId: number; answer: 'yes' | 'no'; agreedCents: number | null }[];
}

/** A period whose members say how much of such costs they bear without being asked, in cents a month; null for all of them. */
export interface PeriodWithLimits extends PeriodToSplit {
  costLimits: readonly (number | null)[];
}

/** How one participant's part of a cost was calculated: cents × part ÷ whole. */
export interface CostPiece extends Figures {
  method: SplitMethod;
  cents: number;
  amountCents: number;
}

export interface CostPart {
  /** What they pay of it. */
  cents: number;
  /**
   * `out`: they had no access on its date. `asked`: it is above their limit, and they haven't said yes, or to less. `refused`: they said
   * no. The owner bears what is asked or refused.
   */
  standing: 'charged' | 'out' | 'asked' | 'refused';
  /** What the split gives them, also if the owner bears it. */
  splitCents: number;
  pieces: CostPiece[];
}

/** A participant's costs of a month, the owner's first, then the members' in their order. */
export interface CostLine {
  /** Their parts of costs. */
  costCents: number;
  /** What they paid of them. */
  paidCents: number;
}

/**
 * Splits each cost by itself, in the order in which they were entered. Returns the parts of each: the owner's, then those of the
 * members in their order. A cost above what is left of a member's limit is theirs only with their yes, and up to what that was to.
 * Entering it is a yes.
 */
export function splitCosts(period: PeriodWithLimits, costs: readonly CostToSplit[]): CostPart[][] {
  const left = [...period.costLimits];
  return costs.map((cost) => {
    const parts = partsOf(period, cost);
    const members = parts.slice(1).map((part, index): CostPart => {
      const memberId = period.members[index]?.userId;
      const answer = cost.answers.find(({ userId }) => userId === memberId);
      if (part.standing === 'out') return part;
      if (answer?.answer === 'no') return { ...part, cents: 0, standing: 'refused' };
      const agreedCents = memberId === cost.authorId ? Infinity : answer ? (answer.agreedCents ?? Infinity) : 0;
      if (part.cents <= agreedCents) return part;
      const limit = left[index] ?? null;
      if (limit === null) return part;
      if (part.cents > limit) return { ...part, cents: agreedCents, standing: 'asked' };
      left[index] = limit - part.cents;
      return part;
    });
    const ownCents = cost.cents - members.reduce((sum, { cents }) => sum + cents, 0);
    return [{ ...NOTHING, ...parts[0], cents: ownCents }, ...members];
  });
}

/** Returns what each participant of a month bears of its costs, and has paid. */
export function costLines(
  period: PeriodToSplit,
  costs: readonly CostToSplit[],
  parts: readonly CostPart[][],
): CostLine[] {
  return [period.ownerId, ...period.members.map(({ userId }) => userId)].map((userId, index) => ({
    costCents: parts.reduce((sum, each) => sum + (each[index]?.cents ?? 0), 0),
    paidCents: costs.reduce((sum, { payerId, cents }) => (payerId === userId ? sum + cents : sum), 0),
  }));
}

const NOTHING: CostPart = { cents: 0, standing: 'charged', splitCents: 0, pieces: [] };

/** Returns the parts that the split of a cost gives everyone who had access on its date. */
function partsOf(period: PeriodToSplit, cost: CostToSplit): CostPart[] {
  const hours = new Map(cost.access.map((each) => [each.userId, each.hours]));
  const present = period.members.filter(({ userId }) => hours.has(userId));
  const known: PeriodToSplit = {
    ...period,
    members: present,
    positions: period.positions?.filter((_, index) => index === 0 || hours.has(period.members[index - 1]?.userId ?? 0)),
  };
  // Those who had access then, but have none in the month in which it counts, owe nothing: the owner bears their parts.
  const members = new Set([period.ownerId, ...period.members.map(({ userId }) => userId)]);
  const gone = cost.access.filter(({ userId }) => !members.has(userId));
  const pieces = piecesOf(known, cost, gone.length, [
    gone.reduce((sum, each) => sum + each.hours, period.terms.ownerHours),
    ...present.map(({ userId }) => hours.get(userId) ?? 0),
  ]);
  const parts = [-1, ...present.keys()].map((member): CostPart => {
    const own = pieces.flatMap((each) => each[member + 1] ?? []);
    const cents = own.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return { ...NOTHING, cents, splitCents: cents, pieces: own };
  });
  const indexOf = new Map(present.map(({ userId }, index) => [userId, index + 1]));
  return [
    parts[0] ?? NOTHING,
    ...period.members.map(
      ({ userId }): CostPart => parts[indexOf.get(userId) ?? -1] ?? { ...NOTHING, standing: 'out' },
    ),
  ];
}

/**
 * Returns, for each part of an amount that is split by itself, a piece for each participant. The owner has the places of `gone` others,
 * and their hours.
 */
function piecesOf(period: PeriodToSplit, cost: CostToSplit, gone: number, hours: readonly number[]): CostPiece[][] {
  if (cost.split === 'month') {
    const base = baseShareCents(cost.cents, period.terms);
    const { method } = period.terms;
    return [
      ...(base > 0 ? [byMonth(period, base, 'allocation')] : []),
      ...(base === 0 || cost.cents > base ? [byMonth(period, cost.cents - base, method)] : []),
    ];
  }
  const ids = [period.ownerId, ...period.members.map(({ userId }) => userId)];
  if (cost.split === 'person')
    return [
      byWeights(
        period,
        cost,
        'equal',
        'places',
        ids.map((userId) => Number(userId === cost.personId)),
      ),
    ];
  // Without measuring, there is no use, and the hours that everyone has are no one's allowance.
  if (cost.split === 'equal' || !period.terms.measured)
    return [
      byWeights(
        period,
        cost,
        'equal',
        'places',
        ids.map((_, index) => (index === 0 ? 1 + gone : 1)),
      ),
    ];
  const use = [
    period.terms.ownerTakesPart ? period.ownerUsedSeconds : 0,
    ...period.members.map(({ usedSeconds }) => usedSeconds),
  ];
  return [
    cost.split === 'usage' && use.some((seconds) => seconds > 0)
      ? byWeights(period, cost, 'share_of_use', 'seconds', use)
      : byWeights(period, cost, 'allocation', 'hours', hours),
  ];
}

const byMonth = (period: PeriodToSplit, cents: number, method: SplitMethod): CostPiece[] =>
  splitByMethod(period, cents, method).map((part, index) => {
    const member = period.members[index - 1];
    const figures: Figures = member
      ? toFigures(period, member, method, splitWeights(period, method)[index] ?? 0)
      : { part: 0, whole: 0, unit: 'hours' };
    return { ...figures, method, cents, amountCents: part.cents };
  });

/** Splits a cost by weights; the owner bears it if all are zero. */
function byWeights(
  period: PeriodToSplit,
  { cents }: CostToSplit,
  method: SplitMethod,
  unit: Figures['unit'],
  weights: readonly number[],
): CostPiece[] {
  const known = weights.some((weight) => weight > 0) ? weights : weights.map((_, index) => Number(index === 0));
  const ids = [period.ownerId, ...period.members.map(({ userId }) => userId)];
  const whole = known.reduce((sum, weight) => sum + weight, 0);
  const parts: Part[] = split(
    cents,
    known.map((weight, index) => ({ userId: period.positions?.[index] ?? ids[index] ?? 0, weight })),
    monthsSince2000(period.month),
  );
  return parts.map((part, index) => ({
    method,
    cents,
    amountCents: part.cents,
    part: known[index] ?? 0,
    whole,
    unit,
  }));
}
