import type { CreateNoticeTargetRequest, NoticeTargetUpdate } from '@hourshare/contract/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { readResults } from '../../platform/http/lists.ts';
import { announceChange } from '../../platform/live/changes.ts';

// Separate from api.ts, which the bell loads.

declare module '../../platform/live/changes.ts' {
  interface Changes {
    noticeTargets: true;
  }
}

export const useNoticeTargets = () =>
  useQuery({ ...endpointQuery('GET /api/notifications/targets/', {}, ['noticeTargets']), select: readResults });

export function useAddTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateNoticeTargetRequest) => call('POST /api/notifications/targets/', { body }),
    onSuccess: () => void announceChange(client, 'noticeTargets'),
  });
}

export function useChangeTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: NoticeTargetUpdate & { id: number }) =>
      call('PATCH /api/notifications/targets/{id}/', { params: { id }, body }),
    onSettled: () => announceChange(client, 'noticeTargets'),
  });
}

export function useRemoveTarget() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/notifications/targets/{id}/', { params: { id } }),
    // It may have been removed elsewhere.
    onSettled: () => announceChange(client, 'noticeTargets'),
  });
}
