import type { CostOnLine, Explanation, Statement, StatementLine } from '@hourshare/contract/statements';
import { toMinor } from '@hourshare/contract/money';
import { exactHours, formatMoney, formatNumber, percentText, rateText } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { daysInMonth } from '../../platform/format/months.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';
import { exactDuration } from '../../platform/format/time.ts';
import { hasBaseShare } from '../periods/terms-text.ts';
import { plainHours, type Reader } from './rules.ts';

// Turns the server's figures into sentences and calculations. Amounts are the server's; only what is read, such as the price of
// an hour, is rounded here.

type Whole = Pick<
  Statement,
  'month' | 'ended' | 'currency' | 'unbilled' | 'split_method' | 'base_percent' | 'price' | 'lines'
>;
type Line = Pick<
  StatementLine,
  | 'username'
  | 'role'
  | 'used_seconds'
  | 'allocated_hours'
  | 'days'
  | 'summed_hours'
  | 'price_amount'
  | 'agreed'
  | 'explanation'
>;

interface Case {
  statement: Whole;
  line: Line;
  part: Explanation;
  /** Whether the reader's own line is explained. */
  isYou: boolean;
}

const SECONDS_PER_HOUR = 3600;

/** Returns the exact price of an hour, or of a place, for all of the month. */
function unitPrice({ price, whole, unit }: Explanation, monthDays: number): number {
  if (whole === 0) return 0;
  const timesEach = { seconds: SECONDS_PER_HOUR, allowances: monthDays, days: monthDays, hours: 1, places: 1 };
  // Multiplied first, so that half a cent stays one.
  return (price * timesEach[unit]) / whole;
}

/** Returns what sentences say about a part. */
function valuesOf({ statement: { month, currency }, line, part, isYou }: Case) {
  const monthDays = daysInMonth(month);
  return {
    you: isYou ? 'yes' : 'no',
    name: line.username,
    used: plainHours(line.used_seconds),
    everyone: plainHours(part.whole),
    hours: exactHours(line.allocated_hours),
    average: plainHours((line.summed_hours * SECONDS_PER_HOUR) / monthDays),
    days: formatNumber(line.days),
    month_days: formatNumber(monthDays),
    people: part.whole,
    rate: rateText(unitPrice(part, monthDays), currency),
    price: formatMoney(part.price, currency),
    amount: formatMoney(part.amount, currency),
  };
}

type Text = (values: ReturnType<typeof valuesOf>, each: Case) => string;

const used: Text = (values) =>
  t('{you, select, yes {You} other {{name}}} used {used} at {rate} an hour: {amount}.', values);

const ofEveryone: Text = (values) =>
  t(
    '{you, select, yes {You} other {{name}}} used {used} of the {everyone} everyone used: {amount} of {price}.',
    values,
  );

const allowance: Text = (values) =>
  t('{you, select, yes {You have} other {{name} has}} {hours} a month at {rate} an hour: {amount}.', values);

const byDay: Text = (values, { line: { summed_hours: summed, allocated_hours: hours, days } }) =>
  summed === hours * days
    ? t(
        '{you, select, yes {You} other {{name}}} had {hours} a month on {days} of {month_days} days, at {rate} an hour: {amount}.',
        values,
      )
    : t(
        '{you, select, yes {You} other {{name}}} had {average} a month on average, at {rate} an hour: {amount}.',
        values,
      );

const baseShare: Text = (values, each) => {
  const { summed_hours: summed, allocated_hours: hours } = each.line;
  return (summed === hours * daysInMonth(each.statement.month) ? allowance : byDay)(values, each);
};

const texts: Record<Explanation['kind'], Text> = {
  free: (_, { statement: { unbilled, currency } }) =>
    unbilled
      ? t("This month isn't billed, so there's no charge.")
      : t("The price is {price}, so there's no charge.", { price: formatMoney(0, currency) }),
  used,
  capped: (values) =>
    t('{you, select, yes {You} other {{name}}} used {used} at the highest price, {rate} an hour: {amount}.', values),
  overused: ofEveryone,
  share: ofEveryone,
  used_nothing: (values) => t("{you, select, yes {You} other {{name}}} had no usage, so there's no charge.", values),
  allowance,
  by_day: byDay,
  even: (values) => t('Split evenly among {people, plural, one {# person} other {# people}}: {amount}.', values),
  days: (values) =>
    t(
      '{you, select, yes {You} other {{name}}} had access on {days} of {month_days} days, at {rate} a month: {amount}.',
      values,
    ),
  lowest: (values, each) =>
    basePercent(each.statement, each.line) > 0
      ? (each.part.method === 'allocation' ? baseShare : used)(values, each)
      : t(
          "The price rose this month, but {you, select, yes {your} other {{name}'s}} charge is still based on {price}: {amount}.",
          values,
        ),
  agreed: (values, each) => {
    const { statement, line, part } = each;
    if (part.method === 'usage' || part.method === 'share_of_use')
      return t('{you, select, yes {You} other {{name}}} used {used} and agreed to {rate} an hour: {amount}.', values);
    if (basePercent(statement, line) > 0) return baseShare(values, each);
    return t(
      '{you, select, yes {You} other {{name}}} agreed to {rate} {by, select, hours {an hour} other {a month}}: {amount}.',
      { ...values, by: part.method === 'allocation' ? 'hours' : 'places' },
    );
  },
  rest: (values, { statement: { lines } }) =>
    lines.length > 1
      ? t("{you, select, yes {You cover} other {{name} covers}} what's left: {amount}.", values)
      : t('No one else has access, so {you, select, yes {you cover} other {{name} covers}} the full price.', values),
};

