import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';

// Separate from api.ts, which the public pages load.

declare module '../../platform/live/changes.ts' {
  interface Changes {
    signIns: true;
  }
}

export const useSignIns = () =>
  useQuery({
    ...endpointQuery('GET /api/me/sign-ins/', {}, ['signIns']),
    select: (answer) => answer?.sign_ins ?? [],
  });

export function useNameSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: number; name: string | null }) =>
      call('PATCH /api/me/sign-ins/{id}/', { params: { id }, body: { name } }),
    onSuccess: () => announce(t('Name saved.')),
    onSettled: () => announceChange(client, 'signIns'),
  });
}

export function useEndSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number; name: string }) => call('DELETE /api/me/sign-ins/{id}/', { params: { id } }),
    onSuccess: (_, { name }) => announce(t('{name} is signed out.', { name })),
    // It may already have ended.
    onSettled: () => announceChange(client, 'signIns'),
  });
}

export function useEndOtherSignIns() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/me/sign-ins/', {}),
    onSuccess: () => {
      announce(t('All other sign-ins have ended.'));
      return announceChange(client, 'signIns');
    },
  });
}
