import type { CorrectSessionRequest, MemberSession, SessionOrRequest } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import type { Database } from '../../../platform/database/database.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { appendMessage } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { badTime, sessionActive, sessionNotFound, sessionOverlaps } from '../errors.ts';
import { readSessions } from '../log/store.ts';
import { toSessionOrRequest } from '../log/wire.ts';
import * as presses from '../presses/store.ts';
import { answerRequest, noteRequest, readApprovers } from '../requests/service.ts';
import * as requests from '../requests/store.ts';
import type { Interval } from '../rules.ts';
import { refuseCounted, refuseDay } from '../totals/service.ts';
import { toWire } from '../wire.ts';
import { addedTimes, findTimeProblem } from './rules.ts';
import * as store from './store.ts';

interface OwnSession {
  memberId: number;
  shareId: number;
  sessionId: number;
}

/**
 * Edits the start or end of the member's own session. All periods it touches, before and after, must be open. An edit that takes
 * time out of an ended one is requested. Source: docs/how-costs-are-split.md.
 */
export function editSession(
  deps: Deps,
  key: OwnSession,
  { start_time: start, end_time: end }: CorrectSessionRequest,
  { ofGuest = false, byScript = false } = {},
): Promise<Result<SessionOrRequest>> {
  return changeSession(deps, key, async (deps, session) => {
    const now = deps.clock();
    const times = {
      startedAt: start === undefined ? session.started_at : new Date(start),
      endedAt: end === undefined ? session.ended_at : new Date(end),
    };
    const limitMilliseconds = session.ends_by.getTime() - session.started_at.getTime();
    const archived = await store.archivedDuring(deps.db, session.asset_id, times);
    const problem = findTimeProblem(times, {
      now,
      archived,
      sharedAt: session.shared_at,
      shareEndedAt: session.share_ended_at,
      limitMilliseconds,
      ofGuest,
    });
    if (problem) return badTime(problem);
    if (times.startedAt < session.open_since) return periodClosed();
    const blocked = await refuseOthers(deps, key, { session, times, ofGuest });
    if (blocked) return blocked;
    const isUnchanged =
      times.startedAt.getTime() === session.started_at.getTime() &&
      times.endedAt.getTime() === session.ended_at.getTime();
    if (!isUnchanged && !byScript) await store.keepFromScripts(deps.db, key.sessionId);
    const requested = isUnchanged ? undefined : await changeOrRequest(deps, key, session, times);
    if (requested) return ok(requested);
    const { asset_name, recorded_by_owner, added_late, source } = session;
    const counted = { started_at: times.startedAt, ended_at: times.endedAt };
    return ok({
      ...toWire({ id: key.sessionId, asset_name, ...counted, recorded_by_owner, added_late, source }),
      request: null,
    });
  });
}

/**
 * Removes the member's own session, or requests it. All periods it touches must be open. Also removes a day that a meter counted.
 */
export const removeSession = async (deps: Deps, key: OwnSession): Promise<Result<SessionOrRequest | undefined>> =>
  (await refuseDay(deps, key)) ??
  changeSession(deps, key, async (deps, session) => {
    await store.keepFromScripts(deps.db, key.sessionId);
    return ok(await changeOrRequest(deps, key, session, null));
  });

/** Returns why an own session can't have times: another has them, or, as far as it hasn't had them yet, a meter counts them. */
async function refuseOthers(
  deps: Deps,
  key: OwnSession,
  { session, times, ofGuest }: { session: store.SessionToEdit; times: Interval; ofGuest: boolean },
): Promise<Failure | undefined> {
  const { db } = deps;
  if (
    (await store.overlapsAnother(db, { ...key, now: deps.clock() }, times)) ||
    (await store.blocksRecordedTimes(db, key, times))
  )
    return sessionOverlaps({ ofGuest });
  for (const part of addedTimes({ startedAt: session.started_at, endedAt: session.ended_at }, times)) {
    const counted = await refuseCounted(deps, key.shareId, part);
    if (counted) return counted;
  }
  return undefined;
}

/**
 * Edits or removes a locked session, and tells everyone it may cost something. An edit that takes time out of an ended month is
 * requested instead, unless no one has to accept it. Returns the session, with the request if there is one.
 */
async function changeOrRequest(
  deps: Deps,
  key: OwnSession,
  session: store.SessionToEdit,
  after: Interval | null,
): Promise<SessionOrRequest | undefined> {
  const { db } = deps;
  const now = deps.clock();
  const { asset_id: assetId, recorded_by_owner: recorded } = session;
  const before = { startedAt: session.started_at, endedAt: session.ended_at };
  const context = contextOf(key, session);
  for (const stretch of after ? [before, after] : [before])
    await unconfirmPeriods(db, { assetId, memberId: key.memberId, ...stretch });
  const isRefused = after === null && session.refusable;
  if (!isRefused && (await requestEdit(deps, key, { ...context, before, after }))) return readRequested(deps, key);
  await applyEdit(db, key.sessionId, after, now);
  const affected = await store.readAffected(db, { shareId: key.shareId, before, after });
  const about = { ...context, ...(affected && { userIds: affected.user_ids }) };
  const facts = { session_id: key.sessionId, before: isoTimes(before), recorded };
  const month = affected && { month: affected.month };
  if (after) await appendMessage(deps, 'session.edited', about, { ...facts, after: isoTimes(after), ...month });
  else await appendMessage(deps, 'session.removed', about, { ...facts, ...month });
  return undefined;
}

