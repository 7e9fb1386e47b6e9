import type { Explanation, Statement, StatementLine } from '@hourshare/contract/statements';
import { formatHours, formatMoney, formatNumber } from '../../lib/formatting.ts';
import { daysInMonth } from '../../lib/months.ts';
import { exactDuration } from '../../lib/time.ts';
import type { Reader } from './rules.ts';

// Turns the server's figures into sentences; nothing is calculated here.

type Whole = Pick<
  Statement,
  'owner' | 'month' | 'currency' | 'base_percent' | 'shared_days' | 'used_seconds' | 'available_seconds'
>;
type Line = Pick<
  StatementLine,
  'username' | 'role' | 'used_seconds' | 'allocated_hours' | 'days' | 'amount' | 'explanation'
>;

interface Case {
  statement: Whole;
  line: Line;
  part: Explanation;
  /** "You" for the reader's own line, otherwise a name. */
  who: string;
  isYou: boolean;
  /** Who covers the rest: "you" for the owner, otherwise a name. */
  owner: string;
}

const money = ({ statement }: Pick<Case, 'statement'>, amount: number) => formatMoney(amount, statement.currency);

/** Describes the rounding; empty when the amount is exact. */
function rounding(each: Case): string {
  if (each.part.rounding === null) return '';
  return each.part.rounding === 'up' ? ` ${money(each, 0.01)} of it comes from rounding.` : ' Rounded down.';
}

/** Returns the calculation, such as "$20.00 × 12.5 ÷ 60 = $4.17." */
function sum(each: Case): string {
  const { price, part, whole, unit, amount } = each.part;
  const figure = (value: number) => `${formatNumber(value)}${unit === 'seconds' ? ' s' : ''}`;
  return `${money(each, price)} × ${figure(part)} ÷ ${figure(whole)} = ${money(each, amount)}.${rounding(each)}`;
}

/** Returns the line's time in hours if two decimals are exact, otherwise to the second. */
const time = ({ part }: Case, seconds: number): string =>
  part.unit === 'seconds' ? exactDuration(seconds) : formatHours(part.part);

const wholeTime = ({ part }: Case): string =>
  part.unit === 'seconds' ? exactDuration(part.whole) : formatHours(part.whole);

const sentences: Record<Explanation['kind'], (each: Case) => string> = {
  free: ({ who, isYou }) => `The price is 0, so ${isYou ? 'you pay' : `${who} pays`} nothing.`,
  used: (each) => `${each.who} used ${time(each, each.line.used_seconds)} of ${wholeTime(each)} on offer: ${sum(each)}`,
  overused: (each) =>
    `${each.who} used ${time(each, each.line.used_seconds)}, and everybody together ${wholeTime(each)} of ${exactDuration(each.statement.available_seconds)} on offer: ${sum(each)}`,
  used_nothing: ({ who, isYou }) => `${who} used nothing, and ${isYou ? 'pay' : 'pays'} nothing.`,
  unused: (each) =>
    `Hours nobody uses stay with ${each.owner}: ${money(each, each.part.amount)} of ${money(each, each.part.price)}.${rounding(each)}`,
  all_used: ({ owner }) => `Every hour on offer was used, so nothing stays with ${owner}.`,
  nobody_used: ({ owner }) => `Nobody has used it, so the price stays with ${owner}.`,
  nobody_has_hours: ({ line, who, owner }) =>
    line.role === 'owner' ? `Nobody has hours of it, so the price stays with ${owner}.` : `${who} had no hours of it.`,
  no_own_hours: ({ who, isYou, owner }) =>
    `${isYou ? 'You keep no hours for yourself' : `${who} keeps no hours`}, so nothing stays with ${owner}.`,
  allowance: (each) => {
    const { line, who, isYou, part } = each;
    const verb = line.role === 'owner' ? (isYou ? 'keep' : 'keeps') : isYou ? 'have' : 'has';
    const whole =
      part.unit === 'hours'
        ? `of ${formatHours(part.whole)}${line.role === 'owner' ? '' : ' a month'}`
        : `all month, ${formatNumber(part.part)} of ${formatNumber(part.whole)} hour-days`;
    return `${who} ${verb} ${formatHours(line.allocated_hours)} ${whole}: ${sum(each)}`;
  },
  allowance_days: (each) => {
    const { statement, line, who, part } = each;
    const counts =
      part.unit === 'hours'
        ? `${formatHours(part.part)} of ${formatHours(part.whole)}`
        : `${formatNumber(part.part)} of ${formatNumber(part.whole)} hour-days`;
    return `${who} had ${formatHours(line.allocated_hours)} a month on ${line.days} of ${daysInMonth(statement.month)} days, which counts as ${counts}: ${sum(each)}`;
  },
  alone: ({ owner }) => `Nobody else has it, so the price stays with ${owner}.`,
  even: (each) =>
    `Split in equal parts among ${each.part.whole}: ${money(each, each.part.price)} ÷ ${each.part.whole} = ${money(each, each.part.amount)}.${rounding(each)}`,
  days: (each) =>
    `${each.who} had it on ${each.part.part} of ${daysInMonth(each.statement.month)} days, everybody together on ${formatNumber(each.part.whole)}: ${sum(each)}`,
};

/** Explains an amount in a sentence or two. Members read about their own line, owners about any line. */
export function explanationText(statement: Whole, line: Line, reader: Reader): string {
  const isYou = reader === 'self' || (reader === 'owner' && line.role === 'owner');
  const who = isYou ? 'You' : line.username;
  const owner = reader === 'owner' || (isYou && line.role === 'owner') ? 'you' : statement.owner;
  const [first, second] = line.explanation.map((part) =>
    sentences[part.kind]({ statement, line, part, who, isYou, owner }),
  );
  const [part] = line.explanation;
  // An allocation part under another method is the base share.
  const hasBase = statement.base_percent > 0 && part?.method === 'allocation';
  const base = hasBase ? `${statement.base_percent}% of the price goes by monthly hours. ${first}` : (first ?? '');
  return second === undefined
    ? base
    : `${base} The rest goes by use. ${second} Together ${formatMoney(line.amount, statement.currency)}.`;
}
