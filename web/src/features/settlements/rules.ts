import { UNDO_HOURS } from '@hourshare/contract/limits';
import type { LineStatus } from '@hourshare/contract/statements';
import type { Balance, BalanceLine, Settlement } from '@hourshare/contract/settlements';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { sumAmounts } from '../../platform/format/money.ts';
import { monthName, monthText, thisMonth } from '../../platform/format/months.ts';
import { serverNow } from '../../platform/http/server-clock.ts';

/** Who reads a line: its member or the asset's owner. */
export type Reader = 'self' | 'owner';

export const statusNames: Record<LineStatus, () => string> = {
  due: () => t('Due [[charge]]'),
  sent: () => t('Sent [[charge]]'),
  paid: () => t('Paid [[charge]]'),
};

/** How a line may be marked. */
export type Mark = 'sent' | 'undo-sent' | 'paid' | 'undo-paid';

/** Returns the line's status after a mark. */
export const markedStatus = (mark: Mark): LineStatus => (mark === 'sent' || mark === 'paid' ? mark : 'due');

/** Whether it is the name of someone without an account: only theirs have a parenthesis. */
const isGuest = (username: string): boolean => username.endsWith(')');

/**
 * Returns as whom someone marks a line: its member is owed a negative one, and its owner owes it. For a member who has no account,
 * or no longer one, the owner says what is paid in any case.
 */
export function markReader(
  { amount, username = '', hue }: { amount: number; username?: string; hue?: number | null },
  asked: Reader,
): Reader {
  if (amount >= 0 || hue === null || isGuest(username)) return asked;
  return asked === 'self' ? 'owner' : 'self';
}

const isUndoable = (since: string): boolean => serverNow() - Date.parse(since) <= UNDO_HOURS * 3_600_000;

/** Returns how the reader may mark a line, or null. */
export function findNextMark(
  {
    status,
    settled,
    amount,
    open_amount: open,
    sent_amount: sent,
    status_since: since,
  }: {
    status: LineStatus | null;
    status_since: string | null;
    settled: boolean;
    amount: number;
    open_amount: number | null;
    sent_amount: number | null;
  },
  reader: Reader,
): Mark | null {
  // While payments cover it, they decide its status.
  if (status === null || settled || (sent ?? 0) > 0) return null;
  const isPartlyPaid = status !== 'paid' && open !== null && open < Math.abs(amount);
  if (isPartlyPaid) return status === 'sent' && reader !== 'owner' ? 'undo-sent' : null;
  if (reader === 'owner' && status !== 'paid') return 'paid';
  if (reader === 'owner') return since === null || isUndoable(since) ? 'undo-paid' : null;
  if (status === 'paid') return null;
  return status === 'sent' ? 'undo-sent' : 'sent';
}

export const markFailureText = (error: unknown): string =>
  error instanceof ApiError && error.status === 400
    ? errorText(error)
    : t("Couldn't update this charge. Please try again.");

type OpenLine = Pick<BalanceLine, 'open_amount' | 'sent_amount' | 'direction' | 'status'>;

const openOf = ({ open_amount: open }: OpenLine) => open;

/** What no payment covers yet. */
const unsentOf = ({ open_amount: open, sent_amount: sent }: OpenLine, currency: string) =>
  sumAmounts([open, -sent], currency);

type AmountOf = (line: OpenLine, currency: string) => number;

/** Lines marked as paid since the last read no longer count. */
const sumOf = (lines: OpenLine[], currency: string, amountOf: AmountOf) =>
  sumAmounts(
    lines.filter(({ status }) => status !== 'paid').map((line) => amountOf(line, currency)),
    currency,
  );

function totals(lines: OpenLine[], currency: string, amountOf: AmountOf) {
  const total = (direction: BalanceLine['direction']) =>
    sumOf(
      lines.filter((line) => line.direction === direction),
      currency,
      amountOf,
    );
  const [theyOwe, youOwe] = [total('they_owe'), total('you_owe')];
  return { theyOwe, youOwe, net: sumAmounts([theyOwe, -youOwe], currency) };
}

