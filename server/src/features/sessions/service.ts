import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { wakeAfterCommit } from '../outbox/service.ts';
import { countAnswered } from './edits/service.ts';
import * as edits from './edits/store.ts';
import { endUnmeasured } from './presses/service.ts';
import * as presses from './presses/store.ts';

// What happens to sessions when an account, an asset, or a share changes (server/src/reactions.ts).

/** Ends a member's active sessions. */
export async function endSessionsOfMember(deps: Deps, { userId, now }: Causes['accountDisabled']): Promise<void> {
  await presses.endSessionsOfMember(deps.db, userId, now);
  wakeAfterCommit(deps);
}

/** Ends an archived asset's active sessions. */
export async function endSessionsOfAsset(deps: Deps, { assetId }: Causes['assetArchived']): Promise<void> {
  await presses.endSessionsOfAsset(deps.db, assetId, deps.clock());
  wakeAfterCommit(deps);
}

/** Ends the active sessions of ended shares when those ended. */
export async function endSessionsOfShares(deps: Deps, { shareIds, cause }: Causes['sharesEnded']): Promise<void> {
  await presses.endSessionsOfShares(deps.db, shareIds, { cause, now: deps.clock() });
  wakeAfterCommit(deps);
}

/** Ends sessions of assets that are no longer measured. */
export const endUnmeasuredSessions = (deps: Deps): Promise<void> => endUnmeasured(deps);

/** Makes requests count that a disabled account was the last to answer. */
export const countWithoutAccount = (deps: Deps, { userId }: Causes['accountDisabled']): Promise<void> =>
  countAnswered(deps, userId);

/** The same for an account that is being deleted, whose shares are its stand-in's by now. */
export const countWithoutDeleted = (deps: Deps, { standInId }: Causes['accountDeleting']): Promise<void> =>
  countAnswered(deps, standInId);

/** Forgets how an owner edited the sessions of a guest who joins and accepts them. */
export async function forgetEdits({ db }: Deps, { guestId, accepted }: Causes['guestClaimed']): Promise<void> {
  if (accepted) await edits.forgetEdits(db, guestId);
}
