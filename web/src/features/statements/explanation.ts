import { toAmount } from '@hourshare/contract/money';
import type { Explanation, Statement, StatementLine } from '@hourshare/contract/statements';
import { formatHours, formatMoney, formatNumber, percentText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { daysInMonth } from '../../platform/format/months.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';
import { exactDuration } from '../../platform/format/time.ts';
import { durationText, type Reader } from './rules.ts';

// Turns the server's figures into sentences; nothing is calculated here.

type Whole = Pick<
  Statement,
  'owner' | 'month' | 'currency' | 'unbilled' | 'base_percent' | 'shared_days' | 'used_seconds' | 'available_seconds'
>;
type Line = Pick<
  StatementLine,
  'username' | 'role' | 'used_seconds' | 'allocated_hours' | 'days' | 'hour_days' | 'amount' | 'explanation'
>;

interface Case {
  statement: Whole;
  line: Line;
  part: Explanation;
  /** Whether the reader's own line is explained. */
  isYou: boolean;
}

const money = ({ statement }: Pick<Case, 'statement'>, amount: number) => formatMoney(amount, statement.currency);

/** Describes the rounding; null when the amount is exact. */
function rounding(each: Case): string | null {
  if (each.part.rounding === null) return null;
  const amount = money(each, toAmount(1, each.statement.currency));
  return each.part.rounding === 'up'
    ? t('Rounded up by less than {amount}.', { amount })
    : t('Rounded down by less than {amount}.', { amount });
}

/** Returns the calculation, such as "$20.00 × 12.5 ÷ 60 = $4.17" */
function calculation(each: Case): string {
  const { price, part, whole, unit, amount } = each.part;
  const figure = (value: number) =>
    unit === 'seconds' ? t('{count} s [[seconds]]', { count: formatNumber(value) }) : formatNumber(value);
  return `${money(each, price)} × ${figure(part)} ÷ ${figure(whole)} = ${money(each, amount)}`;
}

/** Returns the line's time in hours if two decimals are exact, otherwise to the second. */
const time = ({ part }: Case, seconds: number): string =>
  part.unit === 'seconds' ? exactDuration(seconds) : formatHours(part.part);

const wholeTime = ({ part }: Case): string =>
  part.unit === 'seconds' ? exactDuration(part.whole) : formatHours(part.whole);

function used(each: Case): string {
  if (each.part.unit === 'hour_days' || each.part.unit === 'second_days') return usedByDay(each);
  const values = {
    name: each.line.username,
    used: time(each, each.line.used_seconds),
    available: wholeTime(each),
    calculation: calculation(each),
  };
  return each.isYou
    ? t('You used {used} of {available} available: {calculation}.', values)
    : t('{name} used {used} of {available} available: {calculation}.', values);
}

/** Returns the time used where what was available comes out exact only as time multiplied by days. */
function usedByDay(each: Case): string {
  const values = {
    name: each.line.username,
    used: durationText(each.line.used_seconds),
    days: formatNumber(daysInMonth(each.statement.month)),
    ...partOfTotal(each.part),
    calculation: calculation(each),
  };
  if (each.part.unit === 'second_days')
    return each.isYou
      ? t('You used {used}, which times {days} days is {part} of {total} second-days available: {calculation}.', values)
      : t(
          '{name} used {used}, which times {days} days is {part} of {total} second-days available: {calculation}.',
          values,
        );
  return each.isYou
    ? t('You used {used}, which times {days} days is {part} of {total} hour-days available: {calculation}.', values)
    : t('{name} used {used}, which times {days} days is {part} of {total} hour-days available: {calculation}.', values);
}

/** Says what was available to a member who came, went, or had another allowance during the month; null for others. */
function ownHours({ statement, line, part, isYou }: Case): string | null {
  const { username: name, allocated_hours: hours, days, hour_days: hourDays } = line;
  const monthDays = daysInMonth(statement.month);
  const isWhole = days === monthDays && hourDays === hours * monthDays;
  if (isWhole || (part.kind !== 'used' && part.kind !== 'overused')) return null;
  const values = {
    name,
    hours: formatHours(hours),
    days: formatNumber(days),
    month_days: formatNumber(monthDays),
    count: formatNumber(hourDays),
  };
  if (hourDays === hours * days)
    return isYou
      ? t('You had {hours} per month on {days} of {month_days} days, which makes {count} hour-days.', values)
      : t('{name} had {hours} per month on {days} of {month_days} days, which makes {count} hour-days.', values);
  return isYou
    ? t('Your allowance changed: {days} of {month_days} days make {count} hour-days.', values)
    : t("{name}'s allowance changed: {days} of {month_days} days make {count} hour-days.", values);
}

function overused(each: Case): string {
  const values = {
    name: each.line.username,
    used: time(each, each.line.used_seconds),
    total: wholeTime(each),
    available: durationText(each.statement.available_seconds),
    calculation: calculation(each),
  };
  return each.isYou
    ? t('You used {used} of the {total} everyone used, more than the {available} available: {calculation}.', values)
    : t('{name} used {used} of the {total} everyone used, more than the {available} available: {calculation}.', values);
}

function unused(each: Case): string {
  const values = {
    name: each.line.username,
    amount: money(each, each.part.amount),
    price: money(each, each.part.price),
  };
  return each.isYou
    ? t('You cover unused hours: {amount} of {price}.', values)
    : t('{name} covers unused hours: {amount} of {price}.', values);
}

function noAllowances({ line, isYou }: Case): string {
  const { username: name } = line;
  if (line.role === 'owner')
    return isYou
      ? t('No one has an allowance, so you cover the full price.')
      : t('No one has an allowance, so {name} covers the full price.', { name });
  return isYou
    ? t("You had no allowance, so there's no charge.")
    : t("{name} had no allowance, so there's no charge.", { name });
}

/** Returns an allowance that was the same all month, relative to those of everyone. */
function allowance(each: Case): string {
  const { line, part, isYou } = each;
  const hours = formatHours(line.allocated_hours);
  const name = line.username;
  if (part.unit === 'hours') {
    const values = { name, hours, total: formatHours(part.whole), calculation: calculation(each) };
    if (line.role === 'owner')
      return isYou
        ? t('{hours} out of {total} per month are reserved for you: {calculation}.', values)
        : t('{hours} out of {total} per month are reserved for {name}: {calculation}.', values);
    return isYou
      ? t('You have an allowance of {hours} out of {total} per month: {calculation}.', values)
      : t('{name} has an allowance of {hours} out of {total} per month: {calculation}.', values);
  }
  const values = { name, hours, ...partOfTotal(part), calculation: calculation(each) };
  if (line.role === 'owner')
    return isYou
      ? t('The {hours} reserved for you all month count as {part} of {total} hour-days: {calculation}.', values)
      : t('The {hours} reserved for {name} all month count as {part} of {total} hour-days: {calculation}.', values);
  return isYou
    ? t('You had {hours} all month, which counts as {part} of {total} hour-days: {calculation}.', values)
    : t('{name} had {hours} all month, which counts as {part} of {total} hour-days: {calculation}.', values);
}

const partOfTotal = (part: Explanation) => ({ part: formatNumber(part.part), total: formatNumber(part.whole) });

/** Returns an allowance on some days of the month, relative to those of everyone. */
function partialAllowance(each: Case): string {
  const { line, part, isYou } = each;
  const values = {
    name: line.username,
    hours: formatHours(line.allocated_hours),
    days: formatNumber(line.days),
    month_days: formatNumber(daysInMonth(each.statement.month)),
    calculation: calculation(each),
  };
  if (part.unit === 'hours') {
    const counted = { ...values, part: formatHours(part.part), total: formatHours(part.whole) };
    return isYou
      ? t(
          'You had {hours} per month on {days} of {month_days} days, which counts as {part} of {total}: {calculation}.',
          counted,
        )
      : t(
          '{name} had {hours} per month on {days} of {month_days} days, which counts as {part} of {total}: {calculation}.',
          counted,
        );
  }
  const counted = { ...values, ...partOfTotal(part) };
  return isYou
    ? t(
        'You had {hours} per month on {days} of {month_days} days, which counts as {part} of {total} hour-days: {calculation}.',
        counted,
      )
    : t(
        '{name} had {hours} per month on {days} of {month_days} days, which counts as {part} of {total} hour-days: {calculation}.',
        counted,
      );
}

/** Returns an allowance that changed during the month, relative to those of everyone. */
function changedAllowance(each: Case): string {
  const { line, part, isYou } = each;
  const values = {
    name: line.username,
    days: formatNumber(line.days),
    month_days: formatNumber(daysInMonth(each.statement.month)),
    calculation: calculation(each),
  };
  if (part.unit === 'hours') {
    const counted = { ...values, part: formatHours(part.part), total: formatHours(part.whole) };
    return isYou
      ? t(
          'Your allowance changed: {days} of {month_days} days count as {part} of {total} per month: {calculation}.',
          counted,
        )
      : t(
          "{name}'s allowance changed: {days} of {month_days} days count as {part} of {total} per month: {calculation}.",
          counted,
        );
  }
  const counted = { ...values, ...partOfTotal(part) };
  return isYou
    ? t(
        'Your allowance changed: {days} of {month_days} days count as {part} of {total} hour-days: {calculation}.',
        counted,
      )
    : t(
        "{name}'s allowance changed: {days} of {month_days} days count as {part} of {total} hour-days: {calculation}.",
        counted,
      );
}

function memberDays(each: Case): string {
  const values = {
    name: each.line.username,
    days: formatNumber(each.part.part),
    total: formatNumber(each.part.whole),
    calculation: calculation(each),
  };
  return each.isYou
    ? t('You had access for {days} of {total} member-days: {calculation}.', values)
    : t('{name} had access for {days} of {total} member-days: {calculation}.', values);
}

const texts: Record<Explanation['kind'], (each: Case) => string> = {
  free: (each) =>
    each.statement.unbilled
      ? t("This month isn't billed, so there's no charge.")
      : t("The price is {price}, so there's no charge.", { price: money(each, 0) }),
  used,
  overused,
  used_nothing: ({ line, isYou }) =>
    isYou
      ? t("You had no usage, so there's no charge.")
      : t("{name} had no usage, so there's no charge.", { name: line.username }),
  unused,
  all_used: ({ line, isYou }) =>
    isYou
      ? t('All available hours were used, so nothing is left for you to cover.')
      : t('All available hours were used, so nothing is left for {name} to cover.', { name: line.username }),
  nobody_used: ({ line, isYou }) =>
    isYou
      ? t('No one used it, so you cover the full price.')
      : t('No one used it, so {name} covers the full price.', { name: line.username }),
  nobody_has_hours: noAllowances,
  no_own_hours: ({ line, isYou }) =>
    isYou
      ? t("No hours are reserved for you, so there's no charge.")
      : t("No hours are reserved for {name}, so there's no charge.", { name: line.username }),
  allowance,
  allowance_days: partialAllowance,
  allowance_changed: changedAllowance,
  alone: ({ line, isYou }) =>
    isYou
      ? t('No one else has access, so you cover the full price.')
      : t('No one else has access, so {name} covers the full price.', { name: line.username }),
  even: (each) =>
    t('Split evenly among {count, plural, one {# person} other {# people}}: {price} ÷ {count, number} = {amount}.', {
      count: each.part.whole,
      price: money(each, each.part.price),
      amount: money(each, each.part.amount),
    }),
  days: memberDays,
};

/** Explains one part of an amount in a sentence, without its rounding. */
export const partText = (statement: Whole, line: Line, part: Explanation, isYou: boolean): string =>
  texts[part.kind]({ statement, line, part, isYou });

/** Returns a term of a calculation in the part's unit. Counted units have their name in the heading. */
export function termText({ method, unit }: Explanation, value: number): string {
  if (unit === 'seconds') return exactDuration(value);
  if (unit === 'hours') return formatHours(value);
  const count = formatNumber(value);
  if (unit === 'second_days') return t('{count} second-days', { count });
  return unit === 'hour_days' && method === 'usage' ? t('{count} hour-days', { count }) : count;
}

/** Explains an amount in a sentence or two. Members read about their own line, owners about any line. */
export function explanationText(statement: Whole, line: Line, reader: Reader): string {
  const isYou = reader === 'self' || (reader === 'owner' && line.role === 'owner');
  const [part] = line.explanation;
  const [first = '', second] = line.explanation.map((each) => {
    const given = { statement, line, part: each, isYou };
    // The base share has said what the member's allowance was.
    return joinSentences(each === part ? ownHours(given) : null, texts[each.kind](given), rounding(given));
  });
  // An allocation part under another method is the base share.
  const hasBase = statement.base_percent > 0 && part?.method === 'allocation';
  const base = hasBase
    ? t('{percent} of the price is split by allowance.', { percent: percentText(statement.base_percent) })
    : null;
  if (second === undefined) return joinSentences(base, first);
  return joinSentences(
    base,
    first,
    t('The rest is split by use.'),
    second,
    t('Total: {amount}.', { amount: formatMoney(line.amount, statement.currency) }),
  );
}

/** Says to the owner why they cover a closed line; null unless its member objected to it. */
export const objectionText = ({ objected_at: at, username: name }: StatementLine): string | null =>
  at === null ? null : t("{name} said this wasn't theirs when joining, so you cover it.", { name });
