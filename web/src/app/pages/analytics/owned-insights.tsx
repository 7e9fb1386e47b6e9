import type { OwnedAsset } from '@hourshare/contract/assets';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { memberUse, runningUse, type MemberUse } from '../../../features/assets/rules.ts';
import { useInsights } from '../../../features/insights/api.ts';
import { AssetHistoryView } from '../../../features/insights/asset-history-view.tsx';
import { InsightList } from '../../../features/insights/insight-list.tsx';
import { insightText } from '../../../features/insights/rules.ts';
import { methodNames } from '../../../features/periods/terms-text.ts';
import { useOwnShares } from '../../../features/shares/api.ts';
import { formatHours, formatNumber, roundHours } from '../../../platform/format/numbers.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { assetDialog, paths } from '../../../platform/paths.ts';
import { Banner } from '../../../ui/banner.tsx';
import { buttonClasses } from '../../../ui/button.tsx';
import { hidden } from '../../../ui/hidden-text.tsx';
import { SectionHeading } from '../../../ui/page-header.tsx';
import { Select } from '../../../ui/select.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { MAX_RINGS, RingPicker } from './ring-picker.tsx';

const searchOf = (asset: number) => ({ view: 'owned' as const, asset });

/** The insight into one owned asset and its history, then the insights into the others. */
export function OwnedInsights({ assets }: { assets: OwnedAsset[] }) {
  const insights = useInsights();
  const { asset: chosen } = useSearch({ strict: false });
  const navigate = useNavigate();
  const selected = assets.find(({ id }) => id === chosen) ?? assets[0];
  if (!selected) return null;
  // Insights that load late would push the rest down.
  if (insights.isPending) return <Spinner label={t('Loading insights')} className="min-h-84 w-full justify-center" />;
  const first = insights.data?.find(({ asset_id: id }) => id === selected.id);
  const others = insights.data?.filter((insight) => insight !== first) ?? [];
  return (
    <>
      {insights.isError && (
        <Banner className="mb-4" onRetry={() => void insights.refetch()}>
          {t("Couldn't load insights")}
        </Banner>
      )}
      {assets.length > MAX_RINGS ? (
        <div className="mb-5">
          <Select
            label={t('Asset you own')}
            value={String(selected.id)}
            onChange={(id) =>
              void navigate({ to: paths.analytics, search: searchOf(Number(id)), replace: true, resetScroll: false })
            }
            options={assets.map(({ id, name }) => ({ value: String(id), text: name }))}
          />
        </div>
      ) : (
        assets.length > 1 && <AssetRings assets={assets} selected={selected.id} />
      )}
      <AssetHistoryView
        key={selected.id}
        assetId={selected.id}
        answer={first && insightText(first)}
        action={
          <Link to={paths.assets} search={assetDialog(selected.id, 'analytics')} className={buttonClasses('outline')}>
            {rich('Manage<hidden> {asset}</hidden>', { asset: selected.name, hidden })}
          </Link>
        }
      />
      {others.length > 0 && (
        <>
          <SectionHeading>{t('Insights')}</SectionHeading>
          <InsightList insights={others} linked />
        </>
      )}
    </>
  );
}

function AssetRings({ assets, selected }: { assets: OwnedAsset[]; selected: number }) {
  const own = useOwnShares();
  return (
    <RingPicker
      label={t('Assets you own')}
      selected={selected}
      choices={assets.map((asset) => ({
        id: asset.id,
        name: asset.name,
        search: searchOf(asset.id),
        ...(asset.measured
          ? measuredUse(
              memberUse(
                asset,
                own.find(({ id }) => id === asset.own_share_id),
              ),
            )
          : { part: 0, running: 0, text: methodNames.equal() }),
      }))}
    />
  );
}

function measuredUse({ members, available }: MemberUse) {
  const used = members.reduce((sum, { hours }) => sum + hours, 0);
  const running = members.reduce((sum, member) => sum + runningUse(member), 0);
  return {
    part: available > 0 ? used / available : 0,
    running: available > 0 ? running / available : 0,
    text:
      available > 0
        ? t('{used} of {allowance}', { used: formatNumber(roundHours(used)), allowance: formatHours(available) })
        : t('Not shared'),
  };
}
