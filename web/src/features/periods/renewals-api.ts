import type { DecideRenewalRequest, Renewal, VoteRequest } from '@hourshare/contract/periods';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { readResults } from '../../platform/http/lists.ts';
import { announceChange } from '../../platform/live/changes.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    /** A vote on a renewal, or a decision about it. */
    renewals: true;
  }
}

/** Returns the renewals of the next twelve months, in order. */
export const useRenewals = () =>
  useQuery({
    ...listQuery('GET /api/renewals/', {}, ['renewals', 'assets', 'periods', 'shares']),
    select: readResults,
    staleTime: 0,
  });

export function useVote({ share_id: id, on }: Renewal) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (vote: Omit<VoteRequest, 'renews_on'>) =>
      call('POST /api/shared-assets/{id}/vote/', { params: { id: id ?? 0 }, body: { ...vote, renews_on: on } }),
    onSettled: () => announceChange(client, 'renewals'),
  });
}

export function useDecideRenewal({ asset_id: id, on }: Renewal) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (decision: DecideRenewalRequest['decision']) =>
      call('POST /api/assets/{id}/renewal/', { params: { id }, body: { renews_on: on, decision } }),
    onSettled: () => Promise.all([announceChange(client, 'renewals'), announceChange(client, 'assets')]),
  });
}
