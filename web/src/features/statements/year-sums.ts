import type { Statement } from '@hourshare/contract/statements';
import { sumAmounts } from '../../platform/format/money.ts';

const MONTHS = 12;

/** A person's part of a year. Those the reader doesn't see are one part without a name. */
export interface YearPerson {
  key: string;
  name: string | null;
  hue: number | null;
  role: 'owner' | 'member' | null;
  /** In how many months they have a line. */
  months: number;
  amount: number;
  seconds: number;
}

export interface YearMonth {
  month: string;
  /** What each person paid of the price, and used, in the order of the people. */
  parts: { amount: number; seconds: number }[];
}

const OTHERS = '';

/**
 * Adds up what each paid of the price, and used, in the last twelve closed months that the reader sees. What they paid of other costs,
 * or got back, says nothing about the plan.
 */
export function sumYear(
  statements: readonly Statement[],
  { currency, measured }: { currency: string; measured: boolean },
) {
  const closed = statements.filter((statement) => statement.closed).slice(0, MONTHS);
  const partsOf = ({ lines, price, used_seconds: used }: Statement) => {
    const known = lines.map((line) => ({ ...line, amount: line.price_amount, seconds: line.used_seconds }));
    const amount = sumAmounts([price, ...known.map((line) => -line.amount)], currency);
    const seconds = used - known.reduce((sum, line) => sum + line.seconds, 0);
    return [...known, { username: OTHERS, hue: null, role: null, amount, seconds }];
  };
  const parts = closed.map((statement) => ({ month: statement.month, lines: partsOf(statement) }));
  const all = parts.flatMap(({ lines }) => lines);
  const people = [...new Set([...all.map(({ username }) => username).filter((name) => name !== OTHERS), OTHERS])]
    .map((username): YearPerson => {
      const own = all.filter((line) => line.username === username);
      return {
        key: username,
        name: username === OTHERS ? null : username,
        hue: own[0]?.hue ?? null,
        role: own[0]?.role ?? null,
        months: own.length,
        amount: sumAmounts(
          own.map(({ amount }) => amount),
          currency,
        ),
        seconds: own.reduce((sum, line) => sum + line.seconds, 0),
      };
    })
    .filter(({ name, amount, seconds }) => name !== null || amount !== 0 || (measured && seconds > 0));
  const months = parts.map(({ month, lines }): YearMonth => ({
    month,
    parts: people.map(({ key }) => {
      const line = lines.find(({ username }) => username === key);
      return { amount: line?.amount ?? 0, seconds: line?.seconds ?? 0 };
    }),
  }));
  return {
    /** Oldest first. */
    months: months.toReversed(),
    people,
    price: sumAmounts(
      closed.map(({ price }) => price),
      currency,
    ),
    usedSeconds: closed.reduce((sum, { used_seconds: used }) => sum + used, 0),
    hours: closed.reduce((sum, { total_hours: hours }) => sum + hours, 0),
  };
}
