import type { Balance } from '@hourshare/contract/settlements';
import { Plus } from 'lucide-react';
import {
  Fragment,
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react';
import { useAssets } from '../../../features/assets/api.ts';
import { activeAssets, hasPlans, hasUse } from '../../../features/assets/rules.ts';
import { useBalances } from '../../../features/settlements/api.ts';
import { OweLine } from '../../../features/settlements/owe-line.tsx';
import { findLargestDebt } from '../../../features/settlements/rules.ts';
import { runningShares, useOwnShares, useSharedAssets } from '../../../features/shares/api.ts';
import { useSharedStatements } from '../../../features/statements/api.ts';
import { isOwner, latestMonth, shareAmounts } from '../../../features/statements/rules.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { daysLeft, monthName } from '../../../platform/format/months.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { addAssetDialog } from '../../../platform/paths.ts';
import { useUser } from '../../../platform/auth/use-user.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/class-names.ts';
import { FailedState } from '../../../ui/failed-state.tsx';
import { PageHeader, SectionHeading } from '../../../ui/page-header.tsx';
import { CardSkeletons } from '../../../ui/skeleton.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { AssetDialogs } from '../../dialogs/asset-dialogs.tsx';
import { Inbox } from '../../inbox/inbox.tsx';
import { useEndedMonth } from '../../inbox/waiting.ts';
import { OwnedSection } from './owned-section.tsx';
import { RunningHero } from './running-hero.tsx';
import { SharedSection } from './shared-section.tsx';
import { StatCards } from './stat-cards.tsx';

// Only those who have something that renews see them.
const NearRenewals = lazy(async () => ({ default: (await import('../../inbox/near-renewals.tsx')).NearRenewals }));
// Only newcomers see them.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

export function DashboardPage() {
  usePageTitle(t('Dashboard'));
  const username = useUser()?.username ?? '';
  const assets = useAssets();
  const shares = useSharedAssets();
  const balances = useBalances();
  const statements = useSharedStatements();
  const dialog = useDialogAddress();
  const owned = assets.data && activeAssets(assets.data);
  // Of their own assets, only costs that wait for them are shown.
  const used = statements.data?.filter((statement) => !isOwner(statement, username));
  const costs = used && shareAmounts(used, username);
  const isListBroken = assets.isError || shares.isError;
  // If either list fails to load, show neither. A list that fails to reload keeps its old data.
  const isEmptied = assets.isLoadingError || shares.isLoadingError;
  // No one has used their assets, and no one shares anything with them.
  const isNew = shares.data?.length === 0 && !(assets.data?.some(hasUse) ?? true);
  // What a newcomer typed stays, whatever others do meanwhile.
  const [wasNew, setWasNew] = useState(false);
  if (isNew && !wasNew) setWasNew(true);
  const hasLists = owned !== undefined && shares.data !== undefined && !balances.isPending;
  const ended = useEndedMonth();
  const isLoading = useBriefWait(hasLists, statements.isLoading || ended.isLoading) || !hasLists;
  const [openedLoading] = useState(isLoading);
  const own = useOwnShares();
  const running = runningShares([...(shares.data ?? []), ...own]);

  const retry = () => void Promise.all([assets, shares, balances, statements].map((query) => query.refetch()));
  const refresh = { refreshing: shares.isFetching, onRefresh: () => void shares.refetch() };

  const header = (
    <PageHeader
      title={t('Welcome back, {name}!', { name: username })}
      loading={!isEmptied && isLoading ? t('Loading your assets') : undefined}
      action={
        <Button
          look={owned?.length === 0 && !isNew ? 'primary' : 'outline'}
          className="max-md:size-11 max-md:rounded-full! max-md:px-0!"
          icon={<Plus aria-hidden size={18} />}
          onClick={() => dialog.open(addAssetDialog)}
        >
          <span className="max-md:sr-only">{t('Add New Asset')}</span>
        </Button>
      }
    >
      <MonthLine month={latestMonth(statements.data ?? [])} />
    </PageHeader>
  );
  // Placeholders of their own, as high as what replaces them: what stays would count as moved.
  const placeholders = (
    <Fragment key="loading">
      <StatCards {...refresh} />
      <SectionHeading>{t('Your Shared Assets')}</SectionHeading>
      <CardSkeletons />
    </Fragment>
  );
  return (
    <>
      {header}
      {isEmptied ? (
        <FailedState
          title={t('Failed to load dashboard data')}
          onRetry={retry}
          busy={assets.isFetching || shares.isFetching}
        >
          {t('A running session keeps counting.')}
        </FailedState>
      ) : isLoading || !owned || !shares.data ? (
        placeholders
      ) : (
        // All at once: what loads later would move the rest.
        <Suspense fallback={placeholders}>
          {isListBroken && (
            <Banner className="mb-4" onRetry={retry}>
              {t('Failed to load dashboard data')}
            </Banner>
          )}
          <Newcomer wasNew={wasNew} isNew={isNew} assets={owned} />
          <RunningHero running={running} statements={used} />
          <StatCards assets={owned} shares={shares.data} running={running} costs={costs} {...refresh} />
          <Inbox
            assets={owned}
            shares={shares.data}
            balances={balances.data}
            statements={statements.data}
            ended={ended}
          />
          {!isListBroken && (balances.isError || statements.isError) && (
            <Banner className="mt-4" onRetry={() => void Promise.all([balances.refetch(), statements.refetch()])}>
              {t("Couldn't load costs. Please try again later.")}
            </Banner>
          )}
          <Lists
            owned={<OwnedSection assets={owned} gradual={openedLoading} />}
            shared={
              <SharedSection shares={shares.data} statements={used} username={username} gradual={openedLoading} />
            }
            isSharedFirst={shares.data.length > 0}
            balances={balances.data}
          />
          {/* Last, because it loads later. */}
          {hasPlans(owned, shares.data) && (
            <Suspense>
              <NearRenewals />
            </Suspense>
          )}
        </Suspense>
      )}
      {/* At one place, because each new reader of a list that failed loads it again. */}
      <AssetDialogs />
    </>
  );
}

/** How long the lists wait for edits that the user must answer, whose cards would push them down. */
const EDITS_MS = 500;

/** Returns whether the page waits for what comes with the lists. It never waits again. */
function useBriefWait(hasLists: boolean, isPending: boolean): boolean {
  const [isOver, setOver] = useState(false);
  if (hasLists && !isPending && !isOver) setOver(true);
  useEffect(() => {
    if (!hasLists) return undefined;
    const timer = setTimeout(() => setOver(true), EDITS_MS);
    return () => clearTimeout(timer);
  }, [hasLists]);
  return isPending && !isOver;
}

interface NewcomerProps extends ComponentProps<typeof FirstSteps> {
  wasNew: boolean;
}

/** Appears along with the rest of the page, which it would push down. What is first needed later must not hide the page while it loads. */
const Newcomer = ({ wasNew, ...steps }: NewcomerProps) => useDeferredValue(wasNew) && <FirstSteps {...steps} />;

interface ListsProps {
  owned: ReactNode;
  shared: ReactNode;
  /** Those who use what others share come for that first. The order stays while the page is open. */
  isSharedFirst: boolean;
  balances: Balance[] | undefined;
}

/** What the user owns and uses, with what they owe between or, where there is room, beside it. */
function Lists({ owned, shared, isSharedFirst, balances }: ListsProps) {
  const [[first, second]] = useState(() =>
    isSharedFirst ? (['shared', 'owned'] as const) : (['owned', 'shared'] as const),
  );
  const lists = { owned, shared };
  const hasDebts = balances && findLargestDebt(balances) !== undefined;
  return (
    <div className={classes('grid gap-x-7', hasDebts && 'xl:grid-cols-[minmax(0,1fr)_288px]')}>
      <div className="min-w-0">{lists[first]}</div>
      {balances && (
        <div className={classes(hasDebts && 'mt-5 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:mt-7')}>
          <OweLine balances={balances} />
        </div>
      )}
      <div className="min-w-0 xl:col-start-1">{lists[second]}</div>
    </div>
  );
}

/** The month and how much of it is left. */
const MonthLine = ({ month: current }: { month: string }) =>
  t('{days, plural, =0 {Last day of {month}} one {# day left in {month}} other {# days left in {month}}}', {
    month: monthName(current),
    days: daysLeft(current),
  });
