import { LATE_END_TOLD_MINUTES } from '@hourshare/contract/limits';
import type { LatePressRequest, Session, SessionOrRequest } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { appendMessage, wakeAfterCommit } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { isoTimes, readRequested, requestEdit } from '../edits/service.ts';
import * as edits from '../edits/store.ts';
import {
  alreadyRunning,
  badTime,
  noneRunning,
  notMeasured,
  recordedBy,
  sessionAlreadyEnded,
  sessionOverlaps,
} from '../errors.ts';
import * as presses from '../presses/store.ts';
import { closeRequests, readOpenRequest } from '../requests/store.ts';
import type { Interval } from '../rules.ts';
import type { StoredSession } from '../sql.ts';
import { yieldDays } from '../totals/service.ts';
import { toWire } from '../wire.ts';
import { findPressProblem, findPressTime, firstEnd, isSamePress, takenByLateEnd } from './rules.ts';
import * as store from './store.ts';

/**
 * Adds a start that was pressed offline. The session has ended already if its limit has passed since, the member's access has ended,
 * or the asset was archived.
 */
export function addLateStart(
  deps: Deps,
  memberId: number,
  shareId: number,
  request: LatePressRequest,
): Promise<Result<Session>> {
  return addLate(deps, { memberId, shareId }, request, async (deps, share, { pressed, now }) => {
    const same = await store.findSameStart(deps.db, shareId, { pressed, now });
    if (same) return ok(same);
    if (!share.measured) return notMeasured();
    const meter = await presses.findMeter(deps.db, shareId, pressed);
    if (meter !== null) return recordedBy(meter);
    const archived = await edits.archivedDuring(deps.db, share.asset_id, { startedAt: pressed, endedAt: now });
    const ends = {
      limit: new Date(pressed.getTime() + share.limit_hours * 3_600_000),
      shareEndedAt: share.share_ended_at,
      archivedSince: archived?.since ?? null,
      unmeasuredSince: share.unmeasured_since,
    };
    const problem = findPressProblem(pressed, { sharedAt: share.shared_at, ...ends });
    if (problem) return badTime(problem);
    const end = firstEnd(ends);
    const endedAt = end <= now ? end : null;
    const times = { startedAt: pressed, endedAt: endedAt ?? now };
    if (await edits.overlapsAnother(deps.db, { shareId, now }, times)) {
      const active = await presses.activeSession(deps.db, { memberId, shareId }, now);
      return active && active.started_at <= pressed ? alreadyRunning() : sessionOverlaps({ ofGuest: false });
    }
    if (await store.overlapsRecordedTimes(deps.db, shareId, { ...times, givesWay: true }))
      return sessionOverlaps({ ofGuest: false });
    const started = await store.insertLate(deps.db, shareId, {
      startedAt: pressed,
      endedAt,
      limit: ends.limit,
      now,
    });
    if (!started) return alreadyRunning();
    await appendMessage(
      deps,
      'session.started',
      { shareId, actorId: memberId },
      { session_id: started.id, added_late: true },
    );
    await unconfirmPeriods(deps.db, { assetId: share.asset_id, memberId, ...times });
    await yieldDays(deps, { assetId: share.asset_id, shareId, since: pressed });
    return ok(started);
  });
}

/**
 * Adds an end that was pressed offline, also to a session that has ended since without a press. If that takes away time that the server
 * has seen, it is an edit. Source: docs/how-costs-are-split.md.
 */
