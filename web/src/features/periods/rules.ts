import type { Statement } from '@hourshare/contract/statements';
import { monthAfter, thisMonth } from '../../platform/format/months.ts';

const MONTHS_AHEAD = 12;

/** Returns the current month of an asset, in its time zone if its statements are there. */
export const runningMonth = (statements: Pick<Statement, 'month' | 'ended'>[]): string =>
  statements.find(({ ended }) => !ended)?.month ?? thisMonth();

/** Returns the months whose price can be set: the current one, future ones, then open past ones. */
export function monthsToPrice(statements: Pick<Statement, 'month' | 'ended' | 'closed'>[]): string[] {
  const running = runningMonth(statements);
  const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, months) => monthAfter(running, months));
  return [...ahead, ...statements.filter(({ ended, closed }) => ended && !closed).map(({ month }) => month)];
}
