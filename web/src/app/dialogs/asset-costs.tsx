import type { OwnedAsset } from '@hourshare/contract/assets';
import { PriceHistory } from '../../features/periods/price-history.tsx';
import { useAssetStatements } from '../../features/statements/api.ts';
import { PastMonths } from '../../features/statements/past-months.tsx';
import { SplitForm } from '../../features/statements/split-form.tsx';
import { SplitTable } from '../../features/statements/split-table.tsx';
import { t } from '../../lib/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Spinner } from '../../ui/spinner.tsx';

interface AssetCostsProps {
  asset: OwnedAsset;
}

/** The Costs tab of an owned asset: this month so far, the split, the prices and past months. */
export function AssetCosts({ asset }: AssetCostsProps) {
  const statements = useAssetStatements(asset.id);
  if (statements.isPending)
    return <Spinner label={t('Loading costs')} size={28} className="w-full justify-center py-16" />;
  const running = statements.data?.find(({ ended }) => !ended);
  const past = statements.data?.filter(({ ended }) => ended);
  return (
    <div className="grid gap-8">
      {statements.isError && (
        <Banner onRetry={() => void statements.refetch()}>{t("Couldn't load costs. Please try again later.")}</Banner>
      )}
      {running && <SplitTable statement={running} />}
      <SplitForm asset={asset} />
      <PriceHistory assetId={asset.id} currency={asset.currency} statements={statements.data ?? []} />
      {past && <PastMonths assetId={asset.id} statements={past} />}
    </div>
  );
}
