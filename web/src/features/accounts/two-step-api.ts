import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';
import { changeStoredUser } from '../../platform/auth/sign-in.ts';

// Separate from api.ts, which the public pages load.

declare module '../../platform/live/changes.ts' {
  interface Changes {
    twoStep: true;
  }
}

export const useTwoStep = () => useQuery(endpointQuery('GET /api/me/two-step/', {}, ['twoStep']));

/** Creates a key. It changes nothing until its first code is confirmed. */
export const useMakeKey = () => useMutation({ mutationFn: () => call('POST /api/me/two-step/', {}) });

export function useConfirmKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => call('POST /api/me/two-step/confirm/', { body: { code } }),
    onSuccess: () => {
      changeStoredUser({ two_step: true });
      announce(t('Two-step sign-in is on.'));
    },
    // Another device may have switched it on. Not awaited, so that the recovery codes appear at once.
    onSettled: () => void announceChange(client, 'twoStep'),
  });
}

export function useRenewCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/me/two-step/recovery-codes/', {}),
    onSuccess: () => announce(t('You have new recovery codes.')),
    onSettled: () => announceChange(client, 'twoStep'),
  });
}

export function useEndTwoStep() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/me/two-step/', {}),
    onSuccess: () => {
      changeStoredUser({ two_step: false });
      announce(t('Two-step sign-in is off.'));
    },
    onSettled: () => announceChange(client, 'twoStep'),
  });
}
