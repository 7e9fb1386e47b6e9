import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { Check } from 'lucide-react';
import { useRef } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { takeFocus } from '../../ui/focus.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { dayText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { useConfirmMonth } from './api.ts';

interface NothingToEditProps {
  statement: Statement;
  line: StatementLine;
  className?: string;
}

/** Where a member says that an ended month can be closed, until it is. */
export const NothingToEdit = ({ statement, ...props }: NothingToEditProps) =>
  statement.asset_id !== null &&
  statement.ended &&
  !statement.closed && <Answer assetId={statement.asset_id} statement={statement} {...props} />;

function Answer({ assetId, statement, line, className }: NothingToEditProps & { assetId: number }) {
  const { month, owner } = statement;
  const confirm = useConfirmMonth(assetId, month);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={box}
      tabIndex={-1}
      className={classes(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-[13.5px] text-muted outline-none print:hidden',
        className,
      )}
    >
      {line.confirmed_at === null ? (
        <>
          <p className="min-w-48 flex-1">
            {t('Tells {owner} that this month can be closed. Editing a session takes it back.', { owner })}
          </p>
          <Button
            look="outline"
            size="small"
            busy={confirm.isPending}
            // The button gives way to the answer.
            onClick={() => confirm.mutate(undefined, { onSuccess: () => takeFocus(box.current) })}
          >
            {rich('Nothing to edit<hidden> in {month}</hidden>', { month: monthText(month), hidden })}
          </Button>
          {confirm.isError && (
            <p role="alert" className="basis-full font-medium text-over-text">
              {errorText(confirm.error) || t("Couldn't save your answer. Please try again.")}
            </p>
          )}
        </>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge>
            <Check aria-hidden size={14} />
            {t('You have nothing to edit')}
          </Badge>
          {dayText(line.confirmed_at)}
        </p>
      )}
    </div>
  );
}
