import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Terms } from '@hourshare/contract/fields';
import { OFFERS_PER_DAY_MAX, OPEN_OFFERS_BY_OWNER_MAX, OPEN_OFFERS_MAX } from '@hourshare/contract/limits';
import { sentence } from '@hourshare/contract/sentences';
import type { AcceptOfferRequest, SharedAsset, ShareRequest } from '@hourshare/contract/shares';
import type { Causes } from '../../../causes.ts';
import type { Deps } from '../../../deps.ts';
import { transaction, undoableTransaction } from '../../../platform/database/transaction.ts';
import { failField, type Failure, ok, type Result } from '../../../platform/result.ts';
import { findUser } from '../../users/service.ts';
import { type AgreedTerms, costOfAll, costsMore } from '../../assets/terms/service.ts';
import { assetArchived, assetNotFound } from '../../assets/errors.ts';
import { changeFirstTerms, managedAsset, noteChange } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { costsMoreThanSeen, isAsShown, recordOffer, recordYes } from '../agreements/service.ts';
import { lockTermsToOffer } from '../agreements/store.ts';
import { endShares } from '../endings/service.ts';
import { openShares } from '../endings/store.ts';
import * as managers from '../managers/store.ts';
import * as store from './store.ts';
import {
  accessLater,
  alreadyShared,
  hoursRequired,
  offerAccepted,
  offerChanged,
  offersRefused,
  shareNotFound,
  shareWithSelf,
  tooManyOffers,
  tooManyOffersToday,
  userNotFound,
} from '../errors.ts';
import { hoursOf } from '../rules.ts';
import { sharedAsset } from '../service.ts';
import * as shares from '../store.ts';
import { toSharedAsset } from '../wire.ts';

/** How long an asset can be archived before its members are asked again. Source: docs/how-costs-are-split.md. */
const ARCHIVED_MAX_MILLISECONDS = 24 * 3_600_000;

/**
 * Offers someone an allowance of an asset that a user manages. It counts as accepted if the owner offers it and the member accepts
 * offers at this cost without being asked, or if the server asks no one. Returns the asset with its members and offers.
 */
export async function shareAsset(
  deps: Deps,
  userId: number,
  assetId: number,
  { username, monthly_hours_allocated: hours, starts_on: startsOn, terms }: ShareRequest,
): Promise<Result<OwnedAsset>> {
  const asset = await managers.findManagedAsset(deps.db, { userId, assetId }, deps.clock());
  if (!asset) return assetNotFound();
  if (asset.archived) return assetArchived();
  const allocationHours = hoursOf(asset, hours);
  if (allocationHours === undefined) return hoursRequired();
  const member = await findUser(deps, username);
  if (!member) return userNotFound(username);
  const { ownerId } = asset;
  if (member.id === ownerId) return ownerId === userId ? shareWithSelf() : alreadyShared();
  const share = { assetId, userId, memberId: member.id, allocationHours, startsOn, now: deps.clock() };
  const refusal = await refuseStart(deps, share);
  if (refusal) return refusal;
  const done = await undoableTransaction(deps, async (deps) => {
    const before = await store.lockOffersTo(deps.db, { ...share, ownerId });
    if (before.shared) return alreadyShared();
    if (before.refused) return offersRefused();
    const failure = await changeFirstTerms(deps, share, terms);
    if (failure) return failure;
    const trusted = ownerId === userId && before.trust ? await termsWithin(deps, share, before.trust) : undefined;
    const accepted = trusted !== undefined || deps.config.SHARE_CONSENT === 'off';
    if (!accepted && (before.offers >= OPEN_OFFERS_MAX || before.offersOfOwner >= OPEN_OFFERS_BY_OWNER_MAX))
      return tooManyOffers();
    const isLimited = !accepted && deps.config.RATE_LIMIT === 'on';
    if (isLimited && before.offersOfDay >= OFFERS_PER_DAY_MAX) return tooManyOffersToday();
    // One that is still open was found above.
    await endShares(deps, openShares.offers(share), { at: share.now });
    const counted = ownerId === userId;
    const added = await store.insertShare(deps.db, { ...share, ownerId, accepted, counted });
    if (added === 'shared') return alreadyShared();
    if (added === 'member_gone') return userNotFound(username);
    // Checked again, because the user may have stopped being a co-manager during the wait for the lock.
    if (added === 'asset_gone' || !(await managers.findManagedAsset(deps.db, { userId, assetId }, share.now)))
      return assetNotFound();
    await (accepted ? recordYes(deps, added, trusted) : recordOffer(deps, added));
    await noteChange(deps.db, { assetId, userId, kind: 'shared', shareId: added, now: share.now });
    const about = { assetId, shareId: added, actorId: userId };
    await appendMessage(deps, 'share.offered', about, { hours: allocationHours, accepted });
    return ok(undefined);
  });
  return done.ok ? managedAsset(deps, userId, assetId) : done;
}

