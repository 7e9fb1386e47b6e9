import type { Balance, BalanceLine, Settlement } from '@hourshare/contract/settlements';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight, Check, ChevronDown, Info } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { formatMoney, signedMoney } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthName, monthText, thisMonth } from '../../platform/format/months.ts';
import type { CostsSearch } from '../../platform/paths.ts';
import { momentText } from '../../platform/format/time.ts';
import { useLeft } from './use-left.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { collapse } from '../../ui/collapse.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { LedgerButton, LedgerList, LedgerRow } from '../../ui/ledger.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { useBalances, useLineMark, useMarkAll, useSettlements, useUnknownBalances } from './api.ts';
import { PaymentActions } from './payment-actions.tsx';
import { inOrder, openTotals, unsentLines, unsentTotals } from './rules.ts';
import { SettleDialog } from './settle-dialog.tsx';

/** The person whose charges are shown, in the address. */
function useOpenPerson() {
  const navigate = useNavigate();
  const search: CostsSearch = useSearch({ strict: false });
  return {
    isOpen: ({ username, currency }: Balance) =>
      search.person === username && (search.currency === undefined || search.currency === currency),
    show: (search: CostsSearch) => void navigate({ to: '.', search, replace: true, resetScroll: false }),
  };
}

const idOf = ({ username, currency }: Balance) => `${username}/${currency}`;

/** The balance with each person: a row that opens in place, and the button that settles it. */
export function Balances() {
  const balances = useBalances();
  const [settling, setSettling] = useState<Balance | null>(null);
  const [changed, setChanged] = useState<string | null>(null);
  const { isOpen, show } = useOpenPerson();
  const left = useLeft(balances.data ?? [], idOf);

  const isUnknown = useUnknownBalances();
  const isEmpty = balances.data?.length === 0 && !isUnknown;
  // The sentence above says that there are none.
  if (isEmpty && left.length === 0) return null;
  const hasOther = ({ username, currency }: Balance) =>
    balances.data?.some((other) => other.username === username && other.currency !== currency);
  return (
    <section aria-labelledby="balances" className={collapse(isEmpty)} inert={isEmpty}>
      <div>
        <SectionHeading id="balances">{t('Balances')}</SectionHeading>
        {(balances.isError || isUnknown) && (
          <Banner className="mb-4" onRetry={() => void balances.refetch()}>
            {t("Couldn't load balances")}
          </Banner>
        )}
        {changed !== null && (
          <Banner tone="note" className="mb-4">
            {changed}
          </Banner>
        )}
        {balances.isPending && (
          <Spinner label={t('Loading balances')} size={28} className="w-full justify-center py-12" />
        )}
        {balances.data && !isUnknown && (
          <ul
            role="list"
            className="@container divide-y divide-line overflow-clip rounded-card border border-line bg-surface"
          >
            {inOrder([...balances.data, ...left]).map((balance) => (
              <BalanceRow
                key={idOf(balance)}
                balance={balance}
                leaving={left.includes(balance)}
                open={isOpen(balance)}
                onToggle={() =>
                  show(
                    isOpen(balance)
                      ? {}
                      : { person: balance.username, ...(hasOther(balance) && { currency: balance.currency }) },
                  )
                }
                onSettle={() => {
                  setChanged(null);
                  setSettling(balance);
                }}
              />
            ))}
          </ul>
        )}
      </div>
      {settling && (
        <SettleDialog
          balance={settling}
          onDone={(settled) => {
            setSettling(null);
            if (settled) show({});
          }}
          onChanged={(sentence) => {
            setSettling(null);
            setChanged(sentence);
          }}
        />
      )}
    </section>
  );
}

interface BalanceRowProps {
  balance: Balance;
  leaving: boolean;
  open: boolean;
  onToggle: () => void;
  onSettle: () => void;
}

