import type { CostAnswer, CostChange, CostDecision, CostRequest } from '@hourshare/contract/costs';
import type { Statement } from '@hourshare/contract/statements';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../platform/http/call.ts';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { readResults } from '../../platform/http/lists.ts';
import { announceChange } from '../../platform/live/changes.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    costs: true;
  }
}

/** Where someone reads and enters costs: at an asset that they manage, or at their share of one. */
export type CostPlace = { assetId: number } | { shareId: number };

const STALE_AFTER = ['costs', 'periods', 'assets', 'shares'] as const;

/** Returns all costs of an asset that the user may see, newest first. */
export function useCosts(place: CostPlace) {
  const isOwned = 'assetId' in place;
  const owned = useQuery({
    ...listQuery('GET /api/assets/{id}/costs/', { params: { id: isOwned ? place.assetId : 0 } }, STALE_AFTER),
    select: readResults,
    staleTime: 0,
    enabled: isOwned,
  });
  const shared = useQuery({
    ...listQuery('GET /api/shared-assets/{id}/costs/', { params: { id: isOwned ? 0 : place.shareId } }, STALE_AFTER),
    select: readResults,
    staleTime: 0,
    enabled: !isOwned,
  });
  return isOwned ? owned : shared;
}

function useCostMutation<Input>(
  change: (input: Input) => Promise<unknown>,
  onSuccess?: (client: QueryClient, input: Input) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (_, input) => onSuccess?.(client, input),
    // Also after an error: it may mean that the cost has changed.
    onSettled: () => announceChange(client, 'costs'),
  });
}

export const useAddCost = (place: CostPlace) =>
  useCostMutation((body: z.input<typeof CostRequest>) =>
    'assetId' in place
      ? call('POST /api/assets/{id}/costs/', { params: { id: place.assetId }, body })
      : call('POST /api/shared-assets/{id}/costs/', { params: { id: place.shareId }, body }),
  );

export const useChangeCost = (place: CostPlace, costId: number) =>
  useCostMutation((body: CostChange) =>
    'assetId' in place
      ? call('PATCH /api/assets/{id}/costs/{cost_id}/', { params: { id: place.assetId, cost_id: costId }, body })
      : call('PATCH /api/shared-assets/{id}/costs/{cost_id}/', {
          params: { id: place.shareId, cost_id: costId },
          body,
        }),
  );

export const useRemoveCost = (place: CostPlace, costId: number) =>
  useCostMutation(() =>
    'assetId' in place
      ? call('DELETE /api/assets/{id}/costs/{cost_id}/', { params: { id: place.assetId, cost_id: costId } })
      : call('DELETE /api/shared-assets/{id}/costs/{cost_id}/', { params: { id: place.shareId, cost_id: costId } }),
  );

/** Shows an answer in the lists of statements, which are read again. */
function showAnswer(client: QueryClient, costId: number, { answer }: CostDecision | CostAnswer): void {
  const status = answer === 'count' ? { status: 'counted' as const } : {};
  const standing = answer === 'yes' ? 'charged' : answer === 'no' ? 'refused' : undefined;
  client.setQueriesData<{ results: Statement[] }>(
    { queryKey: ['GET /api/statements/'] },
    (list) =>
      list && {
        ...list,
        results: list.results.map((statement) => ({
          ...statement,
          costs: statement.costs
            .filter(({ id }) => id !== costId || answer !== 'decline')
            .map((cost) => (cost.id === costId ? { ...cost, ...status } : cost)),
          lines: statement.lines.map((line) => ({
            ...line,
            costs: line.costs.map((part) => (part.id === costId && standing ? { ...part, standing } : part)),
          })),
        })),
      },
  );
}

/** Counts or declines a cost as the owner, or says yes or no to one as a member. */
export const useAnswerCost = (place: CostPlace, costId: number) =>
  useCostMutation(
    (body: CostDecision | CostAnswer) =>
      body.answer === 'count' || body.answer === 'decline'
        ? call('POST /api/assets/{id}/costs/{cost_id}/answer/', {
            params: { id: 'assetId' in place ? place.assetId : 0, cost_id: costId },
            body: { ...body, answer: body.answer },
          })
        : call('POST /api/shared-assets/{id}/costs/{cost_id}/answer/', {
            params: { id: 'shareId' in place ? place.shareId : 0, cost_id: costId },
            body: { ...body, answer: body.answer },
          }),
    (client, body) => showAnswer(client, costId, body),
  );

/** Changes how much of extra costs members bear without being asked, from the next month on if there are any. */
export function useChangeLimit(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (limit: number) =>
      call('PATCH /api/assets/{id}/', { params: { id: assetId }, body: { extra_cost_limit: limit } }),
    onSettled: () => announceChange(client, 'assets'),
  });
}
