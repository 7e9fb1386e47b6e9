import type { AdminAction, SecurityEvent, SecurityEventKind } from '@hourshare/contract/security-events';
import { Id, type Registration } from '@hourshare/contract/fields';
import { SECURITY_EVENT_DAYS } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { Client } from '../../platform/http/client.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { appendMessage } from '../outbox/service.ts';
import { describeDevice } from '../../platform/http/devices.ts';
import { countsByHour, HOUR_MILLISECONDS } from './rules.ts';
import * as store from './store.ts';
import { toSecurityEvent } from './wire.ts';

export type { LoggedEvent } from './store.ts';
export { anonymizeAdminEvents } from './store.ts';

/** An administrator who uses the app. */
export interface Administrator extends Client {
  administratorId: number;
}

/** Who causes an event: whoever sent a request, or an administrator, in the app or with a command. */
export type By = Client | Administrator | 'administrator';

const isAdministrator = (by: By): by is Administrator | 'administrator' =>
  by === 'administrator' || 'administratorId' in by;

export interface SecurityEventDetails {
  /** Null if no account has the name that was tried, or if it is about the whole server. */
  userId: number | null;
  by: By;
  /** The account that acts, if it isn't this one. */
  actorId?: number;
  /** Why sign-ins or access tokens ended. */
  reason?:
    | 'sign_out'
    | 'password_change'
    | 'password_reset'
    | 'password_removed'
    | 'passkey_removed'
    | 'ended_by_user'
    | 'too_many'
    | 'disabled';
  /** How many sign-ins or access tokens ended. */
  count?: number;
  /** What someone signed in with. */
  method?: 'password' | 'passkey' | 'provider';
  /** Whether they also gave a code, or a passkey whose device verified its user. */
  secondFactor?: boolean;
  /** Who may create an account from now on. */
  registration?: Registration;
}

/** Records that sign-ins of a user ended, if any did, and tells the servers that have open streams of theirs. */
export async function recordEndedSignIns(
  deps: Deps,
  { handles, userId, ...details }: Omit<SecurityEventDetails, 'count'> & { userId: number; handles: string[] },
): Promise<void> {
  if (handles.length === 0) return;
  await recordSecurityEvent(deps, 'sign_ins_ended', { ...details, userId, count: handles.length });
  await appendMessage(deps, 'sign_ins.ended', { userIds: [userId] }, { handles });
}

/**
 * Records a security event: for the account and the administrator in the database, in the caller's transaction if there is one, and
 * as a line in the log once that has committed. Never records what was typed, because people type passwords into the wrong field.
 * Other programs parse the lines, which docs/security.md documents. Source: docs/decisions/0080-monitoring.md.
 */
export async function recordSecurityEvent(
  deps: Deps,
  event: SecurityEventKind,
  { userId, by, actorId, secondFactor, ...details }: SecurityEventDetails,
): Promise<void> {
  const line = {
    user_id: userId,
    ...originOf(by),
    ...details,
    ...(secondFactor !== undefined && { second_factor: secondFactor }),
    ...(actorId !== undefined && { actor_id: actorId }),
  };
  afterCommit(deps.db, () => deps.log.info({ event, ...line }, 'security event'));
  const now = deps.clock();
  // An administrator's act is never merged with the attempts of others.
  const isCounted = countsByHour.has(event) && !isAdministrator(by);
  const isGone = event === 'account_deleted';
  // An account isn't told which device another account used.
  const client = isAdministrator(by) || isGone || actorId !== undefined ? undefined : by;
  const stored = store.insertSecurityEvent(deps.db, {
    userId: isGone ? null : userId,
    formerId: isGone ? userId : null,
    event,
    detail: details.reason ?? details.method ?? details.registration ?? null,
    count: details.count ?? 1,
    actor: actorOf(by, actorId),
    actorId: (isAdministrator(by) ? administratorIdOf(by) : actorId) ?? null,
    ...(client ? describeDevice(client.device) : { browser: null, system: null }),
    signIn: client?.signIn ?? null,
    now,
    hour: isCounted ? new Date(now.getTime() - (now.getTime() % HOUR_MILLISECONDS)) : null,
  });
  // Whether a failed attempt can be counted doesn't change its answer.
  if (!isCounted || deps.db.isTransaction) await stored;
  else
    await stored.catch((error: unknown) => {
      deps.log.warn({ err: error, event }, "a security event couldn't be stored");
    });
}

