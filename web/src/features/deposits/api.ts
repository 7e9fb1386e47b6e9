import { useQuery } from '@tanstack/react-query';
import { callForFile } from '../../platform/http/call.ts';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { readResults } from '../../platform/http/lists.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    deposits: true;
  }
}

/** Returns the deposits that the user gave or holds, newest first. What is known of them, if not enabled. */
export const useDeposits = ({ enabled = true } = {}) =>
  useQuery({
    ...listQuery('GET /api/deposits/', {}, ['deposits', 'assets']),
    select: readResults,
    staleTime: 60_000,
    enabled,
  });

export const depositsFile = () => callForFile('GET /api/deposits/', {});
