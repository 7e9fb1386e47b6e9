import type { SharedAsset } from '@hourshare/contract/shares';
import { lazy, Suspense, useState } from 'react';
import { AnalyticsView } from '../../features/analytics/analytics-view.tsx';
import { nextTermsText } from '../../features/periods/terms-text.ts';
import { LastSession, SessionLog } from '../../features/sessions/session-log.tsx';
import { isPossiblyOpen } from '../../features/sessions/rules.ts';
import { usePastShares, useSharedAssets } from '../../features/shares/api.ts';
import { AddSession } from '../../features/shares/add-session.tsx';
import { AskStrip } from '../../features/shares/ask-strip.tsx';
import { HandoverStrip } from '../../features/shares/handover-strip.tsx';
import { LeaveShare } from '../../features/shares/leave-share.tsx';
import { OfferStrip } from '../../features/shares/offer-strip.tsx';
import { hasAccess, isOffer, isPast, pastText, plainCost } from '../../features/shares/rules.ts';
import { ShareDetails } from '../../features/shares/share-details.tsx';
import { UsagePanel } from '../../features/shares/usage-panel.tsx';
import { useAssetStatements } from '../../features/statements/api.ts';
import { findOwnLine } from '../../features/statements/rules.ts';
import { ShareCosts } from '../../features/statements/share-costs.tsx';
import { useUser } from '../../platform/auth/use-user.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { t, withMessages } from '../../platform/i18n/messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LaterSection } from '../../ui/later-section.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs, type TabItem } from '../../ui/tabs.tsx';
import { Tile } from '../../ui/tile.tsx';
import type { TabName } from '../../platform/paths.ts';
import { forgetUnsaved } from '../../platform/forms/unsaved.ts';
import { DiscardQuestion } from '../discard-question.tsx';
import { isAboutUse } from './about-use.ts';
import { CloseFooter } from './close-footer.tsx';
import type { ManageDialogProps } from './manage-asset-dialog.tsx';
import { ManageTitle } from './manage-title.tsx';
import { Unavailable } from './unavailable.tsx';

const StartElsewhere = lazy(async () => ({
  default: (await import('../../features/shares/start-elsewhere.tsx')).StartElsewhere,
}));
const ExtraCosts = lazy(async () => ({
  default: (await import('../../features/costs/extra-costs.tsx')).ExtraCosts,
}));
const importReplay = withMessages('plans', () => import('../../features/statements/replay-year.tsx'));
const ReplayYear = lazy(async () => ({ default: (await importReplay()).ReplayYear }));
const AssetDeposits = lazy(async () => ({
  default: (await import('../../features/deposits/asset-deposits.tsx')).AssetDeposits,
}));
const MemberMeters = lazy(async () => ({
  default: (await import('../../features/meters/member-meters.tsx')).MemberMeters,
}));

interface ManageShareDialogProps extends ManageDialogProps {
  /** The session to edit on the Sessions tab. */
  session: number | undefined;
}

export function ManageShareDialog({ id, tab, session, onTab, onClose }: ManageShareDialogProps) {
  const shares = useSharedAssets();
  const [gone, setGone] = useState(false);
  const open = shares.data?.find((known) => known.id === id);
  const past = usePastShares({ enabled: shares.data !== undefined && !open });
  const share = open ?? past.data?.find((known) => known.id === id);
  if (gone) return null;
  if (!share) {
    return (
      <Unavailable
        loading={shares.isPending || (shares.data !== undefined && past.isPending)}
        failure={shares.isError || past.isError ? t('Failed to load shared assets data') : null}
        onRetry={() => void (shares.isError ? shares : past).refetch()}
        onClose={onClose}
      />
    );
  }
  // Close the dialog before the share leaves the list; otherwise it briefly says that it isn't available.
  const handleGone = () => {
    setGone(true);
    forgetUnsaved();
    onClose();
  };
  // What has ended can't be used, but its sessions can be edited until their month closes.
  const tabs = buildTabs(share, { session, onGone: handleGone }).filter(({ name }) =>
    isPast(share)
      ? name === 'sessions' || name === 'costs'
      : share.measured || !isAboutUse(name, share.last_used_at !== null),
  );
  const cost = share.measured ? null : plainCost(share);
  return (
    <Dialog
      title={<ManageTitle name={share.asset_name} />}
      description={
        isPast(share)
          ? pastText(share)
          : share.measured
            ? t('Shared by {owner}, {hours, plural, one {# hour} other {# hours}} a month', {
                owner: share.owner,
                hours: share.monthly_hours_allocated,
              })
            : cost
              ? t('Shared by {owner}. You pay {amount} a month.', {
                  owner: share.owner,
                  amount: formatMoney(cost.amount, cost.currency),
                })
              : t('Shared by {owner}', { owner: share.owner })
      }
      emblem={<Tile name={share.asset_name} />}
      shape="sheet"
      onClose={onClose}
    >
      <Tabs
        label={share.asset_name}
        items={tabs}
        // Only owners can share, so the Share tab falls back to Usage.
        current={
          tabs.find(({ name }) => name === tab)?.name ??
          (isPast(share) ? 'sessions' : share.measured ? 'usage' : 'costs')
        }
        onChange={onTab}
        notice={
          (share.asked || (share.offer ?? share.handover ?? share.next_owner ?? share.next_terms)) && (
            <div className="mb-5 grid gap-3">
              {share.asked && <AskStrip share={share} />}
              {(share.handover ?? share.next_owner) && <HandoverStrip share={share} />}
              {share.offer ? (
                <OfferStrip share={share} offer={share.offer} onGone={handleGone} />
              ) : (
                share.next_terms &&
                share.terms && (
                  <p className="rounded-control bg-accent-soft p-3.5 text-[14px]">
                    {nextTermsText(share.next_terms, share.terms.currency)}
                  </p>
                )
              )}
            </div>
          )
        }
      />
      <CloseFooter onClose={onClose} />
      <DiscardQuestion />
    </Dialog>
  );
}

