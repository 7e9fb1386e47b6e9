import type { Deps } from '../../deps.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { MessageKind, OutboxMessages } from './rules.ts';
import { insertMessage, insertMessageForEach } from './store.ts';

export type { MessageKind, OutboxMessages, OutboxMessage } from './rules.ts';
export { countMessages, deleteSetAside, readMessages, setAside } from './store.ts';

export interface MessageContext {
  assetId?: number;
  shareId?: number;
  /** Who did it; left out for what the schedule does. */
  actorId?: number;
  /** Whom it concerns, besides those who are found by the asset and the share. */
  userIds?: number[];
}

/** Records what happened, in the caller's transaction, for everyone whom it concerns. Source: docs/decisions/0085-outbox.md. */
export async function appendMessage<Kind extends MessageKind>(
  deps: Deps,
  kind: Kind,
  { assetId, shareId, actorId, userIds = [] }: MessageContext,
  data: OutboxMessages[Kind],
): Promise<void> {
  await insertMessage(deps.db, {
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

/** As `appendMessage`, a message for each of some users, in one statement. */
export async function appendMessageForEach<Kind extends MessageKind>(
  deps: Deps,
  kind: Kind,
  userIds: number[],
  data: OutboxMessages[Kind],
): Promise<void> {
  if (userIds.length === 0) return;
  await insertMessageForEach(deps.db, { kind, userIds, data, happenedAt: deps.clock() });
  wakeAfterCommit(deps);
}

/** Runs the dispatcher once the caller's transaction has committed, which added messages in a separate statement. */
export function wakeAfterCommit(deps: Pick<Deps, 'db' | 'wakeDispatcher'>): void {
  afterCommit(deps.db, () => deps.wakeDispatcher());
}
