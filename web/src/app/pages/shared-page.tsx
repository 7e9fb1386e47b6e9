import type { SharedAsset } from '@hourshare/contract/shares';
import { useState } from 'react';
import { usePastShares, useSharedAssets } from '../../features/shares/api.ts';
import { PastShares } from '../../features/shares/past-shares.tsx';
import { byLastUse, lastUsedText } from '../../features/shares/rules.ts';
import { ShareCard } from '../../features/shares/share-card.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { shareDialog } from '../../platform/paths.ts';
import { useFirstOrder } from './use-first-order.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { CardGrid } from '../../ui/card.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FacesRing } from '../../ui/ring.tsx';
import { FilteredList } from '../../ui/filtered-list.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CardSkeletons } from '../../ui/skeleton.tsx';
import { useDialogAddress } from '../dialog-address.ts';
import { AssetDialogs } from '../dialogs/asset-dialogs.tsx';

export function SharedPage() {
  usePageTitle(t('Shared With Me'));
  const user = useUser();
  const username = user?.username ?? '';
  const shares = useSharedAssets();
  const past = usePastShares();
  const dialog = useDialogAddress();
  const hasPast = (past.data ?? []).length > 0;
  const [openedLoading] = useState(shares.isPending);

  return (
    <>
      <PageHeader title={t('Shared With Me')} loading={shares.isPending ? t('Loading shared assets') : undefined}>
        {shares.data
          ? t('{count, plural, one {# shared asset} other {# shared assets}}', { count: shares.data.length })
          : t('Shared by other people')}
      </PageHeader>
      {shares.isError && (
        <Banner
          className="mb-4"
          onRetry={() => {
            void shares.refetch();
            if (past.isError) void past.refetch();
          }}
        >
          {t('Failed to load shared assets data')}
        </Banner>
      )}
      {shares.isPending && <CardSkeletons />}
      {shares.data &&
        (shares.data.length === 0 ? (
          <EmptyState
            title={t('No Shared Assets')}
            art={
              <FacesRing faces={[]}>
                <Avatar name={username} hue={user?.id ?? null} size="huge" />
              </FacesRing>
            }
            action={
              <div className="text-start">
                <CopyField label={t('Your name on this server')} value={username} action={t('Copy my username')} />
              </div>
            }
          >
            {t('Give your username to someone who shares. The offer lands here, with its price.')}
          </EmptyState>
        ) : (
          <>
            <h2 className="sr-only">{t('All shared assets')}</h2>
            <ShareCards shares={shares.data} gradual={openedLoading} />
          </>
        ))}
      {past.isError && !shares.isError && (
        <Banner className="mt-4" onRetry={() => void past.refetch()}>
          {t("Couldn't load assets from the past. Please try again.")}
        </Banner>
      )}
      {past.data && hasPast && (
        <PastShares shares={past.data} onSessions={({ id }) => dialog.open(shareDialog(id, 'sessions'))} />
      )}
      <AssetDialogs />
    </>
  );
}

const searchedText = (share: SharedAsset): string =>
  [share.asset_name, share.asset.description, share.owner, lastUsedText(share)].join(' ');

function ShareCards({ shares, gradual }: { shares: SharedAsset[]; gradual: boolean }) {
  const dialog = useDialogAddress();
  const ordered = useFirstOrder(shares, byLastUse);
  return (
    <FilteredList items={ordered} getText={searchedText} label={t('Filter by name, owner or last use')}>
      {(shown) => (
        <CardGrid gradual={gradual}>
          {shown.map((share) => (
            <ShareCard
              key={share.id}
              share={share}
              action={t('Manage Usage')}
              onAction={() => dialog.open(shareDialog(share.id, 'usage'))}
            />
          ))}
        </CardGrid>
      )}
    </FilteredList>
  );
}
