import type { Deposit } from '@hourshare/contract/deposits';
import { useRef } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { announce } from '../../ui/toasts.ts';
import { useDepositAction } from './changes-api.ts';

interface DepositActionsProps {
  deposit: Deposit;
  /** Of the button that confirms. */
  look?: ButtonLook;
}

/** What the user can do about a deposit. */
export function DepositActions({ deposit, look = 'primary' }: DepositActionsProps) {
  const action = useDepositAction(deposit);
  const group = useRef<HTMLDivElement>(null);
  const { can, username: name } = deposit;
  const amount = formatMoney(deposit.amount, deposit.currency);
  const values = { name, amount, hidden };
  if (!can.confirm && !can.withdraw && !can.give_back) return null;
  const button = (verb: Parameters<typeof action.mutate>[0], buttonLook: ButtonLook) => ({
    look: buttonLook,
    size: 'small' as const,
    busy: action.isPending && action.variables === verb,
    onClick: () =>
      action.mutate(verb, {
        onSuccess: () => {
          announce(t('Saved.'));
          // The button that was pressed may go.
          group.current?.focus({ preventScroll: true });
        },
      }),
  });
  return (
    <div ref={group} tabIndex={-1} className="mt-3 flex flex-wrap items-center gap-2 outline-none">
      {can.confirm && (
        <Button {...button('confirm', look)}>{rich('Confirm<hidden> {amount} from {name}</hidden>', values)}</Button>
      )}
      {can.withdraw && (
        <Button {...button('withdraw', 'outline')}>
          {can.confirm
            ? rich('Not right<hidden> ({amount}, {name})</hidden>', values)
            : rich('Undo<hidden> ({amount}, {name})</hidden>', values)}
        </Button>
      )}
      {can.give_back && (
        <Button {...button('return', 'outline')}>
          {rich('Given back<hidden> ({amount}, {name})</hidden>', values)}
        </Button>
      )}
      {action.isError && (
        <p role="alert" className="basis-full text-[13.5px] font-medium text-over-text">
          {errorText(action.error) || t("Couldn't save this. Please try again.")}
        </p>
      )}
    </div>
  );
}
