import { Id } from '@hourshare/contract/fields';
import { SENTENCES } from '@hourshare/contract/sentences';
import type {
  CorrectSessionRequest,
  LatePressRequest,
  LoggedSession,
  MemberSession,
  RecordSessionRequest,
  Session,
} from '@hourshare/contract/sessions';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Failure, type Result } from '../../platform/result.ts';
import { assetNotFound, ownerOnly } from '../assets/errors.ts';
import { appendEvent, wakeAfterCommit } from '../outbox/service.ts';
import { periodClosed } from '../periods/errors.ts';
import { extendWindows, isTooLate } from '../periods/extended-windows/service.ts';
import { unconfirmPeriods } from '../periods/window/service.ts';
import { shareNotFound } from '../shares/errors.ts';
import { acceptOnUse } from '../shares/service.ts';
import {
  alreadyRunning,
  badTimes,
  noneRunning,
  sessionActive,
  sessionAlreadyEnded,
  sessionOverlaps,
} from './errors.ts';
import { findPressProblems, findPressTime, findTimeProblems, firstEnd, isSamePress, type Stretch } from './rules.ts';
import * as store from './store.ts';
import { insertAutomatic, moveObjections } from './objections/service.ts';
import { toLoggedSession, toMemberSession, toWire } from './wire.ts';

export { hasEditOfCoManager, hasOpenObjection, upholdObjections } from './objections/service.ts';

/** Starts a session at the server's time; the first one of an offered share accepts the offer. */
export async function startSession(deps: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const { db, clock } = deps;
  const share = { memberId, shareId };
  const now = clock();
  const started =
    (await store.insertSession(db, share, now)) ??
    // The open session may have passed its limit unnoticed; ending it there makes room for the new one.
    ((await store.hasShare(db, share, now)) && (await store.endExpired(db, shareId, now))
      ? await store.insertSession(db, share, now)
      : (await store.isOffered(db, share))
        ? await acceptAndStart(deps, share)
        : undefined);
  if (started) {
    wakeAfterCommit(deps);
    return ok(toWire(started));
  }
  return (await store.hasShare(db, share, now)) ? alreadyRunning() : shareNotFound();
}

const acceptAndStart = (deps: Deps, share: { memberId: number; shareId: number }) =>
  inTransaction(deps.db, async (db) =>
    (await acceptOnUse({ ...deps, db }, share)) ? store.insertSession(db, share, deps.clock()) : undefined,
  );

export async function endSession(deps: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const { db, clock } = deps;
  const share = { memberId, shareId };
  const now = clock();
  const ended = await store.endSession(db, share, now);
  if (ended) {
    wakeAfterCommit(deps);
    return ok(toWire(ended));
  }
  return (await store.hasShare(db, share, now)) ? noneRunning() : shareNotFound();
}

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
  return addLate(deps, { memberId, shareId }, request, async (db, share, { pressed, now }) => {
    const same = await store.findSameStart(db, shareId, pressed);
    if (same) return ok(same);
    const archived = await store.archivedDuring(db, share.asset_id, { startedAt: pressed, endedAt: now });
    const ends = {
      limit: new Date(pressed.getTime() + share.limit_hours * 3_600_000),
      shareEndedAt: share.share_ended_at,
      archivedSince: archived?.since ?? null,
    };
    const problems = findPressProblems(pressed, { sharedAt: share.shared_at, ...ends });
    if (Object.keys(problems).length > 0) return badTimes(problems);
    const end = firstEnd(ends);
    const endedAt = end <= now ? end : null;
    const stretch = { startedAt: pressed, endedAt: endedAt ?? now };
    if (await store.overlapsAnother(db, { shareId }, stretch)) {
      const active = await store.activeSession(db, { memberId, shareId }, now);
      return active && active.started_at <= pressed ? alreadyRunning() : sessionOverlaps({ ofPerson: false });
    }
    if (await store.overlapsRecordedTimes(db, shareId, stretch)) return sessionOverlaps({ ofPerson: false });
    const started = await store.insertLate(db, shareId, { startedAt: pressed, endedAt, limit: ends.limit });
    if (!started) return alreadyRunning();
    await appendEvent(
      { ...deps, db },
      'session.started',
      { shareId, actorId: memberId },
      { session_id: started.id, added_late: true },
    );
    await unconfirmPeriods(db, { assetId: share.asset_id, memberId, ...stretch });
    return ok(started);
  });
}

