import type { Deps } from '../../deps.ts';
import { wakeAfterCommit } from '../outbox/service.ts';
import * as edits from './edits/store.ts';
import { moveObjections } from './objections/service.ts';
import * as presses from './presses/store.ts';

/**
 * Ends active sessions when their asset is archived or deleted, or their share ends, and forgets how an owner edited what
 * someone who joins accepts, in the same transaction.
 */
export function handleAssetAndShareEvents({ events }: Deps): void {
  // No one else could end them before their limit.
  events.on('accountDisabled', async (deps, { userId, now }) => {
    await presses.endSessionsOfMember(deps.db, userId, now);
    wakeAfterCommit(deps);
  });
  events.on('accountDeleting', ({ db }, { userId, standInId }) => moveObjections(db, { from: userId, to: standInId }));
  events.on('assetArchived', async (deps, { assetId }) => {
    await presses.endSessionsOfAsset(deps.db, assetId, deps.clock());
    wakeAfterCommit(deps);
  });
  events.on('assetDeleted', async (deps, { assetId, now }) => {
    await presses.endSessionsOfAsset(deps.db, assetId, now);
    wakeAfterCommit(deps);
  });
  events.on('shareEnded', async (deps, { shareId, at = deps.clock() }) => {
    await presses.endSessionOfShare(deps.db, shareId, { at, now: deps.clock() });
    wakeAfterCommit(deps);
  });
  events.on('personClaimed', async ({ db }, { personId, accepted }) => {
    if (accepted) await edits.forgetEdits(db, personId);
  });
}