/** Returns why access to an asset can't begin on a day: it isn't the first of the asset's next month. */
export async function refuseStart(
  { db }: Deps,
  { assetId, startsOn, now }: { assetId: number; startsOn: string | undefined; now: Date },
): Promise<Failure | undefined> {
  if (startsOn === undefined || (await store.isNextMonth(db, { assetId, day: startsOn, now }))) return undefined;
  return failField('starts_on', sentence('starts_on_rule'));
}

/** Returns the terms of an offer if all of it, with the limit of extra costs, is at most what its member accepts without being asked. */
async function termsWithin(
  { db }: Deps,
  offer: Parameters<typeof lockTermsToOffer>[1],
  { maxCents, currency }: { maxCents: number; currency: string },
): Promise<AgreedTerms | undefined> {
  const terms = await lockTermsToOffer(db, offer);
  if (terms?.currency !== currency) return undefined;
  return costOfAll(terms.shown) + terms.shown.extraCostCents <= maxCents ? terms.shown : undefined;
}

/**
 * Accepts an offered share: its member is charged starting now, or on the day on which it starts. Nothing is accepted if it costs more
 * than what they have seen. It also lets the meters that they have seen record them. An accepted share stays as it is.
 */
export function acceptOffer(
  deps: Deps,
  memberId: number,
  shareId: number,
  seen: AcceptOfferRequest,
): Promise<Result<SharedAsset>> {
  return transaction(deps, async (deps) => {
    const locked = await store.lockShareOfMember(deps.db, { shareId, memberId }, deps.clock());
    const now = deps.clock();
    const [share] = locked ? await shares.readShares(deps.db, { memberId, shareId, now, limit: 1 }) : [];
    if (!share) return shareNotFound();
    if (locked?.accepted) return ok(toSharedAsset(share, now));
    if (share.shown && costsMoreThanSeen({ ...share, shown: share.shown }, seen)) return offerChanged();
    await store.acceptOffer(deps.db, shareId, now);
    await recordYes(deps, shareId, share.shown);
    if (seen.meters) await deps.react(deps, 'offerAccepted', { shareId, meterIds: seen.meters });
    await appendAccepted(deps, { memberId, shareId, byUse: false });
    return sharedAsset(deps, memberId, shareId);
  });
}

/**
 * Accepts a share that is only offered, as it was offered or better, because its member starts to use it. With the terms that they
 * were shown, it is a yes to those.
 */
