import type { UpdateAssetRequest } from '@hourshare/contract/assets';
import type { SetPriceRequest } from '@hourshare/contract/periods';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announceChange } from '../../platform/live/changes.ts';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { readResults } from '../../platform/http/lists.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    /** A price, the split terms, or whether a month is closed. */
    periods: true;
  }
}

const pricesQuery = (id: number) =>
  listQuery('GET /api/assets/{id}/prices/', { params: { id } }, ['assets', 'periods']);

export const usePrices = (assetId: number) => useQuery({ ...pricesQuery(assetId), select: readResults, staleTime: 0 });

export function useSetPrice(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (price: SetPriceRequest) =>
      call('POST /api/assets/{id}/prices/', { params: { id: assetId }, body: price }),
    onSuccess: () => announceChange(client, 'periods'),
  });
}

export function useSaveSplit(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (terms: Omit<UpdateAssetRequest, 'name' | 'description' | 'archived'>) =>
      call('PATCH /api/assets/{id}/', { params: { id: assetId }, body: terms }),
    onSuccess: () => announceChange(client, 'periods'),
  });
}
