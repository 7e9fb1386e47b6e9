import type { Deps } from '../../deps.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { EventKind, OutboxEvents } from './rules.ts';
import { insertEvent, insertEventForEach } from './store.ts';

export type { EventKind, OutboxEvents, StoredEvent } from './rules.ts';
export { countEvents, deleteEvents, deleteSetAside, readEvents, setAside } from './store.ts';

export interface EventContext {
  assetId?: number;
  shareId?: number;
  /** Who did it; left out for what the schedule does. */
  actorId?: number;
  /** Whom it concerns, besides those who are found by the asset and the share. */
  userIds?: number[];
}

/** Records what happened, in the caller's transaction, for everyone whom it concerns. Source: docs/decisions/0085-outbox.md. */
export async function appendEvent<Kind extends EventKind>(
  deps: Deps,
  kind: Kind,
  { assetId, shareId, actorId, userIds = [] }: EventContext,
  data: OutboxEvents[Kind],
): Promise<void> {
  await insertEvent(deps.db, {
    kind,
    assetId: assetId ?? null,
    shareId: shareId ?? null,
    actorId: actorId ?? null,
    userIds,
    data,
    happenedAt: deps.clock(),
  });
  wakeAfterCommit(deps);
}

/** As `appendEvent`, an event for each of some users, in one statement. */
export async function appendEventForEach<Kind extends EventKind>(
  deps: Deps,
  kind: Kind,
  userIds: number[],
  data: OutboxEvents[Kind],
): Promise<void> {
  if (userIds.length === 0) return;
  await insertEventForEach(deps.db, { kind, userIds, data, happenedAt: deps.clock() });
  wakeAfterCommit(deps);
}

/** Runs the dispatcher once the caller's transaction has committed, which added events in a separate statement. */
export function wakeAfterCommit(deps: Pick<Deps, 'db' | 'wakeDispatcher'>): void {
  afterCommit(deps.db, () => deps.wakeDispatcher());
}
