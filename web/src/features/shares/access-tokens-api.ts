import type { CreateAccessTokenRequest } from '@hourshare/contract/shares';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../lib/announcements.ts';
import { announceChange } from '../../lib/changes.ts';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { call } from '../../lib/http.ts';
import { t } from '../../lib/messages.ts';

// Separate from api.ts, which the dashboard loads.

declare module '../../lib/changes.ts' {
  interface Changes {
    accessTokens: true;
  }
}

export const useAccessTokens = () =>
  useQuery({
    ...endpointQuery('GET /api/me/access-tokens/', {}, ['accessTokens', 'shares']),
    select: (answer) => answer?.access_tokens ?? [],
  });

export function useCreateAccessToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateAccessTokenRequest) => call('POST /api/me/access-tokens/', { body }),
    onSuccess: ({ name }) => {
      announce(t('Access token created: {name}', { name }));
      void announceChange(client, 'accessTokens');
    },
  });
}

export function useRevokeAccessToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number; name: string }) =>
      call('DELETE /api/me/access-tokens/{id}/', { params: { id } }),
    onSuccess: (_, { name }) => announce(t('Access token revoked: {name}', { name })),
    // It may have expired, or been revoked elsewhere.
    onSettled: () => announceChange(client, 'accessTokens'),
  });
}
