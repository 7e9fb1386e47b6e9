import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/endpoint-query.ts';

export function useAnalytics(shareId: number) {
  return useQuery({
    ...endpointQuery('GET /api/shared-assets/{id}/analytics/', { params: { id: shareId } }),
    // Choosing an asset asks anew, however short ago it was last chosen.
    staleTime: 0,
  });
}