/** Returns the base share that explains a line, in percent: by the terms that its member agreed to, if they limit it. */
function basePercent(statement: Whole, { explanation: [part], agreed }: Line): number {
  const terms = part?.kind === 'agreed' && agreed ? agreed : statement;
  return part?.method === 'allocation' && hasBaseShare(terms.split_method) ? terms.base_percent : 0;
}

/** Says that a part of the price is split by allowance, and whether a lower price than the last counts; null if none is. */
function baseText(statement: Whole, line: Line, isYou: boolean): string | null {
  const base = basePercent(statement, line);
  if (base === 0) return null;
  const values = { you: isYou ? 'yes' : 'no', name: line.username, percent: percentText(base) };
  if (line.explanation[0]?.kind === 'agreed')
    return t(
      '{you, select, yes {You} other {{name}}} agreed that {percent} of the price is split by allowance.',
      values,
    );
  return joinSentences(
    line.explanation.some(({ kind }) => kind === 'lowest')
      ? t(
          "The price rose this month, but {you, select, yes {your} other {{name}'s}} charge is still based on the lower price.",
          values,
        )
      : null,
    t('{percent} of the price is split by allowance.', values),
  );
}

/** Explains an amount in a plain sentence or a few, with hours to one decimal. Members read about their own line. */
export function explanationText(statement: Whole, line: Line, reader: Reader): string {
  const isYou = reader === 'self' || (reader === 'owner' && line.role === 'owner');
  const [first = '', second] = line.explanation.map((part) => {
    const given = { statement, line, part, isYou };
    return texts[part.kind](valuesOf(given), given);
  });
  const base = baseText(statement, line, isYou);
  if (second === undefined) return joinSentences(base, first);
  return joinSentences(
    base,
    first,
    t('The rest is split by use.'),
    second,
    t('Total: {amount}.', { amount: formatMoney(line.price_amount, statement.currency) }),
  );
}

/** Says to the owner what they cover of a member's line, and whether a yes would end that; null if they cover nothing. */
export const coveredText = (
  { currency }: Whole,
  { covered, username: name, asked }: Pick<StatementLine, 'covered' | 'username' | 'asked'>,
): string | null =>
  covered === 0
    ? null
    : t('You cover {amount} for {name}{asked, select, yes { until {name} agrees} other {}}.', {
        amount: formatMoney(covered, currency),
        name,
        asked: asked ? 'yes' : 'no',
      });

/** Returns what is multiplied by the price, and divides it; null if nothing is. */
function factorsOf(
  { kind, part, whole, unit }: Pick<Explanation, 'part' | 'whole' | 'unit'> & { kind?: Explanation['kind'] },
  monthDays: number,
): [part: string, whole: string] | null {
  if (whole === 0 || kind === 'used_nothing') return null;
  if (unit === 'seconds') return [exactDuration(part), exactDuration(whole)];
  if (unit === 'hours') return [exactHours(part), exactHours(whole)];
  if (unit === 'places') return ['', formatNumber(whole)];
  // Only an average of at most two decimals is exact as it is shown; any other is written as a division.
  const perDay = (count: number, format: (count: number) => string) =>
    (count * 100) % monthDays === 0 ? format(count / monthDays) : `${format(count)} ÷ ${formatNumber(monthDays)}`;
  const each = unit === 'days' ? formatNumber : exactHours;
  const divisor = perDay(whole, each);
  return [
    unit === 'days'
      ? t('{days} of {month_days} days', { days: formatNumber(part), month_days: formatNumber(monthDays) })
      : perDay(part, each),
    divisor.includes('÷') ? `(${divisor})` : divisor,
  ];
}

/** Returns whether an amount isn't the nearest to what its calculation gives, because it got a leftover cent, or none. */
const isRoundedFar = ({ price, part, whole, amount }: Explanation, currency: string): boolean =>
  whole > 0 && Math.abs((toMinor(price, currency) * part) / whole - toMinor(amount, currency)) > 0.5;

