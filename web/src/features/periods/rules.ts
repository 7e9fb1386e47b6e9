import type { Statement } from '@hourshare/contract/costs';
import { SUBSCRIPTION_COST_MAX } from '@hourshare/contract/limits';
import { parseDecimal } from '../../lib/formatting.ts';
import { monthAfter, thisMonth } from '../../lib/months.ts';

const MONTHS_AHEAD = 12;

/** Months whose price can be set: the running one first, those to come, then ended ones that are not closed. */
export function monthsToPrice(
  statements: Pick<Statement, 'month' | 'ended' | 'closed'>[],
  today = thisMonth(),
): string[] {
  const running = statements.find(({ ended }) => !ended)?.month ?? today;
  const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, months) => monthAfter(running, months));
  return [...ahead, ...statements.filter(({ ended, closed }) => ended && !closed).map(({ month }) => month)];
}

export const priceProblem = (text: string): string | true => {
  const price = parseDecimal(text);
  if (text.trim() === '') return 'A price is required';
  if (price === null) return 'The price must be a number';
  if (price < 0 || price > SUBSCRIPTION_COST_MAX) return `The price must be from 0 to ${SUBSCRIPTION_COST_MAX}`;
  return /[.,]\d{3,}$/.test(text.trim()) ? 'The price must have at most two decimals' : true;
};