function BalanceRow({ balance, leaving, open: isAsked, onToggle, onSettle }: BalanceRowProps) {
  const [open, setOpen] = useState(isAsked);
  // A row leaves as it is; settling it takes it out of the address.
  if (open !== isAsked && !leaving) setOpen(isAsked);
  const { username, hue, currency, lines } = balance;
  const { net } = openTotals(lines, currency);
  const unpaid = lines.filter(({ status }) => status !== 'paid');
  const unsent = unsentLines(lines);
  const sent = sentText(balance);
  const toggle = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <li aria-labelledby={`${id}name`} className={collapse(leaving)} inert={leaving}>
      <div>
        <div className="relative grid min-h-18 grid-cols-[36px_minmax(0,1fr)_auto_36px] items-center gap-x-3 py-3 ps-3.5 pe-1.5 transition-colors hover:bg-sunken/50 @2xl:grid-cols-[36px_minmax(0,1fr)_120px_minmax(140px,auto)_minmax(118px,auto)_36px] @2xl:gap-x-3.5 @2xl:ps-4.5 @2xl:pe-2.5">
          <span className="row-span-2 flex @2xl:row-span-1">
            <Avatar name={username} hue={hue} />
          </span>
          <div className="min-w-0">
            <h3 id={`${id}name`} className="font-semibold">
              <button
                type="button"
                ref={toggle}
                aria-expanded={open}
                aria-controls={open ? `${id}charges` : undefined}
                aria-describedby={`${id}word ${id}net${sent === null ? '' : ` ${id}sent`}`}
                onClick={onToggle}
                className="block w-full truncate text-start after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
              >
                {username}
              </button>
            </h3>
            <p className="text-[13.5px] leading-snug text-muted @max-2xl:hidden">{chargesText(unpaid)}</p>
            {sent !== null && (
              <p id={`${id}sent`} className="figures text-[13.5px] leading-snug font-medium text-accent-text">
                {sent}
              </p>
            )}
          </div>
          <Direction id={`${id}word`} net={net} isDue={unpaid.length > 0} />
          <p
            id={`${id}net`}
            className={classes(
              'figures col-start-3 row-span-2 row-start-1 text-end font-display text-[19px] font-bold @2xl:col-start-4 @2xl:row-span-1 @2xl:text-[21px]',
              net < 0 ? 'text-over-text' : net > 0 ? 'text-accent-text' : 'text-muted',
            )}
          >
            {signedMoney(net, currency)}
          </p>
          {unsent.length > 0 && (
            <Button
              look={open ? 'primary' : 'outline'}
              onClick={onSettle}
              className={classes(
                'relative @2xl:col-start-5',
                open ? '@max-2xl:col-span-full @max-2xl:me-2 @max-2xl:mt-3' : '@max-2xl:hidden',
              )}
            >
              {rich('Settle up<hidden> with {name}</hidden>', { name: username, hidden })}
            </Button>
          )}
          <span className="pointer-events-none col-start-4 row-span-2 row-start-1 flex size-9 items-center justify-center text-muted @2xl:col-start-6 @2xl:row-span-1">
            <ChevronDown aria-hidden size={18} className={classes('transition-transform', open && 'rotate-180')} />
          </span>
        </div>
        {open && (
          <div
            id={`${id}charges`}
            className="grid gap-x-8 gap-y-3 px-3.5 pb-4.5 transition-opacity duration-180 @2xl:grid-cols-2 @2xl:ps-[68px] @2xl:pe-4.5 starting:opacity-0"
          >
            {(['you_owe', 'they_owe'] as const).map((direction) => (
              <Charges
                key={direction}
                balance={balance}
                direction={direction}
                onMarked={() => toggle.current?.focus({ preventScroll: true })}
              />
            ))}
            <PendingPayments balance={balance} />
            {unsent.length > 0 && <Settling balance={balance} count={unsent.length} />}
          </div>
        )}
      </div>
    </li>
  );
}

/** Returns "$12.00 sent, not yet confirmed", for both directions where both have sent something. */
function sentText({ they_sent: theirs, you_sent: yours, currency }: Balance): string | null {
  const amounts = [theirs, yours].filter((amount) => amount > 0).map((amount) => formatMoney(amount, currency));
  return amounts.length === 0 ? null : t('{amount} sent, not yet confirmed', { amount: listFormat().format(amounts) });
}

/** Payments with this person that aren't confirmed, or that one of the two wants undone. */
function PendingPayments({ balance: { username, currency } }: { balance: Balance }) {
  const { data: settlements = [] } = useSettlements();
  const pending = settlements.filter(
    (settlement) =>
      settlement.username === username &&
      settlement.currency === currency &&
      (settlement.status === 'sent' || settlement.undo_asked_by !== null),
  );
  if (pending.length === 0) return null;
  return (
    <ul role="list" aria-label={t('Open payments')} className="grid gap-3 @2xl:col-span-full">
      {pending.map((settlement) => (
        <li key={settlement.id} className="rounded-control bg-accent-soft px-3.5 py-3 text-[14.5px]">
          <p>{pendingText(settlement)}</p>
          <PaymentActions settlement={settlement} />
        </li>
      ))}
    </ul>
  );
}

function pendingText(settlement: Settlement): ReactNode {
  const { username: name, direction, amount, currency, settled_at, undo_asked_by: asked } = settlement;
  const values = { name, amount: formatMoney(amount, currency), when: momentText(settled_at), b };
  if (asked !== null)
    return asked === name
      ? rich('{name} asked to undo the payment of <b>{amount}</b>, {when}. It counts until you agree.', values)
      : rich('You asked to undo the payment of <b>{amount}</b>, {when}. It counts until {name} agrees.', values);
  return direction === 'they_paid'
    ? rich('{name} sent you <b>{amount}</b>, {when}. Confirm it once you have it.', values)
    : rich('You sent {name} <b>{amount}</b>, {when}. It is paid once {name} confirms it.', values);
}

