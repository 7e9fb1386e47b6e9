import type { Balance, BalanceLine, Settlement } from '@hourshare/contract/settlements';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { formatMoney, signedMoney } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import type { CostsSearch } from '../../platform/paths.ts';
import { momentText } from '../../platform/format/time.ts';
import { useLeft } from './use-left.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { collapse } from '../../ui/collapse.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { LedgerButton, LedgerList, LedgerRow } from '../../ui/ledger.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { useBalances, useLineMark, useMarkAll, useSettlements, useUnknownBalances } from './api.ts';
import { PaymentActions } from './payment-actions.tsx';
import {
  byAsset,
  inOrder,
  monthsText,
  openTotals,
  uncoveredDebts,
  unsentLines,
  type AssetCharges as AssetGroup,
} from './rules.ts';
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

/**
 * The balance with each person: a row that opens in place, and the button that settles it. The first debt's button is filled unless
 * the page has another main one.
 */
export function Balances({ isMain }: { isMain: boolean }) {
  const balances = useBalances();
  const [settling, setSettling] = useState<Balance | null>(null);
  const [changed, setChanged] = useState<string | null>(null);
  const { isOpen, show } = useOpenPerson();
  const left = useLeft(balances.data ?? [], idOf);

  const isUnknown = useUnknownBalances();
  const isEmpty = balances.data?.length === 0 && !isUnknown;
  // Not in the section, which the sentence above would move.
  if (balances.isPending)
    return <Spinner label={t('Loading balances')} size={28} className="w-full justify-center py-12" />;
  // The sentence above says that there are none. What was just settled may still be undone.
  if (isEmpty && left.length === 0 && settling === null) return null;
  const [firstDebt] = uncoveredDebts(balances.data ?? []);
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
        {balances.data && !isUnknown && (
          <ul
            role="list"
            className="@container divide-y divide-line overflow-clip rounded-card border border-line bg-surface"
          >
            {inOrder([...balances.data, ...left]).map((balance) => (
              <BalanceRow
                key={idOf(balance)}
                balance={balance}
                isFirst={isMain && firstDebt !== undefined && idOf(firstDebt) === idOf(balance)}
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
  /** Whether it is the debt to pay first: a page has one filled button. */
  isFirst: boolean;
  leaving: boolean;
  open: boolean;
  onToggle: () => void;
  onSettle: () => void;
}

function BalanceRow({ balance, isFirst, leaving, open: isAsked, onToggle, onSettle }: BalanceRowProps) {
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
        <div className="relative grid grid-cols-[48px_minmax(0,1fr)_auto_24px] items-center gap-x-3.5 py-3.5 ps-4 pe-2.5 transition-colors hover:bg-sunken/50 @2xl:grid-cols-[48px_minmax(0,1fr)_auto_minmax(118px,auto)_24px] @2xl:ps-4.5 @2xl:pe-3">
          <Avatar name={username} hue={hue} size="large" />
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
                <bdi>{username}</bdi>
              </button>
            </h3>
            {/* From right to left, the beginning of a name would be cut. */}
            <p className="truncate text-[13.5px] leading-snug text-muted rtl:whitespace-normal">{assetsText(unpaid)}</p>
            {sent !== null && (
              <p id={`${id}sent`} className="figures text-[13.5px] leading-snug font-medium text-accent-text">
                {sent}
              </p>
            )}
          </div>
          <p className="text-end">
            <span id={`${id}word`} className="sr-only">
              {net < 0
                ? t('You owe')
                : net > 0
                  ? t('Owes you')
                  : unpaid.length > 0
                    ? t('Cancels out [[balance]]')
                    : t('Nothing due')}
            </span>
            <span
              id={`${id}net`}
              className={classes(
                'figures font-display text-[19px] font-bold @2xl:text-[21px]',
                net < 0 ? 'text-over-text' : net > 0 ? 'text-accent-text' : 'text-muted',
              )}
            >
              {signedMoney(net, currency)}
            </span>
          </p>
          {unsent.length > 0 && (
            <Button
              look={isFirst ? 'primary' : net < 0 ? 'outline' : 'quiet'}
              onClick={onSettle}
              className={classes(
                'relative @max-2xl:row-start-2 @max-2xl:me-1.5 @2xl:col-start-4',
                net < 0
                  ? '@max-2xl:col-span-full @max-2xl:mt-3'
                  : '@max-2xl:col-[2/-1] @max-2xl:mt-1 @max-2xl:justify-self-end',
              )}
            >
              {rich('Settle up<hidden> with {name}</hidden>', { name: username, hidden })}
            </Button>
          )}
          <ChevronDown
            aria-hidden
            size={18}
            className={classes(
              'pointer-events-none col-start-4 row-start-1 justify-self-center text-muted transition-transform @2xl:col-start-5',
              open && 'rotate-180',
            )}
          />
        </div>
        {open && (
          <div
            id={`${id}charges`}
            className="grid grid-cols-1 gap-x-8 gap-y-3 px-3.5 pb-4.5 transition-opacity duration-180 @2xl:grid-cols-2 @2xl:ps-[68px] @2xl:pe-4.5 starting:opacity-0"
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

/** Returns "Car share, Strava". */
const assetsText = (lines: BalanceLine[]): ReactNode =>
  lines.length === 0
    ? t('Nothing due')
    : listFormat({ style: 'short', type: 'unit' })
        .formatToParts(new Set(lines.map(({ asset_name: name }) => name)))
        .map(({ type, value }, index) => (type === 'element' ? <bdi key={index}>{value}</bdi> : value));

interface ChargesProps {
  balance: Balance;
  direction: BalanceLine['direction'];
  /** Called once all are marked, which takes their button away. */
  onMarked: () => void;
}

/** The charges in one direction. */
function Charges({ balance: { username, currency, lines: all }, direction, onMarked }: ChargesProps) {
  const lines = all.filter((line) => line.direction === direction);
  const { theyOwe, youOwe } = openTotals(lines, currency);
  const next = direction === 'they_owe' ? 'paid' : 'sent';
  const action = useMarkAll(
    lines.filter((line) => line.your_mark === next),
    next,
    username,
    onMarked,
  );
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
        {byAsset(lines, currency).map((group) =>
          group.lines.length === 1 ? (
            group.lines.map((line) => <Line key={line.id} line={line} currency={currency} />)
          ) : (
            <li key={group.key}>
              <AssetCharges group={group} currency={currency} />
            </li>
          ),
        )}
      </LedgerList>
    </section>
  );
}

/** The months of an asset, under what they come to. */
const AssetCharges = ({
  group: { name, lines, open },
  currency,
}: {
  group: AssetGroup<BalanceLine>;
  currency: string;
}) => (
  <Disclosure
    summary={
      <span className="flex items-center justify-between gap-3">
        <span className="min-w-0">
          <span className="block truncate font-medium" dir="auto">
            {name}
          </span>
          <span className="block text-[13.5px] text-muted">{monthsText(lines)}</span>
        </span>
        <span className="figures font-semibold">{formatMoney(open, currency)}</span>
      </span>
    }
  >
    <LedgerList label={name}>
      {lines.map((line) => (
        <Line key={line.id} line={line} currency={currency} isUnderAsset />
      ))}
    </LedgerList>
  </Disclosure>
);

interface LineProps {
  line: BalanceLine;
  currency: string;
  /** Whether it is among the months of an asset, so that its month alone names it. */
  isUnderAsset?: boolean;
}

/** A charge. */
function Line({ line, currency, isUnderAsset = false }: LineProps) {
  const { asset_name: title, month, open_amount: amount } = line;
  const detail = monthText(month);
  const reader = line.your_mark === 'paid' ? 'owner' : 'self';
  const mark = useLineMark({ ...line, settled: false }, reader, { title, detail }, currency);
  return (
    <LedgerRow
      title={isUnderAsset ? detail : title}
      detail={isUnderAsset ? '' : detail}
      amount={formatMoney(amount, currency)}
      mark={mark}
    />
  );
}

const b = (text: ReactNode) => <b className="font-semibold text-ink">{text}</b>;