/** Records an event that two accounts take part in, for both of them. One of them acts. */
export async function recordForBoth(
  deps: Deps,
  event: SecurityEventKind,
  { accounts, actorId, by }: { accounts: number[]; actorId: number; by: Client },
): Promise<void> {
  // In this order, which is that of the locks on the accounts.
  for (const userId of accounts.toSorted((one, other) => one - other))
    await recordSecurityEvent(deps, event, { userId, by, ...(userId !== actorId && { actorId }) });
}

/** Logs that an administrator ran a command, or did the same in the app. What it changed is recorded separately. */
export function logCommand(
  { log }: Deps,
  command: { userId: number | null; by?: Administrator; command: string; code: 0 | 1 | undefined },
): void {
  const { userId, by = 'administrator', command: name, code } = command;
  const line = {
    user_id: userId,
    ...originOf(by),
    command: name,
    ...(code !== undefined && { code }),
  };
  log.info({ event: 'admin_command', ...line }, 'security event');
}

/**
 * Records what an administrator did in the app among the events of their own account, in the caller's transaction if there is one, and
 * logs it as a command.
 */
export async function recordCommand(
  deps: Deps,
  { by, command, code = 0, userId }: { by: Administrator; command: AdminAction; code?: 0 | 1; userId: number | null },
): Promise<void> {
  const now = deps.clock();
  afterCommit(deps.db, () => logCommand(deps, { userId, by, command, code }));
  await store.insertSecurityEvent(deps.db, {
    userId: by.administratorId,
    formerId: null,
    event: 'admin_command',
    detail: command,
    count: 1,
    actor: 'user',
    actorId: null,
    ...describeDevice(by.device),
    signIn: by.signIn ?? null,
    now,
    hour: null,
  });
}

/** Returns what a line says about where an event came from, in the order that other programs expect. */
function originOf(by: By) {
  if (by === 'administrator') return { network: 'local' };
  const administratorId = administratorIdOf(by);
  return {
    network: by.network,
    request_id: by.requestId,
    ...(administratorId !== undefined && { actor_id: administratorId }),
  };
}

const administratorIdOf = (by: By): number | undefined =>
  by !== 'administrator' && 'administratorId' in by ? by.administratorId : undefined;

function actorOf(by: By, actorId: number | undefined): SecurityEvent['actor'] {
  if (isAdministrator(by)) return 'administrator';
  if (actorId !== undefined) return 'other';
  return by.signIn === undefined ? 'unknown' : 'user';
}

/** Returns what happened to the security of a user's account, newest first. */
export const listSecurityEvents = (
  { db }: Deps,
  userId: number,
  request: PageRequest,
): Promise<Result<Page<SecurityEvent>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: store.StoredEvent) => id,
    toItem: toSecurityEvent,
    read: async (page) => ok(await store.readEvents(db, { userId, ...page })),
  });

const BATCH = 500;

/** Returns the events of an account, or all, since a time, oldest first, for the administrator. */
export async function* readEventLog(
  { db }: Deps,
  { userId, since }: { userId?: number | undefined; since?: Date | undefined },
): AsyncGenerator<store.LoggedEvent, void> {
  for (let after = 0; ;) {
    const events = await store.readEventLog(db, { userId, since, after, limit: BATCH });
    yield* events;
    const last = events.at(-1);
    if (!last || events.length < BATCH) return;
    after = last.id;
  }
}

/** Deletes events that have certainly been kept long enough; run by the schedule. */
export async function deleteOldEvents({ db, confirmedTime }: Deps): Promise<void> {
  const now = await confirmedTime(db);
  await store.deleteEvents(db, { before: new Date(now.getTime() - SECURITY_EVENT_DAYS * 24 * HOUR_MILLISECONDS) });
}
