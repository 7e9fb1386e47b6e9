import type { Balance } from '@hourshare/contract/settlements';
import { useEffect } from 'react';
import { announce } from '../../lib/announcements.ts';
import { keepFocusInPage } from '../../lib/focus.ts';
import { formatCount, formatMoney } from '../../lib/formatting.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useSettle } from './api.ts';
import { openTotals } from './rules.ts';

interface SettleDialogProps {
  /** The balance when the dialog opened: the settlement records exactly this. */
  balance: Balance;
  onDone: () => void;
  /** Called when the balance has changed since. */
  onChanged: (sentence: string) => void;
}

export function SettleDialog({ balance, onDone, onChanged }: SettleDialogProps) {
  const settle = useSettle();
  // The settled card disappears along with the focused button.
  useEffect(() => keepFocusInPage, []);
  const { username, currency } = balance;
  const lines = balance.lines.filter(({ status }) => status !== 'paid');
  const { theyOwe, youOwe, net } = openTotals(lines, currency);
  const owed = {
    byThem: `${formatMoney(theyOwe, currency)} they owe you`,
    byYou: `${formatMoney(youOwe, currency)} you owe them`,
  };
  const amount = formatMoney(Math.abs(net), currency);

  const settleUp = () =>
    settle.mutate(
      { username, currency, lines: lines.map(({ id }) => id) },
      {
        onSuccess: () => {
          announce(`Settled with ${username}.`);
          onDone();
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'lines_changed') onChanged(error.message);
        },
      },
    );

  return (
    <ConfirmDialog
      title={`Settle up with ${username}?`}
      confirm="Settle up"
      look="primary"
      busyText="Settling..."
      busy={settle.isPending}
      failure={settle.isError ? 'Failed to settle. Please try again.' : null}
      onConfirm={settleUp}
      onCancel={onDone}
    >
      <p>
        This records that{' '}
        <strong className="font-semibold text-ink">
          {net > 0
            ? `${username} has paid you ${amount}`
            : net < 0
              ? `you have paid ${username} ${amount}`
              : `you and ${username} are even`}
        </strong>
        {theyOwe > 0 && youOwe > 0 && (
          <> ({net < 0 ? `${owed.byYou}, less ${owed.byThem}` : `${owed.byThem}, less ${owed.byYou}`})</>
        )}
        , and clears {formatCount(lines.length, 'open line')} between you.
      </p>
      <p>{username} sees it too. It cannot be undone.</p>
    </ConfirmDialog>
  );
}
