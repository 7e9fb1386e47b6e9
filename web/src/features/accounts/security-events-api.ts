import type { SecurityEvent } from '@hourshare/contract/security-events';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';

const EVENTS = 'GET /api/me/security-events/';
const PAGE_SIZE = '10';

/** The security events of the account, newest first, page by page. */
export const useSecurityEvents = () =>
  useInfiniteQuery({
    queryKey: [EVENTS, {}],
    meta: { staleAfter: ['signIns', 'accessTokens', 'twoStep', 'passkeys', 'identities'] },
    queryFn: ({ pageParam, signal }): Promise<{ results: SecurityEvent[]; next: string | null }> =>
      call(EVENTS, { query: { limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
