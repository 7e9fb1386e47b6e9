import { LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import type {
  CorrectSessionRequest,
  LoggedSession,
  MemberSession,
  RecordSessionRequest,
  Session,
} from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import {
  useInfiniteQuery,
  useIsMutating,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { announce, showDetail } from '../../lib/announcements.ts';
import { announceChange, type Change } from '../../lib/changes.ts';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { formatMoney } from '../../lib/formatting.ts';
import { call, callForFile } from '../../lib/http.ts';
import { readResults } from '../../lib/lists.ts';
import { t } from '../../lib/messages.ts';
import { thisMonth } from '../../lib/months.ts';
import { sessionDialog } from '../../lib/paths.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { durationText } from '../../lib/time.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { sharesQuery } from '../shares/api.ts';
import { endFailureText, InvalidAssetId, isShareId, sessionCost, startFailureText } from './rules.ts';

declare module '../../lib/changes.ts' {
  interface Changes {
    sessions: true;
  }
}

const LOGS = 'GET /api/shared-assets/{id}/logs/';
const ASSET_SESSIONS = 'GET /api/assets/{id}/sessions/';

/** Archiving an asset and ending a share end sessions; objections change them. */
const ASSET_SESSIONS_STALE_AFTER: readonly Change[] = ['assets', 'shares', 'sessions'];

type Running = Pick<SharedAsset, 'active_session' | 'active_since'> & Partial<Pick<SharedAsset, 'status' | 'offer'>>;

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

type Verb = 'start' | 'end';

const failureText = (verb: Verb, error: unknown) =>
  verb === 'start' ? startFailureText(error) : endFailureText(error);

/** After that, the toast is about to disappear. */
const COST_WITHIN_MS = 3_000;

/** Returns about what a session costs the member, or null if use doesn't decide it or the statement doesn't come soon. */
const readCost = (assetId: number, session: Session): Promise<string | null> =>
  call('GET /api/assets/{id}/statements/{month}/', {
    params: { id: assetId, month: thisMonth() },
    signal: AbortSignal.timeout(COST_WITHIN_MS),
  })
    .then((statement) => {
      const cost = sessionCost(statement, session);
      return cost === null ? null : formatMoney(cost, statement.currency);
    })
    .catch(() => null);

/** Says how long an ended session was, offers to edit it, and adds about what it cost. */
async function announceEnd(share: SharedAsset, session: Session): Promise<void> {
  const duration = durationText(session.duration ?? 0);
  const message = announce(t('Session ended: {asset}', { asset: session.asset_name }), {
    detail: duration,
    edit: sessionDialog(share.id, session.id),
  });
  const amount = await readCost(share.asset.id, session);
  if (amount !== null) showDetail(message, t('{duration} · about {amount}', { duration, amount }));
}

/** The start of the key of every start and end. */
const SESSION = 'session';

/** How long a failure is shown after the list has come to show what was wanted: the session runs, or has ended. */
const FAILURE_MS = 6_000;

/**
 * Starts and ends the sessions of a share, optimistically and rolled back when the server refuses. All controls of a
 * share are busy while one of them works, so a second press sends nothing.
 */
export function useSessionControl(share: SharedAsset, { announceFailure = false } = {}) {
  const { id } = share;
  const client = useQueryClient();
  const mutationKey = [SESSION, id];
  const change = useMutation({
    mutationKey,
    mutationFn: async (verb: Verb) => {
      if (!isShareId(id)) throw new InvalidAssetId();
      if (verb === 'start') return call('POST /api/shared-assets/{id}/start/', { params: { id } });
      return call('POST /api/shared-assets/{id}/end/', { params: { id } });
    },
    onMutate: async (verb) => {
      // A read in flight would overwrite the optimistic state.
      await client.cancelQueries({ queryKey: sharesQuery.queryKey });
      const started = { active_session: true, active_since: new Date(serverNow()).toISOString() };
      const before = setRunning(client, id, verb === 'start' ? started : { active_session: false, active_since: null });
      return { before };
    },
    onSuccess: (session, verb) => {
      if (verb === 'start') {
        announce(t('Session started: {asset}', { asset: session.asset_name }), {
          detail: share.status === 'offered' ? t('You accepted the offer.') : undefined,
        });
        setRunning(client, id, {
          active_session: true,
          active_since: session.start_time,
          status: 'accepted',
          offer: null,
        });
      } else {
        setRunning(client, id, { active_session: false, active_since: null });
        void announceEnd(share, session);
      }
    },
    onError: (error, verb, context) => {
      if (context?.before) setRunning(client, id, context.before);
      if (announceFailure) announce(failureText(verb, error), { failed: true });
    },
    onSettled: () => {
      // A list read now would not know yet of what another press has started or ended.
      if (client.isMutating({ mutationKey: [SESSION] }) === 1) void announceChange(client, 'sessions');
    },
  });
  // A failure is out of date after a later press, also of another control, and once the state has changed for a while.
  const latest = useMutationState({ filters: { mutationKey }, select: ({ state }) => state.submittedAt }).at(-1);
  const settled = useSettled(share.active_session, FAILURE_MS);
  const { isError, reset } = change;
  useEffect(() => {
    if (isError) reset();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the state has changed
  }, [settled]);
  // The count of the cache is up to date at once, unlike the rendered one.
  const run = (verb: Verb) => {
    if (client.isMutating({ mutationKey }) === 0) change.mutate(verb);
  };
  return {
    failure: change.error && change.submittedAt === latest ? failureText(change.variables, change.error) : null,
    busy: useIsMutating({ mutationKey }) > 0,
    start: () => run('start'),
    end: () => run('end'),
  };
}

function useSessionChange<Input>(change: (input: Input) => Promise<unknown>, done: () => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      // Before the log is read again, which may remove the form that waits for the answer.
      announce(done());
      return announceChange(client, 'sessions');
    },
  });
}

