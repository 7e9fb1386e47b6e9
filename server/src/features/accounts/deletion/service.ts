import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Failure, type Result } from '../../../platform/result.ts';
import { appendMessage } from '../../outbox/service.ts';
import { anonymizeAdminEvents, recordSecurityEvent, type By } from '../../security-events/service.ts';
import { notSignedIn } from '../../users/errors.ts';
import { moveGuests } from '../guests/store.ts';
import * as store from './store.ts';

export { deleteStandIns } from './store.ts';

/**
 * Deletes an account in one transaction, unless `refuse`, which runs with the lock on the account, returns a failure. A stand-in without
 * personal data takes over its assets and shares, so that other people's months are split as before. Fails if the account is gone.
 * Source: docs/decisions/0071-deleted-accounts.md.
 */
export function deleteAccount(
  deps: Deps,
  { userId, keepName }: { userId: number; keepName: boolean },
  by: By,
  refuse?: (deps: Deps) => Promise<Failure | undefined>,
): Promise<Result<undefined>> {
  return transaction(deps, async (deps) => {
    const username = await store.lockAccount(deps.db, userId);
    if (username === undefined) return notSignedIn();
    const refused = await refuse?.(deps);
    if (refused) return refused;
    const standIn = await store.insertStandIn(deps.db, userId, deps.clock());
    const names = keepName ? undefined : { from: username, to: standIn.username };
    const seenBy = new Set<number>();
    await deps.react(deps, 'accountDeleting', { userId, standInId: standIn.id, names, seenBy });
    await moveGuests(deps.db, { userId, standInId: standIn.id, names });
    await anonymizeAdminEvents(deps.db, userId);
    await recordSecurityEvent(deps, 'account_deleted', { userId, by });
    const handles = await store.activeHandles(deps.db, userId);
    if (handles.length > 0) await appendMessage(deps, 'sign_ins.ended', { userIds: [userId] }, { handles });
    await appendMessage(deps, 'account.deleted', { userIds: [...seenBy] }, {});
    await store.deleteUser(deps.db, userId);
    // The name is only free from here on.
    if (keepName && seenBy.size > 0) await store.renameStandIn(deps.db, standIn.id, username);
    return ok(undefined);
  });
}
