import type { ExportedShare } from '@hourshare/contract/exports';
import { Id } from '@hourshare/contract/fields';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { type Page, type PageRequest, readPage } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { deleteStandIns } from '../accounts/deletion/service.ts';
import { endShares } from './endings/service.ts';
import { openShares } from './endings/store.ts';
import { deleteInvitationsOf, deleteInvitationsOfUser } from './invitations/store.ts';
import { deleteClaimsOfHost } from './people/store.ts';
import { shareNotFound } from './errors.ts';
import * as store from './store.ts';
import { toSharedAsset } from './wire.ts';

/** Returns a member's open or past shares, by id. */
export function listShares(
  { db, clock }: Deps,
  memberId: number,
  { status, own, ...request }: PageRequest & { status?: 'open' | 'past' | undefined; own?: 'include' | undefined },
): Promise<Result<Page<SharedAsset>>> {
  const now = clock();
  return readPage(request, {
    key: Id,
    keyOf: ({ id }: store.FoundShare) => id,
    toItem: ({ share }) => share && toSharedAsset(share, now),
    read: async (page) => {
      const which = { past: status === 'past', own: own === 'include' };
      return ok(await store.readListedShares(db, { memberId, ...which, now, ...page }));
    },
  });
}

/** Returns a member's open share. */
export async function sharedAsset(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<SharedAsset>> {
  const now = clock();
  const [share] = await store.readShares(db, { memberId, shareId, now, limit: 1 });
  return share ? ok(toSharedAsset(share, now)) : shareNotFound();
}

/** Returns all access that a member has or had, and all offers to them, oldest first. */
export const listAllShares = (
  { db }: Deps,
  memberId: number,
  request: PageRequest,
): Promise<Result<Page<ExportedShare>>> =>
  readPage(request, {
    key: Id,
    keyOf: ({ id }: store.StoredHistory) => id,
    toItem: ({ offered_at, accepted_at, ended_at, allowances, ...share }) => ({
      ...share,
      offered_at: offered_at.toISOString(),
      accepted_at: accepted_at?.toISOString() ?? null,
      ended_at: ended_at?.toISOString() ?? null,
      allowances: allowances.map(({ since, monthly_hours }) => ({
        since: new Date(since).toISOString(),
        monthly_hours,
      })),
    }),
    read: async (page) => ok(await store.readAllShares(db, { memberId, ...page })),
  });

/** Deletes the links that a disabled account has made. */
export async function endLinksOfAccount(deps: Deps, { userId }: Causes['accountDisabled']): Promise<void> {
  await deleteInvitationsOfUser(deps.db, userId);
  await deleteClaimsOfHost(deps.db, userId);
}

/** Ends all access of an account that is being deleted. Its use stays, under its stand-in's name. */
export async function endSharesOfAccount(
  deps: Deps,
  { userId, standInId, seenBy }: Causes['accountDeleting'],
): Promise<void> {
  await endShares(deps, openShares.ofMember(userId), { at: deps.clock(), told: 'share.ended' });
  await store.moveShares(deps.db, { from: userId, to: standInId });
  for (const id of await store.usersAround(deps.db, [userId, standInId])) seenBy.add(id);
}

/** Ends access to a deleted asset, its offers, and its invitations. */
export async function endSharesOfAsset(deps: Deps, { assetId, now }: Causes['assetDeleted']): Promise<void> {
  await endShares(deps, openShares.ofAsset(assetId), { at: now, cause: 'asset' });
  await deleteInvitationsOf(deps.db, assetId);
}

/** Removes stand-ins of deleted accounts that have nothing left that others need. */
export const removeStandIns = ({ db }: Deps): Promise<void> => deleteStandIns(db, store.holdsNothing);
