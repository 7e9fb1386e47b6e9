import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    /** Passkeys, or whether the account has a password. */
    passkeys: true;
  }
}

const load = () => import('./passkeys.ts');

export const usePasskeys = () =>
  useQuery({
    ...endpointQuery('GET /api/me/passkeys/', {}, ['passkeys']),
    select: (answer) => answer?.passkeys ?? [],
  });

/** Returns how the user can prove who they are; assumes the password until that has loaded. */
export function useProofMethods() {
  const { data } = useQuery(endpointQuery('GET /api/me/check/', {}, ['passkeys']));
  return data?.methods ?? (['password'] as const);
}

export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await load()).addPasskey(),
    onSuccess: () => {
      announce(t('Passkey added.'));
      return announceChange(client, 'passkeys');
    },
  });
}

export function useNamePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: number; name: string | null }) =>
      call('PATCH /api/me/passkeys/{id}/', { params: { id }, body: { name } }),
    onSuccess: () => announce(t('Name saved.')),
    onSettled: () => announceChange(client, 'passkeys'),
  });
}

export function useRemovePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call('DELETE /api/me/passkeys/{id}/', { params: { id } }),
    onSuccess: () => announce(t('Passkey removed.')),
    onSettled: () => announceChange(client, 'passkeys'),
  });
}

/** A password that was just typed isn't enough, so this always asks for a passkey. */
export function useRemovePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await (await load()).checkWithPasskey();
      await call('DELETE /api/me/password/', {});
    },
    onSuccess: () => {
      announce(t('Password removed. Your other devices are signed out.'));
      return announceChange(client, 'passkeys');
    },
  });
}

export const useCheckWithPasskey = () => useMutation({ mutationFn: async () => (await load()).checkWithPasskey() });
