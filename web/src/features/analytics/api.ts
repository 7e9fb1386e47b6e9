import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { callForFile } from '../../platform/http/call.ts';

// Always refetch on selection, and keep showing the previous month until the next one loads.
const fresh = { staleTime: 0, placeholderData: keepPreviousData } as const;

const monthQuery = (month: string | undefined) => (month === undefined ? {} : { query: { month } });

/**
 * Returns the analytics of a share; without a month, of the current one in the asset's time zone. Without a share,
 * makes no request.
 */
export const useAnalytics = (shareId: number | undefined, month?: string) =>
  useQuery({
    ...endpointQuery('GET /api/shared-assets/{id}/analytics/', { params: { id: shareId ?? 0 }, ...monthQuery(month) }, [
      'sessions',
    ]),
    ...fresh,
    enabled: shareId !== undefined,
  });

export const useAssetAnalytics = (assetId: number, month?: string) =>
  useQuery({
    ...endpointQuery('GET /api/assets/{id}/analytics/', { params: { id: assetId }, ...monthQuery(month) }, [
      'assets',
      'shares',
    ]),
    ...fresh,
  });

export const analyticsFile = (shareId: number, month?: string) =>
  callForFile('GET /api/shared-assets/{id}/analytics/', { params: { id: shareId }, ...monthQuery(month) });

export const assetAnalyticsFile = (assetId: number, month?: string) =>
  callForFile('GET /api/assets/{id}/analytics/', { params: { id: assetId }, ...monthQuery(month) });
