import type { AcceptOfferRequest, ClaimRequest } from '@hourshare/contract/shares';
import { useMutation, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { queryClient } from '../../platform/http/query-client.ts';
import { sharesQuery } from './api.ts';

// What the pages of links call, which other pages don't need.

/** Signed-out pages have no QueryClientProvider. */
export const useInvitation = (token: string) =>
  useQuery(endpointQuery('GET /api/invitations/{token}/', { params: { token } }), queryClient);

/** Accepts what has been seen; the server refuses if something else is offered by now. */
export const useAcceptInvitation = (token: string) =>
  useMutation(
    {
      mutationFn: (seen: AcceptOfferRequest) =>
        call('POST /api/invitations/{token}/', { params: { token }, body: seen }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey }),
    },
    queryClient,
  );

/** Signed-out pages have no QueryClientProvider. */
export const useClaim = (token: string) =>
  useQuery(endpointQuery('GET /api/claims/{token}/', { params: { token } }), queryClient);

/** Returns about what the open months would cost the person whom a claim is about. */
export const useClaimEstimate = (token: string) =>
  useQuery(endpointQuery('GET /api/claims/{token}/estimate/', { params: { token } }), queryClient);

/** Joins if the claim still says what has been seen. */
export const useAcceptClaim = (token: string) =>
  useMutation(
    {
      mutationFn: (body: ClaimRequest) => call('POST /api/claims/{token}/', { params: { token }, body }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey }),
    },
    queryClient,
  );
