import type { SharedAsset } from '@hourshare/contract/shares';
import { useQuery } from '@tanstack/react-query';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { readResults } from '../../platform/http/lists.ts';
import { useAssets } from '../assets/api.ts';
import { useReloadInterval } from '../../platform/live/stream-state.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    shares: true;
    trustedOwners: true;
  }
}

export const sharesQuery = listQuery('GET /api/shared-assets/', {}, ['assets', 'sessions', 'shares']);

export const useSharedAssets = () =>
  useQuery({ ...sharesQuery, select: readResults, refetchInterval: useReloadInterval() });

const ownSharesQuery = listQuery('GET /api/shared-assets/', { query: { own: 'include' } }, [
  'assets',
  'periods',
  'sessions',
  'shares',
]);

/** The lists with shares that may have an active session. */
export const startableQueries = [sharesQuery, ownSharesQuery];

/** Returns the list that has a share, to read it again. */
export const useListOf = ({ own }: Pick<SharedAsset, 'own'>) =>
  useQuery({ ...(own ? ownSharesQuery : sharesQuery), refetchInterval: useReloadInterval() });

const NONE: SharedAsset[] = [];

/** Returns the user's shares of their own assets, of those in which they take part. */
export function useOwnShares(): SharedAsset[] {
  const { data: assets = [] } = useAssets();
  const isOwn = ({ id }: SharedAsset) => assets.some(({ own_share_id: own }) => own === id);
  const { data: shares = NONE } = useQuery({
    ...ownSharesQuery,
    select: readResults,
    refetchInterval: useReloadInterval(),
    enabled: assets.some(({ own_share_id: own }) => own !== null),
  });
  return shares.filter(isOwn);
}

/** Returns ended or archived shares whose sessions in an open month can still be edited. */
export const usePastShares = ({ enabled = true } = {}) =>
  useQuery({
    ...listQuery('GET /api/shared-assets/', { query: { status: 'past' } }, ['assets', 'periods', 'sessions', 'shares']),
    select: readResults,
    refetchInterval: useReloadInterval(),
    enabled,
  });

/** Returns the shares with an active session, latest first; the top bar shows the first. */
export function runningShares(shares: SharedAsset[]): SharedAsset[] {
  const since = ({ active_since }: SharedAsset) => (active_since === null ? 0 : Date.parse(active_since));
  return shares.filter(({ active_session }) => active_session).toSorted((a, b) => since(b) - since(a));
}
