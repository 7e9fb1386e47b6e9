import type { SplitMethod } from '@hourshare/contract/fields';
import { daysInMonth } from '../../periods/rules.ts';
import { availableSeconds, baseShareCents, splitWeights, usedSeconds, type PeriodToSplit } from '../rules.ts';

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