/** Says once how the calculations of some lines are rounded; null if a calculator gives the same. */
export const roundingText = ({ currency }: Pick<Whole, 'currency'>, lines: Line[]): string | null =>
  lines.some(({ explanation }) =>
    explanation.some((part) => part.kind !== 'used_nothing' && isRoundedFar(part, currency)),
  )
    ? t('Amounts are rounded up or down so that together they make the price.')
    : null;

/** Returns an exact calculation, such as "5 h 12 min 7 s × $20.00 ÷ 100 h = $1.04"; null if nothing is calculated. */
function partCalculation({ month, currency }: Whole, part: Explanation): string | null {
  const factors = factorsOf(part, daysInMonth(month));
  if (factors === null) return null;
  const price = formatMoney(part.price, currency);
  // By the hour there is nothing to divide.
  const isHour = part.unit === 'seconds' && part.whole === SECONDS_PER_HOUR;
  return `${factors[0] === '' ? price : `${factors[0]} × ${price}`}${isHour ? '' : ` ÷ ${factors[1]}`} = ${formatMoney(part.amount, currency)}`;
}

/** Returns how someone's part of a cost was calculated, such as "$60.00 × 6 h ÷ 20 h = $18.00"; only the amount if nothing was. */
export function costCalculation(
  { month, currency }: Pick<Statement, 'month' | 'currency'>,
  { split_amount: amount, explanation }: CostOnLine,
): string {
  const pieces = explanation.flatMap((piece) => {
    const factors = piece.part === piece.whole ? null : factorsOf(piece, daysInMonth(month));
    if (factors === null) return [];
    const price = formatMoney(piece.price, currency);
    return `${factors[0] === '' ? price : `${price} × ${factors[0]}`} ÷ ${factors[1]}`;
  });
  return [...(pieces.length > 0 ? [pieces.join(' + ')] : []), formatMoney(amount, currency)].join(' = ');
}

/** Returns the owner's line, such as "$20.00 − $6.00 − $0.02 = $13.98". */
function restCalculation({ price, currency, lines }: Whole, { price_amount: amount }: Line): string | null {
  const others = lines.filter((line) => line.role === 'member' && line.price_amount > 0);
  if (others.length === 0) return null;
  const terms = [price, ...others.map((line) => line.price_amount)].map((each) => formatMoney(each, currency));
  return `${terms.join(' − ')} = ${formatMoney(amount, currency)}`;
}

/** Says what recorded the hours of a line, with the most first; null if only presses did. */
export function sourcesText({
  used_seconds: usedSeconds,
  sources,
}: Pick<StatementLine, 'used_seconds' | 'sources'>): string | null {
  if (sources.every(({ source }) => source === 'pressed')) return null;
  const parts = sources.map(({ source, meter, seconds }) => {
    const used = plainHours(seconds);
    if (source === 'pressed') return t('{used} pressed', { used });
    if (source === 'added') return t('{used} added', { used });
    return meter === null ? t('{used} by a meter', { used }) : t('{used} by {meter}', { used, meter });
  });
  // One source has all of it.
  if (parts.length === 1) return parts[0] ?? null;
  return t('{used}: {parts}.', { used: plainHours(usedSeconds), parts: listFormat({ type: 'unit' }).format(parts) });
}

/** Says of each meter how often and for how long it sent nothing in the month. */
export function silencesTexts({ silences }: Pick<Statement, 'silences'>): string[] {
  return [...new Set(silences.map(({ meter }) => meter))].map((meter) => {
    const own = silences.filter((each) => each.meter === meter);
    const ms = own.reduce((sum, { since, until }) => sum + Date.parse(until) - Date.parse(since), 0);
    return t('{meter} was silent for a day or longer {count, plural, one {once} other {# times}}: {time}.', {
      meter,
      count: own.length,
      time: plainHours(Math.round(ms / 1000)),
    });
  });
}

/** Returns how a line was calculated, exactly: one calculation for each part, or none. */
export const calculations = (statement: Whole, line: Line): string[] =>
  line.explanation.flatMap(
    (part) => (part.kind === 'rest' ? restCalculation(statement, line) : partCalculation(statement, part)) ?? [],
  );

const SELF_EVIDENT = new Set<Explanation['kind']>(['used', 'overused', 'share', 'allowance', 'even', 'rest']);

/** Returns whether the calculation of a line needs no sentence. */
export const isSelfEvident = ({ explanation: [part, second] }: Line): boolean =>
  part !== undefined && second === undefined && SELF_EVIDENT.has(part.kind);

/** Says to the owner why they cover a closed line; null unless its member objected to it. */
export const objectionText = ({ objected_at: at, username: name }: StatementLine): string | null =>
  at === null ? null : t("{name} said this wasn't theirs when joining, so you cover it.", { name });
