import { useState } from 'react';
import { useAssets } from '../../features/assets/api.ts';
import { useFindings } from '../../features/history/api.ts';
import { AssetHistoryView } from '../../features/history/asset-history-view.tsx';
import { Findings } from '../../features/history/findings.tsx';
import { Banner } from '../../ui/banner.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Select } from '../../ui/select.tsx';

/** What stands out among the assets that one owns, and the last months of each; nothing to who owns none. */
export function OwnedHistory() {
  const assets = useAssets();
  const findings = useFindings();
  const [chosen, setChosen] = useState<number>();
  if (assets.isError) {
    return (
      <Banner className="mt-8" onRetry={() => void assets.refetch()}>
        Failed to load assets data
      </Banner>
    );
  }
  const selected = assets.data?.find(({ id }) => id === chosen) ?? assets.data?.[0];
  // What stands out is above the rest: shown after it, it would push that down.
  if (!assets.data || !selected || findings.isPending) return null;
  return (
    <section aria-labelledby="owned-history">
      <SectionHeading id="owned-history">Assets you own</SectionHeading>
      {findings.isError && (
        <Banner className="mb-4" onRetry={() => void findings.refetch()}>
          Failed to load what stands out
        </Banner>
      )}
      {findings.data && findings.data.length > 0 && <Findings findings={findings.data} linked />}
      <div className="my-5">
        <Select
          label="Asset you own"
          value={String(selected.id)}
          onChange={(id) => setChosen(Number(id))}
          options={assets.data.map(({ id, name }) => ({ value: String(id), text: name }))}
        />
      </div>
      <AssetHistoryView key={selected.id} assetId={selected.id} findings={false} />
    </section>
  );
}
