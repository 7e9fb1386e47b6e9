import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    calendar: true;
  }
}

export const useCalendar = () => useQuery(endpointQuery('GET /api/me/calendar/', {}, ['calendar']));

export function useMakeAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /api/me/calendar/', {}),
    onSuccess: () => void announceChange(client, 'calendar'),
  });
}

export function useRemoveAddress() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/me/calendar/', {}),
    onSuccess: () => announce(t('Calendar address removed.')),
    // It may have been removed elsewhere.
    onSettled: () => announceChange(client, 'calendar'),
  });
}
