import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useAssets } from '../../../features/assets/api.ts';
import { activeAssets, hasUse } from '../../../features/assets/rules.ts';
import { useBalances } from '../../../features/settlements/api.ts';
import { OweLine } from '../../../features/settlements/owe-line.tsx';
import { useSharedAssets } from '../../../features/shares/api.ts';
import { useMonthStatements } from '../../../features/statements/api.ts';
import { latestMonth, shareAmounts } from '../../../features/statements/rules.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { amountsText, type Money } from '../../../platform/format/money.ts';
import { daysLeft, monthName } from '../../../platform/format/months.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { addAssetDialog } from '../../../platform/paths.ts';
import { useUser } from '../../../platform/auth/use-user.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { PageHeader, SectionHeading } from '../../../ui/page-header.tsx';
import { LoadingCards } from '../../../ui/skeleton.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { AssetDialogs } from '../../dialogs/asset-dialogs.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OfferNote } from './offer-note.tsx';
import { OwnedSection } from './owned-section.tsx';
import { SharedSection } from './shared-section.tsx';
import { StatCards } from './stat-cards.tsx';

export function DashboardPage() {
  usePageTitle(t('Dashboard'));
  const username = useUser()?.username ?? '';
  const assets = useAssets();
  const shares = useSharedAssets();
  const balances = useBalances();
  const statements = useMonthStatements(undefined, { role: 'member' });
  const dialog = useDialogAddress();
  const owned = assets.data && activeAssets(assets.data);
  const costs = statements.data && shareAmounts(statements.data, username);
  const isListBroken = assets.isError || shares.isError;
  // If either list fails to load, show neither. A list that fails to reload keeps its old data.
  const isEmptied = assets.isLoadingError || shares.isLoadingError;
  // No one has used their assets, and no one shares anything with them.
  const isNew = shares.data?.length === 0 && !(assets.data?.some(hasUse) ?? true);
  const isLoading = !owned || !shares.data || balances.isPending;
  const [openedLoading] = useState(isLoading);

  const stats = (
    <StatCards
      assets={owned}
      shares={shares.data}
      costs={costs}
      refreshing={shares.isFetching}
      onRefresh={() => void shares.refetch()}
    />
  );
  const costLines = (
    <>
      {!isListBroken && (balances.isError || statements.isError) && (
        <Banner className="mt-3.5" onRetry={() => void Promise.all([balances.refetch(), statements.refetch()])}>
          {t("Couldn't load costs. Please try again later.")}
        </Banner>
      )}
      {balances.data && <OweLine balances={balances.data} />}
    </>
  );

  return (
    <>
      <PageHeader
        title={t('Welcome back, {name}!', { name: username })}
        action={
          <Button
            look={owned?.length === 0 && !isNew ? 'primary' : 'outline'}
            icon={<Plus aria-hidden size={18} />}
            onClick={() => dialog.open(addAssetDialog)}
          >
            {t('Add New Asset')}
          </Button>
        }
      >
        <MonthLine month={latestMonth(statements.data ?? [])} costs={costs} loading={statements.isPending} />
      </PageHeader>
      {isListBroken && (
        <Banner
          className="mb-4"
          onRetry={() => void Promise.all([assets, shares, balances, statements].map((query) => query.refetch()))}
        >
          {t('Failed to load dashboard data')}
        </Banner>
      )}
      {isEmptied ? null : isLoading ? (
        // Rendering a part before the ones above it have loaded would shift the layout.
        <>
          {stats}
          <SectionHeading>{t('Your Assets')}</SectionHeading>
          <LoadingCards label={t('Loading your assets')} />
          <SectionHeading>{t('Your Shared Assets')}</SectionHeading>
          <LoadingCards label={t('Loading your shared assets')} />
        </>
      ) : assets.data.length === 0 && shares.data.length > 0 ? (
        // Someone who only uses what others share comes for that.
        <>
          <SharedSection
            shares={shares.data}
            statements={statements.data}
            username={username}
            gradual={openedLoading}
          />
          {costLines}
          <div className="mt-8">{stats}</div>
          <OwnedSection assets={owned} gradual={openedLoading} />
        </>
      ) : (
        <>
          <OfferNote shares={shares.data} />
          <FirstSteps isNew={isNew} assets={owned} />
          {stats}
          {costLines}
          <OwnedSection assets={owned} gradual={openedLoading} />
          <SharedSection
            shares={shares.data}
            statements={statements.data}
            username={username}
            gradual={openedLoading}
          />
        </>
      )}
      <AssetDialogs />
    </>
  );
}

const b = (text: ReactNode) => <strong className="figures font-semibold text-ink">{text}</strong>;

interface MonthLineProps {
  month: string;
  /** What the user has to pay others; undefined when it is loading or failed to load. */
  costs: Money[] | undefined;
  loading: boolean;
}

/** The month, how much of it is left, and the user's share so far, unless nothing is shared with them. */
function MonthLine({ month: current, costs, loading }: MonthLineProps) {
  const month = monthName(current);
  const days = daysLeft(current);
  if (costs && costs.length > 0)
    return rich(
      '{month}: {days, plural, =0 {last day} one {# day left} other {# days left}} · Your share so far: <b>{amount}</b>',
      { month, days, amount: amountsText(costs), b },
    );
  return (
    <>
      {t('{month}: {days, plural, =0 {last day} one {# day left} other {# days left}}', { month, days })}
      {/* As long as the rest of the line, so that it wraps where the line will. */}
      {loading && <span aria-hidden className="ms-2 inline-block w-44 max-w-full" />}
    </>
  );
}