/** Adds an end that was pressed offline, also to a session that has ended since without a press. */
export function addLateEnd(
  deps: Deps,
  memberId: number,
  shareId: number,
  request: LatePressRequest,
): Promise<Result<Session>> {
  return addLate(deps, { memberId, shareId }, request, async (db, share, { pressed, now }) => {
    const session = await store.findSessionToEnd(db, shareId, pressed);
    if (!session) return noneRunning();
    const { id, ended_at: endedAt } = session;
    if (endedAt !== null && isSamePress(endedAt, pressed)) return ok(session);
    if (endedAt !== null && (endedAt < pressed || !session.ended_unpressed)) return sessionAlreadyEnded();
    const ended = await (endedAt === null
      ? store.endLate(db, id, { pressed, actorId: memberId, now })
      : store.shortenLate(db, id, pressed));
    if (!ended) return sessionAlreadyEnded();
    if (endedAt !== null)
      await appendEvent(
        { ...deps, db },
        'session.ended',
        { shareId, actorId: memberId },
        { session_id: id, cause: 'member', added_late: true },
      );
    const stretch = { startedAt: ended.started_at, endedAt: endedAt ?? now };
    await unconfirmPeriods(db, { assetId: share.asset_id, memberId, ...stretch });
    return ok(ended);
  });
}

/** Adds a press to a share that is or was the member's, in a month that is open, while nothing else changes its sessions. */
async function addLate(
  deps: Deps,
  key: { memberId: number; shareId: number },
  request: LatePressRequest,
  add: (
    db: Database,
    share: store.ShareToRecord,
    times: { pressed: Date; now: Date },
  ) => Promise<Result<store.StoredSession>>,
): Promise<Result<Session>> {
  const now = deps.clock();
  const time = findPressTime(request, now);
  const added = await inTransaction(deps.db, async (db) => {
    const startedAt = 'pressed' in time ? time.pressed : now;
    const share = await store.lockOwnShare(db, key, { startedAt, now });
    if (!share) return shareNotFound();
    if ('problems' in time) return badTimes(time.problems);
    const { pressed } = time;
    if (pressed < share.open_since && pressed >= share.shared_at) return periodClosed();
    // The open session may have passed its limit unnoticed.
    await store.endExpired(db, key.shareId, now);
    return add(db, share, { pressed, now });
  });
  if (added.ok) wakeAfterCommit(deps);
  return added.ok ? ok(toWire(added.value)) : added;
}

