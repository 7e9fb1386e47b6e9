import { OBJECTION_TEXTS_MAX } from '@hourshare/contract/limits';
import type { LoggedSession, MemberSession } from '@hourshare/contract/sessions';
import type { Causes } from '../../../causes.ts';
import type { Deps } from '../../../deps.ts';
import type { Database } from '../../../platform/database/database.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { ownerOnly } from '../../assets/errors.ts';
import { noteChange } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { periodClosed } from '../../periods/errors.ts';
import { alreadyObjected, objectionEnded, sessionNotEdited, sessionNotFound, tooManyReplies } from '../errors.ts';
import { readAssetSessions, readSessions } from '../log/store.ts';
import { toLoggedSession, toMemberSession } from '../log/wire.ts';
import { sessionsToRestore } from './rules.ts';
import * as store from './store.ts';

export { hasEditOfCoManager, hasOpenObjection } from './store.ts';

/** Gives the objections of a co-manager whose account is being deleted to its stand-in. */
export const moveObjections = ({ db }: Deps, { userId, standInId }: Causes['accountDeleting']): Promise<void> =>
  store.moveObjections(db, { from: userId, to: standInId });

interface ManagedSession {
  /** The owner or a co-manager of the asset. */
  userId: number;
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
  /** The co-manager who acts for the owner; null if the owner or the member acts. */
  managerId: number | null;
  state: store.ObjectionState;
}

/** Objects to the edit or removal of a session, on behalf of the owner. Each edit can be objected to once. */
export const object = (deps: Deps, key: ManagedSession, text: string | undefined): Promise<Result<MemberSession>> =>
  changeForOwner(deps, key, 'objected', async ({ db, now, shareId, managerId, state }) => {
    const { changed, status, edited_at: editedAt, objected_at: objectedAt } = state;
    if (!changed) return sessionNotEdited();
    if (status === 'open' || (objectedAt && objectedAt >= editedAt)) return alreadyObjected();
    const id = await store.insertObjection(db, { sessionId: key.sessionId, shareId, managerId, now });
    const message = { objection_id: id, by_owner: true, manager_id: managerId, sent_at: now };
    if (text !== undefined) await store.insertMessage(db, { ...message, text });
    return undefined;
  });

/** Withdraws an objection, so that the edited times count. */
export const withdraw = (deps: Deps, key: ManagedSession): Promise<Result<MemberSession>> =>
  changeForOwner(deps, key, 'withdrawn', async ({ db, now, state }) => {
    if (state.status !== 'open') return objectionEnded();
    await store.resolveObjections(db, [key.sessionId], { status: 'withdrawn', now });
    return undefined;
  });

export const replyAsOwner = (deps: Deps, key: ManagedSession, text: string): Promise<Result<MemberSession>> =>
  changeForOwner(deps, key, 'replied', (objected) => reply(objected, text, true));

export const replyAsMember = (deps: Deps, key: OwnSession, text: string): Promise<Result<LoggedSession>> =>
  changeAsMember(deps, key, 'replied', (objected) => reply(objected, text, false));

async function reply(
  { db, now, managerId, state }: Objected,
  text: string,
  byOwner: boolean,
): Promise<Failure | undefined> {
  const { objection_id: id, status } = state;
  if (status !== 'open' || id === null) return objectionEnded();
  if ((await store.countMessages(db, id, byOwner)) >= OBJECTION_TEXTS_MAX) return tooManyReplies();
  await store.insertMessage(db, { objection_id: id, by_owner: byOwner, manager_id: managerId, text, sent_at: now });
  return undefined;
}

/** Agrees, as the member, to an objection: the recorded times are restored. */
export const agree = (deps: Deps, key: OwnSession): Promise<Result<LoggedSession>> =>
  changeAsMember(deps, key, 'accepted', async ({ db, now, shareId, state }) => {
    if (state.status !== 'open') return objectionEnded();
    const restored = await restore(db, { shareId, sessionId: key.sessionId, status: 'agreed', now });
    return restored ? undefined : periodClosed();
  });

