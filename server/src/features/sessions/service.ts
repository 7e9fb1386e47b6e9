import { Id } from '@hourshare/contract/fields';
import type { CorrectSessionRequest, MemberSession, Session } from '@hourshare/contract/sessions';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Database } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { periodClosed } from '../periods/errors.ts';
import { shareNotFound } from '../shares/errors.ts';
import { alreadyRunning, badTimes, noneRunning, sessionActive, sessionOverlaps } from './errors.ts';
import { problemsWith } from './rules.ts';
import * as store from './store.ts';
import { toMemberSession, toWire } from './wire.ts';

/** Starts a session on the server's clock. */
export async function startSession({ db, clock }: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const share = { memberId, shareId };
  const now = clock();
  const started =
    (await store.insertSession(db, share, now)) ??
    // The open one may have passed its limit without anybody noticing: it ends there, and the start is tried once more.
    ((await store.hasShare(db, share)) && (await store.endExpired(db, shareId, now))
      ? await store.insertSession(db, share, now)
      : undefined);
  if (started) return ok(toWire(started));
  return (await store.hasShare(db, share)) ? alreadyRunning() : shareNotFound();
}

export async function endSession({ db, clock }: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const share = { memberId, shareId };
  const ended = await store.endSession(db, share, clock());
  if (ended) return ok(toWire(ended));
  return (await store.hasShare(db, share)) ? noneRunning() : shareNotFound();
}

/** The running session, or undefined (204 on the wire) when there is none. */
export async function activeSession(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<Session | undefined>> {
  const share = { memberId, shareId };
  const active = await store.activeSession(db, share, clock());
  if (active) return ok(toWire(active));
  return (await store.hasShare(db, share)) ? ok(undefined) : shareNotFound();
}

interface OwnSession {
  memberId: number;
  shareId: number;
  sessionId: number;
}

/** Edits the start or end of one's own session, while every period that it touches, before and after, is open. */
export async function editSession(
  deps: Deps,
  own: OwnSession,
  { start_time: start, end_time: end }: CorrectSessionRequest,
): Promise<Result<Session>> {
  const edited = await changeSession(deps, own, async (db, session) => {
    const now = deps.clock();
    const times = {
      startedAt: start === undefined ? session.started_at : new Date(start),
      endedAt: end === undefined ? session.ended_at : new Date(end),
    };
    const limitMilliseconds = session.ends_by.getTime() - session.started_at.getTime();
    const problems = problemsWith(times, { now, sharedAt: session.shared_at, limitMilliseconds });
    if (Object.keys(problems).length > 0) return badTimes(problems);
    if (times.startedAt < session.open_since) return periodClosed();
    if (await store.overlapsAnother(db, own, times)) return sessionOverlaps();
    const same =
      times.startedAt.getTime() === session.started_at.getTime() &&
      times.endedAt.getTime() === session.ended_at.getTime();
    if (!same) await store.editSession(db, own.sessionId, { ...times, now });
    return ok({
      id: own.sessionId,
      asset_name: session.asset_name,
      started_at: times.startedAt,
      ended_at: times.endedAt,
    });
  });
  return edited.ok ? ok(toWire(edited.value)) : edited;
}

/** Removes one's own session, while every period that it touches is open. */
export function removeSession(deps: Deps, own: OwnSession): Promise<Result<undefined>> {
  return changeSession(deps, own, async (db) => {
    await store.removeSession(db, own.sessionId, deps.clock());
    return ok(undefined);
  });
}

/** Runs a change of one's own session that has ended and whose periods are open; no other change happens meanwhile. */
function changeSession<T>(
  deps: Deps,
  own: OwnSession,
  change: (db: Database, session: store.SessionToEdit) => Promise<Result<T>>,
): Promise<Result<T>> {
  return inTransaction(deps.db, async (db) => {
    const now = deps.clock();
    const session = await store.lockSession(db, own, now);
    if (!session) return shareNotFound();
    if (session.active) return sessionActive();
    if (session.started_at < session.open_since) return periodClosed();
    await store.endExpired(db, own.shareId, now);
    return change(db, session);
  });
}

/** Ends what runs on an asset that is archived and on a share that ends, in the same transaction. */
export function followAssetsAndShares({ events }: Deps): void {
  events.on('assetArchived', ({ db, clock }, { assetId }) => store.endSessionsOfAsset(db, assetId, clock()));
  events.on('shareEnded', ({ db, clock }, { shareId }) => store.endSessionOfShare(db, shareId, clock()));
}

const ENDED_AT_ONCE = 200;

/**
 * Ends every session that has certainly passed its limit, each at that limit; what the schedule does. Until then it
 * counts as ended wherever it is read.
 */
export async function endExpiredSessions({ db, confirmedTime }: Deps): Promise<void> {
  const passed = await confirmedTime(db);
  while ((await store.endAllExpired(db, passed, ENDED_AT_ONCE)) === ENDED_AT_ONCE);
}

const order = {
  // The database takes dates past the year 9999 too, but not in the notation they are sent in.
  key: z.tuple([z.int().min(0).max(Date.parse('9999-12-31')), Id]),
  keyOf: (session: store.StoredSession): store.SessionKey => [session.started_at.getTime(), session.id],
};

/** A member's own sessions of a share, newest first. */
export function listSessions(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  request: PageRequest,
): Promise<Result<Page<Session>>> {
  return readPage(request, {
    ...order,
    toItem: toWire,
    read: async (page) => {
      const rows = await store.sessionsOf(db, { memberId, shareId }, { now: clock(), ...page });
      return rows ? ok(rows) : shareNotFound();
    },
  });
}

/** The sessions of all members of an owner's asset, newest first. */
export function listAssetSessions(
  { db, clock }: Deps,
  ownerId: number,
  assetId: number,
  request: PageRequest,
): Promise<Result<Page<MemberSession>>> {
  return readPage(request, {
    ...order,
    toItem: toMemberSession,
    read: async (page) => {
      const rows = await store.sessionsOfAsset(db, { ownerId, assetId }, { now: clock(), ...page });
      return rows ? ok(rows) : assetNotFound();
    },
  });
}
