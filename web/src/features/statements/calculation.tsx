import type { Explanation, Statement, StatementLine } from '@hourshare/contract/statements';
import type { ReactNode } from 'react';
import { formatHours, formatMoney, formatNumber } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { daysInMonth, monthText } from '../../platform/format/months.ts';
import { methodNames } from '../periods/terms-text.ts';
import { classes } from '../../ui/class-names.ts';
import { LedgerButton, StatusBadge } from '../../ui/ledger.tsx';
import { Swatch } from '../../ui/swatch.tsx';
import { useLineMark } from '../settlements/api.ts';
import { partText, termText } from './explanation.ts';
import type { Payer } from './payers.ts';
import { durationText, isOwner, paidText, usedTotal } from './rules.ts';

type Terms = 'used' | 'overused' | 'allowance' | 'hour_days' | 'days' | 'people';

/** What is divided, and by what. */
const termNames: Record<Terms, [part: () => string, whole: () => string]> = {
  used: [() => t('Used'), () => t('Available')],
  overused: [() => t('Used'), () => t('Total used')],
  allowance: [() => t('Allowance'), () => t('All allowances')],
  hour_days: [() => t('Hour-days'), () => t('All hour-days')],
  days: [() => t('Days'), () => t('Member-days')],
  people: [() => t('Person'), () => t('People')],
};

const CALCULATED: ReadonlySet<Explanation['kind']> = new Set([
  ...(['used', 'overused', 'days', 'even'] as const),
  ...(['allowance', 'allowance_days', 'allowance_changed'] as const),
]);

/** Returns what a part multiplies and divides; null if nothing is. */
function termsOf({ kind, unit, whole }: Explanation): Terms | null {
  if (whole === 0 || !CALCULATED.has(kind)) return null;
  if (kind === 'used' || kind === 'overused' || kind === 'days') return kind;
  if (kind === 'even') return 'people';
  return unit === 'hour_days' ? 'hour_days' : 'allowance';
}

// In a narrow card a row is several lines: the name and the charge, and indented the calculation and the status.
const row = '@max-2xl:flex @max-2xl:flex-wrap @max-2xl:items-baseline @max-2xl:py-2 @max-2xl:ps-5';
const name =
  'min-w-0 py-2.5 text-start font-medium @max-2xl:-ms-5 @max-2xl:basis-[calc(100%-6.25rem)] @max-2xl:py-0.5 @2xl:w-full @2xl:max-w-0';
const term =
  'figures py-2.5 text-end whitespace-nowrap @max-2xl:order-3 @max-2xl:py-0.5 @max-2xl:text-[14px] @max-2xl:text-muted @2xl:ps-3';
const charge = 'figures py-2.5 text-end font-semibold whitespace-nowrap @max-2xl:order-2 @max-2xl:w-30 @max-2xl:py-0.5';
const statusCell =
  'py-2.5 text-start @max-2xl:order-4 @max-2xl:basis-full @max-2xl:py-0.5 @2xl:ps-6 @2xl:whitespace-nowrap';
const head = 'py-2 text-end text-[13.5px] font-medium whitespace-nowrap text-muted first:text-start';

const Operator = ({ children }: { children: string }) => (
  <span className="inline-block w-6 text-center text-muted">{` ${children} `}</span>
);

/** Every charge with its calculation in columns: price × part ÷ whole = charge. */
export function Calculation({
  statement,
  payers,
  username,
}: {
  statement: Statement;
  payers: Payer[];
  username: string;
}) {
  const { lines, currency, closed, price, month } = statement;
  const owned = isOwner(statement, username);
  const kinds = new Set(lines.flatMap(({ explanation }) => explanation.flatMap((part) => termsOf(part) ?? [])));
  const [only] = kinds.size === 1 ? kinds : [];
  const [part, whole] =
    only === undefined ? [t('Part [[of a whole]]'), t('Whole')] : termNames[only].map((text) => text());
  const isRounded = lines.some(({ explanation }) => explanation.some(({ rounding }) => rounding !== null));
  return (
    <>
      <table className="w-full text-[15px] @max-2xl:table-fixed">
        <caption className="sr-only">{t('Who pays what for {month}', { month: monthText(month) })}</caption>
        <thead className="@max-2xl:sr-only">
          <tr className="border-b border-line-strong">
            <th scope="col" className={head}>
              {t('Who')}
            </th>
            <th scope="col" className={`${head} pe-6`}>
              {t('Price')}
            </th>
            <th scope="col" className={`${head} pe-6`}>
              {part}
            </th>
            <th scope="col" className={`${head} pe-6`}>
              {whole}
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
        {payers.map((payer) => (
          <PayerRows key={payer.key} statement={statement} payer={payer} owned={owned} />
        ))}
        <tbody>
          <tr className={row}>
            <th scope="row" className={`${name} font-semibold`}>
              {t('Total')}
            </th>
            <td aria-hidden className="@max-2xl:hidden" />
            <td className={classes(term, '@max-2xl:hidden @2xl:pe-6')}>
              {owned && (only === 'used' || only === 'overused') && (
                <span className="font-semibold">{formatHours(usedTotal(lines))}</span>
              )}
            </td>
            <td aria-hidden className="@max-2xl:hidden" />
            <td className={charge}>{formatMoney(price, currency)}</td>
            {closed && <td className={`${statusCell} text-[14px] text-muted`}>{owned && paidText(lines)}</td>}
          </tr>
        </tbody>
      </table>
      {isRounded && (
        <p className="statement-rounding mt-1 text-[13px] text-muted">
          {t('Charges that are not exact are rounded down, unless marked as rounded up.')}
        </p>
      )}
    </>
  );
}

