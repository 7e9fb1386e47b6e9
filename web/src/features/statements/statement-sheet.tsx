import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { rich, t } from '../../lib/messages.ts';
import { monthText } from '../../lib/months.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { StatusBadge } from '../../ui/ledger.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { lineStatus } from '../settlements/api.ts';
import { statementFile } from './api.ts';
import { isOwner, methodText, offeredText, statusText, usedTotal } from './rules.ts';
import { explanationText } from './explanation.ts';

// Estimated characters per printed row, to count the rows of an explanation (styles/print.css).
const CHARACTERS_PER_ROW = 78;
/** Statements with more rows print in two columns of small type. */
const MAX_SINGLE_COLUMN_ROWS = 24;
/** More rows of explanations don't fit below forty lines and are left out of print. */
const MAX_EXPLANATION_ROWS = 88;

interface StatementSheetProps {
  assetId: number;
  statement: Statement;
  username: string;
}

/** A statement: every line for the owner, the own line and the price for a member. */
export function StatementSheet({ assetId, statement, username }: StatementSheetProps) {
  const { asset_name, month, lines, currency } = statement;
  const owned = isOwner(statement, username);
  const sentences = lines.map((line) => ({
    who: line.username,
    why: explanationText(statement, line, owned ? 'anyone' : 'self'),
  }));
  const rows = sentences.reduce((sum, { why }) => sum + Math.ceil(why.length / CHARACTERS_PER_ROW), 0);
  const isTooLong = rows > MAX_EXPLANATION_ROWS;
  return (
    <article
      aria-labelledby="statement"
      className="statement max-w-[880px]"
      data-long={lines.length + rows > MAX_SINGLE_COLUMN_ROWS || undefined}
    >
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
      <Card className="statement-paper">
        <div className="statement-facts mb-3 grid gap-x-12 sm:grid-cols-2">
          <DefinitionList>
            <Definition name={t('Owner')}>{statement.owner}</Definition>
            <Definition name={t('Price')}>
              {t('{price} per month', { price: formatMoney(statement.price, currency) })}
            </Definition>
          </DefinitionList>
          <DefinitionList>
            <Definition name={t('Split [[noun]]')}>{methodText(statement)}</Definition>
            <Definition name={t('Status')}>{statusText(statement)}</Definition>
          </DefinitionList>
        </div>
        <div className="statement-lines">
          <Lines statement={statement} owned={owned} />
        </div>
        <section aria-labelledby="why" className="mt-6">
          <h2 id="why" className="font-semibold">
            {t('How this was calculated')}
          </h2>
          <ul
            role="list"
            className={`statement-why mt-1.5 grid gap-1.5 text-[14px] text-muted ${isTooLong ? 'print:hidden!' : ''}`}
          >
            {sentences.map(({ who, why }) => (
              <li key={who}>{why}</li>
            ))}
          </ul>
          {isTooLong && (
            <p className="hidden text-muted print:block">
              {t('Calculations are omitted from print. See the online statement.')}
            </p>
          )}
        </section>
      </Card>
    </article>
  );
}

// Figures take the width they need and the name the rest. On phones the status moves below the name.
const head = 'py-2 ps-3 text-end text-[13.5px] font-medium whitespace-nowrap text-muted first:ps-0 first:text-start';
const cell = 'figures py-2.5 ps-3 text-end whitespace-nowrap sm:ps-6';
const wide = 'hidden sm:table-cell print:table-cell';

const note = (text: ReactNode) => <span className="font-normal text-muted">{text}</span>;

function Lines({ statement, owned }: { statement: Statement; owned: boolean }) {
  const { lines, currency, closed, price } = statement;
  return (
    <table className="w-full">
      <caption className="sr-only">{t('Who pays what for {month}', { month: monthText(statement.month) })}</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            {t('Who')}
          </th>
          <th scope="col" className={head}>
            {t('Used')}
          </th>
          <th scope="col" className={head}>
            {t('Allowance')}
          </th>
          <th scope="col" className={head}>
            {t('Pays')}
          </th>
          {closed && (
            <th scope="col" className={`${head} ${wide}`}>
              {t('Status')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.username} className="border-b border-line">
            <th scope="row" className="w-full max-w-0 py-2.5 text-start font-medium">
              <span className="block truncate">
                {line.role === 'owner'
                  ? rich('{name}<note> (owner)</note>', {
                      name: line.username,
                      note,
                    })
                  : line.username}
              </span>
              <span className="mt-1 flex empty:hidden sm:hidden print:hidden">
                <Status line={line} />
              </span>
            </th>
            <td className={cell}>{line.role === 'owner' ? '–' : formatHours(line.used_hours)}</td>
            <td className={cell}>{offeredText(line)}</td>
            <td className={`${cell} font-semibold`}>{formatMoney(line.amount, currency)}</td>
            {closed && (
              <td className={`${cell} ${wide}`}>
                <Status line={line} otherwise="–" />
              </td>
            )}
          </tr>
        ))}
        <tr>
          <th scope="row" className="py-2.5 text-start font-semibold">
            {owned ? t('Total') : t('Full price')}
          </th>
          <td className={cell}>{owned && formatHours(usedTotal(lines))}</td>
          <td className={cell}>{owned && formatHours(statement.offered_hours)}</td>
          <td className={`${cell} font-semibold`}>{formatMoney(price, currency)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Status({ line, otherwise = null }: { line: StatementLine; otherwise?: string | null }) {
  const status = lineStatus(line);
  return status ? <StatusBadge status={status} /> : otherwise;
}