export async function addLateEnd(
  deps: Deps,
  memberId: number,
  shareId: number,
  request: LatePressRequest,
): Promise<Result<SessionOrRequest>> {
  let requested: SessionOrRequest | undefined;
  const added = await addLate(deps, { memberId, shareId }, request, async (deps, share, { pressed, now }) => {
    const { db } = deps;
    const session = await store.findSessionToEnd(db, shareId, { pressed, now });
    if (!session) return noneRunning();
    const { id, started_at: startedAt, ended_at: endedAt } = session;
    if (endedAt !== null && isSamePress(endedAt, pressed)) return ok(session);
    const key = { memberId, shareId, sessionId: id };
    const asked = (await readOpenRequest(db, id))?.ended_at;
    if (asked && isSamePress(asked, pressed)) {
      requested = await readRequested(deps, key);
      return ok(session);
    }
    if (endedAt !== null && (endedAt < pressed || !session.ended_automatically)) return sessionAlreadyEnded();
    const before = { startedAt, endedAt: endedAt ?? now };
    const after = { startedAt, endedAt: pressed < startedAt ? startedAt : pressed };
    const taken = takenByLateEnd(pressed, { ...before, startAddedAt: session.start_added_at });
    const { asset_id: assetId } = share;
    await unconfirmPeriods(db, { assetId, memberId, ...before });
    if (taken > 0 && (await requestEdit(deps, key, { assetId, actorId: memberId, before, after }))) {
      const ended = endedAt ?? (await store.endLate(db, id, { pressed: now, actorId: memberId, now }));
      if (!ended) return sessionAlreadyEnded();
      await store.markLateEnd(db, id);
      requested = await readRequested(deps, key);
      return ok(session);
    }
    const ended = await (endedAt === null
      ? store.endLate(db, id, { pressed, actorId: memberId, now })
      : store.shortenLate(db, id, pressed));
    if (!ended) return sessionAlreadyEnded();
    const context = { shareId, actorId: memberId };
    if (endedAt !== null)
      await appendMessage(deps, 'session.ended', context, { session_id: id, cause: 'member', added_late: true });
    if (taken > 0) {
      await closeRequests(db, [id], { status: 'withdrawn', now });
      await store.traceLateEnd(db, id, { endedAt: before.endedAt, now });
      await noteLateEnd(deps, key, { before, after, taken });
    }
    return ok(ended);
  });
  return added.ok ? ok(requested ?? { ...added.value, request: null }) : added;
}

/** Tells everyone who pays for it that an end pressed offline took much time away. */
async function noteLateEnd(
  deps: Deps,
  { memberId, shareId, sessionId }: { memberId: number; shareId: number; sessionId: number },
  { before, after, taken }: edits.TimeChange & { after: Interval; taken: number },
): Promise<void> {
  if (taken <= LATE_END_TOLD_MINUTES * 60_000) return;
  const affected = await edits.readAffected(deps.db, { shareId, before, after });
  const context = { shareId, actorId: memberId, ...(affected && { userIds: affected.user_ids }) };
  await appendMessage(deps, 'session.edited', context, {
    session_id: sessionId,
    before: isoTimes(before),
    after: isoTimes(after),
    recorded: false,
    late: true,
    ...(affected && { month: affected.month }),
  });
}

/** Adds a press to a share that is or was the member's, in a month that is open, while nothing else changes its sessions. */
async function addLate(
  deps: Deps,
  key: { memberId: number; shareId: number },
  request: LatePressRequest,
  add: (deps: Deps, share: edits.ShareToRecord, times: { pressed: Date; now: Date }) => Promise<Result<StoredSession>>,
): Promise<Result<Session>> {
  const now = deps.clock();
  const time = findPressTime(request, now);
  const added = await transaction(deps, async (deps) => {
    const startedAt = 'pressed' in time ? time.pressed : now;
    const share = await store.lockOwnShare(deps.db, key, { startedAt, now });
    if (!share) return shareNotFound();
    if ('problem' in time) return badTime(time);
    const { pressed } = time;
    if (pressed < share.open_since && pressed >= share.shared_at) return periodClosed();
    // The open session may have passed its limit unnoticed.
    await presses.endExpired(deps.db, key.shareId, now);
    return add(deps, share, { pressed, now });
  });
  if (added.ok) wakeAfterCommit(deps);
  return added.ok ? ok(toWire(added.value)) : added;
}
