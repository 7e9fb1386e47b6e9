import { useQuery } from '@tanstack/react-query';
import { endpointQuery, listQuery } from '../../platform/http/endpoint-query.ts';
import { callForFile } from '../../platform/http/call.ts';
import { readResults } from '../../platform/http/lists.ts';

// Use, prices and closings change elsewhere, so each visit refetches.
const fresh = { staleTime: 0 } as const;

export const useAssetHistory = (assetId: number) =>
  useQuery({ ...endpointQuery('GET /api/assets/{id}/history/', { params: { id: assetId } }), ...fresh });

export const useInsights = () => useQuery({ ...listQuery('GET /api/findings/', {}), select: readResults, ...fresh });

export const historyFile = (assetId: number) =>
  callForFile('GET /api/assets/{id}/history/', { params: { id: assetId } });
