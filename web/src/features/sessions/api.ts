import { LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import type { CorrectSessionRequest, MemberSession, Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { announce } from '../../lib/announcements.ts';
import { endpointQuery, listQuery } from '../../lib/endpoint-query.ts';
import { call, callForFile } from '../../lib/http.ts';
import { resultsOf } from '../../lib/lists.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { endFailureText, isShareId, startFailureText } from './rules.ts';

const sharesQuery = listQuery('GET /api/shared-assets/', {});
const LOGS = 'GET /api/shared-assets/{id}/logs/';
const ASSET_SESSIONS = 'GET /api/assets/{id}/sessions/';
const ANALYTICS = 'GET /api/shared-assets/{id}/analytics/';

type Running = Pick<SharedAsset, 'active_session' | 'active_since'>;

/** Answers what stood there before, to put back when the server says no. */
function setRunning(client: QueryClient, id: number, next: Running): Running | undefined {
  let before: Running | undefined;
  client.setQueryData(sharesQuery.queryKey, (list) => {
    if (!list) return list;
    const results = resultsOf(list).map((share) => {
      if (share.id !== id) return share;
      before = { active_session: share.active_session, active_since: share.active_since };
      return { ...share, ...next };
    });
    return { ...list, results };
  });
  return before;
}

/** Starting and ending: shown at once, put back with the catalogue's sentence when the server says no. */
function useSessionChange(id: number, verb: 'start' | 'end') {
  const client = useQueryClient();
  return useMutation({
    // One after the other, wherever they are pressed: an end that overtook its start would find nothing to end.
    scope: { id: `sessions of ${id}` },
    mutationFn: async () => {
      if (!isShareId(id)) throw new Error(`Cannot ${verb} session: Invalid asset ID.`);
      return verb === 'start'
        ? call('POST /api/shared-assets/{id}/start/', { params: { id } })
        : call('POST /api/shared-assets/{id}/end/', { params: { id } });
    },
    onMutate: async () => {
      // An older answer that is still under way would undo what is shown now.
      await client.cancelQueries({ queryKey: sharesQuery.queryKey });
      const started = { active_session: true, active_since: new Date(serverNow()).toISOString() };
      const before = setRunning(client, id, verb === 'start' ? started : { active_session: false, active_since: null });
      return { before };
    },
    onSuccess: (session) => {
      announce(`Session ${verb === 'start' ? 'started' : 'ended'}: ${session.asset_name}`);
      if (verb === 'start') setRunning(client, id, { active_session: true, active_since: session.start_time });
    },
    onError: (_, __, context) => {
      if (context?.before) setRunning(client, id, context.before);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: sharesQuery.queryKey });
      void client.invalidateQueries({ queryKey: [LOGS, { params: { id } }] });
      void client.invalidateQueries({ queryKey: [ANALYTICS, { params: { id } }] });
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

/** What a session came to has changed: everything that counts it is read again. */
function useOwnSessionChange<Input>(shareId: number, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [LOGS, { params: { id: shareId } }] }),
        client.invalidateQueries({ queryKey: [ANALYTICS, { params: { id: shareId } }] }),
        client.invalidateQueries({ queryKey: sharesQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['GET /api/statements/'] }),
        client.invalidateQueries({ queryKey: ['GET /api/assets/{id}/statements/'] }),
      ]),
  });
}

export const useCorrectSession = (shareId: number) =>
  useOwnSessionChange(shareId, ({ sessionId, changes }: { sessionId: number; changes: CorrectSessionRequest }) =>
    call('PATCH /api/shared-assets/{id}/logs/{session_id}/', {
      params: { id: shareId, session_id: sessionId },
      body: changes,
    }),
  );

export const useRemoveSession = (shareId: number) =>
  useOwnSessionChange(shareId, (sessionId: number) =>
    call('DELETE /api/shared-assets/{id}/logs/{session_id}/', { params: { id: shareId, session_id: sessionId } }),
  );

/** One's own sessions of a share, newest first, page by page. */
export function useSessionLog(shareId: number) {
  return useInfiniteQuery({
    queryKey: [LOGS, { params: { id: shareId } }],
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
    queryFn: ({ pageParam, signal }): Promise<{ results: MemberSession[]; next: string | null }> =>
      call(ASSET_SESSIONS, { params: { id: assetId }, query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

/** As many sessions of an asset as one answer holds, to count what a deletion takes along. */
export const useFirstSessions = (assetId: number) =>
  useQuery(endpointQuery(ASSET_SESSIONS, { params: { id: assetId }, query: { limit: String(LOGS_PAGE_SIZE_MAX) } }));

export const sessionsFile = (shareId: number) => callForFile(LOGS, { params: { id: shareId } });

export const assetSessionsFile = (assetId: number) => callForFile(ASSET_SESSIONS, { params: { id: assetId } });
