import type { Statement } from '@hourshare/contract/statements';
import { useState } from 'react';
import { announce } from '../../lib/announcements.ts';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { monthText } from '../../lib/months.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { LedgerList } from '../../ui/ledger.tsx';
import { assetStatementsFile, useCloseMonth } from './api.ts';
import { LineRow } from './line-row.tsx';
import { closingText, methodText, paidText } from './rules.ts';
import { WhyLines } from './split-table.tsx';
import { StatementLink } from './statement-link.tsx';
import { UseStrip } from './use-strip.tsx';

interface PastMonthsProps {
  assetId: number;
  statements: Statement[];
}

/** The past months of an owned asset: who paid, and a button to close one early. */
export function PastMonths({ assetId, statements }: PastMonthsProps) {
  const [closing, setClosing] = useState<string | null>(null);
  return (
    <section aria-labelledby="past-months">
      <h3 id="past-months" className="font-semibold">
        Past months
      </h3>
      {statements.length === 0 ? (
        <p className="mt-1.5 text-muted">No month has ended yet.</p>
      ) : (
        <ul role="list" className="mt-2 divide-y divide-line border-y border-line">
          {statements.map((statement) => (
            <li key={statement.month}>
              <Disclosure summary={<Summary statement={statement} />}>
                <Month statement={statement} onClose={() => setClosing(statement.month)} />
              </Disclosure>
            </li>
          ))}
        </ul>
      )}
      <DownloadCsv file={() => assetStatementsFile(assetId)} subject="all months" className="mt-2" />
      {closing !== null && <CloseMonth assetId={assetId} month={closing} onDone={() => setClosing(null)} />}
    </section>
  );
}

const Summary = ({ statement }: { statement: Statement }) => (
  <span className="flex items-center justify-between gap-3">
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <span className="font-medium">{monthText(statement.month)}</span>
      <Badge>{statement.closed ? paidText(statement.lines) : 'Not closed yet'}</Badge>
    </span>
    <span className="figures font-semibold">{formatMoney(statement.price, statement.currency)}</span>
  </span>
);

interface MonthProps {
  statement: Statement;
  onClose: () => void;
}

function Month({ statement, onClose }: MonthProps) {
  return (
    <>
      <p className="mb-2.5 text-[13.5px] text-muted">
        {methodText(statement)}, {formatHours(statement.offered_hours)} on offer
      </p>
      <UseStrip statement={statement} />
      <LedgerList label={`Who pays what of ${monthText(statement.month)}`}>
        {statement.lines.map((line) => (
          <LineRow
            key={line.username}
            statement={statement}
            line={line}
            reader="owner"
            title={line.role === 'owner' ? 'You (owner)' : line.username}
            detail={line.role === 'owner' ? 'what is left' : `${formatHours(line.used_hours)} used`}
          />
        ))}
      </LedgerList>
      <WhyLines statement={statement} className="mt-1 mb-1" />
      <StatementLink statement={statement} />
      {!statement.closed && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
          <p className="text-[13.5px] text-muted">{closingText(statement)}</p>
          <Button look="outline" size="small" onClick={onClose}>
            Close now<span className="sr-only"> for {monthText(statement.month)}</span>
          </Button>
        </div>
      )}
    </>
  );
}

function CloseMonth({ assetId, month, onDone }: { assetId: number; month: string; onDone: () => void }) {
  const close = useCloseMonth(assetId);
  const message = close.error instanceof ApiError && close.error.status === 400 ? close.error.message : '';
  return (
    <ConfirmDialog
      title={`Close ${monthText(month)} now?`}
      confirm="Close now"
      look="primary"
      busyText="Closing..."
      busy={close.isPending}
      failure={close.isError ? message || 'Failed to close the month. Please try again.' : null}
      onConfirm={() =>
        close.mutate(month, {
          onSuccess: () => {
            announce(`${monthText(month)} is closed.`);
            onDone();
          },
        })
      }
      onCancel={onDone}
    >
      <p>What each pays is written down for good, for this month and any open one before it.</p>
      <p>
        Sessions and prices of a closed month can no longer be corrected. By itself it closes 72 hours after its end.
      </p>
    </ConfirmDialog>
  );
}
