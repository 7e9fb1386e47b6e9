import type { Statement, StatementLine } from '@hourshare/contract/statements';
import type { ReactNode } from 'react';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classes } from '../../ui/class-names.ts';
import { LedgerButton, StatusBadge } from '../../ui/ledger.tsx';
import { fills, Swatch } from '../../ui/swatch.tsx';
import { useLineMark } from '../settlements/api.ts';
import { coveredText, objectionText } from './explanation.ts';
import type { Payer } from './payers.ts';
import { isOwner, paidText, plainHours, usedTotal } from './rules.ts';
import { UseBar } from './use-bar.tsx';

/** The price as a bar, divided by who pays what. The charges below say the same, also to screen readers. */
export const PriceBar = ({ price, payers }: { price: number; payers: Payer[] }) => (
  <div
    aria-hidden
    className="statement-bar mt-4 flex h-7 overflow-hidden rounded-control bg-surface inset-ring inset-ring-line-field"
  >
    {payers.map(
      ({ key, tone, ofPrice }) =>
        ofPrice > 0 && (
          <div
            key={key}
            className={classes('min-w-1 not-last:border-e-2 not-last:border-surface', tone && fills[tone])}
            style={{ width: `${(ofPrice / price) * 100}%` }}
          />
        ),
    )}
  </div>
);

// In a narrow card a row is two lines: who and the charge, and indented the status.
const row = 'border-b border-line @max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-center @max-2xl:py-2 @max-2xl:ps-12';
const name =
  'min-w-0 py-2.5 text-start font-medium @max-2xl:-ms-12 @max-2xl:basis-[calc(100%-4.5rem)] @max-2xl:py-0.5 @2xl:w-full @2xl:max-w-0';
const charge =
  'figures ps-4 text-end font-display text-[17px] font-bold whitespace-nowrap @max-2xl:w-30 @max-2xl:py-0.5';
const statusCell =
  'statement-status py-2.5 text-start @max-2xl:basis-full @max-2xl:py-0.5 @2xl:ps-6 @2xl:whitespace-nowrap';

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
    <table className="w-full text-[15px] @max-2xl:table-fixed">
      <caption className="sr-only">{t('Who pays what for {month}', { month: monthText(month) })}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('Who')}</th>
          <th scope="col">{t('Charge')}</th>
          {closed && <th scope="col">{t('Status')}</th>}
        </tr>
      </thead>
      <tbody>
        {payers.map((payer) => (
          <Row key={payer.key} statement={statement} payer={payer} owned={owned} />
        ))}
        <tr className={row}>
          <th scope="row" className={`${name} font-semibold`}>
            {t('Total')}
            {owned && statement.measured && lines.length > 1 && (
              <span className="ms-1">
                {' '}
                <Note>
                  {t('{used} of {total}', {
                    used: formatHours(usedTotal(lines)),
                    total: formatHours(statement.total_hours),
                  })}
                </Note>
              </span>
            )}
          </th>
          <td className={charge}>{formatMoney(price, currency)}</td>
          {closed && (
            <td className={`${statusCell} text-[14px] text-muted @max-2xl:-ms-12`}>{owned && paidText(lines)}</td>
          )}
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
        <span className="flex items-center gap-3">
          <Avatar name={payer.name} hue={line?.hue ?? null} className="print:hidden" />
          <span className="statement-who block min-w-0 flex-1">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="hidden self-center print:inline-flex">
                {payer.tone ? <Swatch tone={payer.tone} /> : <span aria-hidden className="size-3" />}
              </span>
              <bdi className="max-w-full truncate">{payer.name}</bdi>
              {line && <Note>{roleText(statement, line)}</Note>}
            </span>
            {line && payer.tone && statement.measured && (
              <UseBar
                used={line.used_hours}
                total={line.allocated_hours}
                fill={fills[payer.tone]}
                className="mt-1 max-w-md print:hidden"
              />
            )}
            {notes.map((text) => (
              <span key={text} className="block leading-snug whitespace-normal">
                <Note>{text}</Note>
              </span>
            ))}
          </span>
        </span>
      </th>
      <td className={charge}>{formatMoney(amount, currency)}</td>
      {closed && (
        <td className={statusCell}>
          {line?.status && amount !== 0 ? (
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
function roleText({ measured, owner_takes_part }: Statement, line: StatementLine): string {
  if (line.role === 'owner' && !owner_takes_part) return t('Remaining cost');
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
    <span className="flex flex-wrap items-center gap-x-2 @2xl:flex-nowrap">
      {status && <StatusBadge status={status} />}
      {since !== null && <Note>{since}</Note>}
      {progress !== null && <Note>{progress}</Note>}
      {action && (
        <span className="-ms-3 me-3 print:hidden">
          <LedgerButton action={action} />
        </span>
      )}
    </span>
  );
}
