import type { Statement, StatementLine } from '@hourshare/contract/statements';
import type { ReactNode } from 'react';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { classes } from '../../ui/class-names.ts';
import { LedgerButton, StatusBadge } from '../../ui/ledger.tsx';
import { fills, Swatch } from '../../ui/swatch.tsx';
import { useLineMark } from '../settlements/api.ts';
import { coveredText, objectionText } from './explanation.ts';
import type { Payer } from './payers.ts';
import { isOwner, paidText, plainHours } from './rules.ts';

/** The price as a bar, divided by who pays what. The charges below say the same, also to screen readers. */
export const PriceBar = ({ price, payers }: { price: number; payers: Payer[] }) => (
  <div
    aria-hidden
    className="statement-bar mt-4 flex h-7 overflow-hidden rounded-control bg-surface inset-ring inset-ring-line-field"
  >
    {payers.map(
      ({ key, tone, amount }) =>
        amount > 0 && (
          <div
            key={key}
            className={classes('min-w-1 not-last:border-e-2 not-last:border-surface', tone && fills[tone])}
            style={{ width: `${(amount / price) * 100}%` }}
          />
        ),
    )}
  </div>
);

// In a narrow card a row is two lines: the name and the charge, and indented the status.
const row = 'border-b border-line @max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-baseline @max-2xl:py-2 @max-2xl:ps-5';
const name =
  'min-w-0 py-2.5 text-start font-medium @max-2xl:-ms-5 @max-2xl:basis-[calc(100%-6.25rem)] @max-2xl:py-0.5 @2xl:w-full @2xl:max-w-0';
const charge = 'figures py-2.5 text-end font-semibold whitespace-nowrap @max-2xl:w-30 @max-2xl:py-0.5';
const statusCell =
  'statement-status py-2.5 text-start @max-2xl:basis-full @max-2xl:py-0.5 @2xl:ps-6 @2xl:whitespace-nowrap';
const head = 'py-2 text-end text-[13.5px] font-medium whitespace-nowrap text-muted first:text-start';

interface ChargesProps {
  statement: Statement;
  payers: Payer[];
  username: string;
}

/** Who pays what, for how many hours, and whether it is paid. */
export function Charges({ statement, payers, username }: ChargesProps) {
  const { lines, currency, closed, price, month } = statement;
  const owned = isOwner(statement, username);
  return (
    <table className="mt-4 w-full text-[15px] @max-2xl:table-fixed">
      <caption className="sr-only">{t('Who pays what for {month}', { month: monthText(month) })}</caption>
      <thead className="@max-2xl:sr-only">
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            {t('Who')}
          </th>
          <th scope="col" className={head}>
            {t('Charge')}
          </th>
          {closed && (
            <th scope="col" className={`${head} ps-6 text-start`}>
              {t('Status')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {payers.map((payer) => (
          <Row key={payer.key} statement={statement} payer={payer} owned={owned} />
        ))}
        <tr className={row}>
          <th scope="row" className={`${name} font-semibold`}>
            {t('Total')}
          </th>
          <td className={charge}>{formatMoney(price, currency)}</td>
          {closed && <td className={`${statusCell} text-[14px] text-muted`}>{owned && paidText(lines)}</td>}
        </tr>
      </tbody>
    </table>
  );
}

function Row({ statement, payer, owned }: { statement: Statement; payer: Payer; owned: boolean }) {
  const { currency, closed } = statement;
  const { line, amount } = payer;
  const notes =
    line && owned ? [coveredText(statement, line), objectionText(line)].filter((text) => text !== null) : [];
  return (
    <tr className={row}>
      <th scope="row" className={name}>
        <span className="statement-who block">
          <span className="flex items-center gap-2">
            {payer.tone ? (
              <Swatch tone={payer.tone} />
            ) : (
              <span aria-hidden className="size-3 shrink-0 rounded-[3px] border border-line-field" />
            )}
            <bdi className="truncate">{payer.name}</bdi>
            {line && <Note>{roleText(statement, line)}</Note>}
          </span>
          {notes.map((text) => (
            <span key={text} className="block ps-5 leading-snug whitespace-normal">
              <Note>{text}</Note>
            </span>
          ))}
        </span>
      </th>
      <td className={charge}>{formatMoney(amount, currency)}</td>
      {closed && (
        <td className={statusCell}>
          {line?.status && amount > 0 ? (
            <Status statement={statement} line={line} owned={owned} />
          ) : (
            <span className="@max-2xl:hidden">
              <Note>–</Note>
            </span>
          )}
        </td>
      )}
    </tr>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <span className="text-[13.5px] font-normal text-muted">{children}</span>
);

/** Says who someone is, or how much they used. */
function roleText({ measured }: Statement, line: StatementLine): string {
  if (line.role === 'owner') return t('owner');
  if (!measured) return '';
  return t('{used} of {total}', { used: plainHours(line.used_seconds), total: formatHours(line.allocated_hours) });
}

/** A charge's payment, and what the reader may mark. */
function Status({ statement, line, owned }: { statement: Statement; line: StatementLine; owned: boolean }) {
  const detail = monthText(statement.month);
  const { status, since, progress, action } = useLineMark(
    line,
    owned ? 'owner' : 'self',
    owned ? { title: line.username, detail } : { title: statement.asset_name, detail },
    statement.currency,
  );
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {status && <StatusBadge status={status} />}
      {since !== null && <Note>{since}</Note>}
      {progress !== null && <Note>{progress}</Note>}
      {action && (
        <span className="-ms-3 me-3 @2xl:basis-full print:hidden">
          <LedgerButton action={action} />
        </span>
      )}
    </span>
  );
}
