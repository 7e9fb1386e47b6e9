import type { Balance, BalanceLine } from '@hourshare/contract/settlements';
import { useState } from 'react';
import { formatMoney } from '../../lib/formatting.ts';
import { rich, t } from '../../lib/messages.ts';
import { monthText } from '../../lib/months.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { LedgerList, LedgerRow } from '../../ui/ledger.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tile } from '../../ui/tile.tsx';
import { balancesFile, useBalances, useLineMark } from './api.ts';
import { openTotals } from './rules.ts';
import { SettleDialog } from './settle-dialog.tsx';

/** With more lines than this, a card starts collapsed. */
const SHOWN_AT_ONCE = 4;

/** The balance with each person, its lines, and the button that settles it. */
export function Balances() {
  const balances = useBalances();
  const [settling, setSettling] = useState<Balance | null>(null);
  const [changed, setChanged] = useState<string | null>(null);

  // The sentence above says that there are none.
  if (balances.data?.length === 0) return null;
  return (
    <section aria-labelledby="balances">
      <SectionHeading id="balances">{t('Balances')}</SectionHeading>
      {balances.isError && (
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
      {balances.data && balances.data.length > 0 && (
        <>
          <ul
            role="list"
            className="grid grid-cols-[repeat(auto-fill,minmax(min(340px,100%),1fr))] items-start gap-3.5"
          >
            {balances.data.map((balance) => (
              <BalanceCard
                key={`${balance.username}/${balance.currency}`}
                balance={balance}
                onSettle={() => {
                  setChanged(null);
                  setSettling(balance);
                }}
              />
            ))}
          </ul>
          <DownloadCsv file={balancesFile} subject={t('your balances')} className="mt-2" />
        </>
      )}
      {settling && (
        <SettleDialog
          balance={settling}
          onDone={() => setSettling(null)}
          onChanged={(sentence) => {
            setSettling(null);
            setChanged(sentence);
          }}
        />
      )}
    </section>
  );
}

function BalanceCard({ balance, onSettle }: { balance: Balance; onSettle: () => void }) {
  const { username, currency, lines } = balance;
  const { theyOwe, youOwe, net } = openTotals(lines, currency);
  const headingId = `balance-${username}-${currency}`;
  const isFullyPaid = lines.every(({ status }) => status === 'paid');
  const directions = (['they_owe', 'you_owe'] as const).filter((direction) =>
    lines.some((line) => line.direction === direction),
  );
  const directionText = (direction: BalanceLine['direction']) =>
    direction === 'they_owe'
      ? t('{name} owes you {amount}', { name: username, amount: formatMoney(theyOwe, currency) })
      : t('You owe {name} {amount}', { name: username, amount: formatMoney(youOwe, currency) });
  return (
    <Card as="li" labelledBy={headingId}>
      <div className="flex items-center gap-3">
        <Tile name={username} shape="disc" />
        <div className="min-w-0 flex-1">
          <h3 id={headingId} className="truncate font-semibold">
            {username}
          </h3>
          <p className="text-[13.5px] text-muted">
            {isFullyPaid ? t('Nothing due') : net > 0 ? t('Owes you') : net < 0 ? t('You owe') : t("You're settled up")}
          </p>
        </div>
        <p className="figures font-display text-[22px] font-bold">{formatMoney(Math.abs(net), currency)}</p>
      </div>
      {directions.map((direction) => {
        const directionLines = lines.filter((line) => line.direction === direction);
        return (
          <div key={direction} className="mt-2 border-t border-line pt-1 first-of-type:mt-3">
            <Disclosure
              open={lines.length <= SHOWN_AT_ONCE}
              summary={
                <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-[14px]">
                  <span className="font-medium">{directionText(direction)}</span>
                  <span className="text-muted">
                    {t('{count, plural, one {# charge} other {# charges}}', { count: directionLines.length })}
                  </span>
                </span>
              }
            >
              <LedgerList>
                {directionLines.map((line) => (
                  <Line key={line.id} line={line} currency={currency} />
                ))}
              </LedgerList>
            </Disclosure>
          </div>
        );
      })}
      {!isFullyPaid && (
        <Button look="outline" className="mt-2 w-full" onClick={onSettle}>
          {rich('Settle up<hidden> with {name}</hidden>', { name: username, hidden })}
        </Button>
      )}
    </Card>
  );
}

function Line({ line, currency }: { line: BalanceLine; currency: string }) {
  const { asset_name: title, month, amount, direction } = line;
  const detail = monthText(month);
  const reader = direction === 'they_owe' ? 'owner' : 'self';
  const mark = useLineMark({ ...line, settled: false }, reader, { title, detail });
  return <LedgerRow title={title} detail={detail} amount={formatMoney(amount, currency)} mark={mark} />;
}