/** Returns the running session, or undefined (204 in the API) if there is none. */
export async function activeSession(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<Session | undefined>> {
  const share = { memberId, shareId };
  const now = clock();
  const active = await store.activeSession(db, share, now);
  if (active) return ok(toWire(active));
  return (await store.hasShare(db, share, now)) ? ok(undefined) : shareNotFound();
}

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
  { ofPerson = false } = {},
): Promise<Result<Session>> {
  const edited = await changeSession(deps, key, async (db, session) => {
    const now = deps.clock();
    const times = {
      startedAt: start === undefined ? session.started_at : new Date(start),
      endedAt: end === undefined ? session.ended_at : new Date(end),
    };
    const limitMilliseconds = session.ends_by.getTime() - session.started_at.getTime();
    const archived = await store.archivedDuring(db, session.asset_id, times);
    const problems = findTimeProblems(times, {
      now,
      archived,
      sharedAt: session.shared_at,
      shareEndedAt: session.share_ended_at,
      limitMilliseconds,
      ofPerson,
    });
    if (Object.keys(problems).length > 0) return badTimes(problems);
    if (times.startedAt < session.open_since) return periodClosed();
    if (await store.overlapsAnother(db, key, times)) return sessionOverlaps({ ofPerson });
    if (await store.blocksRecordedTimes(db, key, times)) return sessionOverlaps({ ofPerson });
    const isUnchanged =
      times.startedAt.getTime() === session.started_at.getTime() &&
      times.endedAt.getTime() === session.ended_at.getTime();
    if (!isUnchanged) {
      await store.editSession(db, key.sessionId, { ...times, now });
      await noteEdit({ ...deps, db }, key, session, times);
      await appendEvent({ ...deps, db }, 'session.edited', contextOf(key, session), {
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
  return changeSession(deps, key, async (db, session) => {
    await store.removeSession(db, key.sessionId, deps.clock());
    await noteEdit({ ...deps, db }, key, session);
    await appendEvent({ ...deps, db }, 'session.removed', contextOf(key, session), {
      session_id: key.sessionId,
      before: isoTimes({ startedAt: session.started_at, endedAt: session.ended_at }),
      recorded: session.recorded_by_owner,
    });
    return ok(undefined);
  });
}

const isoTimes = ({ startedAt, endedAt }: Stretch) => ({ start: startedAt.toISOString(), end: endedAt.toISOString() });

/** Whose change it is: the member's own, unless the owner recorded the session, who alone then edits it. */
const contextOf = ({ shareId, memberId }: OwnSession, session: store.SessionToEdit) => ({
  assetId: session.asset_id,
  shareId,
  ...(!session.recorded_by_owner && { actorId: memberId }),
});

/** Records a past session of someone without an account, by the rules of edits. */
export function recordSession(
  deps: Deps,
  share: store.ShareOfPerson,
  { start_time: start, end_time: end }: RecordSessionRequest,
): Promise<Result<Session>> {
  const times = { startedAt: new Date(start), endedAt: new Date(end) };
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const locked = await store.lockShareOfPerson(db, share, { startedAt: times.startedAt, now });
    if (!locked) return refusePerson({ ...deps, db }, share);
    const archived = await store.archivedDuring(db, share.assetId, times);
    const problems = findTimeProblems(times, {
      now,
      archived,
      sharedAt: locked.shared_at,
      shareEndedAt: locked.share_ended_at,
      limitMilliseconds: locked.limit_hours * 3_600_000,
      ofPerson: true,
    });
    if (Object.keys(problems).length > 0) return badTimes(problems);
    if (times.startedAt < locked.open_since) return periodClosed();
    if (await store.overlapsAnother(db, share, times)) return sessionOverlaps({ ofPerson: true });
    const id = await store.insertRecorded(db, share.shareId, { ...times, limitHours: locked.limit_hours });
    const { assetId, shareId, ownerId: actorId } = share;
    await appendEvent({ ...deps, db }, 'session.recorded', { assetId, shareId, actorId }, { session_id: id });
    return ok(
      toWire({
        id,
        asset_name: locked.asset_name,
        started_at: times.startedAt,
        ended_at: times.endedAt,
        recorded_by_owner: true,
        added_late: null,
      }),
    );
  });
}

/** Returns why a user can't record for someone: they are only a co-manager, or there is no such person. */
const refusePerson = async ({ db }: Deps, share: store.ShareOfPerson): Promise<Failure> =>
  (await store.managesShareOfPerson(db, share)) ? ownerOnly(SENTENCES.personByOwner) : shareNotFound();

/** Edits a session that the owner recorded for someone without an account, as a member edits their own. */
export async function editRecorded(
  deps: Deps,
  { sessionId, ...share }: store.ShareOfPerson & { sessionId: number },
  times: CorrectSessionRequest,
): Promise<Result<Session>> {
  const memberId = await store.personOf(deps.db, share);
  return memberId === undefined
    ? refusePerson(deps, share)
    : editSession(deps, { memberId, shareId: share.shareId, sessionId }, times, { ofPerson: true });
}

/** Removes a session that the owner recorded for someone without an account. */
export async function removeRecorded(
  deps: Deps,
  { sessionId, ...share }: store.ShareOfPerson & { sessionId: number },
): Promise<Result<undefined>> {
  const memberId = await store.personOf(deps.db, share);
  return memberId === undefined
    ? refusePerson(deps, share)
    : removeSession(deps, { memberId, shareId: share.shareId, sessionId });
}

/**
 * Withdraws that the member has nothing to edit in the months of a session, and keeps months that the edit takes use
 * away from open for a day more, once per session. If the owner has less time to object, the edit counts only once they
 * accept it.
 */
async function noteEdit(
  { db, clock }: Deps,
  { memberId, shareId, sessionId }: OwnSession,
  session: store.SessionToEdit,
  edited?: Stretch,
): Promise<void> {
  const assetId = session.asset_id;
  const before = { startedAt: session.started_at, endedAt: session.ended_at };
  const stretches = edited ? [before, edited] : [before];
  for (const stretch of stretches) await unconfirmPeriods(db, { assetId, memberId, ...stretch });
  const edit = { assetId, before, after: edited, now: clock() };
  if (!session.extended && (await extendWindows(db, edit)) && edited) await store.markExtended(db, sessionId);
  if (!session.recorded_by_owner && (await isTooLate(db, edit)))
    await insertAutomatic(db, { sessionId, shareId, now: edit.now });
}

/** Changes a member's own session that has ended and whose periods are open, while no other change can happen. */
function changeSession<T>(
  deps: Deps,
  key: OwnSession,
  change: (db: Database, session: store.SessionToEdit) => Promise<Result<T>>,
): Promise<Result<T>> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const session = await store.lockSession(db, key, now);
    if (!session) return shareNotFound();
    if (session.active) return sessionActive();
    if (session.started_at < session.open_since) return periodClosed();
    await store.endExpired(db, key.shareId, now);
    return change(db, session);
  });
}

