import type { OwnedAsset } from '@hourshare/contract/assets';
import { lazy, Suspense, useState } from 'react';
import { AssetAnalyticsView } from '../../features/analytics/asset-analytics-view.tsx';
import { useManagedAsset } from '../../features/assets/api.ts';
import { AssetDetailsForm } from '../../features/assets/asset-details-form.tsx';
import { AssetEndings } from '../../features/assets/asset-endings.tsx';
import { OwnUse } from '../../features/assets/own-use.tsx';
import { AssetHistoryPart } from '../../features/insights/asset-history-view.tsx';
import { AssetSessionLog, SessionLog } from '../../features/sessions/session-log.tsx';
import { AddSession } from '../../features/shares/add-session.tsx';
import { useOwnShares } from '../../features/shares/api.ts';
import { UsagePanel } from '../../features/shares/usage-panel.tsx';
import { AccessList } from '../../features/shares/access-list.tsx';
import { HandOver } from '../../features/shares/hand-over.tsx';
import { ManagerChanges } from '../../features/shares/manager-changes.tsx';
import { ShareForm, useShareForm } from '../../features/shares/share-form.tsx';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t, withMessages } from '../../platform/i18n/messages.ts';
import { forgetUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LaterSection } from '../../ui/later-section.tsx';
import { SaveFooter } from '../../ui/save-footer.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs, type TabItem } from '../../ui/tabs.tsx';
import { Tile } from '../../ui/tile.tsx';
import { parseDialogSearch, type PartName, type TabName } from '../../platform/paths.ts';
import { cyclePriceText } from '../../features/periods/cycle-text.ts';
import { DiscardQuestion } from '../discard-question.tsx';
import { isAboutUse } from './about-use.ts';
import { ManageTitle } from './manage-title.tsx';
import { Unavailable } from './unavailable.tsx';

const AssetCosts = lazy(async () => ({ default: (await import('./asset-costs.tsx')).AssetCosts }));
const importMeters = withMessages('meters', () => import('../../features/meters/asset-meters.tsx'));
const AssetMeters = lazy(async () => ({ default: (await importMeters()).AssetMeters }));
const DepositForm = lazy(async () => ({
  default: (await import('../../features/deposits/deposit-form.tsx')).DepositForm,
}));
const RecordDeposit = ({ asset, name, onDone }: { asset: OwnedAsset; name: string; onDone: () => void }) => (
  <Suspense>
    <DepositForm place={{ assetId: asset.id }} currency={asset.currency} person={name} onDone={onDone} />
  </Suspense>
);
const MemberMeters = lazy(async () => ({
  default: (await import('../../features/meters/member-meters.tsx')).MemberMeters,
}));

export interface ManageDialogProps {
  id: number;
  tab: TabName | undefined;
  onTab: (tab: TabName, part?: PartName) => void;
  onClose: () => void;
}

interface ManageAssetDialogProps extends ManageDialogProps {
  part: PartName | undefined;
  /** The owner's own session to edit on the Usage tab. */
  session: number | undefined;
}

export function ManageAssetDialog({
  id,
  tab = 'details',
  part = 'month',
  session,
  onTab,
  onClose,
}: ManageAssetDialogProps) {
  const { asset, ...found } = useManagedAsset(id);
  const [deleted, setDeleted] = useState(false);
  if (deleted) return null;
  if (!asset) {
    return (
      <Unavailable
        loading={found.isPending}
        failure={found.isError ? t('Failed to load assets data') : null}
        onRetry={found.refetch}
        onClose={onClose}
      />
    );
  }
  // Close the dialog before the asset leaves the list; otherwise it briefly says the asset isn't available.
  const onDeleted = () => {
    setDeleted(true);
    forgetUnsaved();
    onClose();
  };
  const showPlace = (place: string) => {
    const [tabName, partName] = place.split('/');
    const found = parseDialogSearch({ tab: tabName, part: partName });
    if (found.tab) onTab(found.tab, found.part);
  };
  const actions = { part, session, onPart: (name: PartName) => onTab('costs', name), onClose, onDeleted };
  const tabs = buildTabs(asset, actions).filter(({ name }) => asset.measured || !isAboutUse(name, asset.used));
  const current = tabs.find(({ name }) => name === tab)?.name ?? 'details';
  return (
    <Dialog
      title={<ManageTitle name={asset.name} />}
      description={[
        t('{price}/mo', { price: formatMoney(asset.price_per_month, asset.currency) }),
        ...(asset.cycle ? [cyclePriceText({ ...asset, price: asset.subscription_cost })] : []),
      ].join(' · ')}
      emblem={<Tile name={asset.name} />}
      shape="sheet"
      onClose={onClose}
    >
      <Tabs
        label={asset.name}
        items={tabs}
        current={current}
        onChange={onTab}
        notice={
          <>
            {asset.your_role === 'manager' && (
              <Banner tone="note" className="mb-4">
                {t('You co-manage this asset for {owner}.', { owner: asset.owner })}
              </Banner>
            )}
            {asset.archived && (
              <Banner tone="note" className="mb-4">
                {t("Archived. Members can't see it until you restore it.")}
              </Banner>
            )}
          </>
        }
      />
      <SaveFooter
        onClose={onClose}
        onShow={showPlace}
        closing="details"
        hasForm={current === 'details' || (current === 'costs' && (part === 'split' || part === 'price'))}
      />
      <DiscardQuestion />
    </Dialog>
  );
}

