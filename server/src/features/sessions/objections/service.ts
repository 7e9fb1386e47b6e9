import { OBJECTION_TEXTS_MAX } from '@hourshare/contract/limits';
import type { LoggedSession, MemberSession } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import type { Database } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { periodClosed } from '../../periods/errors.ts';
import { alreadyObjected, objectionEnded, sessionNotEdited, sessionNotFound, tooManyReplies } from '../errors.ts';
import { sessionsToRestore } from '../rules.ts';
import { readAssetSessions, readSessions } from '../store.ts';
import { toLoggedSession, toMemberSession } from '../wire.ts';
import * as store from './store.ts';

export { hasOpenObjection, insertAutomatic } from './store.ts';

interface OwnedSession {
  ownerId: number;
  assetId: number;
  sessionId: number;
}

interface OwnSession {
  memberId: number;
  shareId: number;
  sessionId: number;
}

interface Objected {
  db: Database;
  now: Date;
  shareId: number;
  state: store.ObjectionState;
}

/** Objects, as the owner, to the edit or removal of a session. Each edit can be objected to once. */
export const object = (deps: Deps, key: OwnedSession, text: string | undefined): Promise<Result<MemberSession>> =>
  changeAsOwner(deps, key, async ({ db, now, shareId, state }) => {
    const { changed, status, edited_at: editedAt, objected_at: objectedAt } = state;
    if (!changed) return sessionNotEdited();
    if (status === 'open' || (objectedAt && objectedAt >= editedAt)) return alreadyObjected();
    const id = await store.insertObjection(db, { sessionId: key.sessionId, shareId, now });
    if (text !== undefined) await store.insertMessage(db, { objection_id: id, by_owner: true, text, sent_at: now });
    return undefined;
  });

/** Withdraws an owner's objection: the edited times stand. */
export const withdraw = (deps: Deps, key: OwnedSession): Promise<Result<MemberSession>> =>
  changeAsOwner(deps, key, async ({ db, now, state }) => {
    if (state.status !== 'open') return objectionEnded();
    await store.resolveObjections(db, [key.sessionId], { status: 'withdrawn', now });
    return undefined;
  });

export const replyAsOwner = (deps: Deps, key: OwnedSession, text: string): Promise<Result<MemberSession>> =>
  changeAsOwner(deps, key, (objected) => reply(objected, text, true));

export const replyAsMember = (deps: Deps, key: OwnSession, text: string): Promise<Result<LoggedSession>> =>
  changeAsMember(deps, key, (objected) => reply(objected, text, false));

async function reply({ db, now, state }: Objected, text: string, byOwner: boolean): Promise<Failure | undefined> {
  const { objection_id: id, status } = state;
  if (status !== 'open' || id === null) return objectionEnded();
  if ((await store.countMessages(db, id, byOwner)) >= OBJECTION_TEXTS_MAX) return tooManyReplies();
  await store.insertMessage(db, { objection_id: id, by_owner: byOwner, text, sent_at: now });
  return undefined;
}

/** Agrees, as the member, to an objection: the recorded times are restored. */
export const agree = (deps: Deps, key: OwnSession): Promise<Result<LoggedSession>> =>
  changeAsMember(deps, key, async ({ db, now, shareId, state }) => {
    if (state.status !== 'open') return objectionEnded();
    const restored = await restore(db, { shareId, sessionId: key.sessionId, status: 'agreed', now });
    return restored ? undefined : periodClosed();
  });

function changeAsOwner(
  deps: Deps,
  key: OwnedSession,
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Result<MemberSession>> {
  return inTransaction(deps.db, async (db) => {
    const failure = await changeLocked(db, deps.clock(), key, change);
    if (failure) return failure;
    const page = { now: deps.clock(), limit: 1, after: undefined, only: key.sessionId };
    const [session] = (await readAssetSessions(db, key, page)) ?? [];
    return session ? ok(toMemberSession(session)) : sessionNotFound();
  });
}

function changeAsMember(
  deps: Deps,
  key: OwnSession,
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Result<LoggedSession>> {
  return inTransaction(deps.db, async (db) => {
    const failure = await changeLocked(db, deps.clock(), key, change);
    if (failure) return failure;
    const page = { now: deps.clock(), limit: 1, after: undefined, only: key.sessionId };
    const [session] = (await readSessions(db, key, page)) ?? [];
    return session ? ok(toLoggedSession(session)) : sessionNotFound();
  });
}

/** Changes something about an edited session whose first month is open, while no other change can happen. */
async function changeLocked(
  db: Database,
  now: Date,
  key: OwnedSession | OwnSession,
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const shareId = await store.lockShare(db, key);
  if (shareId === undefined) return sessionNotFound();
  // A separate statement, because one that waits for a lock sees other tables as they were before the wait.
  const state = await store.readState(db, key.sessionId, now);
  if (!state) return sessionNotEdited();
  if (!state.open) return periodClosed();
  return change({ db, now, shareId, state });
}

/**
 * Restores the recorded times for an objection and ends it, and those to sessions restored with it. Returns false if that would
 * change a closed month, and does nothing.
 */
async function restore(
  db: Database,
  { shareId, sessionId, status, now }: { shareId: number; sessionId: number; status: 'agreed' | 'upheld'; now: Date },
): Promise<boolean> {
  const rows = await store.editedSessions(db, shareId);
  const edited = rows.map(({ id, recorded_start, recorded_end, started_at, ended_at }) => ({
    id,
    recorded: { startedAt: recorded_start, endedAt: recorded_end },
    current: started_at && ended_at && { startedAt: started_at, endedAt: ended_at },
  }));
  const restored = sessionsToRestore(edited, sessionId, rows[0]?.open_since ?? now);
  if (restored === undefined) return false;
  await store.restoreSessions(db, [...restored], now);
  await store.resolveObjections(db, [...restored], { status, now });
  return true;
}

/**
 * Restores the recorded times of all sessions to whose edits the owner still objects when the first of their months closes. Call it
 * with the assets' rows locked, before the use of those months is read.
 */
export async function upholdObjections(
  { db, clock }: Deps,
  closing: { asset_id: number; month: string }[],
): Promise<void> {
  const now = clock();
  for (const { share_id: shareId, session_id: sessionId } of await store.openObjections(db, closing))
    // Only edits made before there were objections can be in the way; then the edit stands.
    if (!(await restore(db, { shareId, sessionId, status: 'upheld', now })))
      await store.resolveObjections(db, [sessionId], { status: 'withdrawn', now });
}
