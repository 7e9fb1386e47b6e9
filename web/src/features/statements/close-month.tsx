import type { Statement } from '@hourshare/contract/statements';
import { useId } from 'react';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { dayText } from '../../platform/format/time.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useCloseMonth } from './api.ts';
import { closingText, isObjected, objectedText, waitingFor, waitingText } from './rules.ts';

interface CloseButtonProps {
  statement: Statement;
  /** All of the asset, because the open ones before it are closed along with it. */
  statements: Statement[];
  onClose: () => void;
  className?: string;
}

/** Where an owner closes an ended month early, once all members have answered. */
export function CloseButton({ statement, statements, onClose, className }: CloseButtonProps) {
  const stateId = useId();
  const waiting = waitingFor(statements, statement.month);
  const objected = isObjected(statements, statement.month);
  return (
    <div className={classes('flex flex-wrap items-center justify-between gap-3', className)}>
      <p id={stateId} className="min-w-48 flex-1 text-[13.5px] text-muted">
        {waiting.length > 0
          ? waitingText(waiting, statement)
          : objected
            ? objectedText(statement)
            : closingText(statement)}
      </p>
      <Button
        look="outline"
        size="small"
        disabled={waiting.length > 0 || objected}
        aria-describedby={stateId}
        onClick={onClose}
      >
        {rich('Close now<hidden> for {month}</hidden>', { month: monthText(statement.month), hidden })}
      </Button>
    </div>
  );
}

interface CloseMonthProps {
  assetId: number;
  statement: Statement;
  onClosed: (closed: Statement) => void;
  onCancel: () => void;
}

export function CloseMonth({
  assetId,
  statement: { month, closes_at: closesAt },
  onClosed,
  onCancel,
}: CloseMonthProps) {
  const close = useCloseMonth(assetId, (closed) => {
    announce(t('{month} is closed.', { month: monthText(month) }));
    onClosed(closed);
  });
  const message = close.error instanceof ApiError && close.error.status < 500 ? errorText(close.error) : '';
  return (
    <ConfirmDialog
      title={t('Close {month} now?', { month: monthText(month) })}
      confirm={t('Close now')}
      look="primary"
      busyText={t('Closing...')}
      busy={close.isPending}
      failure={close.isError ? message || t("Couldn't close the month. Please try again.") : null}
      onConfirm={() => close.mutate(month)}
      onCancel={onCancel}
    >
      <p>
        {t("Closing {month} finalizes everyone's costs, including any earlier open months.", {
          month: monthText(month),
        })}
      </p>
      <p>{t("Sessions and prices in a closed month can't be changed.")}</p>
      <p>{t('Otherwise it closes by itself on {day}.', { day: dayText(closesAt) })}</p>
    </ConfirmDialog>
  );
}
