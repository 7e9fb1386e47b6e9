import { useState } from 'react';
import { useAssets } from '../../../features/assets/api.ts';
import { useInsights } from '../../../features/insights/api.ts';
import { AssetHistoryView } from '../../../features/insights/asset-history-view.tsx';
import { InsightList } from '../../../features/insights/insight-list.tsx';
import { t } from '../../../lib/messages.ts';
import { Banner } from '../../../ui/banner.tsx';
import { SectionHeading } from '../../../ui/page-header.tsx';
import { Select } from '../../../ui/select.tsx';

/** The insights into all owned assets and the history of one; empty for a user who owns none. */
export function OwnedInsights() {
  const assets = useAssets();
  const insights = useInsights();
  const [chosen, setChosen] = useState<number>();
  if (assets.isError) {
    return (
      <Banner className="mt-8" onRetry={() => void assets.refetch()}>
        {t('Failed to load assets data')}
      </Banner>
    );
  }
  const selected = assets.data?.find(({ id }) => id === chosen) ?? assets.data?.[0];
  // Insights that load late would push the rest down.
  if (!assets.data || !selected || insights.isPending) return null;
  return (
    <section aria-labelledby="owned-history">
      <SectionHeading id="owned-history">{t('Assets you own')}</SectionHeading>
      {insights.isError && (
        <Banner className="mb-4" onRetry={() => void insights.refetch()}>
          {t("Couldn't load insights")}
        </Banner>
      )}
      {insights.data && insights.data.length > 0 && <InsightList insights={insights.data} linked />}
      <div className="my-5">
        <Select
          label={t('Asset you own')}
          value={String(selected.id)}
          onChange={(id) => setChosen(Number(id))}
          options={assets.data.map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      </div>
      <AssetHistoryView key={selected.id} assetId={selected.id} insights={false} />
    </section>
  );
}
