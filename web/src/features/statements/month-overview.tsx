import type { Statement } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatHours, formatMoney, formatNumber, roundHours } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { amountsText } from '../../platform/format/money.ts';
import { monthAfter, monthText } from '../../platform/format/months.ts';
import { statementPage } from '../../platform/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { StatusBadge } from '../../ui/ledger.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tile } from '../../ui/tile.tsx';
import { lineStatus } from '../settlements/api.ts';
import { useMonthStatements } from './api.ts';
import { BillingNote } from './billing-note.tsx';
import { StatementLines } from './line-row.tsx';
import { PrintButton } from './print-button.tsx';
import { closingText, findOwnLine, isOwner, ownTotals, paidText, usedTotal, type OwnTotal } from './rules.ts';
import { UseBar } from './use-bar.tsx';

export interface FocusedMonth {
  month: string;
  /** Counts how often it was asked for, so that each time opens and focuses it. */
  count: number;
}

/** The current month starts open with up to as many assets. More would push the months and payments below far down. */
const MAX_OPEN = 5;

interface MonthOverviewProps {
  username: string;
  /** Newest first; the first is the current one. */
  months: string[];
  /** The month that the user asked to see, which opens and takes the focus. */
  focusedMonth: FocusedMonth | null;
  /** Adds the month before the last one. */
  onEarlier: () => void;
  /** Returns how many charges of a month the viewer hasn't paid. */
  countDue: (month: string) => number;
  isRunning: (assetId: number) => boolean;
}

/** What everything that the user owns or uses costs them, month by month. */
export function MonthOverview({ username, months, focusedMonth, onEarlier, countDue, isRunning }: MonthOverviewProps) {
  const [expanded, setExpanded] = useState<string[]>([]);
  const earlier = monthAfter(months.at(-1) ?? '', -1);
  const running = useMonthStatements().data ?? [];
  return (
    <section aria-labelledby="by-month">
      <SectionHeading id="by-month">{t('Monthly costs')}</SectionHeading>
      {months.length === 1 && running.length === 0 ? (
        <p className="text-muted">{t('No costs yet. Assets you own or use appear here.')}</p>
      ) : (
        <div className="@container overflow-clip rounded-card border border-line bg-surface">
          <table className="figures w-full text-[14.5px]">
            <thead>
              <tr className="text-[13px] text-muted *:h-9.5 *:ps-3.5 *:font-medium @2xl:*:px-4.5">
                {/* Wide, and the last one as wide as a button, so that the others stand over the amounts of closed rows, too. */}
                <th scope="col" className="w-full text-start">
                  {t('Asset')}
                </th>
                <th scope="col" className="text-end @max-2xl:hidden">
                  {t('Hours')}
                </th>
                <th scope="col" className="text-end whitespace-nowrap">
                  {t('Your share')}
                </th>
                <th scope="col" className="pe-0! text-end @max-2xl:hidden">
                  {/* Wide enough for any status, so that the amounts of months that aren't open are in line. */}
                  <span className="block min-w-30">{t('Status')}</span>
                </th>
                <td aria-hidden className="px-0!">
                  <span className="block w-11" />
                </td>
              </tr>
            </thead>
            {months.map((month, index) => {
              const isFocused = month === focusedMonth?.month;
              return (
                <Month
                  key={isFocused ? `${month} ${focusedMonth.count}` : month}
                  month={month}
                  current={index === 0}
                  startsOpen={(index === 0 && running.length <= MAX_OPEN) || isFocused || expanded.includes(month)}
                  isFocused={isFocused}
                  username={username}
                  due={countDue(month)}
                  isRunning={isRunning}
                />
              );
            })}
          </table>
        </div>
      )}
      <Button
        look="quiet"
        size="small"
        className="-mx-3 mt-2"
        onClick={() => {
          setExpanded([...expanded, earlier]);
          onEarlier();
        }}
      >
        {t('Show {month}', { month: monthText(earlier) })}
      </Button>
    </section>
  );
}

const focusAndScroll = (button: HTMLElement | null) => button?.focus();

interface MonthProps {
  month: string;
  current: boolean;
  startsOpen: boolean;
  /** Whether it takes the focus. */
  isFocused: boolean;
  username: string;
  due: number;
  isRunning: (assetId: number) => boolean;
}

