import type { Balance } from '@hourshare/contract/settlements';
import type { ReactNode } from 'react';
import { announce } from '../../lib/announcements.ts';
import { errorText } from '../../lib/error-texts.ts';
import { formatMoney } from '../../lib/formatting.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { rich, t } from '../../lib/messages.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useSettle } from './api.ts';
import { openTotals } from './rules.ts';

interface SettleDialogProps {
  /** The balance when the dialog opened: the settlement records exactly this. */
  balance: Balance;
  onDone: (settled: boolean) => void;
  /** Called when the balance has changed since. */
  onChanged: (sentence: string) => void;
}

const b = (text: ReactNode) => <strong className="font-semibold text-ink">{text}</strong>;

export function SettleDialog({ balance, onDone, onChanged }: SettleDialogProps) {
  const settle = useSettle();
  const { username, currency } = balance;
  const lines = balance.lines.filter(({ status }) => status !== 'paid');
  const { theyOwe, youOwe, net } = openTotals(lines, currency);
  const recorded = { name: username, amount: formatMoney(Math.abs(net), currency), b };

  const settleUp = () =>
    settle.mutate(
      { username, currency, lines: lines.map(({ id }) => id) },
      {
        onSuccess: () => {
          announce(t('Settled up with {name}.', { name: username }));
          onDone(true);
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'lines_changed') onChanged(errorText(error));
        },
      },
    );

  return (
    <ConfirmDialog
      title={t('Settle up with {name}?', { name: username })}
      confirm={t('Settle up')}
      look="primary"
      busyText={t('Settling up...')}
      busy={settle.isPending}
      failure={settle.isError ? t("Couldn't settle up. Please try again.") : null}
      onConfirm={settleUp}
      onCancel={() => onDone(false)}
    >
      <p>
        {net > 0
          ? rich('This records that <b>{name} paid you {amount}</b>.', recorded)
          : net < 0
            ? rich('This records that <b>you paid {name} {amount}</b>.', recorded)
            : rich('This records that <b>you and {name} are settled up</b>.', recorded)}
      </p>
      {theyOwe > 0 && youOwe > 0 && (
        <p>
          {t('{name} owes you {they_owe}, and you owe {name} {you_owe}.', {
            name: username,
            they_owe: formatMoney(theyOwe, currency),
            you_owe: formatMoney(youOwe, currency),
          })}
        </p>
      )}
      <p>
        {t('It clears {count, plural, one {# unpaid charge} other {# unpaid charges}} between you.', {
          count: lines.length,
        })}
      </p>
      <p>{t("{name} will see this too. It can't be undone.", { name: username })}</p>
    </ConfirmDialog>
  );
}
