import type { AddSessionRequest, SessionOrRequest } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { found, ok, type Failure, type Result } from '../../../platform/result.ts';
import { appendMessage } from '../../outbox/service.ts';
import { unconfirmPeriods } from '../../periods/window/service.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { editSession, readRequested } from '../edits/service.ts';
import { sessionEdited, sessionOverlaps } from '../errors.ts';
import { lockOwnShare, overlapsRecordedTimes } from '../late-presses/store.ts';
import { refuseTimes } from '../recordings/service.ts';
import { insertRecorded } from '../recordings/store.ts';
import { withdrawRequest } from '../requests/service.ts';
import { readOpenRequest } from '../requests/store.ts';
import type { Interval } from '../rules.ts';
import type { ShareOfMember } from '../sql.ts';
import { toWire } from '../wire.ts';
import * as store from './store.ts';

/**
 * Adds a past session to a share that is or was the member's, or moves the one with the same external id. It raises only the
 * member's own charge, so nobody has to agree.
 */
export function addSession(
  deps: Deps,
  key: ShareOfMember,
  request: AddSessionRequest,
): Promise<Result<SessionOrRequest>> {
  const { start_time: start, end_time: end, external_id: externalId } = request;
  const { memberId, shareId } = key;
  const times = { startedAt: new Date(start), endedAt: new Date(end) };
  return transaction(deps, async (deps) => {
    const { db, clock } = deps;
    const share = await lockOwnShare(db, key, { startedAt: times.startedAt, now: clock() });
    if (!share) return shareNotFound();
    const known = externalId === undefined ? undefined : await store.findByExternalId(db, shareId, externalId);
    if (known) return addAgain(deps, { ...key, sessionId: known.id }, known, times);
    const refused = await refuseTimes(deps, shareId, share, { ...times, ofGuest: false });
    if (refused) return withOwnCode(refused);
    if (await overlapsRecordedTimes(db, shareId, { ...times, givesWay: false }))
      return sessionOverlaps({ ofGuest: false });
    const { asset_id: assetId, asset_name, limit_hours: limitHours } = share;
    const id = await insertRecorded(db, shareId, {
      ...times,
      limitHours,
      by: 'member',
      externalId: externalId ?? null,
    });
    await appendMessage(deps, 'session.recorded', { assetId, shareId, actorId: memberId }, { session_id: id });
    await unconfirmPeriods(db, { assetId, memberId, ...times });
    const counted = { started_at: times.startedAt, ended_at: times.endedAt };
    return ok({ ...toWire({ id, asset_name, ...counted, added_late: null, source: 'added' }), request: null });
  });
}

const isSame = (start: Date | null, end: Date | null, times: Interval) =>
  start?.getTime() === times.startedAt.getTime() && end?.getTime() === times.endedAt.getTime();

/** Moves a session that was added before by the rules of edits, unless a person has edited it. */
async function addAgain(
  deps: Deps,
  key: ShareOfMember & { sessionId: number },
  known: store.KnownSession,
  times: Interval,
): Promise<Result<SessionOrRequest>> {
  const { started_at: start, ended_at: end, kept } = known;
  if (!start) return sessionEdited();
  const asked = await readOpenRequest(deps.db, key.sessionId);
  const isCounted = isSame(start, end, times);
  if (asked && isCounted && !kept) {
    const withdrawn = await withdrawRequest(deps, key);
    if (!withdrawn.ok) return withdrawn;
  }
  const isKnown =
    isCounted ||
    (asked !== undefined && isSame(asked.started_at, asked.ended_at, times)) ||
    (kept && isSame(known.recorded_start, known.recorded_end, times));
  if (!isKnown) {
    if (kept) return sessionEdited();
    const isoTimes = { start_time: times.startedAt.toISOString(), end_time: times.endedAt.toISOString() };
    const moved = await editSession(deps, key, isoTimes, { byScript: true });
    if (!moved.ok) return withOwnCode(moved);
  }
  const { request, ...session } = await readRequested(deps, key);
  return found({ ...session, request: request?.status === 'open' ? request : null });
}

/** A length beyond the limit has its own code here. */
const withOwnCode = (failure: Failure): Failure =>
  'code' in failure.sentence && failure.sentence.code === 'session_too_long'
    ? { ...failure, code: 'session_too_long' }
    : failure;
