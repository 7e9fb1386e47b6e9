import type { Terms } from '@hourshare/contract/fields';
import type { Session, StartSessionRequest } from '@hourshare/contract/sessions';
import type { Deps } from '../../../deps.ts';
import { undoableTransaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { wakeAfterCommit } from '../../outbox/service.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { acceptOnUse } from '../../shares/offers/service.ts';
import { alreadyRunning, noneRunning, notMeasured, recordedBy } from '../errors.ts';
import type { ShareOfMember } from '../sql.ts';
import { toWire } from '../wire.ts';
import * as store from './store.ts';

/** Starts a session at the server's time; the first one of an offered share accepts the offer. */
export async function startSession(
  deps: Deps,
  memberId: number,
  shareId: number,
  { agrees }: StartSessionRequest,
): Promise<Result<Session>> {
  const { db, clock } = deps;
  const share = { memberId, shareId };
  const now = clock();
  const started = agrees ? undefined : await startAccepted(deps, share, now);
  if (started) {
    wakeAfterCommit(deps);
    return ok(toWire(started));
  }
  if (agrees || (await store.isOffered(db, share))) return acceptAndStart(deps, { ...share, seen: agrees });
  return refuseStart(deps, share);
}

/** Returns why a share's session couldn't be started. */
async function refuseStart({ db, clock }: Deps, share: ShareOfMember): Promise<Failure> {
  const found = await store.findShare(db, share, clock());
  if (!found) return shareNotFound();
  if (!found.measured) return notMeasured();
  return found.meter === null ? alreadyRunning() : recordedBy(found.meter);
}

const startAccepted = async ({ db }: Deps, share: ShareOfMember, now: Date) =>
  (await store.insertSession(db, share, now)) ??
  // The open session may have passed its limit unnoticed; ending it there makes room for the new one.
  ((await store.findShare(db, share, now)) && (await store.endExpired(db, share.shareId, now))
    ? store.insertSession(db, share, now)
    : undefined);

/** Starts a session that is also a yes: to an offer, or to the terms that were shown. */
const acceptAndStart = (deps: Deps, share: ShareOfMember & { seen: Terms | undefined }) =>
  undoableTransaction(deps, async (deps): Promise<Result<Session>> => {
    const accepted = await acceptOnUse(deps, share);
    if (!accepted.ok) return accepted;
    await store.endExpired(deps.db, share.shareId, deps.clock());
    const started = await store.insertSession(deps.db, share, deps.clock());
    return started ? ok(toWire(started)) : refuseStart(deps, share);
  });

/** Ends a member's running session at the server's time. All that ends sessions does so with `endOf`. */
export async function endSession(deps: Deps, memberId: number, shareId: number): Promise<Result<Session>> {
  const { db, clock } = deps;
  const share = { memberId, shareId };
  const now = clock();
  const ended = await store.endSession(db, share, now);
  if (ended) {
    wakeAfterCommit(deps);
    return ok(toWire(ended));
  }
  return (await store.findShare(db, share, now)) ? noneRunning() : shareNotFound();
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
  return (await store.findShare(db, share, now)) ? ok(undefined) : shareNotFound();
}

/** Ends sessions of assets that are certainly no longer measured, when their month began. */
export async function endUnmeasured(deps: Deps): Promise<void> {
  // Usually there are none even by this clock, so the time doesn't have to be confirmed.
  if (!(await store.hasUnmeasured(deps.db, deps.clock()))) return;
  await store.endUnmeasured(deps.db, await deps.confirmedTime(deps.db));
  wakeAfterCommit(deps);
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
