import type { SplitMethod } from '@hourshare/contract/fields';
import type { SplitLine, Statement, StatementLine } from '@hourshare/contract/statements';
import { formatHours, signedMoney } from '../../platform/format/numbers.ts';
import { compareNames, listFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { byCurrency, sumAmounts, type Money } from '../../platform/format/money.ts';
import { monthName, monthText, thisMonth } from '../../platform/format/months.ts';
import { dayText, exactDuration } from '../../platform/format/time.ts';

export const methodHints: Record<SplitMethod, () => string> = {
  usage: () => t('An hour has a price. Each person pays for the hours they use; you cover the rest.'),
  allocation: () => t('Each person pays for their allowance, used or not.'),
  equal: () => t('Everyone pays the same, including you.'),
  share_of_use: () => t("Each person pays their part of everyone's use, up to a limit per hour."),
};

/** Who reads a line: its member, the asset's owner, or anyone with the whole statement. */
export type Reader = 'self' | 'owner' | 'anyone';

/** Returns "November so far" for the current month, "October 2026" for a past one. */
export const monthHeading = ({ month, ended }: Pick<Statement, 'month' | 'ended'>): string =>
  ended ? monthText(month) : t('{month} so far', { month: monthName(month) });

type Closing = Pick<Statement, 'closed' | 'ended' | 'closes_at'>;

/** Says when a month closes; empty once it has. */
export function closingText({ closed, ended, closes_at }: Closing): string {
  if (closed) return '';
  const day = dayText(closes_at);
  return ended ? t('Open until {day}', { day }) : t('Closes on {day}', { day });
}

/**
 * Returns the members who haven't said that they have nothing to edit in a month or an open one before it, which would be
 * closed along with it.
 */
export const waitingFor = (statements: Statement[], month: string): string[] => [
  ...new Set(
    statements
      .filter((statement) => statement.ended && !statement.closed && statement.month <= month)
      .flatMap(({ lines }) => lines.filter(({ role, confirmed_at: at }) => role === 'member' && at === null))
      .map(({ username }) => username)
      // Someone without an account isn't asked; only their names have a parenthesis.
      .filter((username) => !username.endsWith(')')),
  ),
];

/** Returns whether an objection or a request is open in a month or an open one before it, which would be closed along with it. */
export const isObjected = (statements: Statement[], month: string): boolean =>
  statements.some(
    (statement) =>
      statement.ended &&
      !statement.closed &&
      statement.month <= month &&
      statement.edited_sessions.some(({ objection, request }) => objection === 'open' || request?.status === 'open'),
  );

const NAMES_SHOWN = 3;

/** Says who keeps an ended month from being closed early. */
export function waitingText(names: string[], { closes_at }: Pick<Statement, 'closes_at'>): string {
  const rest = names.length - NAMES_SHOWN;
  const shown =
    rest > 0
      ? [...names.slice(0, NAMES_SHOWN), t('{count, plural, one {# other} other {# others}}', { count: rest })]
      : names;
  return t("Waiting for {names} to say there's nothing to edit. Closes by itself on {day}.", {
    names: listFormat().format(shown),
    day: dayText(closes_at),
  });
}

/** Says that an objection keeps an ended month from being closed early. */
export const objectedText = ({ closes_at }: Pick<Statement, 'closes_at'>): string =>
  t('Waiting for agreement about an edit. Closes by itself on {day}.', { day: dayText(closes_at) });

/** Says whether a statement is final, and if not, when it will be. */
export function statusText({ closed, ended, closes_at }: Closing): string {
  if (closed) return t('Closed [[month]]');
  const day = dayText(closes_at);
  return ended ? t('Estimate. Open until {day}.', { day }) : t('Estimate. Closes on {day}.', { day });
}

/** Returns a user's own line of a statement. */
export const findOwnLine = (statement: Statement, username: string): StatementLine | undefined =>
  statement.lines.find((line) => line.username.toLowerCase() === username.toLowerCase()) ??
  // A member gets no other line. In months before they joined, it has the name under which the owner recorded them.
  (isOwner(statement, username) || statement.lines.length > 1
    ? undefined
    : statement.lines.find(({ role }) => role === 'member'));

/** Returns what a user has to pay others; what they cover as an owner is no part of it. */
export const shareAmounts = (statements: Statement[], username: string): Money[] =>
  statements.flatMap((statement) => {
    const line = findOwnLine(statement, username);
    return line?.role === 'member' ? [{ amount: line.amount, currency: statement.currency }] : [];
  });

export interface OwnTotal {
  currency: string;
  amount: number;
  /** What the user pays to owners, and what they cover of their own assets. */
  toOthers: number;
  covered: number;
}

/** Returns the user's sums by currency; currencies are never added up. */
export const ownTotals = (statements: Statement[], username: string): OwnTotal[] => {
  const amounts = statements.map((statement) => ({
    currency: statement.currency,
    amount: findOwnLine(statement, username)?.amount ?? 0,
    owned: isOwner(statement, username),
  }));
  const sums = byCurrency(amounts);
  const covered = byCurrency(amounts.filter(({ owned }) => owned));
  return sums.map((sum) => {
    const own = covered.find(({ currency }) => currency === sum.currency)?.amount ?? 0;
    return { ...sum, toOthers: sumAmounts([sum.amount, -own], sum.currency), covered: own };
  });
};

/** Returns the month of current statements; the latest, if assets in different time zones are in different ones. */
export const latestMonth = (statements: Pick<Statement, 'month'>[]): string =>
  statements
    .map(({ month }) => month)
    .toSorted()
    .at(-1) ?? thisMonth();

export const isOwner = (statement: Pick<Statement, 'owner'>, username: string): boolean =>
  statement.owner.toLowerCase() === username.toLowerCase();

/** Returns the role in which a user reads a whole statement: owner or co-manager. */
export const readerOf = (statement: Pick<Statement, 'owner'>, username: string): 'owner' | 'anyone' =>
  isOwner(statement, username) ? 'owner' : 'anyone';

/** Returns the person whom a line of a whole statement is about. */
export function lineName({ role, username }: Pick<StatementLine, 'role' | 'username'>, reader: Reader): string {
  if (role === 'member') return username;
  return reader === 'owner' ? t('You (owner)') : t('{name} (owner)', { name: username });
}

/** Returns lines with the owner's first, then members' by name. */
export const sortLines = <L extends Pick<StatementLine, 'role' | 'username'>>(lines: L[]): L[] =>
  lines.toSorted(
    (one, other) =>
      Number(other.role === 'owner') - Number(one.role === 'owner') || compareNames(one.username, other.username),
  );

/** Returns a duration in hours to one decimal; if it is less than a tenth, to the second. */
export const plainHours = (seconds: number): string =>
  seconds > 0 && seconds < 360 ? exactDuration(Math.round(seconds)) : formatHours(seconds / 3600);

/** Returns the sum of the hours shown for all lines. */
export const usedTotal = (lines: Pick<SplitLine, 'used_hours'>[]): number =>
  Math.round(lines.reduce((sum, { used_hours: used }) => sum + used, 0) * 100) / 100;

/** A participant's allowance, or the hours reserved for the owner. */
export const offeredText = (line: Pick<SplitLine, 'role' | 'allocated_hours'>): string =>
  line.role === 'owner' && line.allocated_hours === 0 ? '–' : formatHours(line.allocated_hours);

/** Returns the exact difference of two amounts. */
export const amountChange = (before: number, after: number, currency: string): number =>
  sumAmounts([after, -before], currency);

/** Returns "+$1.20", "−$0.40", or a dash. */
export const changeText = (change: number, currency: string): string =>
  change === 0 ? '–' : signedMoney(change, currency);

/** Returns how many charges of a closed month are paid, such as "2 of 3 paid". */
export function paidText(lines: Pick<StatementLine, 'role' | 'amount' | 'status'>[]): string {
  const owed = lines.filter(({ role, amount }) => role === 'member' && amount !== 0);
  const paid = owed.filter(({ status }) => status === 'paid');
  if (owed.length === 0) return t('No one owes anything');
  return paid.length === owed.length
    ? t('All paid')
    : t('{paid, number} of {total, number} paid', { paid: paid.length, total: owed.length });
}