/** Returns "7 charges, July to October". */
function chargesText(lines: BalanceLine[]): string {
  const months = lines.map(({ month }) => month).toSorted();
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return t('Nothing due');
  const text = (month: string) => (month.slice(0, 4) === thisMonth().slice(0, 4) ? monthName(month) : monthText(month));
  return first === last
    ? t('{count, plural, one {# charge} other {# charges}}, {month}', { count: lines.length, month: text(first) })
    : t('{count, plural, one {# charge} other {# charges}}, {first} to {last}', {
        count: lines.length,
        first: text(first),
        last: text(last),
      });
}

/** Who owes whom, as an arrow and a word. */
function Direction({ id, net, isDue }: { id: string; net: number; isDue: boolean }) {
  const [Icon, word, text, disc] =
    net < 0
      ? [ArrowUpRight, t('You owe'), 'text-over-text', '@2xl:bg-over-soft']
      : net > 0
        ? [ArrowDownLeft, t('Owes you'), 'text-accent-text', '@2xl:bg-accent-soft']
        : [Check, isDue ? t('Cancels out [[balance]]') : t('Nothing due'), 'text-muted', '@2xl:bg-sunken'];
  return (
    <p
      id={id}
      className={`col-start-2 flex items-center gap-1.5 text-[14px] @2xl:col-start-3 @2xl:row-start-1 @2xl:gap-2.5 ${text}`}
    >
      <span className={`inline-flex shrink-0 items-center justify-center rounded-full @2xl:size-7 ${disc}`}>
        <Icon aria-hidden size={16} className="rtl:-scale-x-100" />
      </span>
      <span className="@2xl:text-muted">{word}</span>
    </p>
  );
}

interface ChargesProps {
  balance: Balance;
  direction: BalanceLine['direction'];
  /** Called once all are marked, which takes their button away. */
  onMarked: () => void;
}

/** The charges in one direction. */
function Charges({ balance: { username, currency, lines: all }, direction, onMarked }: ChargesProps) {
  const lines = all.filter((line) => line.direction === direction);
  const reader = direction === 'they_owe' ? 'owner' : 'self';
  const { theyOwe, youOwe } = openTotals(lines, currency);
  const action = useMarkAll(lines, reader, username, onMarked);
  if (lines.length === 0) return null;
  return (
    <section>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 border-b border-line-strong">
        <h4 className="text-[14px] font-semibold">
          {direction === 'they_owe'
            ? t('{name} owes you {amount}', { name: username, amount: formatMoney(theyOwe, currency) })
            : t('You owe {name} {amount}', { name: username, amount: formatMoney(youOwe, currency) })}
        </h4>
        {action && <LedgerButton action={action} />}
      </div>
      <LedgerList>
        {lines.map((line) => (
          <Line key={line.id} line={line} currency={currency} />
        ))}
      </LedgerList>
    </section>
  );
}

function Line({ line, currency }: { line: BalanceLine; currency: string }) {
  const { asset_name: title, month, open_amount: amount, direction } = line;
  const detail = monthText(month);
  const reader = direction === 'they_owe' ? 'owner' : 'self';
  const mark = useLineMark({ ...line, settled: false }, reader, { title, detail }, currency);
  return <LedgerRow title={title} detail={detail} amount={formatMoney(amount, currency)} mark={mark} />;
}

const b = (text: ReactNode) => <b className="font-semibold text-ink">{text}</b>;

/** What settling up does, and the calculation behind the one payment. */
function Settling({ balance: { lines, currency }, count }: { balance: Balance; count: number }) {
  const { theyOwe, youOwe, net } = unsentTotals(lines, currency);
  return (
    <p className="figures flex gap-3 rounded-control bg-sunken px-3.5 py-3 text-[14px] text-muted @2xl:col-span-full">
      <Info aria-hidden size={17} className="mt-0.5 shrink-0" />
      <span>
        {theyOwe > 0 && youOwe > 0
          ? rich(
              '{more} − {less} = <b>{net}</b>. Settling up records one payment and clears {count, plural, one {# charge} other {all # charges}}.',
              {
                more: formatMoney(Math.max(theyOwe, youOwe), currency),
                less: formatMoney(Math.min(theyOwe, youOwe), currency),
                net: formatMoney(Math.abs(net), currency),
                count,
                b,
              },
            )
          : t('Settling up records one payment and clears {count, plural, one {# charge} other {all # charges}}.', {
              count,
            })}
      </span>
    </p>
  );
}
