import type { Statement } from '@hourshare/contract/statements';
import { useId, useState } from 'react';
import { announce } from '../../lib/announcements.ts';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { errorText } from '../../lib/error-texts.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { rich, t } from '../../lib/messages.ts';
import { monthText } from '../../lib/months.ts';
import { dayText } from '../../lib/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { assetStatementsFile, useCloseMonth } from './api.ts';
import { StatementLines } from './line-row.tsx';
import { PriceChanges } from './price-changes.tsx';
import { closingText, methodText, paidText, waitingFor, waitingText } from './rules.ts';
import { WhyLines } from './split-table.tsx';
import { StatementLink } from './statement-link.tsx';
import { UseStrip } from './use-strip.tsx';

interface PastMonthsProps {
  assetId: number;
  statements: Statement[];
}

/** The past months of an owned asset: who paid, and a button to close one early, once all members have answered. */
export function PastMonths({ assetId, statements }: PastMonthsProps) {
  const [closing, setClosing] = useState<Statement | null>(null);
  return (
    <section aria-labelledby="past-months">
      <h3 id="past-months" className="font-semibold">
        {t('Past months')}
      </h3>
      {statements.length === 0 ? (
        <p className="mt-1.5 text-muted">{t('No past months yet.')}</p>
      ) : (
        <ul role="list" className="mt-2 divide-y divide-line border-y border-line">
          {statements.map((statement) => (
            <li key={statement.month}>
              <Disclosure summary={<Summary statement={statement} />}>
                <Month
                  statement={statement}
                  waiting={waitingFor(statements, statement.month)}
                  onClose={() => setClosing(statement)}
                />
              </Disclosure>
            </li>
          ))}
        </ul>
      )}
      <DownloadCsv file={() => assetStatementsFile(assetId)} subject={t('all months')} className="mt-2" />
      {closing && <CloseMonth assetId={assetId} statement={closing} onDone={() => setClosing(null)} />}
    </section>
  );
}

const Summary = ({ statement }: { statement: Statement }) => (
  <span className="flex items-center justify-between gap-3">
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <span className="font-medium">{monthText(statement.month)}</span>
      <Badge>{statement.closed ? paidText(statement.lines) : t('Not closed yet')}</Badge>
    </span>
    <span className="figures font-semibold">{formatMoney(statement.price, statement.currency)}</span>
  </span>
);

interface MonthProps {
  statement: Statement;
  /** Who still has to answer. */
  waiting: string[];
  onClose: () => void;
}

function Month({ statement, waiting, onClose }: MonthProps) {
  const stateId = useId();
  return (
    <>
      <p className="mb-2.5 text-[13.5px] text-muted">
        {t('{method}, {hours} available', {
          method: methodText(statement),
          hours: formatHours(statement.offered_hours),
        })}
      </p>
      <UseStrip statement={statement} />
      <StatementLines statement={statement} reader="owner" />
      <WhyLines statement={statement} className="mt-1 mb-1" />
      <PriceChanges statement={statement} className="mt-2 mb-1" />
      <StatementLink statement={statement} />
      {!statement.closed && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
          <p id={stateId} className="min-w-48 flex-1 text-[13.5px] text-muted">
            {waiting.length > 0 ? waitingText(waiting, statement) : closingText(statement)}
          </p>
          <Button
            look="outline"
            size="small"
            disabled={waiting.length > 0}
            aria-describedby={stateId}
            onClick={onClose}
          >
            {rich('Close now<hidden> for {month}</hidden>', { month: monthText(statement.month), hidden })}
          </Button>
        </div>
      )}
    </>
  );
}

interface CloseMonthProps {
  assetId: number;
  statement: Statement;
  onDone: () => void;
}

function CloseMonth({ assetId, statement: { month, closes_at: closesAt }, onDone }: CloseMonthProps) {
  const close = useCloseMonth(assetId);
  const message = close.error instanceof ApiError && close.error.status === 400 ? errorText(close.error) : '';
  return (
    <ConfirmDialog
      title={t('Close {month} now?', { month: monthText(month) })}
      confirm={t('Close now')}
      look="primary"
      busyText={t('Closing...')}
      busy={close.isPending}
      failure={close.isError ? message || t("Couldn't close the month. Please try again.") : null}
      onConfirm={() =>
        close.mutate(month, {
          onSuccess: () => {
            announce(t('{month} is closed.', { month: monthText(month) }));
            onDone();
          },
        })
      }
      onCancel={onDone}
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
