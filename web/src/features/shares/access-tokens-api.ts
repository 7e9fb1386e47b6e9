import type { CreateAccessTokenRequest } from '@hourshare/contract/shares';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';

// Separate from api.ts, which the dashboard loads.

declare module '../../platform/live/changes.ts' {
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
