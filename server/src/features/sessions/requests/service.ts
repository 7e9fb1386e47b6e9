import type { LoggedSession, MemberSession } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { ownerOnly } from '../../assets/errors.ts';
import { appendMessage, type OutboxMessages } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { requestEnded, sessionNotEdited, sessionNotFound } from '../errors.ts';
import { readAnySession, readSessions } from '../log/store.ts';
import { toLoggedSession, toMemberSession } from '../log/wire.ts';
import * as store from './store.ts';

export { hasOpenRequest, readApprovers } from './store.ts';

interface SessionOfAsset {
  userId: number;
  assetId: number;
  sessionId: number;
}

/** Announces that a request was made, answered, or closed to the member and those who have to accept it. */
export const noteRequest = (
  deps: Deps,
  { shareId, actorId, userIds }: { shareId: number; actorId?: number; userIds: number[] },
  data: OutboxMessages['request.changed'],
): Promise<void> =>
  appendMessage(deps, 'request.changed', { shareId, userIds, ...(actorId !== undefined && { actorId }) }, data);

type OpenRequest = store.RequestToAnswer & { id: number; month: string };

/** Answers an open request to edit a session, while no other change can happen. */
export function answerRequest(
  deps: Deps,
  key: SessionOfAsset,
  answer: (deps: Deps, request: OpenRequest) => Promise<Failure | undefined>,
): Promise<Result<MemberSession>> {
  return transaction(deps, async (deps) => {
    const request = await store.lockRequest(deps.db, key, deps.clock());
    // No one answers their own.
    if (!request || request.member_id === key.userId) return sessionNotFound();
    const { id, month, status } = request;
    if (!request.accepts && !request.made) return ownerOnly('request_by_owner');
    if (id === null || month === null) return sessionNotEdited();
    if (status !== 'open') return requestEnded();
    if (!request.open) return periodClosed();
    const failure = await answer(deps, { ...request, id, month });
    if (failure) return failure;
    const session = await readAnySession(deps.db, key, deps.clock());
    return session ? ok(toMemberSession(session)) : sessionNotFound();
  });
}

/** Declines a request, so that the recorded times count. An owner who made it for someone without an account withdraws it. */
export const decline = (deps: Deps, key: SessionOfAsset): Promise<Result<MemberSession>> =>
  answerRequest(deps, key, async (deps, { id, share_id: shareId, accepts, month }) => {
    const userIds = await store.readWaiting(deps.db, id, deps.clock());
    const change = accepts ? 'declined' : 'withdrawn';
    await store.closeRequests(deps.db, [key.sessionId], { status: change, now: deps.clock() });
    const facts = { session_id: key.sessionId, change, month: month.slice(0, 7) } as const;
    await noteRequest(deps, { shareId, actorId: key.userId, userIds }, facts);
    return undefined;
  });

/** Withdraws a member's own request. */
export function withdrawRequest(
  deps: Deps,
  key: { memberId: number; shareId: number; sessionId: number },
): Promise<Result<LoggedSession>> {
  const { memberId, shareId, sessionId } = key;
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const request = await store.lockOwnRequest(deps.db, key, now);
    if (!request) return sessionNotFound();
    const { id, month } = request;
    if (id === null || month === null) return sessionNotEdited();
    if (request.status !== 'open') return requestEnded();
    if (!request.open) return periodClosed();
    const userIds = await store.readWaiting(deps.db, id, deps.clock());
    await store.closeRequests(deps.db, [sessionId], { status: 'withdrawn', now });
    const facts = { session_id: sessionId, change: 'withdrawn', month: month.slice(0, 7) } as const;
    await noteRequest(deps, { shareId, actorId: memberId, userIds }, facts);
    const [session] = (await readSessions(deps.db, key, { now, limit: 1, after: undefined, only: sessionId })) ?? [];
    return session ? ok(toLoggedSession(session)) : sessionNotFound();
  });
}

/** Lets the open requests of months that close lapse, so that the recorded times count. */
export async function lapseRequests(deps: Deps, closing: { asset_id: number; month: string }[]): Promise<void> {
  for (const lapsed of await store.lapseRequests(deps.db, closing, deps.clock())) {
    const facts = { session_id: lapsed.session_id, change: 'lapsed', month: lapsed.month.slice(0, 7) } as const;
    await noteRequest(deps, { shareId: lapsed.share_id, userIds: [] }, facts);
  }
}
