import type {
  CorrectSessionRequest,
  RecordSessionRequest,
  Session,
  SessionOrRequest,
} from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { ownerOnly } from '../../assets/errors.ts';
import { appendMessage } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { findTimeProblem } from '../edits/rules.ts';
import { editSession, removeSession } from '../edits/service.ts';
import * as edits from '../edits/store.ts';
import { badTime, notMeasured, sessionOverlaps } from '../errors.ts';
import type { Interval } from '../rules.ts';
import { refuseCounted } from '../totals/service.ts';
import { toWire } from '../wire.ts';
import * as store from './store.ts';

/** Records a past session of someone without an account, by the rules of edits. */
export function recordSession(
  deps: Deps,
  share: store.ShareOfGuest,
  { start_time: start, end_time: end }: RecordSessionRequest,
): Promise<Result<Session>> {
  const times = { startedAt: new Date(start), endedAt: new Date(end) };
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const locked = await store.lockShareOfGuest(deps.db, share, { startedAt: times.startedAt, now });
    if (!locked) return refuseGuest(deps, share);
    const refused = await refuseTimes(deps, share.shareId, locked, { ...times, ofGuest: true });
    if (refused) return refused;
    const limitHours = locked.limit_hours;
    const id = await store.insertRecorded(deps.db, share.shareId, { ...times, limitHours, by: 'owner' });
    const { assetId, shareId, ownerId: actorId } = share;
    await appendMessage(deps, 'session.recorded', { assetId, shareId, actorId }, { session_id: id });
    return ok(
      toWire({
        id,
        asset_name: locked.asset_name,
        started_at: times.startedAt,
        ended_at: times.endedAt,
        recorded_by_owner: true,
        added_late: null,
        source: 'added',
      }),
    );
  });
}

/** Returns why a session with these times can't be added to a locked share. */
export async function refuseTimes(
  deps: Deps,
  shareId: number,
  share: edits.ShareToRecord,
  { ofGuest, ...times }: Interval & { ofGuest: boolean },
): Promise<Failure | undefined> {
  const { measured, unmeasured_since: until } = share;
  if (!measured || (until !== null && times.endedAt > until)) return notMeasured();
  const problem = findTimeProblem(times, {
    now: deps.clock(),
    archived: await edits.archivedDuring(deps.db, share.asset_id, times),
    sharedAt: share.shared_at,
    shareEndedAt: share.share_ended_at,
    limitMilliseconds: share.limit_hours * 3_600_000,
    ofGuest,
  });
  if (problem) return badTime(problem);
  if (times.startedAt < share.open_since) return periodClosed();
  if (await edits.overlapsAnother(deps.db, { shareId, now: deps.clock() }, times)) return sessionOverlaps({ ofGuest });
  return refuseCounted(deps, shareId, times);
}

/** Returns why a user can't record for someone: they are only a co-manager, or there is no such person. */
const refuseGuest = async ({ db }: Deps, share: store.ShareOfGuest): Promise<Failure> =>
  (await store.managesShareOfGuest(db, share)) ? ownerOnly('guest_by_owner') : shareNotFound();

/** Edits a session that the owner recorded for someone without an account, as a member edits their own. */
export async function editRecorded(
  deps: Deps,
  { sessionId, ...share }: store.ShareOfGuest & { sessionId: number },
  times: CorrectSessionRequest,
): Promise<Result<SessionOrRequest>> {
  const memberId = await store.guestOf(deps.db, share);
  return memberId === undefined
    ? refuseGuest(deps, share)
    : editSession(deps, { memberId, shareId: share.shareId, sessionId }, times, { ofGuest: true });
}

/** Removes a session that the owner recorded for someone without an account, or requests it. */
export async function removeRecorded(
  deps: Deps,
  { sessionId, ...share }: store.ShareOfGuest & { sessionId: number },
): Promise<Result<undefined>> {
  const memberId = await store.guestOf(deps.db, share);
  if (memberId === undefined) return refuseGuest(deps, share);
  const removed = await removeSession(deps, { memberId, shareId: share.shareId, sessionId });
  return removed.ok ? ok(undefined) : removed;
}