function changeForOwner(
  deps: Deps,
  key: ManagedSession,
  kind: 'objected' | 'withdrawn' | 'replied',
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Result<MemberSession>> {
  return transaction(deps, async (deps) => {
    const failure = await changeLocked(deps.db, deps.clock(), key, async (objected) => {
      const refusal = await change(objected);
      if (!refusal) await noteObjection(deps, key, objected.shareId, OBJECTION_CHANGES[kind]);
      if (!refusal && objected.managerId !== null)
        await noteChange(deps.db, { ...key, shareId: objected.shareId, kind, now: objected.now });
      return refusal;
    });
    if (failure) return failure;
    const page = { now: deps.clock(), limit: 1, after: undefined, only: key.sessionId };
    const [session] = (await readAssetSessions(deps.db, key, page)) ?? [];
    return session ? ok(toMemberSession(session)) : sessionNotFound();
  });
}

const OBJECTION_CHANGES = { objected: 'made', withdrawn: 'withdrawn', replied: 'replied' } as const;

const noteObjection = (
  deps: Deps,
  key: ManagedSession | OwnSession,
  shareId: number,
  change: 'made' | 'replied' | 'accepted' | 'withdrawn',
): Promise<void> => {
  const actorId = 'userId' in key ? key.userId : key.memberId;
  return appendMessage(deps, 'objection.changed', { shareId, actorId }, { session_id: key.sessionId, change });
};

function changeAsMember(
  deps: Deps,
  key: OwnSession,
  kind: 'replied' | 'accepted',
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Result<LoggedSession>> {
  return transaction(deps, async (deps) => {
    const failure = await changeLocked(deps.db, deps.clock(), key, change);
    if (failure) return failure;
    await noteObjection(deps, key, key.shareId, kind);
    const page = { now: deps.clock(), limit: 1, after: undefined, only: key.sessionId };
    const [session] = (await readSessions(deps.db, key, page)) ?? [];
    return session ? ok(toLoggedSession(session)) : sessionNotFound();
  });
}

/** Changes something about an edited session whose first month is open, while no other change can happen. */
async function changeLocked(
  db: Database,
  now: Date,
  key: ManagedSession | OwnSession,
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const share = await store.lockShareOfSession(db, key);
  if (!share) return sessionNotFound();
  if (!share.decides) return ownerOnly('manager_session_by_owner');
  // A separate statement, because one that waits for a lock sees other tables as they were before the wait.
  const state = await store.readState(db, key.sessionId, now);
  if (!state) return sessionNotEdited();
  if (!state.open) return periodClosed();
  return change({ db, now, shareId: share.id, managerId: share.managerId, state });
}

/**
 * Restores the recorded times for an objection and ends it, and those to sessions restored with it. Returns the restored sessions;
 * undefined if that would change a closed month, and does nothing.
 */
async function restore(
  db: Database,
  { shareId, sessionId, status, now }: { shareId: number; sessionId: number; status: 'agreed' | 'upheld'; now: Date },
): Promise<number[] | undefined> {
  const rows = await store.editedSessions(db, shareId);
  const edited = rows.map(({ id, recorded_start, recorded_end, started_at, ended_at }) => ({
    id,
    recorded: { startedAt: recorded_start, endedAt: recorded_end },
    current: started_at && ended_at && { startedAt: started_at, endedAt: ended_at },
  }));
  const ids = sessionsToRestore(edited, sessionId, rows[0]?.open_since ?? now);
  if (ids === undefined) return undefined;
  const restored = [...ids];
  await store.restoreSessions(db, restored, now);
  await store.resolveObjections(db, restored, { status, now });
  return restored;
}

/**
 * Restores the recorded times of all sessions to whose edits the owner still objects when the first of their months closes. Call it
 * with the assets' rows locked, before the use of those months is read.
 */
export async function upholdObjections(deps: Deps, closing: { asset_id: number; month: string }[]): Promise<void> {
  const { db } = deps;
  const now = deps.clock();
  for (const { share_id: shareId, session_id: sessionId } of await store.openObjections(db, closing)) {
    const restored = await restore(db, { shareId, sessionId, status: 'upheld', now });
    // An edit that can't be undone stands, so that the month can close in any case.
    if (!restored) await store.resolveObjections(db, [sessionId], { status: 'withdrawn', now });
    for (const id of restored ?? [])
      await appendMessage(deps, 'objection.changed', { shareId }, { session_id: id, change: 'upheld' });
  }
}
