import type { Statement } from '@hourshare/contract/statements';
import { useNavigate } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { paths } from '../../platform/paths.ts';
import { methodText } from '../periods/terms-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { statementFile, useAssetStatements } from './api.ts';
import { BillingNote } from './billing-note.tsx';
import { Charges, PriceBar } from './charges.tsx';
import { CloseButton, CloseMonth } from './close-month.tsx';
import { EditedSessions } from './edited-sessions.tsx';
import { explanationText } from './explanation.ts';
import { HowCalculated } from './how-calculated.tsx';
import { NothingToEdit } from './nothing-to-edit.tsx';
import { OtherMonths } from './other-months.tsx';
import { payersOf } from './payers.ts';
import { PriceChanges } from './price-changes.tsx';
import { findOwnLine, isOwner, leadText, statusText } from './rules.ts';

/** Statements with more rows print in small type, to fit on one page. */
const MAX_ROWS = 9;
/** With more rows, the calculations don't fit and are left out of print. */
const MAX_SMALL_ROWS = 41;
/** More rows leave no room for the bar, which says the same as they do. */
const MAX_ROWS_BELOW_BAR = 32;

interface StatementSheetProps {
  assetId: number;
  statement: Statement;
  username: string;
}

/** A month as a bill: what it comes to, the price as a bar, every charge, and its calculation. A member sees the others as one. */
export function StatementSheet({ assetId, statement, username }: StatementSheetProps) {
  const { asset_name, month, lines, currency } = statement;
  const owned = isOwner(statement, username);
  const payers = payersOf(statement, username);
  const own = owned ? undefined : findOwnLine(statement, username);
  const rows =
    lines.length +
    statement.price_changes.length +
    Number(statement.next_price !== null) +
    2 * statement.edited_sessions.length;
  const explained = owned ? lines.reduce((sum, { explanation }) => sum + explanation.length + 1, 0) : 0;
  const isTooLong = rows + explained > MAX_SMALL_ROWS;
  const hasBar = rows + (isTooLong ? 0 : explained) <= MAX_ROWS_BELOW_BAR;
  return (
    <article aria-labelledby="statement" className="statement" data-long={rows + explained > MAX_ROWS || undefined}>
      <PageHeader
        title={
          <span id="statement" dir="auto">
            {asset_name}
          </span>
        }
        action={
          <div className="flex flex-wrap items-start gap-x-6 gap-y-1.5">
            <DownloadCsv
              file={() => statementFile(assetId, month)}
              subject={t('the statement for {month}', { month: monthText(month) })}
              className="ms-3 max-sm:order-1"
            />
            <Button look="outline" size="small" icon={<Printer aria-hidden size={16} />} onClick={() => window.print()}>
              {t('Print')}
            </Button>
          </div>
        }
      >
        {t('Statement for {month}', { month: monthText(month) })}
      </PageHeader>
      <Card className="statement-paper @container md:p-7">
        <dl className="statement-facts grid grid-cols-2 gap-x-6 gap-y-3 border-b border-line pb-5 @2xl:grid-cols-4">
          <Fact name={t('Owner')}>
            <bdi>{statement.owner}</bdi>
          </Fact>
          <Fact name={t('Price')}>
            {statement.unbilled
              ? t('Not billed')
              : t('{price} per month', { price: formatMoney(statement.price, currency) })}
          </Fact>
          <Fact name={t('Split [[noun]]')}>{methodText(statement)}</Fact>
          <Fact name={t('Status')}>{statusText(statement)}</Fact>
        </dl>
        <p className="figures mt-5 font-display text-[21px] leading-snug font-bold">
          {own ? explanationText(statement, own, 'self') : leadText(statement)}
        </p>
        {hasBar && <PriceBar price={statement.price} payers={payers} />}
        <Charges statement={statement} payers={payers} username={username} />
        <HowCalculated
          statement={statement}
          lines={own ? [own] : payers.flatMap(({ line }) => line ?? [])}
          reader={owned ? 'owner' : 'self'}
          className={classes('mt-3', isTooLong && 'print:hidden')}
        />
        {isTooLong && (
          <p className="hidden text-muted print:block">
            {t('Calculations are omitted from print. See the online statement.')}
          </p>
        )}
        <PriceChanges statement={statement} className="statement-price-changes mt-5 max-w-md" />
        <BillingNote statement={statement} className="mt-5 text-[14px]" />
        <EditedSessions statement={statement} className="mt-5 max-w-2xl" />
        {own && <NothingToEdit statement={statement} line={own} className="mt-5 border-t border-line pt-5" />}
        {owned && statement.ended && !statement.closed && <CloseEarly assetId={assetId} statement={statement} />}
      </Card>
      <OtherMonths assetId={assetId} month={month} />
    </article>
  );
}

/** Where its owner can close an ended month; for a deleted asset, this is the only place. */
function CloseEarly({ assetId, statement }: Pick<StatementSheetProps, 'assetId' | 'statement'>) {
  const [closing, setClosing] = useState(false);
  const statements = useAssetStatements(assetId).data;
  const navigate = useNavigate();
  return (
    statements && (
      <>
        <CloseButton
          statement={statement}
          statements={statements}
          onClose={() => setClosing(true)}
          className="mt-5 border-t border-line pt-5 print:hidden"
        />
        {closing && (
          <CloseMonth
            assetId={assetId}
            statement={statement}
            onClosed={(closed) => {
              setClosing(false);
              if (closed.asset_id === null) void navigate({ to: paths.costs });
            }}
            onCancel={() => setClosing(false)}
          />
        )}
      </>
    )
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[14px] text-muted">{name}</dt>
    <dd className="figures font-semibold [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
