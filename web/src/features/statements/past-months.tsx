import type { Statement } from '@hourshare/contract/statements';
import { useState } from 'react';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { methodText } from '../periods/terms-text.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Badge } from '../../ui/badge.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { assetStatementsFile } from './api.ts';
import { BillingNote } from './billing-note.tsx';
import { CloseButton, CloseMonth } from './close-month.tsx';
import { StatementLines } from './line-row.tsx';
import { EditedSessions } from './edited-sessions.tsx';
import { PriceChanges } from './price-changes.tsx';
import { paidText, readerOf } from './rules.ts';
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
                <Month statement={statement} statements={statements} onClose={() => setClosing(statement)} />
              </Disclosure>
            </li>
          ))}
        </ul>
      )}
      <DownloadCsv file={() => assetStatementsFile(assetId)} subject={t('all months')} className="mt-2" />
      {closing && (
        <CloseMonth
          assetId={assetId}
          statement={closing}
          onClosed={() => setClosing(null)}
          onCancel={() => setClosing(null)}
        />
      )}
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
  statements: Statement[];
  onClose: () => void;
}

function Month({ statement, statements, onClose }: MonthProps) {
  const reader = readerOf(statement, useUser()?.username ?? '');
  return (
    <>
      <p className="mb-2.5 text-[13.5px] text-muted">
        {statement.measured
          ? t('{method}, {hours} available', {
              method: methodText(statement),
              hours: formatHours(statement.total_hours),
            })
          : methodText(statement)}
      </p>
      <UseStrip statement={statement} />
      <StatementLines statement={statement} reader={reader} />
      <WhyLines statement={statement} className="mt-1 mb-1" />
      <PriceChanges statement={statement} className="mt-2 mb-1" />
      <BillingNote statement={statement} className="mt-2 mb-1 text-[14px]" />
      <EditedSessions statement={statement} className="mt-2 mb-1" />
      <StatementLink statement={statement} />
      {!statement.closed && (
        <CloseButton statement={statement} statements={statements} onClose={onClose} className="mt-1" />
      )}
    </>
  );
}
