import type {
  AgreeToMeterRequest,
  CreateMeterRequest,
  MatchNamesRequest,
  UpdateMeterRequest,
} from '@hourshare/contract/meters';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { readResults } from '../../platform/http/lists.ts';
import { announceChange } from '../../platform/live/changes.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    meters: true;
  }
}

/** The meters of an asset that the user manages. */
export const useMeters = (assetId: number) =>
  useQuery({
    ...endpointQuery('GET /api/assets/{id}/meters/', { params: { id: assetId } }, ['meters', 'sessions', 'shares']),
    select: readResults,
  });

export function useCreateMeter(assetId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateMeterRequest) => call('POST /api/assets/{id}/meters/', { params: { id: assetId }, body }),
    // Done once the list has it.
    onSuccess: () => announceChange(client, 'meters'),
  });
}

/** Of which meter of which asset. */
export interface MeterKey {
  assetId: number;
  meterId: number;
}

const paramsOf = ({ assetId, meterId }: MeterKey) => ({ id: assetId, meter_id: meterId });

export function useUpdateMeter(key: MeterKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateMeterRequest) =>
      call('PATCH /api/assets/{id}/meters/{meter_id}/', { params: paramsOf(key), body }),
    onSettled: () => announceChange(client, 'meters'),
  });
}

export function useDeleteMeter(key: MeterKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE /api/assets/{id}/meters/{meter_id}/', { params: paramsOf(key) }),
    // It may have been deleted elsewhere.
    onSettled: () => announceChange(client, 'meters'),
  });
}

/** Replaces the token of a meter. Returns the new one. */
export function useReplaceToken(key: MeterKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await call('POST /api/assets/{id}/meters/{meter_id}/token/', { params: paramsOf(key) })).token ?? '',
    onSettled: () => announceChange(client, 'meters'),
  });
}

export function useMatchNames(key: MeterKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: MatchNamesRequest) =>
      call('PUT /api/assets/{id}/meters/{meter_id}/names/', { params: paramsOf(key), body }),
    onSettled: () => Promise.all([announceChange(client, 'meters'), announceChange(client, 'sessions')]),
  });
}

/** The meters that may record the user's share. */
export const useMemberMeters = (shareId: number) =>
  useQuery({
    ...endpointQuery('GET /api/shared-assets/{id}/meters/', { params: { id: shareId } }, ['meters', 'shares']),
    select: readResults,
  });

/** Lets a meter record the user, or stops it. */
export function useAnswerMeter(shareId: number, meterId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AgreeToMeterRequest) =>
      call('POST /api/shared-assets/{id}/meters/{meter_id}/', { params: { id: shareId, meter_id: meterId }, body }),
    // What has waited becomes sessions, and what it records ends.
    onSettled: () => Promise.all([announceChange(client, 'meters'), announceChange(client, 'sessions')]),
  });
}

/** Makes the user's own token of a meter. Returns it. */
export function useMakeOwnToken(shareId: number, meterId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (
        await call('POST /api/shared-assets/{id}/meters/{meter_id}/token/', {
          params: { id: shareId, meter_id: meterId },
        })
      ).token,
    onSettled: () => announceChange(client, 'meters'),
  });
}