/** Returns what two people owe each other, also what is sent and not confirmed. */
export const openTotals = (lines: OpenLine[], currency: string) => totals(lines, currency, openOf);

/** Returns what two people owe each other that no payment covers yet. */
export const unsentTotals = (lines: OpenLine[], currency: string) => totals(lines, currency, unsentOf);

/** Returns the lines of which no payment covers everything yet. */
export const unsentLines = <L extends OpenLine>(lines: L[]): L[] =>
  lines.filter(({ status, open_amount: open, sent_amount: sent }) => status !== 'paid' && sent < open);

/** Returns how the user can undo a payment: alone, or only their confirmation of it, or with the other. */
export function undoKind({ can, status, events }: Settlement): 'alone' | 'confirmation' | 'ask' | 'agree' | null {
  const made = events.findLast(({ kind }) => kind === 'confirmed' || kind === 'paid');
  return can.undo === 'alone' && status === 'paid' && made?.kind === 'confirmed' ? 'confirmation' : can.undo;
}

/** Charges of one asset in one direction. */
export interface AssetCharges<L> {
  key: string;
  name: string;
  direction: BalanceLine['direction'];
  lines: L[];
  open: number;
  unsent: number;
}

type AssetLine = OpenLine & Pick<BalanceLine, 'asset_id' | 'asset_name' | 'month' | 'amount'>;

/** Returns the charges by asset and direction, the largest amounts first. They keep their order while charges are marked. */
export function byAsset<L extends AssetLine>(lines: L[], currency: string): AssetCharges<L>[] {
  const groups = new Map<string, L[]>();
  for (const line of lines) {
    const key = `${line.direction} ${line.asset_id ?? line.asset_name}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups]
    .map(([key, lines]) => ({
      key,
      name: lines[0]?.asset_name ?? '',
      direction: lines[0]?.direction ?? 'you_owe',
      lines,
      open: sumOf(lines, currency, openOf),
      unsent: sumOf(lines, currency, unsentOf),
    }))
    .toSorted((a, b) => totalOf(b.lines, currency) - totalOf(a.lines, currency));
}

const totalOf = (lines: AssetLine[], currency: string) =>
  sumAmounts(
    lines.map(({ amount }) => amount),
    currency,
  );

/** Returns "October", or "6 months, May to October". */
export function monthsText(lines: Pick<BalanceLine, 'month'>[]): string {
  const months = [...new Set(lines.map(({ month }) => month))].toSorted();
  const [first = '', last = first] = [months[0], months.at(-1)];
  const text = (month: string) => (month.slice(0, 4) === thisMonth().slice(0, 4) ? monthName(month) : monthText(month));
  return first === last
    ? text(first)
    : t('{count, plural, one {# month} other {# months}}, {first} to {last}', {
        count: months.length,
        first: text(first),
        last: text(last),
      });
}

/** Returns the balances that payments don't cover, in order. */
const uncovered = (balances: Balance[]) =>
  inOrder(balances.map((balance) => ({ ...balance, net: unsentTotals(balance.lines, balance.currency).net }))).filter(
    ({ net }) => net !== 0,
  );

/** Returns the user's largest debt that no payment covers, else the largest owed to them. */
export const findLargestDebt = (balances: Balance[]): Balance | undefined => uncovered(balances)[0];

/** Returns what the user owes and hasn't sent, the largest debts first. */
export const uncoveredDebts = (balances: Balance[]): Balance[] => uncovered(balances).filter(({ net }) => net < 0);

/**
 * Returns what one owes first, then what one is owed, the largest first. Currencies are not compared: the one of most
 * balances comes first. Uses the balances as they were loaded, so that no row moves while its charges are being marked.
 */
export function inOrder(balances: Balance[]): Balance[] {
  const frequency = (currency: string) => balances.filter((balance) => balance.currency === currency).length;
  return balances.toSorted(
    (a, b) =>
      rank(a.net) - rank(b.net) ||
      frequency(b.currency) - frequency(a.currency) ||
      a.currency.localeCompare(b.currency, 'en') ||
      Math.abs(b.net) - Math.abs(a.net),
  );
}

const rank = (net: number) => (net < 0 ? 0 : net > 0 ? 1 : 2);
