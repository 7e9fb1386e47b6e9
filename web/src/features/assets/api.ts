import type { CreateAssetRequest, OwnedAsset, UpdateAssetRequest } from '@hourshare/contract/assets';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { listQuery } from '../../lib/endpoint-query.ts';
import { call } from '../../lib/http.ts';
import { resultsOf } from '../../lib/lists.ts';

const assetsQuery = listQuery('GET /api/assets/', {});
const sharesQuery = listQuery('GET /api/shared-assets/', {});

/** What members use changes without a word from here; it is read again this often. */
const RELOAD_MS = 60_000;

export const useAssets = () => useQuery({ ...assetsQuery, select: resultsOf, refetchInterval: RELOAD_MS });

function updateList(client: QueryClient, change: (assets: OwnedAsset[]) => OwnedAsset[]): void {
  client.setQueryData(assetsQuery.queryKey, (list) => list && { ...list, results: change(resultsOf(list)) });
}

/** The server's answer takes the asset's place at once; the list is then read again for everything else that changed. */
function replaceAsset(client: QueryClient, asset: OwnedAsset): void {
  updateList(client, (assets) => assets.map((known) => (known.id === asset.id ? asset : known)));
  void client.invalidateQueries({ queryKey: assetsQuery.queryKey });
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
      // The dashboard counts active sessions again after every change of an asset.
      void client.invalidateQueries({ queryKey: sharesQuery.queryKey });
      // Archiving ends the sessions that run.
      void client.invalidateQueries({ queryKey: ['GET /api/assets/{id}/sessions/', { params: { id } }] });
      void client.invalidateQueries({ queryKey: ['GET /api/assets/{id}/analytics/', { params: { id } }] });
      // A new cost is a new split.
      void client.invalidateQueries({ queryKey: ['GET /api/statements/'] });
    },
  });
}

/** `onDeleted` is told before the asset leaves the list, so that its dialog can go first. */
export function useDeleteAsset(id: number, onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/assets/{id}/', { params: { id } }),
    onSuccess: () => {
      onDeleted();
      updateList(client, (assets) => assets.filter((known) => known.id !== id));
      void client.invalidateQueries({ queryKey: assetsQuery.queryKey });
    },
  });
}
