import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset, ShareRequest } from '@hourshare/contract/shares';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listQuery } from '../../lib/endpoint-query.ts';
import { call } from '../../lib/http.ts';
import { resultsOf } from '../../lib/lists.ts';

/** Sessions that others or other devices start and end are counted again this often. */
const RECOUNT_MS = 60_000;

const sharesQuery = listQuery('GET /api/shared-assets/', {});
const ownedQuery = listQuery('GET /api/assets/', {});

export const useSharedAssets = () => useQuery({ ...sharesQuery, select: resultsOf, refetchInterval: RECOUNT_MS });

/** The session that shows in the top bar: of several, the one that was started last. */
export function runningShares(shares: SharedAsset[]): SharedAsset[] {
  const since = ({ active_since }: SharedAsset) => (active_since === null ? 0 : Date.parse(active_since));
  return shares.filter(({ active_session }) => active_session).toSorted((a, b) => since(b) - since(a));
}

/** The server answers every change of a share with its whole asset, which takes the old one's place. */
function useAssetChange<Input>(assetId: number, change: (input: Input) => Promise<OwnedAsset>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (asset) => {
      client.setQueryData(
        ownedQuery.queryKey,
        (list) => list && { ...list, results: resultsOf(list).map((known) => (known.id === asset.id ? asset : known)) },
      );
      void client.invalidateQueries({ queryKey: ownedQuery.queryKey });
      for (const what of ['sessions', 'analytics'] as const)
        void client.invalidateQueries({ queryKey: [`GET /api/assets/{id}/${what}/`, { params: { id: assetId } }] });
      void client.invalidateQueries({ queryKey: ['GET /api/statements/'] });
    },
  });
}

export const useShareAsset = (assetId: number) =>
  useAssetChange(assetId, (share: ShareRequest) =>
    call('POST /api/assets/{id}/share/', { params: { id: assetId }, body: share }),
  );

export const useChangeShare = (assetId: number) =>
  useAssetChange(assetId, ({ shareId, hours }: { shareId: number; hours: number }) =>
    call('PATCH /api/assets/{id}/share/{share_id}/', {
      params: { id: assetId, share_id: shareId },
      body: { monthly_hours_allocated: hours },
    }),
  );

export const useEndShare = (assetId: number) =>
  useAssetChange(assetId, (shareId: number) =>
    call('DELETE /api/assets/{id}/share/{share_id}/', { params: { id: assetId, share_id: shareId } }),
  );