interface PayerRowsProps {
  statement: Statement;
  payer: Payer;
  owned: boolean;
}

function PayerRows({ statement, payer, owned }: PayerRowsProps) {
  const { currency, closed } = statement;
  const { line, amount } = payer;
  const [first, second] = line?.explanation ?? [];
  const parts = first && second ? [first, second] : [];
  return (
    <tbody className="border-b border-line">
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
              {line?.role === 'owner' && <Note>{t('owner')}</Note>}
            </span>
            {line?.role === 'member' && (
              <span className="block ps-5 leading-snug">
                <Note>{allowedText(statement, line)}</Note>
              </span>
            )}
          </span>
        </th>
        {first && second === undefined && line ? (
          <Part statement={statement} line={line} part={first} isYou={payer.isYou} />
        ) : (
          <td aria-hidden colSpan={3} className="@max-2xl:hidden" />
        )}
        <td className={charge}>
          {formatMoney(amount, currency)}
          {first && second === undefined && <Rounding part={first} />}
        </td>
        {closed && (
          <td className={classes(statusCell, 'statement-status')}>
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
      {parts.map((part) => (
        <tr key={part.method} className={classes(row, 'statement-part text-[14px] text-muted')}>
          <th scope="row" className={`${name} ps-5 font-normal!`}>
            {methodNames[part.method]()}
          </th>
          {line && <Part statement={statement} line={line} part={part} isYou={payer.isYou} />}
          <td className={`${charge} font-normal!`}>
            {formatMoney(part.amount, currency)}
            <Rounding part={part} />
          </td>
          {closed && <td aria-hidden className="@max-2xl:hidden" />}
        </tr>
      ))}
    </tbody>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <span className="text-[13.5px] font-normal text-muted">{children}</span>
);

/** Says how many hours a member had, and how many they used beyond them, where that changes what they pay. */
function allowedText({ split_method: method, month }: Statement, line: StatementLine): string {
  const { allocated_hours: hours, days, hour_days: hourDays, used_seconds: used, available_seconds: available } = line;
  const allowed = durationText(available);
  if (method === 'usage' && used > available)
    return t('{used} = {allowed} allowed + {extra} extra', {
      used: durationText(used),
      allowed,
      extra: durationText(used - available),
    });
  const monthDays = daysInMonth(month);
  if (days === monthDays || hourDays !== hours * days) return t('{hours} allowed', { hours: allowed });
  return t('{hours} on {days} of {month_days} days', {
    hours: formatHours(hours),
    days: formatNumber(days),
    month_days: formatNumber(monthDays),
  });
}

/** Each charge that was rounded up says so. */
function Rounding({ part }: { part: Explanation }) {
  return (
    part.rounding === 'up' && (
      <span className="block text-[13px] font-normal text-muted @max-2xl:whitespace-normal">{t('rounded up')}</span>
    )
  );
}

interface PartProps {
  statement: Statement;
  line: StatementLine;
  part: Explanation;
  isYou: boolean;
}

/** The terms of a calculation in three columns, or why there are none. */
function Part({ statement, line, part, isYou }: PartProps) {
  if (termsOf(part) === null)
    return (
      <td
        colSpan={3}
        className="py-2.5 ps-3 text-end text-[14px] text-muted @max-2xl:order-3 @max-2xl:basis-full @max-2xl:py-0.5 @max-2xl:ps-0 @max-2xl:text-start @2xl:pe-6"
      >
        {partText(statement, line, part, isYou)}
      </td>
    );
  const isOver = line.used_seconds > line.available_seconds && part.method === 'usage';
  return (
    <>
      <td className={term}>
        {formatMoney(part.price, statement.currency)}
        <Operator>×</Operator>
      </td>
      <td className={classes(term, isOver && 'text-over-text!')}>
        {termText(part, part.part)}
        <Operator>÷</Operator>
      </td>
      <td className={term}>
        {termText(part, part.whole)}
        <Operator>=</Operator>
      </td>
    </>
  );
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
