import type { Statement } from '@hourshare/contract/statements';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, ChevronLeft, Printer } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { paths } from '../../platform/paths.ts';
import { methodText } from '../periods/terms-text.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { Tile, tintOf } from '../../ui/tile.tsx';
import { statementFile, useAssetStatements } from './api.ts';
import { BillingNote } from './billing-note.tsx';
import { Charges, PriceBar } from './charges.tsx';
import { CloseButton, CloseMonth } from './close-month.tsx';
import { EditedSessions } from './edited-sessions.tsx';
import { explanationText } from './explanation.ts';
import { HowCalculated } from './how-calculated.tsx';
import { leadText } from './lead-text.ts';
import { NothingToEdit } from './nothing-to-edit.tsx';
import { OtherMonths } from './other-months.tsx';
import { payersOf } from './payers.ts';
import { StatementCosts } from './statement-costs.tsx';
import { PriceChanges } from './price-changes.tsx';
import { findOwnLine, isOwner, statusText } from './rules.ts';

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
  const { asset_name, month, lines } = statement;
  const owned = isOwner(statement, username);
  const payers = payersOf(statement, username);
  const own = owned ? undefined : findOwnLine(statement, username);
  const rows =
    lines.length +
    statement.price_changes.length +
    statement.price_parts.length +
    Number(statement.next_price !== null) +
    2 * statement.edited_sessions.length;
  const explained = owned ? lines.reduce((sum, { explanation }) => sum + explanation.length + 1, 0) : 0;
  const isTooLong = rows + explained > MAX_SMALL_ROWS;
  const hasBar = rows + (isTooLong ? 0 : explained) <= MAX_ROWS_BELOW_BAR;
  return (
    <article aria-labelledby="statement" className="statement" data-long={rows + explained > MAX_ROWS || undefined}>
      <div className="mb-2 flex flex-wrap items-center justify-end gap-x-6 print:hidden">
        <Link to={paths.costs} className={buttonClasses('quiet', 'small', '-ms-3 me-auto gap-1! px-3!')}>
          <ChevronLeft aria-hidden size={16} className="rtl:-scale-x-100" />
          {t('Costs')}
        </Link>
        <DownloadCsv
          file={() => statementFile(assetId, month)}
          subject={t('the statement for {month}', { month: monthText(month) })}
        />
        <Button look="outline" size="small" icon={<Printer aria-hidden size={16} />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </div>
      <Card className="statement-paper @container overflow-hidden md:p-7">
        <header className={classes('statement-head -mx-4 -mt-4 mb-2 p-4 md:-mx-7 md:-mt-7 md:p-7', tintOf(asset_name))}>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
            <Tile name={asset_name} size="large" className="bg-surface! print:hidden" />
            <div className="min-w-0 grow basis-44">
              <h1 id="statement" dir="auto" className="title-1 hyphens-auto [overflow-wrap:anywhere]">
                {asset_name}
              </h1>
              <p>{t('Statement for {month}', { month: monthText(month) })}</p>
            </div>
            <p className="inline-flex items-center gap-1.5 rounded-full bg-surface px-3 py-1 text-[13.5px] font-semibold">
              {statement.closed && <Check aria-hidden size={16} />}
              {statusText(statement)}
            </p>
          </div>
          {own && own.amount < 0 && (
            <p className="figures mt-4 title-2">
              {rich('{amount}<note> owed to you</note>', {
                amount: formatMoney(-own.amount, statement.currency),
                note: (text) => text,
              })}
            </p>
          )}
          <p className={classes('figures', own && own.amount < 0 ? 'mt-1' : 'mt-4 title-2')}>
            {own ? explanationText(statement, own, 'self') : leadText(statement)}
          </p>
          {hasBar && <PriceBar price={statement.price} payers={payers} />}
        </header>
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
        <StatementCosts
          statement={statement}
          lines={own ? [own] : payers.flatMap(({ line }) => line ?? [])}
          reader={owned ? 'owner' : 'self'}
          className="mt-5"
        />
        <p className="mt-3 flex flex-wrap gap-x-4 text-[14px] text-muted">
          <span>{t('Shared by {owner}', { owner: statement.owner })}</span>
          {!statement.unbilled && statement.price_parts.length === 0 && (
            <span className="figures">
              {t('{price} per month', { price: formatMoney(statement.price, statement.currency) })}
            </span>
          )}
          <span>{methodText(statement)}</span>
        </p>
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
