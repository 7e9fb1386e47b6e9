import type { LineStatus } from '@hourshare/contract/statements';
import type { Balance, BalanceLine } from '@hourshare/contract/settlements';
import { errorText } from '../../lib/error-texts.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { t } from '../../lib/messages.ts';
import { sumAmounts } from '../../lib/money.ts';

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

/** Returns how the reader may mark a line, or null. */
export function findNextMark(
  { status, settled }: { status: LineStatus | null; settled: boolean },
  reader: Reader,
): Mark | null {
  if (status === null || settled) return null;
  if (reader === 'owner') return status === 'paid' ? 'undo-paid' : 'paid';
  if (status === 'paid') return null;
  return status === 'sent' ? 'undo-sent' : 'sent';
}

export const markFailureText = (error: unknown): string =>
  error instanceof ApiError && error.status === 400
    ? errorText(error)
    : t("Couldn't update this charge. Please try again.");

/** Returns what two people owe each other. Lines marked as paid since the last read no longer count. */
export function openTotals(lines: Pick<BalanceLine, 'amount' | 'direction' | 'status'>[], currency: string) {
  const total = (direction: BalanceLine['direction']) =>
    sumAmounts(
      lines.filter((line) => line.direction === direction && line.status !== 'paid').map(({ amount }) => amount),
      currency,
    );
  const [theyOwe, youOwe] = [total('they_owe'), total('you_owe')];
  return { theyOwe, youOwe, net: sumAmounts([theyOwe, -youOwe], currency) };
}

/** Returns the first open balance in order: the user's largest debt, else the largest owed to them. */
export const findLargestDebt = (balances: Balance[]): Balance | undefined =>
  inOrder(balances.map((balance) => ({ ...balance, net: openTotals(balance.lines, balance.currency).net }))).find(
    ({ net }) => net !== 0,
  );

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