function ShareTab({ asset }: { asset: OwnedAsset }) {
  return (
    <>
      <AccessList asset={asset} RecordDeposit={RecordDeposit} />
      <section aria-labelledby="add-person" className="mt-6 rounded-card bg-sunken p-4 md:p-5">
        <h3 id="add-person" className="mb-3 title-3">
          {t('Add person')}
        </h3>
        <ShareForm asset={asset} sharing={useShareForm(asset)} />
      </section>
      <ManagerChanges asset={asset} />
    </>
  );
}

/** What the owner uses themselves, if they take part. */
function UsageTab({ asset, session }: { asset: OwnedAsset; session: number | undefined }) {
  const own = useOwnShares().find(({ id }) => id === asset.own_share_id);
  if (!own) return <OwnUse asset={asset} />;
  return (
    <>
      <UsagePanel share={own} />
      {!asset.archived && asset.measured && (
        <Suspense>
          <MemberMeters share={own} />
        </Suspense>
      )}
      <h3 className="mt-6 mb-3 border-t border-line pt-4 font-semibold">{t('Your sessions')}</h3>
      <AddSession shareId={own.id} />
      <SessionLog shareId={own.id} assetId={asset.id} edit={session} none={t('No sessions yet.')} />
    </>
  );
}

interface DialogActions {
  part: PartName;
  session: number | undefined;
  onPart: (part: PartName) => void;
  onClose: () => void;
  onDeleted: () => void;
}

const buildTabs = (
  asset: OwnedAsset,
  { part, session, onPart, onClose, onDeleted }: DialogActions,
): TabItem<TabName>[] => [
  {
    name: 'details',
    label: t('Details'),
    content: () => (
      <>
        <AssetDetailsForm asset={asset} onSaved={onClose} />
        {!asset.archived && asset.measured && (
          <LaterSection
            id="meters"
            title={t('Meters')}
            hint={t('Record use automatically.')}
            loading={t('Loading meters')}
          >
            <AssetMeters assetId={asset.id} />
          </LaterSection>
        )}
        {!asset.archived && asset.your_role === 'owner' && <HandOver asset={asset} />}
        <AssetEndings asset={asset} onArchived={onClose} onDeleted={onDeleted} />
      </>
    ),
  },
  {
    name: 'share',
    label: t('Share [[tab]]'),
    content: () => <ShareTab asset={asset} />,
  },
  {
    name: 'sessions',
    label: t('Sessions'),
    content: () => <AssetSessionLog assetId={asset.id} />,
  },
  {
    name: 'analytics',
    label: t('Analytics'),
    content: () => (
      <>
        <AssetAnalyticsView assetId={asset.id} />
        <AssetHistoryPart assetId={asset.id} />
      </>
    ),
  },
  {
    name: 'usage',
    label: t('Usage'),
    content: () => <UsageTab asset={asset} session={session} />,
  },
  {
    name: 'costs',
    label: t('Costs'),
    content: () => (
      <Suspense fallback={<Spinner label={t('Loading costs')} size={28} className="w-full justify-center py-16" />}>
        <AssetCosts asset={asset} part={part} onPart={onPart} />
      </Suspense>
    ),
  },
];
