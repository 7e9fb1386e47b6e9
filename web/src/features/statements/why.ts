import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { formatHours, formatMoney, formatNumber } from '../../lib/formatting.ts';
import { centsOf } from '../../lib/money.ts';
import { daysInMonth } from '../../lib/months.ts';
import type { Reader, SplitMethod } from './rules.ts';

type Whole = Omit<Statement, 'lines'>;
type Line = Pick<
  StatementLine,
  'username' | 'role' | 'used_hours' | 'allocated_hours' | 'days' | 'amount' | 'base_amount' | 'odd_cents'
>;

interface Case {
  of: Whole;
  line: Line;
  /** "You" to whom it is about, else the name. */
  who: string;
  /** Whom what is left stays with: "you" to the owner, else their name. */
  owner: string;
  /** What of the price is split this way. */
  price: number;
  /** What of that is this line's. */
  amount: number;
}

const money = ({ of }: Pick<Case, 'of'>, amount: number) => formatMoney(amount, of.currency);

/** As it is written: two decimals. */
const asRead = (figure: number) => Math.round(figure * 100) / 100;

/** Says so where the figures come to less than the amount because a cent was left over and went here. */
function rounding({ of, line, price, amount }: Case, part: number, whole: number): string {
  const cut = Math.floor((centsOf(price) * asRead(part)) / asRead(whole) + 1e-9);
  return line.odd_cents > 0 && cut < centsOf(amount) ? ` ${money({ of }, 0.01)} of it comes from rounding.` : '';
}

/** "$20.00 × 12.5 ÷ 60 = $4.17." */
const sum = (each: Case, part: number, whole: number): string =>
  `${money(each, each.price)} × ${formatNumber(part)} ÷ ${formatNumber(whole)} = ${money(each, each.amount)}.${rounding(each, part, whole)}`;

function byUse(each: Case): string {
  const { of, line, who, owner } = each;
  const offered = of.offered_hours;
  if (line.role === 'owner') {
    if (offered === 0) return `Nobody has used it, so the price stays with ${owner}.`;
    if (each.amount === 0) return `Every hour on offer was used, so nothing stays with ${owner}.`;
    return `Hours nobody uses stay with ${owner}: ${money(each, each.amount)} of ${money(each, each.price)}.`;
  }
  if (line.used_hours === 0) return `${who} used nothing, and ${who === 'You' ? 'pay' : 'pays'} nothing.`;
  return `${who} used ${formatNumber(line.used_hours)} h of ${formatNumber(offered)} h on offer: ${sum(each, line.used_hours, offered)}`;
}

function byAllocation(each: Case): string {
  const { of, line, who, owner } = each;
  const isYou = who === 'You';
  const monthDays = daysInMonth(of.month);
  const whole = of.allotted_hour_days / monthDays;
  if (whole === 0)
    return line.role === 'owner'
      ? `Nobody has hours of it, so the price stays with ${owner}.`
      : `${who} had no hours of it.`;
  if (line.role === 'owner') {
    if (line.allocated_hours === 0)
      return `${isYou ? 'You keep no hours for yourself' : `${who} keeps no hours`}, so nothing stays with ${owner}.`;
    return `${who} ${isYou ? 'keep' : 'keeps'} ${formatHours(line.allocated_hours)} of ${formatHours(whole)}: ${sum(each, line.allocated_hours, whole)}`;
  }
  const have = isYou ? 'have' : 'has';
  if (line.days >= monthDays)
    return `${who} ${have} ${formatHours(line.allocated_hours)} of ${formatHours(whole)} a month: ${sum(each, line.allocated_hours, whole)}`;
  const counted = (line.allocated_hours * line.days) / monthDays;
  return `${who} had ${formatHours(line.allocated_hours)} a month on ${line.days} of ${monthDays} days, which counts as ${formatHours(counted)} of ${formatHours(whole)}: ${sum(each, counted, whole)}`;
}

function inEqualParts(each: Case): string {
  const { of, line, who, owner } = each;
  const monthDays = daysInMonth(of.month);
  const people = of.shared_days / monthDays;
  if (people === 1) return `Nobody else has it, so the price stays with ${owner}.`;
  if (Number.isInteger(people) && (line.role === 'owner' || line.days >= monthDays))
    return `Split in equal parts among ${people}: ${money(each, each.price)} ÷ ${people} = ${money(each, each.amount)}.${rounding(each, 1, people)}`;
  const days = line.role === 'owner' ? monthDays : line.days;
  return `${who} had it on ${days} of ${monthDays} days, everybody together on ${formatNumber(of.shared_days)}: ${sum(each, days, of.shared_days)}`;
}

const sentences: Record<SplitMethod, (each: Case) => string> = {
  usage: byUse,
  allocation: byAllocation,
  equal: inEqualParts,
};

/** How an amount came about, in a sentence or two; a member reads about their own line, an owner about anybody's. */
export function whyText(of: Whole, line: Line, reader: Reader): string {
  const isReader = reader === 'self' || (reader === 'owner' && line.role === 'owner');
  const who = isReader ? 'You' : line.username;
  const owner = isReader ? 'you' : of.owner;
  const base = of.split_method === 'usage' ? (centsOf(of.price) * of.base_percent + 50) / 100 : 0;
  const basePrice = Math.floor(base) / 100;
  const each = { of, line, who, owner, price: of.price, amount: line.amount };
  if (basePrice === 0) return sentences[of.split_method](each);
  const rest = (centsOf(of.price) - centsOf(basePrice)) / 100;
  const restAmount = (centsOf(line.amount) - centsOf(line.base_amount)) / 100;
  const byHours = `${of.base_percent}% of the price goes by monthly hours. ${byAllocation({ ...each, price: basePrice, amount: line.base_amount })}`;
  if (rest === 0) return byHours;
  return `${byHours} The rest goes by use. ${byUse({ ...each, price: rest, amount: restAmount })} Together ${money(each, line.amount)}.`;
}
