import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { appendMessage } from '../../outbox/service.ts';
import { anonymizeAdminEvents, recordSecurityEvent, type By } from '../../security-events/service.ts';
import { moveGuests } from '../guests/store.ts';
import * as store from './store.ts';

export { deleteStandIns } from './store.ts';

/**
 * Deletes an account in one transaction; if its user asked for it, only if the verified password is still current. A stand-in without
 * personal data takes over its assets and shares, so that other people's months are split as before. Returns false if the account
 * is gone or its password has changed. Source: docs/decisions/0071-deleted-accounts.md.
 */
export function deleteAccount(
  deps: Deps,
  { userId, verifiedHash, keepName }: { userId: number; verifiedHash?: string | null; keepName: boolean },
  by: By,
): Promise<boolean> {
  return transaction(deps, async (deps) => {
    const username = await store.lockAccount(deps.db, { userId, verifiedHash });
    if (username === undefined) return false;
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
    return true;
  });
}
