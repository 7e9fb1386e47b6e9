import type { AdministeredAccount, Administration } from '@hourshare/contract/administration';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { t } from '../../platform/i18n/messages.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { announce } from '../../ui/toasts.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    administration: true;
    accounts: true;
  }
}

const STATE = 'GET /api/administration/';
const ACCOUNTS = 'GET /api/administration/accounts/';
const PAGE_SIZE = '20';

export const useAdministration = () => useQuery(endpointQuery(STATE, {}, ['administration']));

/** The accounts whose names contain a text, page by page. */
export const useAccounts = (search: string) =>
  useInfiniteQuery({
    queryKey: [ACCOUNTS, search],
    meta: { staleAfter: ['accounts'] },
    queryFn: ({ pageParam, signal }): Promise<{ results: AdministeredAccount[]; next: string | null }> =>
      call(ACCOUNTS, {
        query: { limit: PAGE_SIZE, ...(search !== '' && { search }), ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

export function useSetDisabled() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, disabled }: Pick<AdministeredAccount, 'id' | 'username' | 'disabled'>) =>
      call('PATCH /api/administration/accounts/{id}/', { params: { id }, body: { disabled } }),
    onSuccess: (_, { username: name, disabled }) =>
      announce(disabled ? t('{name} is disabled.', { name }) : t('{name} can sign in again.', { name })),
    onSettled: () => announceChange(client, 'accounts'),
  });
}

export const useMakeResetLink = () =>
  useMutation({
    mutationFn: (id: number) => call('POST /api/administration/accounts/{id}/reset-link/', { params: { id } }),
  });

export const useInvite = () => useMutation({ mutationFn: () => call('POST /api/administration/invitations/', {}) });

export function useSetRegistration() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (registration: Administration['registration']) =>
      call('PATCH /api/administration/', { body: { registration } }),
    onSuccess: (state) => {
      client.setQueryData([STATE, {}], state);
      announce(t('Saved.'));
    },
    onSettled: () => announceChange(client, 'administration'),
  });
}

export const useTestMail = () => useMutation({ mutationFn: () => call('POST /api/administration/test-mail/', {}) });

export function useBackUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/administration/backups/', {}),
    onSettled: () => announceChange(client, 'administration'),
  });
}
