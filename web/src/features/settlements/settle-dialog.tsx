import { paymentProblem } from '@hourshare/contract/fields';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import { useState, type ReactNode } from 'react';
import { announce } from '../../ui/toasts.ts';
import { errorText, sentenceText } from '../../platform/i18n/error-texts.ts';
import { currencySymbol, decimalText, formatMoney } from '../../platform/format/numbers.ts';
import { readMoney } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { sumAmounts } from '../../platform/format/money.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSettle } from './api.ts';
import { HowToPay } from './how-to-pay.tsx';
import { unsentLines, unsentTotals } from './rules.ts';

interface SettleDialogProps {
  /** The balance when the dialog opened: the settlement records exactly this, or a part of it. */
  balance: Balance;
  onDone: (settled: boolean) => void;
  /** Called when the balance has changed since. */
  onChanged: (sentence: string) => void;
}

const b = (text: ReactNode) => <strong className="font-semibold text-ink">{text}</strong>;

/** Records a payment: as sent by the person who owes, or as received by the one who is owed. */
export function SettleDialog({ balance, onDone, onChanged }: SettleDialogProps) {
  const settle = useSettle();
  const username = useUser()?.username ?? '';
  const { username: name, currency, payment_details: details } = balance;
  const lines = unsentLines(balance.lines);
  const { theyOwe, youOwe, net } = unsentTotals(lines, currency);
  const owed = Math.abs(net);
  const [typed, setTyped] = useState(() => decimalText(owed, currency));
  const [problem, setProblem] = useState<string | null>(null);

  const amount = readMoney(typed, currency);
  const found = owed === 0 ? undefined : problemOf(amount, owed, currency);
  const paid = found === undefined && amount !== undefined ? amount : undefined;
  const isPart = paid !== undefined && paid < owed;
  const values = { name, amount: formatMoney(paid ?? owed, currency), b };

  const record = () => {
    setProblem(found ?? null);
    if (found !== undefined) return;
    settle.mutate(
      { username: name, currency, lines: lines.map(({ id }) => id), net, ...(owed > 0 && { amount: paid }) },
      {
        onSuccess: (settlement) => {
          announce(recordedText(settlement, isPart));
          onDone(true);
        },
        onError: (error) => {
          if (!(error instanceof ApiError)) return;
          // More than is open now: part of it was paid meanwhile.
          if (error.code === 'lines_changed' || error.code === 'nothing_to_settle' || error.fields['amount'])
            onChanged(error.fields['amount'] ? t('Balances just changed. Review and try again.') : errorText(error));
        },
      },
    );
  };

  return (
    <ConfirmDialog
      title={t('Settle up with {name}?', { name })}
      confirm={net < 0 ? t('I paid this') : net > 0 ? t('I received this') : t('Settle up')}
      look="primary"
      busyText={t('Settling up...')}
      busy={settle.isPending}
      failure={settle.isError ? t("Couldn't settle up. Please try again.") : null}
      onConfirm={record}
      onCancel={() => onDone(false)}
      form={
        owed > 0 && (
          <form
            noValidate
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!settle.isPending) record();
            }}
          >
            <TextField
              label={t('Amount ({symbol})', { symbol: currencySymbol(currency) })}
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setProblem(null);
              }}
              error={problem ?? undefined}
              hint={
                isPart
                  ? t('Goes toward the oldest charges first. {rest} stays open.', {
                      rest: formatMoney(sumAmounts([owed, -paid], currency), currency),
                    })
                  : t('Everything that is open: {amount}', { amount: formatMoney(owed, currency) })
              }
            />
            {net < 0 && details && Object.values(details).some((detail) => detail !== null) && (
              <HowToPay
                name={name}
                details={details}
                amount={paid}
                currency={currency}
                reference={referenceOf(username, lines)}
              />
            )}
          </form>
        )
      }
    >
      <p>
        {net > 0
          ? rich('This records that <b>{name} paid you {amount}</b>.', values)
          : net < 0
            ? rich('This records that <b>you paid {name} {amount}</b>.', values)
            : rich('This records that <b>you and {name} are settled up</b>.', values)}
      </p>
      {theyOwe > 0 && youOwe > 0 && (
        <p>
          {t('{name} owes you {they_owe}, and you owe {name} {you_owe}.', {
            name,
            they_owe: formatMoney(theyOwe, currency),
            you_owe: formatMoney(youOwe, currency),
          })}
        </p>
      )}
      {!isPart && (
        <p>
          {t('It clears {count, plural, one {# unpaid charge} other {# unpaid charges}} between you.', {
            count: lines.length,
          })}
        </p>
      )}
      <p>
        {balance.account_deleted
          ? t('{name} deleted their account, so this is final at once. Only you can undo it.', { name })
          : net < 0
            ? t('It counts as sent until {name} confirms it. You can undo it for 72 hours.', { name })
            : t('{name} will see this too. You can undo it for 72 hours; later, only together.', { name })}
      </p>
    </ConfirmDialog>
  );
}

function problemOf(amount: number | undefined, owed: number, currency: string): string | undefined {
  if (Number.isNaN(amount)) return t('Amount must be a number');
  const problem = paymentProblem(amount ?? 0, owed, currency);
  return problem && sentenceText(problem);
}

function recordedText({ username: name, status, amount, currency }: Settlement, isPart: boolean): string {
  const values = { name, amount: formatMoney(amount, currency) };
  if (status === 'sent') return t('{amount} recorded as sent to {name}.', values);
  return isPart ? t('{amount} from {name} recorded.', values) : t('Settled up with {name}.', { name });
}

/** Returns what tells the other person who paid for which months: "HourShare mira 2026-09 - 2026-11". */
function referenceOf(username: string, lines: Balance['lines']): string {
  const months = lines.map(({ month }) => month).toSorted();
  const [first = '', last = first] = [months[0], months.at(-1)];
  // oxlint-disable-next-line hourshare/text-in-catalog -- the other person's language is unknown
  return `HourShare ${username} ${first === last ? first : `${first} - ${last}`}`;
}
