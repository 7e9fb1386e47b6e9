import type { Settlement } from '@hourshare/contract/settlements';
import { useRef, type ReactNode } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useQuestion } from '../../ui/use-question.ts';
import { actionFailureText, usePaymentAction } from './api.ts';
import { undoKind } from './rules.ts';

type Question = 'reject' | 'undo';

interface PaymentActionsProps {
  settlement: Settlement;
  /** Of the button that confirms. */
  look?: ButtonLook;
}

/** What the user can do about a payment, each with a question where the other person notices it. */
export function PaymentActions({ settlement, look = 'primary' }: PaymentActionsProps) {
  const { loading, asked, ask, close } = useQuestion<Question>();
  const action = usePaymentAction(settlement);
  const group = useRef<HTMLDivElement>(null);
  const { can, currency, username: name } = settlement;
  const undo = undoKind(settlement);
  const values = { name, amount: formatMoney(settlement.amount, currency), hidden };
  // The button that was pressed may go.
  const keepFocus = () => group.current?.focus({ preventScroll: true });

  if (!can.confirm && !can.reject && undo === null && !can.withdraw) return null;
  return (
    <div ref={group} tabIndex={-1} className="mt-3 flex flex-wrap items-center gap-2 outline-none">
      {can.confirm && (
        <Button
          look={look}
          size="small"
          busy={action.isPending && action.variables === 'confirm'}
          onClick={() => action.mutate('confirm', { onSuccess: keepFocus })}
        >
          {rich('Confirm<hidden> {amount} from {name}</hidden>', values)}
        </Button>
      )}
      {can.reject && (
        <Button look="outline" size="small" busy={loading === 'reject'} onClick={() => ask('reject')}>
          {rich('Not received<hidden> ({amount} from {name})</hidden>', values)}
        </Button>
      )}
      {undo !== null && (
        <Button look="outline" size="small" busy={loading === 'undo'} onClick={() => ask('undo')}>
          {undo === 'ask'
            ? rich('Ask to undo<hidden> the payment of {amount} with {name}</hidden>', values)
            : undo === 'agree'
              ? rich('Agree to undo<hidden> the payment of {amount} with {name}</hidden>', values)
              : undo === 'confirmation'
                ? rich('Undo confirmation<hidden> of {amount} from {name}</hidden>', values)
                : rich('Undo<hidden> the payment of {amount} with {name}</hidden>', values)}
        </Button>
      )}
      {can.withdraw && (
        <Button
          look="outline"
          size="small"
          busy={action.isPending && action.variables === 'withdraw'}
          onClick={() => action.mutate('withdraw', { onSuccess: keepFocus })}
        >
          {rich('Withdraw request<hidden> to undo {amount} with {name}</hidden>', values)}
        </Button>
      )}
      {action.isError && asked === null && (
        <p role="alert" className="basis-full text-[13.5px] font-medium text-over-text">
          {actionFailureText(action.error)}
        </p>
      )}
      {asked && (
        <asked.Dialog
          {...questionTexts(asked.question, settlement)}
          busy={action.isPending}
          busyText={t('Saving...')}
          failure={action.isError ? actionFailureText(action.error) : null}
          onConfirm={() =>
            action.mutate(asked.question, {
              onSuccess: () => {
                close();
                keepFocus();
              },
            })
          }
          onCancel={() => {
            action.reset();
            close();
          }}
        />
      )}
    </div>
  );
}

function questionTexts(
  question: Question,
  settlement: Settlement,
): { title: string; confirm: string; look: 'primary' | 'danger'; children: ReactNode } {
  const { username: name, currency } = settlement;
  const values = { name, amount: formatMoney(settlement.amount, currency) };
  if (question === 'reject')
    return {
      title: t('{amount} from {name} not received?', values),
      confirm: t('Not received'),
      look: 'danger',
      children: (
        <p>{t("What it covers is due again, and {name} can record it again. This can't be undone.", values)}</p>
      ),
    };
  switch (undoKind(settlement)) {
    case 'ask':
      return {
        title: t('Ask {name} to undo this payment?', values),
        confirm: t('Ask to undo'),
        look: 'primary',
        children: <p>{t('It counts until {name} agrees. Until then, you can withdraw your request.', values)}</p>,
      };
    case 'confirmation':
      return {
        title: t('Undo your confirmation?'),
        confirm: t('Undo confirmation'),
        look: 'danger',
        children: <p>{t('The payment of {amount} counts as sent again. You can confirm it later.', values)}</p>,
      };
    default:
      return {
        title: t('Undo this payment?'),
        confirm: t('Undo payment'),
        look: 'danger',
        children: (
          <p>{t('What it covers is due again: {amount}. The payment stays in the history as undone.', values)}</p>
        ),
      };
  }
}
