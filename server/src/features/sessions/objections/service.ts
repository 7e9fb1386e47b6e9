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
import {
  alreadyObjected,
  objectionEnded,
  objectionTooLate,
  sessionNotEdited,
  sessionNotFound,
  tooManyReplies,
} from '../errors.ts';
import { readAnySession, readSessions } from '../log/store.ts';
import { toLoggedSession, toMemberSession } from '../log/wire.ts';
import { closeRequests } from '../requests/store.ts';
import { sessionsToRestore } from './rules.ts';
import type { ObjectionState } from './store.ts';
import * as store from './store.ts';

export { hasOpenObjection } from './store.ts';

/** Gives the objections of someone whose account is being deleted to its stand-in. */
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
  /** Who acts on it. */
  userId: number;
  state: ObjectionState;
}

/** Objects to the edit or removal of a session, for the owner or as another participant. Each of them can do so once for each edit. */
export const object = (deps: Deps, key: ManagedSession, text: string | undefined): Promise<Result<MemberSession>> =>
  changeForObjector(deps, key, 'objected', async ({ db, now, state }) => {
    const { share_id, changed, status, edited_at: editedAt, objected_at: objectedAt } = state;
    if (!changed || !editedAt) return sessionNotEdited();
    if (status === 'open' || (objectedAt && objectedAt >= editedAt)) return alreadyObjected();
    if (!state.objectable) return objectionTooLate();
    const participant_id = state.role === 'participant' ? key.userId : null;
    const managerId = managerIdOf(key.userId, state);
    const objection = { session_id: key.sessionId, share_id, manager_id: managerId, participant_id, now };
    const id = await store.insertObjection(db, objection);
    const message = { objection_id: id, by_owner: true, manager_id: managerId, sent_at: now };
    if (text !== undefined) await store.insertMessage(db, { ...message, text });
    return undefined;
  });

const managerIdOf = (userId: number, { role }: ObjectionState) => (role === 'manager' ? userId : null);

/** Withdraws an objection, so that the edited times count unless someone else objects. */
export const withdraw = (deps: Deps, key: ManagedSession): Promise<Result<MemberSession>> =>
  changeForObjector(deps, key, 'withdrawn', async ({ db, now, state: { objection_id: id, status } }) => {
    if (status !== 'open' || id === null) return objectionEnded();
    await store.withdrawObjection(db, id, now);
    return undefined;
  });

export const replyAsOwner = (deps: Deps, key: ManagedSession, text: string): Promise<Result<MemberSession>> =>
  changeForObjector(deps, key, 'replied', (objected) => reply(objected, text, true));

export const replyAsMember = (deps: Deps, key: OwnSession, text: string): Promise<Result<LoggedSession>> =>
  changeAsMember(deps, key, 'replied', (objected) => reply(objected, text, false));

async function reply(
  { db, now, userId, state }: Objected,
  text: string,
  byObjector: boolean,
): Promise<Failure | undefined> {
  const { objection_id: id, status } = state;
  if (status !== 'open' || id === null) return objectionEnded();
  if ((await store.countMessages(db, id, byObjector)) >= OBJECTION_TEXTS_MAX) return tooManyReplies();
  const managerId = managerIdOf(userId, state);
  await store.insertMessage(db, { objection_id: id, by_owner: byObjector, manager_id: managerId, text, sent_at: now });
  return undefined;
}

/** Agrees, as the member, to an objection: the recorded times are restored. */
export const agree = (deps: Deps, key: OwnSession): Promise<Result<LoggedSession>> =>
  changeAsMember(deps, key, 'accepted', async ({ db, now, state }) => {
    if (state.status !== 'open') return objectionEnded();
    const { share_id: shareId, open_since: since } = state;
    const restored = since && (await restore(db, { shareId, sessionId: key.sessionId, since, status: 'agreed', now }));
    return restored ? undefined : periodClosed();
  });