/** Edits a member's own session, or with `assetId`, as its owner, one of someone without an account. */
export const useCorrectSession = (shareId: number, assetId?: number) =>
  useSessionChange(
    ({ sessionId, changes: body }: { sessionId: number; changes: CorrectSessionRequest }) =>
      assetId === undefined
        ? call('PATCH /api/shared-assets/{id}/logs/{session_id}/', {
            params: { id: shareId, session_id: sessionId },
            body,
          })
        : call('PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/', {
            params: { id: assetId, share_id: shareId, session_id: sessionId },
            body,
          }),
    () => t('Session updated.'),
  );

/** As `useCorrectSession`, to remove one. */
export const useRemoveSession = (shareId: number, assetId?: number) =>
  useSessionChange(
    (sessionId: number) =>
      assetId === undefined
        ? call('DELETE /api/shared-assets/{id}/logs/{session_id}/', { params: { id: shareId, session_id: sessionId } })
        : call('DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/', {
            params: { id: assetId, share_id: shareId, session_id: sessionId },
          }),
    () => t('Session removed.'),
  );

/** Records a past session of someone without an account. */
export const useRecordSession = (assetId: number, shareId: number) =>
  useSessionChange(
    (times: RecordSessionRequest) =>
      call('POST /api/assets/{id}/share/{share_id}/sessions/', {
        params: { id: assetId, share_id: shareId },
        body: times,
      }),
    () => t('Session recorded.'),
  );

/** Sends what changes an objection. Also a refusal says that what is shown is out of date. */
function useObjectionChange<Input>(change: (input: Input) => Promise<unknown>, done: () => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => announce(done()),
    onSettled: () => announceChange(client, 'sessions'),
  });
}

interface ObjectionText {
  sessionId: number;
  text: string;
}

export const useObject = (assetId: number) =>
  useObjectionChange(
    ({ sessionId, text }: ObjectionText) =>
      call('POST /api/assets/{id}/sessions/{session_id}/objection/', {
        params: { id: assetId, session_id: sessionId },
        body: text === '' ? {} : { text },
      }),
    () => t('Objection sent.'),
  );

export const useWithdraw = (assetId: number) =>
  useObjectionChange(
    (sessionId: number) =>
      call('DELETE /api/assets/{id}/sessions/{session_id}/objection/', {
        params: { id: assetId, session_id: sessionId },
      }),
    () => t('Objection withdrawn.'),
  );

export const useReplyAsOwner = (assetId: number) =>
  useObjectionChange(
    ({ sessionId, text }: ObjectionText) =>
      call('POST /api/assets/{id}/sessions/{session_id}/objection/replies/', {
        params: { id: assetId, session_id: sessionId },
        body: { text },
      }),
    () => t('Reply sent.'),
  );

export const useReplyAsMember = (shareId: number) =>
  useObjectionChange(
    ({ sessionId, text }: ObjectionText) =>
      call('POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/', {
        params: { id: shareId, session_id: sessionId },
        body: { text },
      }),
    () => t('Reply sent.'),
  );

export const useAgree = (shareId: number) =>
  useObjectionChange(
    (sessionId: number) =>
      call('POST /api/shared-assets/{id}/logs/{session_id}/objection/agree/', {
        params: { id: shareId, session_id: sessionId },
      }),
    () => t('Recorded times restored.'),
  );

/** The member's own sessions of a share, newest first, page by page. */
export function useSessionLog(shareId: number) {
  return useInfiniteQuery({
    queryKey: [LOGS, { params: { id: shareId } }],
    meta: { staleAfter: ['sessions'] },
    queryFn: ({ pageParam, signal }): Promise<{ results: LoggedSession[]; next: string | null }> =>
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
