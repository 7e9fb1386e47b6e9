import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/endpoint-query.ts';

export function useAnalytics(shareId: number | null) {
  return useQuery({
    ...endpointQuery('GET /api/shared-assets/{id}/analytics/', { params: { id: shareId ?? 0 } }),
    enabled: shareId !== null,
  });
}
