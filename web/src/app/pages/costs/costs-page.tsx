import type { Statement } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAssets } from '../../../features/assets/api.ts';
import { hasPlans } from '../../../features/assets/rules.ts';
import { depositsFile, useDeposits } from '../../../features/deposits/api.ts';
import { balancesFile, settlementsFile, useBalances, useSettlements } from '../../../features/settlements/api.ts';
import { BalanceSentence } from '../../../features/settlements/balance-sentence.tsx';
import { Balances } from '../../../features/settlements/balances.tsx';
import { MonthReady } from '../../../features/settlements/month-ready.tsx';
import { Settlements } from '../../../features/settlements/settlements.tsx';
import { useSharedAssets } from '../../../features/shares/api.ts';
import { monthStatementsFile, useMonthStatements } from '../../../features/statements/api.ts';
import { MonthOverview, type FocusedMonth } from '../../../features/statements/month-overview.tsx';
import { latestMonth, ownTotals } from '../../../features/statements/rules.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { amountsText } from '../../../platform/format/money.ts';
import { monthAfter, monthsBetween, monthText, thisMonth } from '../../../platform/format/months.ts';
import { paths } from '../../../platform/paths.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { useUser } from '../../../platform/auth/use-user.ts';
import { buttonClasses } from '../../../ui/button.tsx';
import { DownloadMenu } from '../../../ui/download-menu.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Spinner } from '../../../ui/spinner.tsx';

const Deposits = lazy(async () => ({
  default: (await import('../../../features/deposits/deposits.tsx')).Deposits,
}));

/** Listed without being asked for. */
const MAX_MONTHS = 12;

export function CostsPage() {
  usePageTitle(t('Costs'));
  const username = useUser()?.username ?? '';
  const balances = useBalances();
  const running = useMonthStatements();
  const settlements = useSettlements();
  const deposits = useDeposits();
  const shares = useSharedAssets();
  const assets = useAssets();

  const ready = useReadyMonth(username);
  const { months, showEarlier } = useMonths(running.data ?? [], ready?.month);
  const [focusedMonth, setFocusedMonth] = useState<FocusedMonth | null>(null);
  // What is above comes first, so that nothing moves.
  const isAboveLoaded = ready === null || (ready !== undefined && !balances.isPending);

  const countDue = (month: string) =>
    (balances.data ?? [])
      .flatMap(({ lines }) => lines)
      .filter((line) => line.month === month && line.direction === 'you_owe' && line.status === 'due').length;
  const isRunning = (assetId: number) =>
    shares.data?.some(({ asset, active_session }) => asset.id === assetId && active_session) ||
    assets.data?.some(({ id, shared_with }) => id === assetId && shared_with.some((each) => each.active_session)) ||
    false;

  return (
    <>
      <PageHeader
        title={t('Costs')}
        action={
          <DownloadMenu
            files={[
              { name: t('Balances'), file: balancesFile },
              { name: t('Payment history'), file: settlementsFile },
              ...(deposits.data?.length ? [{ name: t('Deposits'), file: depositsFile }] : []),
              ...months.map((month) => ({
                name: t('Costs for {month}', { month: monthText(month) }),
                file: () => monthStatementsFile(month),
              })),
            ]}
          />
        }
      />
      {isAboveLoaded ? (
        <>
          {ready && (
            <MonthReady
              {...ready}
              balances={balances.data ?? []}
              onSee={() => setFocusedMonth((before) => ({ month: ready.month, count: (before?.count ?? 0) + 1 }))}
            />
          )}
          <BalanceSentence />
          <Balances isMain={ready === null} />
        </>
      ) : (
        <Spinner label={t('Loading balances')} size={28} className="w-full justify-center py-12" />
      )}
      {/* Rendering these before the sections above have loaded would shift the layout. */}
      {ready !== undefined &&
        balances.isFetched &&
        running.isFetched &&
        settlements.isFetched &&
        deposits.isFetched && (
          <Suspense>
            {deposits.data?.length !== 0 && <Deposits />}
            <MonthOverview
              username={username}
              months={months}
              focusedMonth={focusedMonth}
              onEarlier={showEarlier}
              countDue={countDue}
              isRunning={isRunning}
            />
            <Settlements />
            {hasPlans(assets.data ?? [], shares.data ?? []) && (
              <Link to={paths.renewals} className={buttonClasses('quiet', 'small', '-ms-3 mt-6')}>
                {t('Renewals')}
              </Link>
            )}
          </Suspense>
        )}
    </>
  );
}

/** Days of a month on which the one before it is news. It closes on the fourth. */
const NEWS_UNTIL = 14;
const isEarlyInMonth = () => new Date().getDate() <= NEWS_UNTIL;

/** Returns the month that has just closed, with what it cost the user; null later or if it cost nothing, undefined while it loads. */
function useReadyMonth(username: string): { month: string; cost: string } | null | undefined {
  const month = monthAfter(thisMonth(), -1);
  const isNews = isEarlyInMonth();
  const { data = [], isLoading } = useMonthStatements(month, { enabled: isNews });
  if (isNews && isLoading) return undefined;
  const costs = ownTotals(data, username);
  const isReady = isNews && data.every(({ closed }) => closed) && costs.some(({ amount }) => amount > 0);
  return isReady ? { month, cost: amountsText(costs) } : null;
}

/** Returns the months from the current one back to the first with a charge, or the one that is ready, newest first. */
function useMonths(running: Statement[], ready: string | undefined) {
  const [earlier, setEarlier] = useState(0);
  const balances = useBalances();
  const settlements = useSettlements();
  const lines: { month: string }[] = [
    ...(balances.data ?? []).flatMap((balance) => balance.lines),
    ...(settlements.data ?? []).flatMap((settlement) => settlement.lines),
  ];
  // While the statements load, a charge may be of a later month than the viewer's own.
  const known = [
    latestMonth(running),
    ...(ready === undefined ? [] : [ready]),
    ...[...running, ...lines].map(({ month }) => month),
  ].toSorted();
  const [first = '', current = first] = [known[0], known.at(-1)];
  const count = Math.min(MAX_MONTHS, monthsBetween(first, current) + 1) + earlier;
  const months = Array.from({ length: count }, (_, index) => monthAfter(current, -index));
  return { months, showEarlier: () => setEarlier(earlier + 1) };
}