function Month({ month, current, startsOpen, isFocused, username, due, isRunning }: MonthProps) {
  const [open, setOpen] = useState(startsOpen);
  // Without a month it is each asset's current one, which for an asset in another time zone can be an earlier one.
  const { data: all, isError, refetch } = useMonthStatements(current ? undefined : month, { enabled: open || current });
  const data = all?.filter((statement) => statement.month === month);
  const totals = data && ownTotals(data, username);
  return (
    <tbody>
      <tr className="border-t border-line-strong bg-canvas">
        <th scope="rowgroup" colSpan={5} className="text-start font-normal">
          <button
            type="button"
            ref={isFocused ? focusAndScroll : undefined}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-13 w-full items-center gap-3 px-3.5 py-1.5 text-start -outline-offset-2 @2xl:px-4.5"
          >
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <span className="font-display text-base font-bold">{monthText(month)}</span>
              <span className="text-[13.5px] text-muted">{stateText(data ?? [], due)}</span>
            </span>
            {totals && !open && <span className="font-semibold">{amountsText(totals)}</span>}
            <span className="flex justify-end text-muted @2xl:w-42.5">
              <ChevronDown aria-hidden size={18} className={classes('transition-transform', open && 'rotate-180')} />
            </span>
          </button>
        </th>
      </tr>
      {open &&
        (isError ? (
          <Wide>
            <Banner onRetry={() => void refetch()}>{t("Couldn't load costs for this month")}</Banner>
          </Wide>
        ) : data === undefined ? (
          <Wide>
            <Spinner label={t('Loading costs for this month')} size={28} className="w-full justify-center py-6" />
          </Wide>
        ) : data.length === 0 ? (
          <Wide>{t('No costs for this month.')}</Wide>
        ) : (
          data.map((statement, index) => (
            <Row
              key={statement.asset_id ?? `deleted ${index}`}
              statement={statement}
              username={username}
              running={!statement.ended && statement.asset_id !== null && isRunning(statement.asset_id)}
            />
          ))
        ))}
      {open && totals?.map((total) => <Total key={total.currency} {...total} />)}
    </tbody>
  );
}

/** Says how many charges of a month are due; otherwise whether it is open. */
function stateText(statements: Statement[], due: number): string {
  if (due > 0) return t('{count, plural, one {# charge due} other {# charges due}}', { count: due });
  const last = statements
    .filter(({ closed }) => !closed)
    .toSorted((a, b) => a.closes_at.localeCompare(b.closes_at, 'en'));
  const open = last.at(-1);
  return open ? closingText(open) : statements.length > 0 ? t('Closed [[month]]') : '';
}

const Wide = ({ children }: { children: ReactNode }) => (
  <tr className="border-t border-line">
    <td colSpan={5} className="px-3.5 py-3.5 text-muted @2xl:px-4.5">
      {children}
    </td>
  </tr>
);

interface RowProps {
  statement: Statement;
  username: string;
  running: boolean;
}

const coversRow =
  'truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent';