export async function acceptOnUse(
  deps: Deps,
  { seen, ...of }: { memberId: number; shareId: number; seen: Terms | undefined },
): Promise<Result<undefined>> {
  const { db, clock } = deps;
  const locked = await store.lockShareOfMember(db, of, clock());
  const [share] = locked ? await shares.readShares(db, { ...of, now: clock(), limit: 1 }) : [];
  if (!share) return shareNotFound();
  if (share.accepted_at !== null) return seen ? agreeTo(deps, share, seen) : ok(undefined);
  // Also in the moments between the start of the month and the upkeep that begins the access.
  if (share.starts_on !== null || share.promised_at !== null) return accessLater();
  const { shown, agreed: offered, currency } = share;
  const costsMoreNow = seen
    ? shown && !isAsShown(shown, currency, seen)
    : shown && (!offered || costsMore(shown, offered));
  if (costsMoreNow) return offerChanged();
  await store.acceptOffer(db, of.shareId, clock());
  await recordYes(deps, of.shareId, shown);
  await appendAccepted(deps, { ...of, byUse: true });
  return ok(undefined);
}

/** Agrees to what a share costs its member now, unless that is more than they were shown. */
export function agree(deps: Deps, memberId: number, shareId: number, seen: Terms): Promise<Result<SharedAsset>> {
  return transaction(deps, async (deps) => {
    const locked = await store.lockShareOfMember(deps.db, { shareId, memberId }, deps.clock());
    const now = deps.clock();
    const [share] = locked?.accepted ? await shares.readShares(deps.db, { memberId, shareId, now, limit: 1 }) : [];
    if (!share) return shareNotFound();
    const agreed = await agreeTo(deps, share, seen);
    return agreed.ok ? sharedAsset(deps, memberId, shareId) : agreed;
  });
}

async function agreeTo(
  deps: Deps,
  { id, member_id, shown, currency }: shares.StoredShare,
  seen: Terms,
): Promise<Result<undefined>> {
  if (!shown || !isAsShown(shown, currency, seen)) return offerChanged();
  await recordYes(deps, id, shown);
  await appendMessage(deps, 'share.agreed', { shareId: id, actorId: member_id }, {});
  return ok(undefined);
}

const appendAccepted = async (
  deps: Deps,
  { memberId, shareId, byUse }: { memberId: number; shareId: number; byUse: boolean },
): Promise<void> => {
  const assetId = await shares.assetOfShare(deps.db, shareId);
  await appendMessage(deps, 'share.accepted', { assetId, shareId, actorId: memberId }, { by_use: byUse });
};

/** Ends an offer to a member. */
export async function declineOffer(deps: Deps, memberId: number, shareId: number): Promise<Result<undefined>> {
  const share = { memberId, shareId, offered: true };
  const now = deps.clock();
  const declined = await transaction(deps, (deps) =>
    endShares(deps, openShares.leaving(share, now), {
      at: now,
      told: 'share.declined',
      actorId: memberId,
    }),
  );
  if (declined.length > 0) return ok(undefined);
  const [accepted] = await shares.readShares(deps.db, { ...share, now, limit: 1 });
  return accepted ? offerAccepted() : shareNotFound();
}

/**
 * Offers access again, with the same allowances, to the members of an asset that was archived for too long for their yes to still
 * count. Keeps that of a co-manager who restores it, and of people without an account, who can't be asked.
 */
export async function offerAgain(deps: Deps, { assetId, actorId }: Causes['assetRestoring']): Promise<void> {
  if (deps.config.SHARE_CONSENT === 'off') return;
  const now = deps.clock();
  const before = new Date(now.getTime() - ARCHIVED_MAX_MILLISECONDS);
  const { shareIds, archivedAt } = await store.sharesToOfferAgain(deps.db, { assetId, actorId, before });
  await endShares(deps, openShares.some(shareIds), { at: archivedAt });
  for (const { id: shareId, hours } of await store.insertOffersAgain(deps.db, shareIds, now)) {
    await recordOffer(deps, shareId);
    await appendMessage(deps, 'share.offered', { assetId, shareId, actorId }, { hours, accepted: false });
  }
}

/** Ends all offers that have certainly expired; run by the schedule. Reads treat them as ended even before. */
export async function endExpiredOffers(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  // Tells only the bell: no one lost access.
  await endShares(deps, openShares.expiredOffers(now), { at: now, told: 'share.ended' });
}
