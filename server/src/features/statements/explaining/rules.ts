import type { SplitMethod } from '@hourshare/contract/fields';
import { inMonth, type AgreedTerms } from '../../assets/terms/rules.ts';
import { daysInMonth } from '../../periods/rules.ts';
import {
  baseShareCents,
  SECONDS_PER_HOUR,
  splitWeights,
  maximumOf,
  membersUsedSeconds,
  type MemberShare,
  type PeriodToSplit,
} from '../rules.ts';

/** Decides which sentence explains an amount. */
type ExplanationKind =
  | ('free' | 'used' | 'overused' | 'used_nothing' | 'allowance' | 'by_day' | 'even' | 'days' | 'share')
  | ('rest' | 'capped' | 'lowest' | 'agreed');

/** The exact part and whole of price × part ÷ whole. */
export interface Figures {
  part: number;
  whole: number;
  unit: 'hours' | 'seconds' | 'allowances' | 'days' | 'places';
}

export interface ExplainedPart extends Figures {
  method: SplitMethod;
  kind: ExplanationKind;
  priceCents: number;
  amountCents: number;
  /** The direction in which the exact amount was rounded to whole cents. */
  rounding: 'up' | 'down' | null;
}

interface ExplainedLine {
  amountCents: number;
  baseCents: number;
  coveredCents: number;
}

const NO_FIGURES: Figures = { part: 0, whole: 0, unit: 'hours' };

/**
 * Returns the calculation of each line's amount, in the order of the lines, the base share first if there is one. The owner's is
 * what the others don't pay. Source: docs/decisions/0022-bills.md.
 */
export function explainLines(period: PeriodToSplit, lines: readonly ExplainedLine[]): ExplainedPart[][] {
  const { method } = period.terms;
  return lines.map((line, index) => {
    const member = period.members[index - 1];
    if (!member)
      return [
        {
          ...NO_FIGURES,
          method,
          kind: 'rest',
          priceCents: period.priceCents,
          amountCents: line.amountCents,
          rounding: null,
        },
      ];
    const { amountCents, coveredCents } = line;
    if (member.agreed && coveredCents > 0 && amountCents === maximumOf(member, period.month))
      return explainAgreed(period, { ...member, agreed: inMonth(member.agreed, period.month) }, line);
    const base = baseShareCents(period.priceCents, period.terms);
    const rest = period.priceCents - base;
    const explained = { period, member, index };
    return [
      ...(base > 0 ? [explainPart(explained, 'allocation', base, line.baseCents)] : []),
      ...(base === 0 || rest > 0 ? [explainPart(explained, method, rest, line.amountCents - line.baseCents)] : []),
    ];
  });
}

function explainPart(
  { period, member, index }: { period: PeriodToSplit; member: MemberShare; index: number },
  method: SplitMethod,
  priceCents: number,
  amountCents: number,
): ExplainedPart {
  if (priceCents === 0) return { ...NO_FIGURES, method, kind: 'free', priceCents, amountCents, rounding: null };
  const figures = toFigures(period, member, method, splitWeights(period, method)[index] ?? 0);
  const usual = { ...figures, method, kind: kindOf(period, member, method), priceCents, amountCents };
  if (!isBelow(usual)) return withRounding(usual);
  const { maxHourCents } = period.terms;
  const capped = {
    ...usual,
    ...inSeconds(member, SECONDS_PER_HOUR),
    kind: 'capped' as const,
    priceCents: maxHourCents ?? 0,
  };
  if (method === 'share_of_use' && maxHourCents !== null && !isBelow(capped)) return withRounding(capped);
  const lowest = member.lowestPriceCents ?? period.priceCents;
  const base = baseShareCents(lowest, period.terms);
  const isBase = method === 'allocation' && period.terms.method !== 'allocation';
  return withRounding({ ...usual, kind: 'lowest', priceCents: isBase ? base : lowest - base });
}