/** Requests an edit of a locked session if it takes time out of an ended month and someone has to accept it. Returns whether it did. */
export async function requestEdit(
  deps: Deps,
  key: OwnSession,
  { assetId, actorId, before, after }: store.TimeChange & { assetId: number; actorId?: number },
): Promise<boolean> {
  const { db } = deps;
  const now = deps.clock();
  const { shareId, sessionId } = key;
  const month = await store.endedMonthThatLoses(db, { assetId, before, after, now });
  if (month === undefined || (await readApprovers(db, { shareId, month, now })).length === 0) return false;
  const userIds = await requests.insertRequest(db, { sessionId, shareId, month, times: after, now });
  const facts = { session_id: sessionId, change: 'made', month: month.slice(0, 7) } as const;
  await noteRequest(deps, { shareId, userIds, ...(actorId !== undefined && { actorId }) }, facts);
  return true;
}

/** Returns a member's own session with its last request. */
export async function readRequested({ db, clock }: Deps, key: OwnSession): Promise<SessionOrRequest> {
  const page = { now: clock(), limit: 1, after: undefined, only: key.sessionId };
  const [session] = (await readSessions(db, key, page)) ?? [];
  if (!session) throw new Error('The session of a request is gone.');
  return toSessionOrRequest(session);
}

/** Changes the times of a locked session, or removes it, in place of what was requested. */
async function applyEdit(db: Database, sessionId: number, times: Interval | null, now: Date): Promise<void> {
  await requests.closeRequests(db, [sessionId], { status: 'withdrawn', now });
  await (times ? store.editSession(db, sessionId, { ...times, now }) : store.removeSession(db, sessionId, now));
}

/** Accepts a requested edit, which counts once no one is left to accept it. */
export const acceptRequest = (
  deps: Deps,
  key: { userId: number; assetId: number; sessionId: number },
): Promise<Result<MemberSession>> =>
  answerRequest(deps, key, async (deps, request) => {
    if (!request.accepts) return sessionNotFound();
    const { db } = deps;
    const now = deps.clock();
    const { sessionId, userId } = key;
    const { share_id: shareId, started_at: startedAt, ended_at: endedAt } = request;
    const waiting = await requests.readWaiting(db, request.id, now);
    const userIds = waiting.filter((id) => id !== userId);
    const facts = { session_id: sessionId, month: request.month.slice(0, 7) };
    const note = (change: 'accepted' | 'answered') =>
      noteRequest(deps, { shareId, actorId: userId, userIds }, { ...facts, change });
    if (userIds.length > 0) {
      await requests.insertAcceptance(db, { requestId: request.id, userId, now });
      await note('answered');
      return undefined;
    }
    const own = { memberId: request.member_id, shareId, sessionId };
    const failure = await applyRequest(deps, own, startedAt && endedAt && { startedAt, endedAt });
    if (failure) return failure;
    await requests.insertAcceptance(db, { requestId: request.id, userId, now });
    await note('accepted');
    return undefined;
  });

/** Makes an edit count that everyone has accepted. Returns why it can't. */
async function applyRequest(deps: Deps, own: OwnSession, times: Interval | null): Promise<Failure | undefined> {
  const now = deps.clock();
  const session = await store.lockSession(deps.db, own, now);
  if (!session) return sessionNotFound();
  // Other sessions may have been added since, or counted.
  const blocked = times && (await refuseOthers(deps, own, { session, times, ofGuest: true }));
  if (blocked) return blocked;
  await requests.closeRequests(deps.db, [own.sessionId], { status: 'accepted', now });
  await applyEdit(deps.db, own.sessionId, times, now);
  return undefined;
}

/** Makes requests count that a user, who can't answer any more, was the last to answer. */
export async function countAnswered(deps: Deps, userId: number): Promise<void> {
  for (const request of await requests.answeredWithout(deps.db, userId, deps.clock())) {
    const { session_id: sessionId, share_id: shareId, member_id: memberId, month } = request;
    const { started_at: startedAt, ended_at: endedAt } = request;
    const own = { memberId, shareId, sessionId };
    if (await applyRequest(deps, own, startedAt && endedAt && { startedAt, endedAt })) continue;
    const facts = { session_id: sessionId, change: 'accepted', month: month.slice(0, 7) } as const;
    await noteRequest(deps, { shareId, userIds: [], ...(request.last && { actorId: request.last }) }, facts);
  }
}

export const isoTimes = ({ startedAt, endedAt }: Interval) => ({
  start: startedAt.toISOString(),
  end: endedAt.toISOString(),
});

/** Whose change it is: the member's own, unless the owner recorded the session, who alone then edits it. */
const contextOf = ({ shareId, memberId }: OwnSession, session: store.SessionToEdit) => ({
  assetId: session.asset_id,
  shareId,
  ...(!session.recorded_by_owner && { actorId: memberId }),
});

/** Changes a member's own session that has ended and whose periods are open, while no other change can happen. */
function changeSession<T>(
  deps: Deps,
  key: OwnSession,
  change: (deps: Deps, session: store.SessionToEdit) => Promise<Result<T>>,
): Promise<Result<T>> {
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const locked = await store.lockSession(deps.db, key, now);
    if (!locked) return shareNotFound();
    if (locked.active) return sessionActive();
    if (locked.started_at < locked.open_since) return periodClosed();
    // One that ends here has the limit from then on within which it can be edited.
    const session = (await presses.endExpired(deps.db, key.shareId, now))
      ? await store.lockSession(deps.db, key, now)
      : locked;
    return session ? change(deps, session) : shareNotFound();
  });
}
