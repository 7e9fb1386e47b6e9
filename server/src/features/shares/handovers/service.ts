import type { OwnedAsset } from '@hourshare/contract/assets';
import type { OfferHandoverRequest, SharedAsset } from '@hourshare/contract/shares';
import type { Deps } from '../../../deps.ts';
import type { Database } from '../../../platform/database/database.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import type { Client } from '../../../platform/http/client.ts';
import type { Failure, Result } from '../../../platform/result.ts';
import { runEach } from '../../../platform/run-each.ts';
import { recordForBoth } from '../../security-events/service.ts';
import { lockUsers } from '../../users/service.ts';
import { assetArchived, assetNotFound, ownerOnly } from '../../assets/errors.ts';
import { managedAsset, setOwner } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { setOwnerFrom } from '../../periods/owners/service.ts';
import { handoverEnded, handoverOpen, noMemberToHandTo, offerChanged, shareNotFound } from '../errors.ts';
import { deleteInvitationsOf } from '../invitations/store.ts';
import { matchOwnShare } from '../own/service.ts';
import { endShares } from '../endings/service.ts';
import { sharedAsset } from '../service.ts';
import { recordYes } from '../agreements/service.ts';
import { openShares } from '../endings/store.ts';
import { endManagersOf } from '../managers/store.ts';
import { insertShare, lockShareOfMember } from '../offers/store.ts';
import * as store from './store.ts';

/** Offers an asset to a member, who would own it starting next month. Source: docs/decisions/0059-consent.md. */
export function offerHandover(
  deps: Deps,
  { ownerId, assetId }: { ownerId: number; assetId: number },
  { username, stay_hours: stayHours }: OfferHandoverRequest,
  by: Client,
): Promise<Result<OwnedAsset>> {
  return transaction(deps, async (deps) => {
    const asset = await store.lockOwnedAsset(deps.db, { ownerId, assetId });
    if (!asset) return refuseOthers(deps, ownerId, assetId);
    if (asset.archived) return assetArchived();
    const share = await store.lockShareToHandOver(deps.db, { assetId, username });
    if (!share) return noMemberToHandTo();
    const { id: shareId, memberId } = share;
    if (!(await store.insertHandover(deps.db, { assetId, shareId, stayHours, now: deps.clock() })))
      return handoverOpen();
    const accounts = [ownerId, memberId];
    await recordForBoth(deps, 'handover_offered', { accounts, actorId: ownerId, by });
    await appendMessage(deps, 'handover.changed', { shareId, actorId: ownerId }, { change: 'offered' });
    return managedAsset(deps, ownerId, assetId);
  });
}

/** Tells a co-manager that only the owner may do this; for anyone else, the asset doesn't exist. */
async function refuseOthers(deps: Deps, userId: number, assetId: number): Promise<Failure> {
  return (await managedAsset(deps, userId, assetId)).ok ? ownerOnly() : assetNotFound();
}

/** Calls off the handover of an owner's asset, even if it was accepted. Does nothing if there is none. */
export function withdrawHandover(deps: Deps, ownerId: number, assetId: number): Promise<Result<OwnedAsset>> {
  return transaction(deps, async (deps) => {
    if (!(await store.lockOwnedAsset(deps.db, { ownerId, assetId }))) return refuseOthers(deps, ownerId, assetId);
    await store.deleteHandover(deps.db, { assetId });
    await appendMessage(deps, 'handover.changed', { assetId, actorId: ownerId }, { change: 'withdrawn' });
    return managedAsset(deps, ownerId, assetId);
  });
}

/**
 * Makes a member the owner of a shared asset starting next month, if what they read is what is offered. Accepting again changes
 * nothing.
 */
export function acceptHandover(
  deps: Deps,
  { memberId, shareId }: { memberId: number; shareId: number },
  version: string,
  by: Client,
): Promise<Result<SharedAsset>> {
  return changeAsMember(deps, { memberId, shareId }, async (deps, handover, assetId) => {
    if (handover.version !== version) return offerChanged();
    if (!handover.accepted) {
      await store.acceptHandover(deps.db, { shareId, now: deps.clock() });
      const accounts = await store.parties(deps.db, assetId);
      await recordForBoth(deps, 'handover_accepted', { accounts, actorId: memberId, by });
      await appendMessage(deps, 'handover.changed', { shareId, actorId: memberId }, { change: 'accepted' });
    }
    return sharedAsset(deps, memberId, shareId);
  });
}

