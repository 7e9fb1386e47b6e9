import { LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import type {
  AddSessionRequest,
  CorrectSessionRequest,
  LoggedSession,
  MemberSession,
  RecordSessionRequest,
} from '@hourshare/contract/sessions';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange, type Change } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call, callForFile } from '../../platform/http/call.ts';
import { t } from '../../platform/i18n/messages.ts';

// Sessions in lists: editing them, and objections. What starts and ends them is in api.ts, which every page loads.

const LOGS = 'GET /api/shared-assets/{id}/logs/';
const ASSET_SESSIONS = 'GET /api/assets/{id}/sessions/';

/** Archiving an asset and ending a share end sessions; objections change them. */
const ASSET_SESSIONS_STALE_AFTER: readonly Change[] = ['assets', 'shares', 'sessions'];

function useSessionChange<Input, Answer>(change: (input: Input) => Promise<Answer>, done: (answer: Answer) => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      // Before the log is read again, which may remove the form that waits for the answer.
      announce(done(answer));
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
    ({ request }) => (request ? t('Request sent.') : t('Session updated.')),
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
    (answer) => (answer ? t('Request sent.') : t('Session removed.')),
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

/** Adds a past session of the member's own. */
export const useAddSession = (shareId: number) =>
  useSessionChange(
    (body: AddSessionRequest) => call('POST /api/shared-assets/{id}/logs/', { params: { id: shareId }, body }),
    () => t('Session added.'),
  );

/** Changes an objection or a request. A refusal, too, means that what is shown is out of date. */
function useObjectionChange<Input>(change: (input: Input) => Promise<unknown>, done: () => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => announce(done()),
    onSettled: () => announceChange(client, 'sessions'),
  });
}

/** Withdraws a member's own request. */
export const useWithdrawRequest = (shareId: number) =>
  useObjectionChange(
    (sessionId: number) =>
      call('DELETE /api/shared-assets/{id}/logs/{session_id}/request/', {
        params: { id: shareId, session_id: sessionId },
      }),
    () => t('Request withdrawn.'),
  );

/** Accepts or declines a request. */
export const useAnswerRequest = (assetId: number) =>
  useObjectionChange(
    ({ sessionId, verb }: { sessionId: number; verb: 'accept' | 'decline' }) => {
      const params = { id: assetId, session_id: sessionId };
      return verb === 'accept'
        ? call('POST /api/assets/{id}/sessions/{session_id}/request/accept/', { params })
        : call('POST /api/assets/{id}/sessions/{session_id}/request/decline/', { params });
    },
    () => t('Answer saved.'),
  );

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
