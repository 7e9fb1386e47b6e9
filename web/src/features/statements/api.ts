import type { SplitPreview, SplitPreviewRequest, Statement } from '@hourshare/contract/statements';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange, type Change } from '../../platform/live/changes.ts';
import { endpointQuery, listQuery } from '../../platform/http/endpoint-query.ts';
import { call, callForFile } from '../../platform/http/call.ts';
import { readResults } from '../../platform/http/lists.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { useReloadInterval } from '../../platform/live/stream-state.ts';
import { sortLines } from './rules.ts';

/** A statement depends on the price, terms, members, use and payments. */
const STALE_AFTER: readonly Change[] = ['assets', 'periods', 'shares', 'sessions', 'marks', 'settlements', 'costs'];

// Members use assets all the time, so each visit refetches.
const useFresh = () => ({ staleTime: 0, refetchInterval: useReloadInterval() });

// Every view of a statement has its lines in the same order.
const readStatement = (statement: Statement | null) => statement && sortedStatement(statement);
const readStatements = (answer: { results: Statement[] }) => readResults(answer).map(sortedStatement);
const sortedStatement = (statement: Statement): Statement => ({ ...statement, lines: sortLines(statement.lines) });
const readPreviews = (answer: { results: SplitPreview[] }) =>
  readResults(answer).map((month) => ({ ...month, before: sortLines(month.before), after: sortLines(month.after) }));

const monthQuery = (month: string | undefined) => (month === undefined ? {} : { query: { month } });

/** Returns one month of everything the user owns or uses; by default the current one. */
export const useMonthStatements = (month?: string, { enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    ...listQuery('GET /api/statements/', { query: { ...(month !== undefined && { month }) } }, STALE_AFTER),
    select: readStatements,
    ...useFresh(),
    enabled,
  });

/** Returns the current month of what others share with the user, and of what they own if a cost waits there for them. */
export const useSharedStatements = () =>
  useQuery({
    ...listQuery('GET /api/statements/', { query: { role: 'member', proposed: 'include' } }, STALE_AFTER),
    select: readStatements,
    ...useFresh(),
  });

/** Returns one month of one asset. */
export const useStatement = (assetId: string, month: string) =>
  useQuery({
    ...endpointQuery('GET /api/assets/{id}/statements/{month}/', { params: { id: assetId, month } }, STALE_AFTER),
    select: readStatement,
    ...useFresh(),
  });

/** Returns all months of one asset, the current one first. */
export const useAssetStatements = (assetId: number) =>
  useQuery({
    ...listQuery('GET /api/assets/{id}/statements/', { params: { id: assetId } }, STALE_AFTER),
    select: readStatements,
    ...useFresh(),
  });

export const statementFile = (assetId: number, month: string) =>
  callForFile('GET /api/assets/{id}/statements/{month}/', { params: { id: assetId, month } });
export const assetStatementsFile = (assetId: number) =>
  callForFile('GET /api/assets/{id}/statements/', { params: { id: assetId } });
export const monthStatementsFile = (month?: string) => callForFile('GET /api/statements/', monthQuery(month));

/** Previews another split on real use. It changes nothing, so it is cached like a read. */
export const useSplitPreview = (assetId: number, trial: SplitPreviewRequest, enabled: boolean) =>
  useQuery({
    ...queryOptions({
      queryKey: ['POST /api/assets/{id}/split-preview/', assetId, trial] as const,
      queryFn: ({ signal }) =>
        call('POST /api/assets/{id}/split-preview/', { params: { id: assetId }, body: trial, signal }),
      meta: { staleAfter: STALE_AFTER },
    }),
    enabled,
    select: readPreviews,
    placeholderData: keepPreviousData,
  });

/** Calls `onClosed` before anything is read again: a deleted asset is gone with its last open month. */
export function useCloseMonth(assetId: number, onClosed: (closed: Statement) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (month: string) =>
      call('POST /api/assets/{id}/statements/{month}/close/', { params: { id: assetId, month } }),
    onSuccess: onClosed,
    // Also after an error: someone else may have closed the month.
    onSettled: () => announceChange(client, 'periods'),
  });
}

/** Says that the member has nothing to edit in an ended month. */
export function useConfirmMonth(assetId: number, month: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/assets/{id}/statements/{month}/confirm/', { params: { id: assetId, month } }),
    onSuccess: () => announce(t('You have nothing to edit in {month}.', { month: monthText(month) })),
    // Also after an error: the month may have closed.
    onSettled: () => announceChange(client, 'periods'),
  });
}
