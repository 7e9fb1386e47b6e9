import { LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import type { CorrectSessionRequest, MemberSession, Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { announce } from '../../lib/announcements.ts';
import { announceChange, type Change } from '../../lib/changes.ts';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { call, callForFile } from '../../lib/http.ts';
import { readResults } from '../../lib/lists.ts';
import { t } from '../../lib/messages.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { sharesQuery } from '../shares/api.ts';
import { endFailureText, InvalidAssetId, isShareId, startFailureText } from './rules.ts';

declare module '../../lib/changes.ts' {
  interface Changes {
    sessions: true;
  }
}

const LOGS = 'GET /api/shared-assets/{id}/logs/';
const ASSET_SESSIONS = 'GET /api/assets/{id}/sessions/';

/** Archiving an asset and ending a share end sessions. */
const ASSET_SESSIONS_STALE_AFTER: readonly Change[] = ['assets', 'shares'];

type Running = Pick<SharedAsset, 'active_session' | 'active_since'>;

/** Updates a share's session state in the cache. Returns the previous state for a rollback. */
function setRunning(client: QueryClient, id: number, next: Running): Running | undefined {
  let before: Running | undefined;
  client.setQueryData(sharesQuery.queryKey, (list) => {
    if (!list) return list;
    const results = readResults(list).map((share) => {
      if (share.id !== id) return share;
      before = { active_session: share.active_session, active_since: share.active_since };
      return { ...share, ...next };
    });
    return { ...list, results };
  });
  return before;
}

/** Starts or ends a session optimistically and rolls back when the server refuses. */
function useSessionChange(id: number, verb: 'start' | 'end') {
  const client = useQueryClient();
  return useMutation({
    // Runs in order: an end that overtook its start would find nothing to end.
    scope: { id: `sessions-${id}` },
    mutationFn: async () => {
      if (!isShareId(id)) throw new InvalidAssetId();
      return verb === 'start'
        ? call('POST /api/shared-assets/{id}/start/', { params: { id } })
        : call('POST /api/shared-assets/{id}/end/', { params: { id } });
    },
    onMutate: async () => {
      // A read in flight would overwrite the optimistic state.
      await client.cancelQueries({ queryKey: sharesQuery.queryKey });
      const started = { active_session: true, active_since: new Date(serverNow()).toISOString() };
      const before = setRunning(client, id, verb === 'start' ? started : { active_session: false, active_since: null });
      return { before };
    },
    onSuccess: (session) => {
      const { asset_name: asset } = session;
      announce(verb === 'start' ? t('Session started: {asset}', { asset }) : t('Session ended: {asset}', { asset }));
      if (verb === 'start') setRunning(client, id, { active_session: true, active_since: session.start_time });
    },
    onError: (_, __, context) => {
      if (context?.before) setRunning(client, id, context.before);
    },
    onSettled: () => {
      void announceChange(client, 'sessions');
    },
  });
}

export function useSessionControl(id: number) {
  const start = useSessionChange(id, 'start');
  const end = useSessionChange(id, 'end');
  const failure = start.error ? startFailureText(start.error) : end.error ? endFailureText(end.error) : null;
  return {
    failure,
    starting: start.isPending,
    ending: end.isPending,
    start: () => {
      end.reset();
      start.mutate();
    },
    end: () => {
      start.reset();
      end.mutate();
    },
  };
}

function useOwnSessionChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => announceChange(client, 'sessions') });
}

export const useCorrectSession = (shareId: number) =>
  useOwnSessionChange(({ sessionId, changes }: { sessionId: number; changes: CorrectSessionRequest }) =>
    call('PATCH /api/shared-assets/{id}/logs/{session_id}/', {
      params: { id: shareId, session_id: sessionId },
      body: changes,
    }),
  );

export const useRemoveSession = (shareId: number) =>
  useOwnSessionChange((sessionId: number) =>
    call('DELETE /api/shared-assets/{id}/logs/{session_id}/', { params: { id: shareId, session_id: sessionId } }),
  );

/** The member's own sessions of a share, newest first, page by page. */
export function useSessionLog(shareId: number) {
  return useInfiniteQuery({
    queryKey: [LOGS, { params: { id: shareId } }],
    meta: { staleAfter: ['sessions'] },
    queryFn: ({ pageParam, signal }): Promise<{ results: Session[]; next: string | null }> =>
      call(LOGS, { params: { id: shareId }, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

/** All members' sessions of an owned asset, newest first, page by page. */
export function useAssetSessionLog(assetId: number) {
  return useInfiniteQuery({
    queryKey: [ASSET_SESSIONS, { params: { id: assetId } }, 'pages'],
    meta: { staleAfter: ASSET_SESSIONS_STALE_AFTER },
    queryFn: ({ pageParam, signal }): Promise<{ results: MemberSession[]; next: string | null }> =>
      call(ASSET_SESSIONS, { params: { id: assetId }, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

/** The largest page of an asset's sessions, enough to say how many a deletion removes. */
export const useFirstSessions = (assetId: number) =>
  useQuery(
    endpointQuery(
      ASSET_SESSIONS,
      { params: { id: assetId }, query: { limit: String(LOGS_PAGE_SIZE_MAX) } },
      ASSET_SESSIONS_STALE_AFTER,
    ),
  );

export const sessionsFile = (shareId: number) => callForFile(LOGS, { params: { id: shareId } });

export const assetSessionsFile = (assetId: number) => callForFile(ASSET_SESSIONS, { params: { id: assetId } });
