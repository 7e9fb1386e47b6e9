import type { OwnedAsset } from '@hourshare/contract/assets';
import { Banner } from '../../ui/banner.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useAssetStatements } from './api.ts';
import { PastMonths } from './past-months.tsx';
import { PriceHistory } from './price-history.tsx';
import { SplitForm } from './split-form.tsx';
import { SplitTable } from './split-table.tsx';

interface AssetCostsProps {
  asset: OwnedAsset;
}

/** What an owned asset costs whom: this month so far, how it is split, its prices, and the months gone by. */
export function AssetCosts({ asset }: AssetCostsProps) {
  const statements = useAssetStatements(asset.id);
  if (statements.isPending)
    return <Spinner label="Loading the costs" size={28} className="w-full justify-center py-16" />;
  const running = statements.data?.find(({ ended }) => !ended);
  const past = statements.data?.filter(({ ended }) => ended);
  return (
    <div className="grid gap-8">
      {statements.isError && (
        <Banner onRetry={() => void statements.refetch()}>Failed to load the costs. Please try again later.</Banner>
      )}
      {running && <SplitTable statement={running} />}
      <SplitForm asset={asset} />
      <PriceHistory assetId={asset.id} currency={asset.currency} statements={statements.data ?? []} />
      {past && <PastMonths assetId={asset.id} statements={past} />}
    </div>
  );
}
