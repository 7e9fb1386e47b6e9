import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset, ShareRequest } from '@hourshare/contract/shares';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announceChange } from '../../lib/changes.ts';
import { listQuery } from '../../lib/endpoint-query.ts';
import { call } from '../../lib/http.ts';
import { readResults } from '../../lib/lists.ts';
import { replaceAsset } from '../assets/api.ts';

declare module '../../lib/changes.ts' {
  interface Changes {
    shares: true;
  }
}

/** How often to poll: sessions start and end on other devices. */
const RELOAD_MS = 60_000;

export const sharesQuery = listQuery('GET /api/shared-assets/', {}, ['assets', 'sessions']);

export const useSharedAssets = () => useQuery({ ...sharesQuery, select: readResults, refetchInterval: RELOAD_MS });

/** Returns the shares with an active session, latest first; the top bar shows the first. */
export function runningShares(shares: SharedAsset[]): SharedAsset[] {
  const since = ({ active_since }: SharedAsset) => (active_since === null ? 0 : Date.parse(active_since));
  return shares.filter(({ active_session }) => active_session).toSorted((a, b) => since(b) - since(a));
}

/** Every change of a share returns its whole asset. */
function useShareChange<Input>(change: (input: Input) => Promise<OwnedAsset>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (asset) => {
      replaceAsset(client, asset);
      void announceChange(client, 'shares');
    },
  });
}

export const useShareAsset = (assetId: number) =>
  useShareChange((share: ShareRequest) =>
    call('POST /api/assets/{id}/share/', { params: { id: assetId }, body: share }),
  );

export const useChangeShare = (assetId: number) =>
  useShareChange(({ shareId, hours }: { shareId: number; hours: number }) =>
    call('PATCH /api/assets/{id}/share/{share_id}/', {
      params: { id: assetId, share_id: shareId },
      body: { monthly_hours_allocated: hours },
    }),
  );

export const useEndShare = (assetId: number) =>
  useShareChange((shareId: number) =>
    call('DELETE /api/assets/{id}/share/{share_id}/', { params: { id: assetId, share_id: shareId } }),
  );
