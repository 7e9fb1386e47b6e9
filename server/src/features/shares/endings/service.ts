import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { managedAsset, noteChange } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import * as store from './store.ts';
import { refuseShare } from '../managers/service.ts';
import { shareNotFound } from '../errors.ts';
import type { ManagedShare } from '../sql.ts';

/**
 * Ends shares and withdraws offers, with all that follows from it; their history stays. Their rows are written before their sessions,
 * so that a session starting now waits for the row and then finds the share ended. Returns those that have ended.
 */
export async function endShares(
  deps: Deps,
  which: Parameters<typeof store.endShares>[1],
  {
    at,
    told,
    cause = 'access',
    ...actor
  }: { at: Date; told?: 'share.ended' | 'share.declined'; actorId?: number; cause?: 'access' | 'asset' },
): Promise<store.EndedShare[]> {
  const ended = await store.endShares(deps.db, which, at);
  if (ended.length === 0) return [];
  if (told) for (const share of ended) await appendMessage(deps, told, { ...share, ...actor }, {});
  await deps.react(deps, 'sharesEnded', { shareIds: ended.map(({ shareId }) => shareId), cause });
  return ended;
}

/** Ends a share and its active session, or withdraws an offer. */
export async function endShare(deps: Deps, share: ManagedShare): Promise<Result<OwnedAsset>> {
  const { userId: actorId } = share;
  const isEnded = await transaction(deps, async (deps) => {
    const now = deps.clock();
    const end = { at: now, told: 'share.ended', actorId } as const;
    const ended = await endShares(deps, store.openShares.managed(share, now), end);
    if (ended.length > 0) await noteChange(deps.db, { ...share, kind: 'removed', now });
    return ended.length > 0;
  });
  return isEnded ? managedAsset(deps, share.userId, share.assetId) : refuseShare(deps, share);
}

/** Ends a member's own share and its active session; use and charges up to now stay. */
export function leaveShare(deps: Deps, memberId: number, shareId: number): Promise<Result<undefined>> {
  return transaction(deps, async (deps) => {
    const now = deps.clock();
    const end = { at: now, told: 'share.ended', actorId: memberId } as const;
    const ended = await endShares(deps, store.openShares.leaving({ memberId, shareId }, now), end);
    return ended.length > 0 ? ok(undefined) : shareNotFound();
  });
}
