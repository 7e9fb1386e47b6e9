import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState } from 'react';
import { useInsights } from '../../../features/insights/api.ts';
import { AssetHistoryView } from '../../../features/insights/asset-history-view.tsx';
import { InsightList } from '../../../features/insights/insight-list.tsx';
import { t } from '../../../platform/i18n/messages.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Select } from '../../../ui/select.tsx';
import { Spinner } from '../../../ui/spinner.tsx';

/** The insights into all owned assets and the history of one. */
export function OwnedInsights({ assets }: { assets: OwnedAsset[] }) {
  const insights = useInsights();
  const [chosen, setChosen] = useState<number>();
  const selected = assets.find(({ id }) => id === chosen) ?? assets[0];
  if (!selected) return null;
  // Insights that load late would push the rest down.
  if (insights.isPending)
    return <Spinner label={t('Loading insights')} size={28} className="w-full justify-center py-24" />;
  return (
    <>
      {insights.isError && (
        <Banner className="mb-4" onRetry={() => void insights.refetch()}>
          {t("Couldn't load insights")}
        </Banner>
      )}
      {insights.data && insights.data.length > 0 && <InsightList insights={insights.data} linked />}
      <div className="mb-5 not-first:mt-5">
        <Select
          label={t('Asset you own')}
          value={String(selected.id)}
          onChange={(id) => setChosen(Number(id))}
          options={assets.map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      </div>
      <AssetHistoryView key={selected.id} assetId={selected.id} insights={false} />
    </>
  );
}
