import type { LineStatus, SettleRequest, SetPriceRequest, SplitPreviewRequest } from '@hourshare/contract/costs';
import type { UpdateAssetRequest } from '@hourshare/contract/assets';
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { announce } from '../../lib/announcements.ts';
import { endpointQuery, listQuery } from '../../lib/endpoint-query.ts';
import { call, callForFile } from '../../lib/http.ts';
import { resultsOf } from '../../lib/lists.ts';

/** What a running month comes to changes with every hour that somebody uses; it is worked out again this often. */
const RECOUNT_MS = 60_000;

const balancesQuery = listQuery('GET /api/balances/', {});
const settlementsQuery = listQuery('GET /api/settlements/', {});
const pricesQuery = (id: number) => listQuery('GET /api/assets/{id}/prices/', { params: { id } });

// Each opening asks anew: hours, prices and closings come from many places.
const fresh = { staleTime: 0 } as const;

export const useBalances = () => useQuery({ ...balancesQuery, select: resultsOf, ...fresh });
export const useSettlements = () => useQuery({ ...settlementsQuery, select: resultsOf, ...fresh });
export const usePrices = (assetId: number) => useQuery({ ...pricesQuery(assetId), select: resultsOf, ...fresh });

/** One month of everything that one owns or uses; without a month, the running one. */
export const useMonthStatements = (month?: string) =>
  useQuery({
    ...listQuery('GET /api/statements/', month === undefined ? {} : { query: { month } }),
    select: resultsOf,
    ...fresh,
    refetchInterval: RECOUNT_MS,
    placeholderData: keepPreviousData,
  });

/** One month of one asset, as the address names it. */
export const useStatement = (assetId: string, month: string) =>
  useQuery({
    ...endpointQuery('GET /api/assets/{id}/statements/{month}/', { params: { id: assetId, month } }),
    ...fresh,
    refetchInterval: RECOUNT_MS,
  });

/** All months of one asset, the running one first. */
export const useAssetStatements = (assetId: number) =>
  useQuery({
    ...listQuery('GET /api/assets/{id}/statements/', { params: { id: assetId } }),
    select: resultsOf,
    ...fresh,
    refetchInterval: RECOUNT_MS,
  });

export const statementFile = (assetId: number, month: string) =>
  callForFile('GET /api/assets/{id}/statements/{month}/', { params: { id: assetId, month } });
export const assetStatementsFile = (assetId: number) =>
  callForFile('GET /api/assets/{id}/statements/', { params: { id: assetId } });
export const monthStatementsFile = (month?: string) =>
  callForFile('GET /api/statements/', month === undefined ? {} : { query: { month } });
export const settlementsFile = () => callForFile('GET /api/settlements/', {});
export const balancesFile = () => callForFile('GET /api/balances/', {});

const STATEMENTS = [
  'GET /api/statements/',
  'GET /api/assets/{id}/statements/',
  'GET /api/assets/{id}/statements/{month}/',
  'POST /api/assets/{id}/split-preview/',
];

const readStatementsAgain = (client: QueryClient) =>
  Promise.all(STATEMENTS.map((key) => client.invalidateQueries({ queryKey: [key] })));

/** Another split on the real use of months gone by. It changes nothing, so it is asked and kept like a read. */
export const useSplitPreview = (assetId: number, trial: SplitPreviewRequest, enabled: boolean) =>
  useQuery({
    ...queryOptions({
      queryKey: ['POST /api/assets/{id}/split-preview/', assetId, trial] as const,
      queryFn: ({ signal }) =>
        call('POST /api/assets/{id}/split-preview/', { params: { id: assetId }, body: trial, signal }),
    }),
    enabled,
    select: resultsOf,
    placeholderData: keepPreviousData,
  });

/**
 * Marks a closed line. A line that its owner marked as paid stays among the balances until they are next read, so that
 * a slip of the finger can be taken back where it happened.
 */
export function useMarkLine() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, to }: { id: number; to: LineStatus }) =>
      call('POST /api/statement-lines/{id}/mark/', { params: { id }, body: { status: to } }),
    onSuccess: (line) => {
      const { id, status, status_since } = line;
      if (id === null || status === null) return;
      announce(`Marked as ${status}.`);
      client.setQueryData(
        balancesQuery.queryKey,
        (list) =>
          list && {
            ...list,
            results: resultsOf(list).map((balance) => ({
              ...balance,
              lines: balance.lines.map((known) => (known.id === id ? { ...known, status, status_since } : known)),
            })),
          },
      );
    },
    // Somebody else may have settled it meanwhile.
    onError: () => void client.invalidateQueries({ queryKey: balancesQuery.queryKey }),
    onSettled: () => void readStatementsAgain(client),
  });
}

export function useSettle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settlement: SettleRequest) => call('POST /api/settlements/', { body: settlement }),
    // Also after a refusal: what is open has changed then.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: balancesQuery.queryKey }),
        client.invalidateQueries({ queryKey: settlementsQuery.queryKey }),
        readStatementsAgain(client),
      ]),
  });
}

export function useCloseMonth(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (month: string) =>
      call('POST /api/assets/{id}/statements/{month}/close/', { params: { id: assetId, month } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: balancesQuery.queryKey }),
        client.invalidateQueries({ queryKey: pricesQuery(assetId).queryKey }),
        readStatementsAgain(client),
      ]),
  });
}

/** Both what is split how and what it costs stand on the cards too. */
const readAssetAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: ['GET /api/assets/'] });

export function useSaveSplit(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (terms: Pick<UpdateAssetRequest, 'split_method' | 'base_percent' | 'owner_hours'>) =>
      call('PATCH /api/assets/{id}/', { params: { id: assetId }, body: terms }),
    onSuccess: () => Promise.all([readAssetAgain(client), readStatementsAgain(client)]),
  });
}

export function useSetPrice(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (price: SetPriceRequest) =>
      call('POST /api/assets/{id}/prices/', { params: { id: assetId }, body: price }),
    onSuccess: (prices) => {
      client.setQueryData(pricesQuery(assetId).queryKey, prices);
      return Promise.all([readAssetAgain(client), readStatementsAgain(client)]);
    },
  });
}