interface TabContext {
  session: number | undefined;
  onGone: () => void;
}

/** Loads when it is opened. */
const Elsewhere = ({ share }: { share: SharedAsset }) => (
  <LaterSection
    id="elsewhere"
    title={t('Start from elsewhere')}
    hint={t('With a QR code next to it, or from a script.')}
    loading={t('Loading asset')}
  >
    <StartElsewhere share={share} />
  </LaterSection>
);

function OwnUsage({ share }: { share: SharedAsset }) {
  const username = useUser()?.username ?? '';
  const running = useAssetStatements(share.asset.id).data?.find(({ ended }) => !ended);
  const line = running && findOwnLine(running, username);
  return (
    <>
      <UsagePanel share={share} cost={line ? formatMoney(line.amount, running.currency) : null} />
      {hasAccess(share) && share.measured && (
        <Suspense>
          <MemberMeters share={share} />
        </Suspense>
      )}
      <LastSession shareId={share.id} assetId={share.asset.id} />
    </>
  );
}

/** What someone paid beside the price. Of an owner who uses it, too, it is among the asset's own costs. */
function SharedExtraCosts({ share }: { share: SharedAsset }) {
  const statements = useAssetStatements(share.asset.id).data;
  const currency = share.terms?.currency ?? statements?.[0]?.currency;
  if (share.own || currency === undefined) return null;
  return (
    <Suspense fallback={<Spinner label={t('Loading costs')} className="mt-8 w-full justify-center" />}>
      <ExtraCosts
        place={{ shareId: share.id }}
        statements={(statements ?? []).filter(({ closed }) => !closed)}
        owner={share.owner}
        currency={currency}
        limit={(share.agreed ?? share.terms)?.extra_cost_limit ?? 0}
        canAdd={hasAccess(share)}
      />
      <AssetDeposits
        assetId={share.asset.id}
        record={hasAccess(share) ? { place: { shareId: share.id }, currency, person: share.owner } : undefined}
      />
    </Suspense>
  );
}

/** What another plan would have cost, once a month has closed. */
function SharedReplay({ share }: { share: SharedAsset }) {
  const closed = useAssetStatements(share.asset.id).data?.find((statement) => statement.closed);
  if (share.own || !hasAccess(share) || !closed) return null;
  return (
    <LaterSection id="replay" title={t('What if, last year?')} loading={t('Loading')}>
      <ReplayYear of={{ shareId: share.id, currency: closed.currency, measured: share.measured }} />
    </LaterSection>
  );
}

/** Whether there may be time to add a session for: access that ended in a closed month is over. */
const canAdd = (share: SharedAsset) =>
  share.measured &&
  (!isPast(share) || (share.ended_at !== null && isPossiblyOpen(share.ended_at, new Date(serverNow()))));

const buildTabs = (share: SharedAsset, { session, onGone }: TabContext): TabItem<TabName>[] => [
  {
    name: 'details',
    label: t('Details'),
    content: () => (
      <>
        <ShareDetails share={share} />
        {hasAccess(share) && share.measured && <Elsewhere share={share} />}
        {!isOffer(share) && <LeaveShare share={share} onLeft={onGone} />}
      </>
    ),
  },
  {
    name: 'sessions',
    label: t('Sessions'),
    content: () =>
      // Its statements, which say what can be edited, aren't the user's before they accept.
      isOffer(share) ? (
        <p className="text-muted">{t('No sessions yet. Start one on the Usage tab.')}</p>
      ) : (
        <>
          {canAdd(share) && <AddSession shareId={share.id} />}
          <SessionLog
            shareId={share.id}
            assetId={share.asset.id}
            edit={session}
            {...(isPast(share) && { none: t('No sessions.') })}
          />
        </>
      ),
  },
  { name: 'analytics', label: t('Analytics'), content: () => <AnalyticsView share={share} /> },
  {
    name: 'usage',
    label: t('Usage'),
    content: () => (isOffer(share) ? <UsagePanel share={share} /> : <OwnUsage share={share} />),
  },
  {
    name: 'costs',
    label: t('Costs'),
    content: () =>
      isOffer(share) ? (
        <p className="text-muted">{t("You're not charged for this unless you accept it.")}</p>
      ) : (
        <>
          <ShareCosts assetId={share.asset.id} />
          <SharedExtraCosts share={share} />
          <SharedReplay share={share} />
        </>
      ),
  },
];
