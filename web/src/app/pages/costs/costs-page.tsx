import type { Statement } from '@hourshare/contract/statements';
import { useBalances } from '../../../features/settlements/api.ts';
import { BalanceSentence } from '../../../features/settlements/balance-sentence.tsx';
import { Balances } from '../../../features/settlements/balances.tsx';
import { Settlements } from '../../../features/settlements/settlements.tsx';
import { useMonthStatements } from '../../../features/statements/api.ts';
import { MonthOverview } from '../../../features/statements/month-overview.tsx';
import { isOwner } from '../../../features/statements/rules.ts';
import { useSharedAssets } from '../../../features/shares/api.ts';
import { t } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { assetDialog, shareDialog } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/use-sign-in.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { useDialogAddress } from '../../dialog-address.ts';
import { AssetDialogs } from '../../dialogs/asset-dialogs.tsx';

export function CostsPage() {
  usePageTitle(t('Costs'));
  const username = useUser()?.username ?? '';
  const shares = useSharedAssets();
  const balances = useBalances();
  const running = useMonthStatements();
  const dialog = useDialogAddress();

  // Ended shares and deleted assets have no dialog; their past months stay readable here.
  const getOpener = (statement: Statement) => {
    const { asset_id: asset } = statement;
    if (asset === null) return undefined;
    if (isOwner(statement, username)) return () => dialog.open(assetDialog(asset, 'costs'));
    const share = shares.data?.find((known) => known.asset.id === asset);
    return share && (() => dialog.open(shareDialog(share.id, 'costs')));
  };

  return (
    <>
      <PageHeader title={t('Costs')}>{t('See who owes what, based on actual use.')}</PageHeader>
      <BalanceSentence />
      <Balances />
      {/* Rendering these before the sections above have loaded would shift the layout. */}
      {!balances.isPending && <MonthOverview username={username} getOpener={getOpener} />}
      {!balances.isPending && !running.isPending && <Settlements />}
      <AssetDialogs />
    </>
  );
}
