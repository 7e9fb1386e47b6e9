import { Users } from 'lucide-react';
import { useSharedAssets } from '../../features/shares/api.ts';
import { ShareCard } from '../../features/shares/share-card.tsx';
import { formatCount } from '../../lib/formatting.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { shareDialog } from '../../lib/paths.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { CardGrid } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { LoadingCards } from '../../ui/skeleton.tsx';
import { useDialogAddress } from '../dialog-address.ts';
import { AssetDialogs } from '../dialogs/asset-dialogs.tsx';

export function SharedPage() {
  usePageTitle('Shared With Me');
  const user = useUser();
  const shares = useSharedAssets();
  const dialog = useDialogAddress();

  return (
    <>
      <PageHeader title="Shared With Me">
        {shares.data ? formatCount(shares.data.length, 'shared asset') : 'What others let you use'}
      </PageHeader>
      {shares.isError && (
        <Banner className="mb-4" onRetry={() => void shares.refetch()}>
          Failed to load shared assets data
        </Banner>
      )}
      {shares.isPending && <LoadingCards label="Loading shared assets" />}
      {shares.data &&
        (shares.data.length === 0 ? (
          <EmptyState title="No Shared Assets" icon={<Users aria-hidden size={28} />}>
            Nobody shares an asset with you yet. Tell a friend your username, {user?.username}, and they can.
          </EmptyState>
        ) : (
          <>
            <h2 className="sr-only">All shared assets</h2>
            <CardGrid>
              {shares.data.map((share) => (
                <ShareCard
                  key={share.id}
                  share={share}
                  action="Manage Usage"
                  hint="Start a session or manage your usage."
                  onAction={() => dialog.open(shareDialog(share.id, 'usage'))}
                />
              ))}
            </CardGrid>
          </>
        ))}
      <AssetDialogs />
    </>
  );
}