/**
 * Ends active sessions when their asset is archived or deleted, or their share ends, and forgets how an owner edited what
 * someone who joins accepts, in the same transaction.
 */
export function handleAssetAndShareEvents({ events }: Deps): void {
  // No one else could end them before their limit.
  events.on('accountDisabled', async (deps, { userId, now }) => {
    await store.endSessionsOfMember(deps.db, userId, now);
    wakeAfterCommit(deps);
  });
  events.on('accountDeleting', ({ db }, { userId, standInId }) => moveObjections(db, { from: userId, to: standInId }));
  events.on('assetArchived', async (deps, { assetId }) => {
    await store.endSessionsOfAsset(deps.db, assetId, deps.clock());
    wakeAfterCommit(deps);
  });
  events.on('assetDeleted', async (deps, { assetId, now }) => {
    await store.endSessionsOfAsset(deps.db, assetId, now);
    wakeAfterCommit(deps);
  });
  events.on('shareEnded', async (deps, { shareId, at = deps.clock() }) => {
    await store.endSessionOfShare(deps.db, shareId, { at, now: deps.clock() });
    wakeAfterCommit(deps);
  });
  events.on('personClaimed', async ({ db }, { personId, accepted }) => {
    if (accepted) await store.forgetEdits(db, personId);
  });
}

const END_BATCH_SIZE = 200;

/**
 * Ends every session that has certainly passed its limit, at that limit; run by the schedule. Reads treat such sessions
 * as ended even before.
 */
export async function endExpiredSessions(deps: Deps): Promise<void> {
  const { db, confirmedTime } = deps;
  const passedTime = await confirmedTime(db);
  let ended: number;
  do {
    ended = await store.endAllExpired(db, passedTime, END_BATCH_SIZE);
    if (ended > 0) wakeAfterCommit(deps);
  } while (ended === END_BATCH_SIZE);
}

/** Registers what Prometheus learns about sessions. */
export function defineMetrics({ db, clock, metrics }: Deps): void {
  metrics.gauge('hourshare_sessions_active', 'Active sessions.', () => store.countActive(db, clock()));
}

const order = {
  // PostgreSQL accepts dates past the year 9999, but not in the format that Date sends.
  key: z.tuple([z.int().min(0).max(Date.parse('9999-12-31')), Id]),
  keyOf: (session: store.StoredSession): store.SessionKey => [session.started_at.getTime(), session.id],
};

/** Returns a member's own sessions of a share, newest first. */
export function listSessions(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  request: PageRequest,
): Promise<Result<Page<LoggedSession>>> {
  return readPage(request, {
    ...order,
    toItem: toLoggedSession,
    read: async (page) => {
      const rows = await store.readSessions(db, { memberId, shareId }, { now: clock(), ...page });
      return rows ? ok(rows) : shareNotFound();
    },
  });
}

/** Returns all members' sessions of an asset that a user manages, newest first. */
export function listAssetSessions(
  { db, clock }: Deps,
  userId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<MemberSession>>> {
  return readPage(request, {
    ...order,
    toItem: toMemberSession,
    read: async (page) => {
      const rows = await store.readAssetSessions(db, { userId, assetId }, { now: clock(), ...page });
      return rows ? ok(rows) : assetNotFound();
    },
  });
}