/** Ends the handover of a shared asset to a member, even after they accepted it. */
export function declineHandover(deps: Deps, memberId: number, shareId: number): Promise<Result<SharedAsset>> {
  return changeAsMember(deps, { memberId, shareId }, async (deps) => {
    await store.deleteHandover(deps.db, { shareIds: [shareId] });
    await appendMessage(deps, 'handover.changed', { shareId, actorId: memberId }, { change: 'declined' });
    return sharedAsset(deps, memberId, shareId);
  });
}

function changeAsMember(
  deps: Deps,
  share: { memberId: number; shareId: number },
  change: (deps: Deps, handover: NonNullable<SharedAsset['handover']>, assetId: number) => Promise<Result<SharedAsset>>,
): Promise<Result<SharedAsset>> {
  return transaction(deps, async (deps) => {
    // The asset's lock freezes its prices and terms; the share's lock serializes the member's decisions.
    if (!(await lockShareOfMember(deps.db, share, deps.clock()))?.accepted) return shareNotFound();
    const read = await sharedAsset(deps, share.memberId, share.shareId);
    if (!read.ok) return read;
    return read.value.handover ? change(deps, read.value.handover, read.value.asset.id) : handoverEnded();
  });
}

/** Hands over every asset whose new owner's first month has certainly begun. Returns whether none waits for a confirmed time. */
export const handOverDue = (deps: Deps): Promise<boolean> =>
  changeDue(deps, { find: store.dueAssets, change: handOver, failure: 'an asset could not be handed over' });

interface DueChange {
  /** Returns the ids that are due at an instant. */
  find: (db: Database, now: Date) => Promise<number[]>;
  change: (deps: Deps, id: number, dueBy: Date) => Promise<void>;
  /** What the log says about one that fails. */
  failure: string;
}

/** Changes everything that is certainly due. Returns whether nothing waits for a confirmed time. */
export async function changeDue(deps: Deps, { find, change, failure }: DueChange): Promise<boolean> {
  // Usually nothing is due even by this clock, so the time doesn't have to be confirmed.
  if ((await find(deps.db, deps.clock())).length === 0) return true;
  const dueBy = await deps.confirmedTime(deps.db);
  // What fails doesn't delay every request until the schedule tries again.
  const failed = await runEach(deps, await find(deps.db, dueBy), {
    work: (id) => change(deps, id, dueBy),
    factsOf: (id) => ({ id }),
    failure,
  });
  return (await find(deps.db, deps.clock())).every((id) => failed.includes(id));
}

/** Makes the member the owner as of the start of their first month, even if it runs later. What can't happen anymore lapses. */
function handOver(deps: Deps, assetId: number, dueBy: Date): Promise<void> {
  return transaction(deps, async (deps) => {
    // Users are locked first, in the same order as when an account is deleted.
    await lockUsers(deps.db, await store.parties(deps.db, assetId));
    const due = await store.lockDue(deps.db, assetId, dueBy);
    if (!due) return;
    const { shareId, ownerId, memberId, memberHours, stayHours, month, startsAt: at } = due;
    const userIds = [ownerId, memberId];
    if (due.lapsed) {
      await store.deleteHandover(deps.db, { assetId });
      return appendMessage(deps, 'handover.changed', { assetId, userIds }, { change: 'lapsed' });
    }
    await endShares(deps, openShares.leaving({ memberId, shareId }, at), { at });
    await endShares(deps, openShares.gifts({ assetId, ownerId, since: at }), { at, told: 'share.ended' });
    await deleteInvitationsOf(deps.db, assetId);
    // The new owner chooses who to trust with it.
    await endManagersOf(deps.db, assetId);
    await setOwner(deps.db, { assetId, ownerId: memberId });
    await setOwnerFrom(deps.db, { assetId, month, ownerId: memberId, ownerHours: memberHours });
    // Before the former owner becomes a member, because no one has two open shares.
    await matchOwnShare(deps, assetId, { now: at });
    if (stayHours !== null) {
      const share = { assetId, memberId: ownerId, allocationHours: stayHours, accepted: true, now: at };
      const added = await insertShare(deps.db, share);
      if (typeof added === 'number') await recordYes(deps, added);
    }
    await appendMessage(deps, 'handover.changed', { assetId, userIds }, { change: 'done' });
  });
}

/** Ends the handover of an asset, or those to the members with some shares. */
export const endHandovers = ({ db }: Deps, of: { assetId: number } | { shareIds: number[] }): Promise<void> =>
  store.deleteHandover(db, of);

/** Deletes all handovers that have certainly expired; run by the schedule. Reads already treat them as ended. */
export async function deleteExpiredHandovers({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpired(db, { now: await confirmedTime(db) });
}