function changeForObjector(
  deps: Deps,
  key: ManagedSession,
  kind: 'objected' | 'withdrawn' | 'replied',
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Result<MemberSession>> {
  return transaction(deps, async (deps) => {
    const failure = await changeLocked(deps, key, async (objected) => {
      const refusal = await change(objected);
      if (refusal) return refusal;
      const { role, share_id: shareId } = objected.state;
      await noteObjection(deps, key, objected.state, OBJECTION_CHANGES[kind]);
      if (role === 'manager') await noteChange(deps.db, { ...key, shareId, kind, now: objected.now });
      return undefined;
    });
    if (failure) return failure;
    const session = await readAnySession(deps.db, key, deps.clock());
    return session ? ok(toMemberSession(session)) : sessionNotFound();
  });
}

const OBJECTION_CHANGES = { objected: 'made', withdrawn: 'withdrawn', replied: 'replied' } as const;

/** Participants who object aren't notified by their role, so the message names them. */
const noteObjection = async (
  deps: Deps,
  key: ManagedSession | OwnSession,
  { share_id: shareId, month }: Pick<ObjectionState, 'share_id' | 'month'>,
  change: 'made' | 'replied' | 'accepted' | 'withdrawn',
): Promise<void> => {
  const actorId = 'userId' in key ? key.userId : key.memberId;
  const userIds = await store.readObjectors(deps.db, key.sessionId);
  return appendMessage(
    deps,
    'objection.changed',
    { shareId, actorId, userIds },
    { session_id: key.sessionId, change, month },
  );
};

function changeAsMember(
  deps: Deps,
  key: OwnSession,
  kind: 'replied' | 'accepted',
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Result<LoggedSession>> {
  return transaction(deps, async (deps) => {
    const failure = await changeLocked(deps, key, async (objected) => {
      const refusal = await change(objected);
      if (!refusal) await noteObjection(deps, key, objected.state, kind);
      return refusal;
    });
    if (failure) return failure;
    const page = { now: deps.clock(), limit: 1, after: undefined, only: key.sessionId };
    const [session] = (await readSessions(deps.db, key, page)) ?? [];
    return session ? ok(toLoggedSession(session)) : sessionNotFound();
  });
}

/** Changes something about an edited session in an open month, while no other change can happen. */
async function changeLocked(
  { db, clock }: Deps,
  key: ManagedSession | OwnSession,
  change: (objected: Objected) => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const now = clock();
  const state = await store.lockState(db, key, now);
  if (!state) return sessionNotFound();
  if (!state.decides) return ownerOnly('manager_session_by_owner');
  if (!state.edited) return sessionNotEdited();
  if (!state.open) return periodClosed();
  return change({ db, now, userId: 'userId' in key ? key.userId : key.memberId, state });
}

interface Restoring {
  shareId: number;
  sessionId: number;
  /** The start of the first month that can change. */
  since: Date;
  status: 'agreed' | 'upheld';
  now: Date;
}

/**
 * Restores the recorded times for an objection and ends it, and those to sessions restored with it, and what was requested about
 * them. Returns the restored sessions; undefined if that would change a closed month, and does nothing.
 */
async function restore(
  db: Database,
  { shareId, sessionId, since, status, now }: Restoring,
): Promise<number[] | undefined> {
  const rows = await store.editedSessions(db, { shareId, since });
  const edited = rows.map(({ id, recorded_start, recorded_end, started_at, ended_at }) => ({
    id,
    recorded: { startedAt: recorded_start, endedAt: recorded_end },
    current: started_at && ended_at && { startedAt: started_at, endedAt: ended_at },
  }));
  const sessions = sessionsToRestore(edited, sessionId, since);
  if (sessions === undefined) return undefined;
  const ids = sessions.map(({ id }) => id);
  await store.restoreSessions(db, sessions, now);
  await store.resolveObjections(db, ids, { status, now });
  await closeRequests(db, ids, { status: 'withdrawn', now });
  return ids;
}

/**
 * Restores the recorded times of all sessions to whose edits anyone still objects when their month closes. Call it with the assets'
 * rows locked, before the use of those months is read.
 */
export async function upholdObjections(deps: Deps, closing: { asset_id: number; month: string }[]): Promise<void> {
  const { db } = deps;
  const now = deps.clock();
  const done = new Set<number>();
  for (const objection of await store.openObjections(db, closing)) {
    const { share_id: shareId, session_id: sessionId, month, starts_at: since } = objection;
    if (done.has(sessionId)) continue;
    const userIds = await store.readObjectors(db, sessionId);
    const restored = await restore(db, { shareId, sessionId, since, status: 'upheld', now });
    // An edit that can't be undone stands, so that the month can close in any case.
    if (!restored) await store.resolveObjections(db, [sessionId], { status: 'not_upheld', now });
    const change = restored ? 'upheld' : 'not_upheld';
    for (const id of restored ?? [sessionId]) {
      done.add(id);
      await appendMessage(deps, 'objection.changed', { shareId, userIds }, { session_id: id, change, month });
    }
  }
}