/** What one asset costs. It leads to the statement; a deleted asset has none, so its row opens in place. */
function Row({ statement, username, running }: RowProps) {
  const { asset_id: id, asset_name: name, month, owner, currency } = statement;
  const owned = isOwner(statement, username);
  const own = findOwnLine(statement, username);
  const status = <Status statement={statement} username={username} running={running} />;
  const ownerBadge = <Badge tone="accent">{t('Owner')}</Badge>;
  const [open, setOpen] = useState(false);
  const row = (
    <tr className="relative border-t border-line transition-colors hover:bg-sunken/50">
      <th scope="row" className="w-full max-w-0 px-3.5 py-1.5 text-start font-normal @2xl:px-4.5">
        {/* On the narrowest phones the name takes the tile's place. */}
        <span className="flex min-h-8.5 items-center gap-3 @max-xs:*:first:hidden">
          <Tile name={name} size="small" />
          <span className="min-w-0">
            <span className="flex min-w-0 items-center gap-2.5">
              {id === null ? (
                <button
                  type="button"
                  dir="auto"
                  aria-expanded={open}
                  onClick={() => setOpen(!open)}
                  className={`text-start ${coversRow}`}
                >
                  {name}
                </button>
              ) : (
                <Link {...statementPage(id, month)} dir="auto" className={coversRow}>
                  {name}
                </Link>
              )}
              {owned ? (
                <span className="flex shrink-0 @max-2xl:hidden">{ownerBadge}</span>
              ) : (
                <span className="shrink-0 text-[13.5px] text-muted @max-2xl:hidden">{t('by {owner}', { owner })}</span>
              )}
              {id === null && (
                <ChevronDown
                  aria-hidden
                  size={16}
                  className={classes('shrink-0 text-muted transition-transform', open && 'rotate-180')}
                />
              )}
            </span>
            <span className="flex flex-wrap items-center gap-x-2 text-[13.5px] @2xl:hidden">
              <Hours statement={statement} owned={owned} username={username} />
              {owned && ownerBadge}
            </span>
          </span>
        </span>
      </th>
      <td className="px-3.5 text-end whitespace-nowrap @max-2xl:hidden @2xl:px-4.5">
        <Hours statement={statement} owned={owned} username={username} bar />
      </td>
      <td className="py-1.5 ps-3.5 text-end font-semibold whitespace-nowrap @2xl:px-4.5">
        {formatMoney(own?.amount ?? 0, currency)}
        <span className="flex justify-end font-normal @2xl:hidden">{status}</span>
      </td>
      <td className="ps-4.5 text-end whitespace-nowrap @max-2xl:hidden">{status}</td>
      {/* Above the link that covers the row. */}
      <td className="relative text-end @2xl:pe-2">
        {id !== null && <PrintButton assetId={id} asset={name} month={month} />}
      </td>
    </tr>
  );
  if (!open) return row;
  return (
    <>
      {row}
      <tr className="border-t border-line">
        <td colSpan={5} className="px-3.5 pt-1 pb-3.5 @2xl:ps-[68px] @2xl:pe-4.5">
          <StatementLines statement={statement} reader={owned ? 'owner' : 'self'} explained />
          <BillingNote statement={statement} className="mt-2 text-[14px]" />
        </td>
      </tr>
    </>
  );
}

/** A member's own hours, or for the owner everyone's. */
function Hours({
  statement,
  owned,
  username,
  bar = false,
}: {
  statement: Statement;
  owned: boolean;
  username: string;
  bar?: boolean;
}) {
  const own = findOwnLine(statement, username);
  const used = owned ? usedTotal(statement.lines) : (own?.used_hours ?? 0);
  const total = owned ? statement.total_hours : (own?.allocated_hours ?? 0);
  if (owned && statement.lines.length < 2) return <span className="text-muted">{t('Not shared')}</span>;
  if (!statement.measured) return <span className="text-muted">{t('Evenly')}</span>;
  const isOver = used > total;
  return (
    <span className="inline-flex items-center gap-3">
      {bar && <UseBar used={used} total={total} fill="bg-accent" className="w-22 @max-4xl:hidden" />}
      <span className={classes(bar && 'min-w-26', isOver ? 'text-over-text' : !bar && 'text-muted')}>
        {t('{used} of {total}', { used: formatNumber(roundHours(used)), total: formatHours(total) })}
      </span>
    </span>
  );
}

function Status({ statement, username, running }: RowProps) {
  if (running) return <Badge tone="live">{t('Running [[session]]')}</Badge>;
  const plain = (text: string) => <span className="text-[13.5px] text-muted">{text}</span>;
  if (!statement.closed) return plain(t('Open [[month]]'));
  const own = findOwnLine(statement, username);
  if (isOwner(statement, username))
    return plain(
      statement.lines.some(({ role, amount }) => role === 'member' && amount !== 0)
        ? paidText(statement.lines)
        : t('No charge'),
    );
  const status = own && own.amount !== 0 ? lineStatus(own, own.amount > 0 ? 'self' : 'owner') : null;
  return status ? <StatusBadge status={status} /> : plain(t('No charge'));
}

const Total = ({ currency, amount, toOthers, covered }: OwnTotal) => (
  <tr className="border-t border-line-strong">
    <th scope="row" className="px-3.5 py-2.5 text-start font-bold @2xl:px-4.5">
      <span className="flex flex-wrap items-baseline gap-x-3">
        {t('Total')}
        {toOthers > 0 && covered > 0 && (
          <span className="text-[13.5px] font-normal text-muted">
            {t('{to_others} to others + {covered} you cover as owner', {
              to_others: formatMoney(toOthers, currency),
              covered: formatMoney(covered, currency),
            })}
          </span>
        )}
      </span>
    </th>
    <td aria-hidden className="@max-2xl:hidden" />
    <td className="ps-3.5 text-end text-[17px] font-bold whitespace-nowrap @2xl:px-4.5">
      {formatMoney(amount, currency)}
    </td>
    <td aria-hidden className="@max-2xl:hidden" />
    <td aria-hidden />
  </tr>
);
