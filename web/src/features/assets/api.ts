import type { Bill, CreateAssetRequest, OwnedAsset, UpdateAssetRequest } from '@hourshare/contract/assets';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery, listQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { readResults } from '../../platform/http/lists.ts';
import { useReloadInterval } from '../../platform/live/stream-state.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    assets: true;
  }
}

const assetsQuery = listQuery('GET /api/assets/', {}, ['assets', 'periods', 'shares']);

const assetQuery = (id: number) =>
  endpointQuery('GET /api/assets/{id}/', { params: { id } }, ['assets', 'periods', 'shares']);

export const useAssets = () => useQuery({ ...assetsQuery, select: readResults, refetchInterval: useReloadInterval() });

/** Returns an asset from the user's list or, if it isn't there, one that they may co-manage. */
export function useManagedAsset(id: number) {
  const assets = useAssets();
  const owned = assets.data?.find((known) => known.id === id);
  const managed = useQuery({
    ...assetQuery(id),
    enabled: assets.data !== undefined && !owned,
    refetchInterval: useReloadInterval(),
  });
  // The user doesn't have access, or lost it.
  const isGone = managed.error instanceof ApiError && managed.error.status === 404;
  return {
    asset: owned ?? (isGone ? undefined : (managed.data ?? undefined)),
    isPending: assets.isPending || (!owned && managed.isPending && !assets.isError),
    isError: assets.isError || (managed.isError && !isGone),
    refetch: () => void (assets.isError ? assets : managed).refetch(),
  };
}

function updateList(client: QueryClient, change: (assets: OwnedAsset[]) => OwnedAsset[]): void {
  client.setQueryData(assetsQuery.queryKey, (list) => list && { ...list, results: change(readResults(list)) });
}

/** Replaces the asset in the cache with the server's response. */
export function replaceAsset(client: QueryClient, asset: OwnedAsset): void {
  client.setQueryData(assetQuery(asset.id).queryKey, (known) => known && asset);
  updateList(client, (assets) => assets.map((known) => (known.id === asset.id ? asset : known)));
}

export function useCreateAsset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asset: CreateAssetRequest) => call('POST /api/assets/', { body: asset }),
    onSuccess: (created) => {
      updateList(client, (assets) => [...assets.filter(({ id }) => id !== created.id), created]);
      void client.invalidateQueries({ queryKey: assetsQuery.queryKey });
    },
  });
}

export function useUpdateAsset(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateAssetRequest) => call('PATCH /api/assets/{id}/', { params: { id }, body: change }),
    onSuccess: (asset) => {
      replaceAsset(client, asset);
      void announceChange(client, 'assets');
    },
  });
}

/** Calls `onDeleted` before the asset leaves the list, so that its dialog can close first. */
export function useDeleteAsset(id: number, onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (bill: Bill | undefined) =>
      call('DELETE /api/assets/{id}/', { params: { id }, query: bill === undefined ? {} : { bill } }),
    onSuccess: () => {
      onDeleted();
      updateList(client, (assets) => assets.filter((known) => known.id !== id));
      // Only the list: queries of this asset may still be mounted and would now get a 404.
      void client.invalidateQueries({ queryKey: assetsQuery.queryKey });
    },
  });
}
