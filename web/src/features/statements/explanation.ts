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

/** Returns the calculation, such as "$20.00 × 12.5 ÷ 60 = $4.17" */
function calculation({ price, part, whole, unit, amount }: Explanation, currency: string): string {
  const figure = (value: number) =>
    unit === 'seconds' ? t('{count} s [[seconds]]', { count: formatNumber(value) }) : formatNumber(value);
  return `${formatMoney(price, currency)} × ${figure(part)} ÷ ${figure(whole)} = ${formatMoney(amount, currency)}`;
}

/** Returns what sentences say about a part. Hours are to the second where two decimals aren't exact. */
function valuesOf({ statement: { month, currency, available_seconds: available }, line, part, isYou }: Case) {
  const { unit } = part;
  const inUnit = unit === 'hours' ? formatHours : unit === 'seconds' ? exactDuration : formatNumber;
  return {
    you: isYou ? 'yes' : 'no',
    name: line.username,
    unit,
    hours: formatHours(line.allocated_hours),
    days: formatNumber(line.days),
    month_days: formatNumber(daysInMonth(month)),
    hour_days: formatNumber(line.hour_days),
    used: unit === 'hours' ? inUnit(part.part) : (unit === 'seconds' ? exactDuration : durationText)(line.used_seconds),
    available: durationText(available),
    part: inUnit(part.part),
    total: inUnit(part.whole),
    people: part.whole,
    price: formatMoney(part.price, currency),
    amount: formatMoney(part.amount, currency),
    calculation: calculation(part, currency),
  };
}

type Text = (values: ReturnType<typeof valuesOf>) => string;

const used: Text = (values) =>
  values.unit === 'hours' || values.unit === 'seconds'
    ? t('{you, select, yes {You} other {{name}}} used {used} of {total} available: {calculation}.', values)
    : // What was available comes out exact only as time multiplied by days.
      t(
        '{you, select, yes {You} other {{name}}} used {used}, which times {month_days} days is {part} of {total} {unit, select, second_days {second-days} other {hour-days}} available: {calculation}.',
        values,
      );

/** Says what was available to a member who came, went, or had another allowance during the month; null for others. */
function ownHours(each: Case): string | null {
  const { allocated_hours: hours, days, hour_days: hourDays } = each.line;
  const monthDays = daysInMonth(each.statement.month);
  const isWhole = days === monthDays && hourDays === hours * monthDays;
  if (isWhole || (each.part.kind !== 'used' && each.part.kind !== 'overused')) return null;
  const values = valuesOf(each);
  return hourDays === hours * days
    ? t(
        '{you, select, yes {You} other {{name}}} had {hours} per month on {days} of {month_days} days, which makes {hour_days} hour-days.',
        values,
      )
    : t(
        "{you, select, yes {Your} other {{name}'s}} allowance changed: {days} of {month_days} days make {hour_days} hour-days.",
        values,
      );
}

const noAllowances = {
  owner: (values) =>
    t('No one has an allowance, so {you, select, yes {you cover} other {{name} covers}} the full price.', values),
  member: (values) => t("{you, select, yes {You} other {{name}}} had no allowance, so there's no charge.", values),
} satisfies Record<Line['role'], Text>;

/** Of an allowance that was the same all month, relative to those of everyone. */
const allowance = {
  owner: (values) =>
    values.unit === 'hours'
      ? t(
          '{hours} out of {total} per month are reserved for {you, select, yes {you} other {{name}}}: {calculation}.',
          values,
        )
      : t(
          'The {hours} reserved for {you, select, yes {you} other {{name}}} all month count as {part} of {total} hour-days: {calculation}.',
          values,
        ),
  member: (values) =>
    values.unit === 'hours'
      ? t(
          '{you, select, yes {You have} other {{name} has}} an allowance of {hours} out of {total} per month: {calculation}.',
          values,
        )
      : t(
          '{you, select, yes {You} other {{name}}} had {hours} all month, which counts as {part} of {total} hour-days: {calculation}.',
          values,
        ),
} satisfies Record<Line['role'], Text>;

const texts: Record<Explanation['kind'], (values: ReturnType<typeof valuesOf>, each: Case) => string> = {
  free: (_, { statement: { unbilled, currency } }) =>
    unbilled
      ? t("This month isn't billed, so there's no charge.")
      : t("The price is {price}, so there's no charge.", { price: formatMoney(0, currency) }),
  used,
  overused: (values) =>
    t(
      '{you, select, yes {You} other {{name}}} used {used} of the {total} everyone used, more than the {available} available: {calculation}.',
      values,
    ),
  used_nothing: (values) => t("{you, select, yes {You} other {{name}}} had no usage, so there's no charge.", values),
  unused: (values) =>
    t('{you, select, yes {You cover} other {{name} covers}} unused hours: {amount} of {price}.', values),
  all_used: (values) =>
    t(
      'All available hours were used, so nothing is left for {you, select, yes {you} other {{name}}} to cover.',
      values,
    ),
  nobody_used: (values) =>
    t('No one used it, so {you, select, yes {you cover} other {{name} covers}} the full price.', values),
  nobody_has_hours: (values, { line }) => noAllowances[line.role](values),
  no_own_hours: (values) =>
    t("No hours are reserved for {you, select, yes {you} other {{name}}}, so there's no charge.", values),
  allowance: (values, { line }) => allowance[line.role](values),
  allowance_days: (values) =>
    t(
      '{you, select, yes {You} other {{name}}} had {hours} per month on {days} of {month_days} days, which counts as {part} of {unit, select, hours {{total}} other {{total} hour-days}}: {calculation}.',
      values,
    ),
  allowance_changed: (values) =>
    t(
      "{you, select, yes {Your} other {{name}'s}} allowance changed: {days} of {month_days} days count as {part} of {unit, select, hours {{total} per month} other {{total} hour-days}}: {calculation}.",
      values,
    ),
  alone: (values) =>
    t('No one else has access, so {you, select, yes {you cover} other {{name} covers}} the full price.', values),
  even: (values) =>
    t(
      'Split evenly among {people, plural, one {# person} other {# people}}: {price} ÷ {people, number} = {amount}.',
      values,
    ),
  days: (values) =>
    t('{you, select, yes {You} other {{name}}} had access for {part} of {total} member-days: {calculation}.', values),
};

const sentenceOf = (each: Case): string => texts[each.part.kind](valuesOf(each), each);

/** Explains one part of an amount in a sentence, without its rounding. */
export const partText = (statement: Whole, line: Line, part: Explanation, isYou: boolean): string =>
  sentenceOf({ statement, line, part, isYou });

function roundingText({ rounding }: Explanation, currency: string): string | null {
  const amount = formatMoney(toAmount(1, currency), currency);
  return (
    rounding &&
    t('{rounding, select, up {Rounded up} other {Rounded down}} by less than {amount}.', { rounding, amount })
  );
}

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
    return joinSentences(
      each === part ? ownHours(given) : null,
      sentenceOf(given),
      roundingText(each, statement.currency),
    );
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
