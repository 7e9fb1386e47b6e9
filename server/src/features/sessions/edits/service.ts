import type { CorrectSessionRequest, Session } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { appendMessage } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { badTime, sessionActive, sessionOverlaps } from '../errors.ts';
import * as presses from '../presses/store.ts';
import type { Interval } from '../rules.ts';
import { toWire } from '../wire.ts';
import { findTimeProblem } from './rules.ts';
import * as store from './store.ts';

interface OwnSession {
  memberId: number;
  shareId: number;
  sessionId: number;
}

/** Edits the start or end of the member's own session. All periods it touches, before and after, must be open. */
export async function editSession(
  deps: Deps,
  key: OwnSession,
  { start_time: start, end_time: end }: CorrectSessionRequest,
  { ofGuest = false } = {},
): Promise<Result<Session>> {
  const edited = await changeSession(deps, key, async (deps, session) => {
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
    if (await store.overlapsAnother(deps.db, key, times)) return sessionOverlaps({ ofGuest });
    if (await store.blocksRecordedTimes(deps.db, key, times)) return sessionOverlaps({ ofGuest });
    const isUnchanged =
      times.startedAt.getTime() === session.started_at.getTime() &&
      times.endedAt.getTime() === session.ended_at.getTime();
    if (!isUnchanged) {
      await store.editSession(deps.db, key.sessionId, { ...times, now });
      await unconfirmMonths(deps, key, session, times);
      await appendMessage(deps, 'session.edited', contextOf(key, session), {
        session_id: key.sessionId,
        before: isoTimes({ startedAt: session.started_at, endedAt: session.ended_at }),
        after: isoTimes(times),
        recorded: session.recorded_by_owner,
      });
    }
    return ok({
      id: key.sessionId,
      asset_name: session.asset_name,
      started_at: times.startedAt,
      ended_at: times.endedAt,
      recorded_by_owner: session.recorded_by_owner,
      added_late: session.added_late,
    });
  });
  return edited.ok ? ok(toWire(edited.value)) : edited;
}

/** Removes the member's own session. All periods it touches must be open. */
export function removeSession(deps: Deps, key: OwnSession): Promise<Result<undefined>> {
  return changeSession(deps, key, async (deps, session) => {
    await store.removeSession(deps.db, key.sessionId, deps.clock());
    await unconfirmMonths(deps, key, session);
    await appendMessage(deps, 'session.removed', contextOf(key, session), {
      session_id: key.sessionId,
      before: isoTimes({ startedAt: session.started_at, endedAt: session.ended_at }),
      recorded: session.recorded_by_owner,
    });
    return ok(undefined);
  });
}

const isoTimes = ({ startedAt, endedAt }: Interval) => ({ start: startedAt.toISOString(), end: endedAt.toISOString() });

/** Whose change it is: the member's own, unless the owner recorded the session, who alone then edits it. */
const contextOf = ({ shareId, memberId }: OwnSession, session: store.SessionToEdit) => ({
  assetId: session.asset_id,
  shareId,
  ...(!session.recorded_by_owner && { actorId: memberId }),
});

/** Withdraws that the member has nothing to edit in the months of a session. */
async function unconfirmMonths(
  { db }: Deps,
  { memberId }: OwnSession,
  session: store.SessionToEdit,
  edited?: Interval,
): Promise<void> {
  const before = { startedAt: session.started_at, endedAt: session.ended_at };
  for (const stretch of edited ? [before, edited] : [before])
    await unconfirmPeriods(db, { assetId: session.asset_id, memberId, ...stretch });
}

/** Changes a member's own session that has ended and whose periods are open, while no other change can happen. */
function changeSession<T>(
  deps: Deps,
  key: OwnSession,
  change: (deps: Deps, session: store.SessionToEdit) => Promise<Result<T>>,
): Promise<Result<T>> {
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const session = await store.lockSession(deps.db, key, now);
    if (!session) return shareNotFound();
    if (session.active) return sessionActive();
    if (session.started_at < session.open_since) return periodClosed();
    await presses.endExpired(deps.db, key.shareId, now);
    return change(deps, session);
  });
}
