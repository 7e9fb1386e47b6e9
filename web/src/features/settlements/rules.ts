import type { LineStatus } from '@hourshare/contract/statements';
import type { BalanceLine } from '@hourshare/contract/settlements';
import { ApiError } from '../../lib/http-errors.ts';
import { sumAmounts } from '../../lib/money.ts';
import { dayText } from '../../lib/time.ts';

/** Who reads a line: its member or the asset's owner. */
export type Reader = 'self' | 'owner';

/** "on December 4", for a line that is sent, paid or settled. */
export const sinceText = (instant: string): string => `on ${dayText(instant)}`;

export const statusNames: Record<LineStatus, string> = { due: 'Due', sent: 'Sent', paid: 'Paid' };

/** Returns how the reader may mark a line: the button's text and the line's next status, or null. */
export function findNextMark(
  { status, settled }: { status: LineStatus | null; settled: boolean },
  reader: Reader,
): { text: string; to: LineStatus; undo: boolean } | null {
  if (status === null || settled) return null;
  if (reader === 'owner')
    return status === 'paid'
      ? { text: 'Undo', to: 'due', undo: true }
      : { text: 'Mark as paid', to: 'paid', undo: false };
  if (status === 'paid') return null;
  return status === 'sent'
    ? { text: 'Undo', to: 'due', undo: true }
    : { text: 'I have sent it', to: 'sent', undo: false };
}

export const markFailureText = (error: unknown): string =>
  error instanceof ApiError && error.status === 400 ? error.message : 'Failed to mark this. Please try again.';

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