/**
 * Explains an amount by what the member last said yes to: the base share that they agreed to, if there was one, then the rest. The base
 * share is rounded up and the rest gets what is left, so that both are within a cent of their calculations.
 */
function explainAgreed(
  period: PeriodToSplit,
  { agreed, ...member }: MemberShare & { agreed: AgreedTerms },
  { amountCents, baseCents: ofBase }: ExplainedLine,
): ExplainedPart[] {
  const { method, totalHours, places, maxHourCents } = agreed;
  const days = daysInMonth(period.month);
  const figures: Record<SplitMethod, Figures> = {
    usage: inSeconds(member, totalHours * SECONDS_PER_HOUR),
    allocation: { part: member.summedHours, whole: totalHours * days, unit: 'allowances' },
    equal: { part: member.days, whole: places * days, unit: 'days' },
    share_of_use: inSeconds(member, SECONDS_PER_HOUR),
  };
  const explain = (each: SplitMethod, priceCents: number, cents: number): ExplainedPart =>
    withRounding({ ...figures[each], method: each, kind: 'agreed', priceCents, amountCents: cents });
  const base = baseShareCents(agreed.priceCents, agreed);
  const rest = method === 'share_of_use' ? (maxHourCents ?? 0) : agreed.priceCents - base;
  if (base === 0) return [explain(method, rest, amountCents)];
  const other = explain(method, rest, amountCents - ofBase);
  return [
    explain('allocation', base, ofBase),
    ...(rest > 0 ? [member.usedSeconds === 0 ? { ...other, kind: 'used_nothing' as const } : other] : []),
  ];
}

const inSeconds = (member: Pick<MemberShare, 'usedSeconds'>, whole: number): Figures => ({
  part: member.usedSeconds,
  whole,
  unit: 'seconds',
});

type Unrounded = Omit<ExplainedPart, 'rounding'>;

/** Returns whether an amount is less than its calculation gives, rounded down: something else limits it. */
const isBelow = ({ priceCents, part, whole, amountCents }: Unrounded): boolean =>
  whole > 0 && BigInt(amountCents) < (BigInt(priceCents) * BigInt(part)) / BigInt(whole);

function withRounding(explained: Unrounded): ExplainedPart {
  const exact = BigInt(explained.priceCents) * BigInt(explained.part);
  const rounded = BigInt(explained.amountCents) * BigInt(explained.whole);
  return {
    ...explained,
    rounding: explained.whole === 0 || exact === rounded ? null : rounded > exact ? 'up' : 'down',
  };
}

function kindOf(period: PeriodToSplit, member: MemberShare, method: SplitMethod): ExplanationKind {
  if (method === 'equal') return member.days === daysInMonth(period.month) ? 'even' : 'days';
  if (method === 'allocation') return isSteady(period, member) ? 'allowance' : 'by_day';
  if (member.usedSeconds === 0) return 'used_nothing';
  if (method === 'share_of_use') return 'share';
  return membersUsedSeconds(period) > period.totalHours * SECONDS_PER_HOUR ? 'overused' : 'used';
}

/** Returns whether a member had the same allowance on every day of the month. */
const isSteady = (period: PeriodToSplit, { summedHours, allocationHours }: MemberShare): boolean =>
  summedHours === allocationHours * daysInMonth(period.month);

/** Returns the figures in the largest unit that keeps them whole numbers. */
export function toFigures(period: PeriodToSplit, member: MemberShare, method: SplitMethod, weight: number): Figures {
  const total = splitWeights(period, method).reduce((sum, each) => sum + each, 0);
  const days = daysInMonth(period.month);
  if (method === 'usage' || method === 'share_of_use') return { part: weight, whole: total, unit: 'seconds' };
  if (method === 'equal')
    return member.days === days && total % days === 0
      ? { part: 1, whole: total / days, unit: 'places' }
      : { part: weight, whole: total, unit: 'days' };
  return isSteady(period, member) && total % days === 0
    ? { part: member.allocationHours, whole: total / days, unit: 'hours' }
    : { part: weight, whole: total, unit: 'allowances' };
}
