import type { Statement } from '@hourshare/contract/costs';
import { useBalances, useMonthStatements } from '../../features/costs/api.ts';
import { Balances } from '../../features/costs/balances.tsx';
import { CostTotals } from '../../features/costs/cost-totals.tsx';
import { MonthOverview } from '../../features/costs/month-overview.tsx';
import { isOwner } from '../../features/costs/rules.ts';
import { Settlements } from '../../features/costs/settlements.tsx';
import { useSharedAssets } from '../../features/shares/api.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { assetDialog, shareDialog } from '../../lib/paths.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useDialogAddress } from '../dialog-address.ts';
import { AssetDialogs } from '../dialogs/asset-dialogs.tsx';

export function CostsPage() {
  usePageTitle('Costs');
  const username = useUser()?.username ?? '';
  const shares = useSharedAssets();
  const balances = useBalances();
  const running = useMonthStatements();
  const dialog = useDialogAddress();

  // A share that has ended, or an asset that was deleted, has no dialog any more; its months stay readable here.
  const openerOf = (statement: Statement) => {
    const { asset_id: asset } = statement;
    if (asset === null) return undefined;
    if (isOwner(statement, username)) return () => dialog.open(assetDialog(asset, 'costs'));
    const share = shares.data?.find((known) => known.asset.id === asset);
    return share && (() => dialog.open(shareDialog(share.id, 'costs')));
  };

  return (
    <>
      <PageHeader title="Costs">Who pays what, by the hours each of you used.</PageHeader>
      <CostTotals username={username} />
      <Balances />
      {/* How far down these begin is known when what is above them is there: shown before, they would jump. */}
      {!balances.isPending && <MonthOverview username={username} openerOf={openerOf} />}
      {!balances.isPending && !running.isPending && <Settlements />}
      <AssetDialogs />
    </>
  );
}
