import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Statement } from '@hourshare/contract/statements';
import { lazy, Suspense } from 'react';
import { PriceHistory } from '../../features/periods/price-history.tsx';
import { useAssetStatements } from '../../features/statements/api.ts';
import { PastMonths } from '../../features/statements/past-months.tsx';
import { SplitForm } from '../../features/statements/split-form.tsx';
import { SplitTable } from '../../features/statements/split-table.tsx';
import { t, withMessages } from '../../platform/i18n/messages.ts';
import type { PartName } from '../../platform/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LaterSection } from '../../ui/later-section.tsx';
import { Tabs, type TabItem } from '../../ui/tabs.tsx';

const ExtraCosts = lazy(async () => ({
  default: (await import('../../features/costs/extra-costs.tsx')).ExtraCosts,
}));

const AssetDeposits = lazy(async () => ({
  default: (await import('../../features/deposits/asset-deposits.tsx')).AssetDeposits,
}));

interface AssetCostsProps {
  asset: OwnedAsset;
  part: PartName;
  onPart: (part: PartName) => void;
}

/** The Costs tab of an owned asset: this month so far, the split, the prices and past months. */
export function AssetCosts({ asset, part, onPart }: AssetCostsProps) {
  const statements = useAssetStatements(asset.id);
  if (statements.isPending)
    return <Spinner label={t('Loading costs')} size={28} className="w-full justify-center py-16" />;
  return (
    <>
      {statements.isError && (
        <Banner className="mb-4" onRetry={() => void statements.refetch()}>
          {t("Couldn't load costs. Please try again later.")}
        </Banner>
      )}
      <Tabs
        look="segments"
        label={t('Costs')}
        items={buildParts(asset, statements.data?.filter(isOwnMonth))}
        current={part}
        onChange={onPart}
      />
    </>
  );
}

/** The owner was a member in the months before they took the asset over. Their line as the owner comes first. */
const isOwnMonth = ({ lines }: Statement): boolean => lines[0]?.role === 'owner';

const importReplay = withMessages('plans', () => import('../../features/statements/replay-year.tsx'));
const ReplayYear = lazy(async () => ({ default: (await importReplay()).ReplayYear }));

const buildParts = (asset: OwnedAsset, statements: Statement[] | undefined): TabItem<PartName>[] => [
  { name: 'month', label: t('This month'), content: () => <ThisMonth asset={asset} statements={statements} /> },
  {
    name: 'split',
    label: t('Split [[noun]]'),
    content: () => (
      <>
        <SplitForm asset={asset} />
        <LaterSection id="replay" title={t('What if, last year?')} loading={t('Loading')}>
          <ReplayYear of={asset} />
        </LaterSection>
      </>
    ),
  },
  {
    name: 'price',
    label: t('Price'),
    content: () => (
      <PriceHistory
        assetId={asset.id}
        currency={asset.currency}
        monthly={asset.cycle === null}
        statements={statements ?? []}
      />
    ),
  },
  {
    name: 'history',
    label: t('History [[costs]]'),
    content: () => statements && <PastMonths assetId={asset.id} statements={statements.filter(({ ended }) => ended)} />,
  },
];

function ThisMonth({ asset, statements }: { asset: OwnedAsset; statements: Statement[] | undefined }) {
  const running = statements?.find(({ ended }) => !ended);
  return (
    <>
      {running ? (
        <SplitTable statement={running} />
      ) : (
        statements && <p className="text-muted">{t('No costs for this month.')}</p>
      )}
      <Suspense fallback={<Spinner label={t('Loading costs')} className="mt-8 w-full justify-center" />}>
        <ExtraCosts
          place={{ assetId: asset.id }}
          statements={(statements ?? []).filter(({ closed }) => !closed)}
          owner={asset.owner}
          currency={asset.currency}
          limit={null}
          asset={asset}
          canAdd={!asset.archived}
        />
        <AssetDeposits assetId={asset.id} />
      </Suspense>
    </>
  );
}
