import { Link } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAssets } from '../../../features/assets/api.ts';
import { AddTile } from '../../../features/assets/add-tile.tsx';
import { AssetCard } from '../../../features/assets/asset-card.tsx';
import { activeAssets } from '../../../features/assets/rules.ts';
import { useBalances } from '../../../features/settlements/api.ts';
import { OweLine } from '../../../features/settlements/owe-line.tsx';
import { useSharedAssets } from '../../../features/shares/api.ts';
import { ShareCard } from '../../../features/shares/share-card.tsx';
import { useMonthStatements } from '../../../features/statements/api.ts';
import { shareAmounts } from '../../../features/statements/rules.ts';
import { rich, t } from '../../../lib/messages.ts';
import { daysLeft, monthName, thisMonth } from '../../../lib/months.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { moneyText, type Money } from '../../../lib/money.ts';
import { addAssetDialog, assetDialog, paths, shareDialog } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/use-sign-in.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CardGrid } from '../../../ui/card.tsx';
import { PageHeader, SectionHeading } from '../../../ui/page-header.tsx';
import { LoadingCards } from '../../../ui/skeleton.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { AssetDialogs } from '../../dialogs/asset-dialogs.tsx';
import { StatCards } from './stat-cards.tsx';
import { textLink } from '../../../ui/text-link.ts';

const viewAll = `${textLink} inline-flex min-h-11 items-center text-[14.5px]`;

const more = (text: ReactNode) => <span className="sr-only">{text}</span>;

export function DashboardPage() {
  usePageTitle(t('Dashboard'));
  const user = useUser();
  const assets = useAssets();
  const shares = useSharedAssets();
  const dialog = useDialogAddress();
  const add = () => dialog.open(addAssetDialog);
  const balances = useBalances();
  const statements = useMonthStatements();
  const reload = () => void Promise.all([assets.refetch(), shares.refetch()]);
  const reloadCosts = () => void Promise.all([balances.refetch(), statements.refetch()]);
  // If either list fails to load, show neither. A list that fails to reload keeps its old data.
  const isEmptied = assets.isLoadingError || shares.isLoadingError;
  const owned = assets.data && activeAssets(assets.data);
  const costs = statements.data && shareAmounts(statements.data, user?.username ?? '');

  return (
    <>
      <PageHeader
        title={t('Welcome back, {name}!', { name: user?.username ?? '' })}
        action={
          <Button
            look={owned?.length === 0 ? 'primary' : 'outline'}
            icon={<Plus aria-hidden size={18} />}
            onClick={add}
          >
            {t('Add New Asset')}
          </Button>
        }
      >
        <MonthLine costs={costs} loading={statements.isPending} />
      </PageHeader>
      {(assets.isError || shares.isError) && (
        <Banner className="mb-4" onRetry={reload}>
          {t('Failed to load dashboard data')}
        </Banner>
      )}
      {!isEmptied && (
        <StatCards
          assets={owned}
          shares={shares.data}
          costs={costs}
          refreshing={shares.isFetching}
          onRefresh={() => void shares.refetch()}
        />
      )}
      {isEmptied ? null : !owned || !shares.data || balances.isPending ? (
        // Rendering a part before the ones above it have loaded would shift the layout.
        <LoadingSections />
      ) : (
        <>
          {!(assets.isError || shares.isError) && (balances.isError || statements.isError) && (
            <Banner className="mt-3.5" onRetry={reloadCosts}>
              {t("Couldn't load costs. Please try again later.")}
            </Banner>
          )}
          {balances.data && <OweLine balances={balances.data} />}
          <section aria-labelledby="your-assets">
            <SectionHeading
              id="your-assets"
              aside={
                owned.length > 0 && (
                  <Link to={paths.assets} className={viewAll}>
                    {rich('View all<more> your assets</more>', { more })}
                  </Link>
                )
              }
            >
              {t('Your Assets')}
            </SectionHeading>
            <CardGrid>
              {owned.map((asset) => (
                <AssetCard
                  key={asset.id}
                  asset={asset}
                  onManage={() => dialog.open(assetDialog(asset.id, 'details'))}
                />
              ))}
              <AddTile onAdd={add} />
            </CardGrid>
          </section>
          <section aria-labelledby="your-shared-assets">
            <SectionHeading
              id="your-shared-assets"
              aside={
                shares.data.length > 0 && (
                  <Link to={paths.shared} className={viewAll}>
                    {rich('View all<more> your shared assets</more>', { more })}
                  </Link>
                )
              }
            >
              {t('Your Shared Assets')}
            </SectionHeading>
            {shares.data.length === 0 ? (
              <p className="flex items-center gap-3 rounded-card border border-dashed border-line-strong px-4.5 py-6 text-muted">
                <Users aria-hidden size={20} className="shrink-0" />
                {t('Nothing shared with you yet. Give a friend your username to get access.')}
              </p>
            ) : (
              <CardGrid>
                {shares.data.map((share) => (
                  <ShareCard
                    key={share.id}
                    share={share}
                    action={t('Track Usage')}
                    hint={t('No session running')}
                    onAction={() => dialog.open(shareDialog(share.id, 'usage'))}
                  />
                ))}
              </CardGrid>
            )}
          </section>
        </>
      )}
      <AssetDialogs />
    </>
  );
}

const b = (text: ReactNode) => <strong className="figures font-semibold text-ink">{text}</strong>;

interface MonthLineProps {
  /** What the user has to pay others; undefined when it is loading or failed to load. */
  costs: Money[] | undefined;
  loading: boolean;
}

/** The month, how much of it is left, and the user's share so far, unless nothing is shared with them. */
function MonthLine({ costs, loading }: MonthLineProps) {
  const month = monthName(thisMonth());
  const days = daysLeft();
  if (costs && costs.length > 0)
    return rich(
      '{month}: {days, plural, =0 {last day} one {# day left} other {# days left}} · Your share so far: <b>{amount}</b>',
      { month, days, amount: moneyText(costs), b },
    );
  return (
    <>
      {t('{month}: {days, plural, =0 {last day} one {# day left} other {# days left}}', { month, days })}
      {/* As long as the rest of the line, so that it wraps where the line will. */}
      {loading && <span aria-hidden className="ms-2 inline-block w-44 max-w-full" />}
    </>
  );
}

const LoadingSections = () => (
  <>
    <SectionHeading>{t('Your Assets')}</SectionHeading>
    <LoadingCards label={t('Loading your assets')} />
    <SectionHeading>{t('Your Shared Assets')}</SectionHeading>
    <LoadingCards label={t('Loading your shared assets')} />
  </>
);
