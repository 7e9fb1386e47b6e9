import type { OwnedAsset } from '@hourshare/contract/assets';
import type { AcceptOfferRequest, SharedAsset, ShareRequest, UpdateShareRequest } from '@hourshare/contract/shares';
import type { ExportedShare } from '@hourshare/contract/exports';
import { hueOf, Id, toHours, type Terms } from '@hourshare/contract/fields';
import { toAmount } from '@hourshare/contract/money';
import { sentence } from '@hourshare/contract/sentences';
import {
  MANAGERS_MAX,
  OFFERS_PER_DAY_MAX,
  OPEN_OFFERS_BY_OWNER_MAX,
  OPEN_OFFERS_MAX,
} from '@hourshare/contract/limits';
import type { Causes } from '../../causes.ts';
import type { Deps } from '../../deps.ts';
import { transaction, undoableTransaction } from '../../platform/database/transaction.ts';
import type { Client } from '../../platform/http/client.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { failField, ok, type Failure, type Result } from '../../platform/result.ts';
import { recordForBoth } from '../security-events/service.ts';
import { deleteStandIns } from '../accounts/deletion/service.ts';
import { findUser } from '../users/service.ts';
import { assetArchived, assetNotFound, ownerOnly } from '../assets/errors.ts';
import { costOfAll, costsMore, toWireTerms, type AgreedTerms } from '../assets/terms/service.ts';
import { changeFirstTerms, noteChange, managedAsset } from '../assets/service.ts';
import { appendMessage } from '../outbox/service.ts';
import {
  accessLater,
  alreadyShared,
  hoursRequired,
  managerUnfit,
  offerAccepted,
  offerChanged,
  offersRefused,
  shareNotFound,
  shareWithSelf,
  tooManyManagers,
  tooManyOffers,
  tooManyOffersToday,
  userNotFound,
} from './errors.ts';
import { deleteInvitationsOf, deleteInvitationsOfUser } from './invitations/store.ts';
import { deleteClaimsOfHost } from './people/store.ts';
import { isAsShown, costsMoreThanSeen, recordOffer, recordYes } from './agreements/service.ts';
import { lockTermsToOffer } from './agreements/store.ts';
import { hoursOf } from './rules.ts';
import * as store from './store.ts';
import { toHandover, toPricing } from './wire.ts';

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
  const asset = await store.findManagedAsset(deps.db, { userId, assetId }, deps.clock());
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
    await endShares(deps, store.openShares.offers(share), { at: share.now });
    const counted = ownerId === userId;
    const added = await store.insertShare(deps.db, { ...share, ownerId, accepted, counted });
    if (added === 'shared') return alreadyShared();
    if (added === 'member_gone') return userNotFound(username);
    // Checked again, because the user may have stopped being a co-manager during the wait for the lock.
    if (added === 'asset_gone' || !(await store.findManagedAsset(deps.db, { userId, assetId }, share.now)))
      return assetNotFound();
    await (accepted ? recordYes(deps, added, trusted) : recordOffer(deps, added));
    await noteChange(deps.db, { assetId, userId, kind: 'shared', shareId: added, now: share.now });
    const event = { assetId, shareId: added, actorId: userId };
    await appendMessage(deps, 'share.offered', event, { hours: allocationHours, accepted });
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

/** Returns the terms of an offer if all of it costs at most what its member accepts without being asked. */
async function termsWithin(
  { db }: Deps,
  offer: Parameters<typeof lockTermsToOffer>[1],
  { maxCents, currency }: { maxCents: number | null; currency: string | null },
): Promise<AgreedTerms | undefined> {
  const terms = await lockTermsToOffer(db, offer);
  if (!terms || maxCents === null) return terms?.shown;
  return terms.currency === currency && costOfAll(terms.shown) <= maxCents ? terms.shown : undefined;
}

/** Changes a member's or an offer's allowance, and whether the member co-manages the asset, from now on. */
export function changeShare(
  deps: Deps,
  share: store.ManagedShare,
  { monthly_hours_allocated: allocationHours, manager }: UpdateShareRequest,
  by: Client,
): Promise<Result<OwnedAsset>> {
  return undoableTransaction(deps, async (deps) => {
    // Read first, because a user who is no longer a co-manager can't read the asset as one.
    const before = manager === false ? await managedAsset(deps, share.userId, share.assetId) : undefined;
    if (manager !== undefined) {
      const refusal = await setManager(deps, share, manager, by);
      if (refusal) return refusal;
    }
    if (allocationHours !== undefined) {
      const before = await store.setAllowance(deps.db, share, { allocationHours, now: deps.clock() });
      if (before === undefined) return refuseShare(deps, share);
      const event = { assetId: share.assetId, shareId: share.shareId, actorId: share.userId };
      const hours = { from_hours: before, to_hours: allocationHours };
      if (before !== allocationHours) {
        await appendMessage(deps, 'share.changed', event, hours);
        await noteChange(deps.db, { ...share, kind: 'hours', now: deps.clock() });
      }
    }
    const asset = await managedAsset(deps, share.userId, share.assetId);
    return asset.ok || !before?.ok ? asset : ok(withoutManager(before.value, share.shareId));
  });
}

const withoutManager = (asset: OwnedAsset, shareId: number): OwnedAsset => ({
  ...asset,
  shared_with: asset.shared_with.map((entry) => (entry.id === shareId ? { ...entry, manager: false } : entry)),
});

/** Makes a member a co-manager, as the owner, or ends the role, also as that member. Returns why not if it fails. */
async function setManager(
  deps: Deps,
  share: store.ManagedShare,
  manager: boolean,
  by: Client,
): Promise<Failure | undefined> {
  const { db } = deps;
  const now = deps.clock();
  const found = await store.lockShareToManage(db, share, now);
  if (!found) return shareNotFound();
  const { userId } = share;
  const { ownerId, memberId } = found;
  if (ownerId !== userId && (memberId !== userId || manager)) return ownerOnly('manager_by_owner');
  if (found.manager === manager) return undefined;
  if (manager && !found.fit) return managerUnfit();
  if (manager && found.managers >= MANAGERS_MAX) return tooManyManagers();
  if (!(await store.setManager(db, { shareId: share.shareId, manager, now }))) return shareNotFound();
  const event = manager ? 'manager_named' : 'manager_removed';
  const about = { assetId: share.assetId, shareId: share.shareId, actorId: userId };
  await appendMessage(deps, 'manager.changed', about, { change: manager ? 'added' : 'removed' });
  await recordForBoth(deps, event, { accounts: [ownerId, memberId], actorId: userId, by });
  return undefined;
}

/** Returns why a user can't change a share: a co-manager may not decide about it, or they manage no asset with this share. */
async function refuseShare({ db, clock }: Deps, share: store.ManagedShare): Promise<Failure> {
  const found = await store.findManagedShare(db, share, clock());
  if (!found) return shareNotFound();
  return ownerOnly(found.person ? 'guest_by_owner' : 'manager_by_owner');
}

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
export async function endShare(deps: Deps, share: store.ManagedShare): Promise<Result<OwnedAsset>> {
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

/**
 * Accepts an offered share: its member is charged starting now, or on the day on which it starts. Nothing is accepted if it costs more
 * than what they have seen. An accepted share stays as it is.
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
    const [share] = locked ? await store.readShares(deps.db, { memberId, shareId, now, limit: 1 }) : [];
    if (!share) return shareNotFound();
    if (locked?.accepted) return ok(toWire(share));
    if (share.shown && costsMoreThanSeen({ ...share, shown: share.shown }, seen)) return offerChanged();
    await store.acceptOffer(deps.db, shareId, now);
    await recordYes(deps, shareId, share.shown);
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
  const [share] = locked ? await store.readShares(db, { ...of, now: clock(), limit: 1 }) : [];
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
    const [share] = locked?.accepted ? await store.readShares(deps.db, { memberId, shareId, now, limit: 1 }) : [];
    if (!share) return shareNotFound();
    const agreed = await agreeTo(deps, share, seen);
    return agreed.ok ? sharedAsset(deps, memberId, shareId) : agreed;
  });
}

async function agreeTo(
  deps: Deps,
  { id, member_id, shown, currency }: store.StoredShare,
  seen: Terms,
): Promise<Result<undefined>> {
  if (!shown || !isAsShown(shown, currency, seen)) return offerChanged();
  await recordYes(deps, id, shown);
  await appendMessage(deps, 'share.agreed', { shareId: id, actorId: member_id }, {});
  return ok(undefined);
}

/** Counts what a co-manager added in a share, as the owner. */
export function confirmShare(deps: Deps, share: store.ManagedShare): Promise<Result<OwnedAsset>> {
  return transaction(deps, async (deps) => {
    if (!(await store.countAllHours(deps.db, share, deps.clock()))) return refuseShare(deps, share);
    const { userId: actorId, assetId, shareId } = share;
    await appendMessage(deps, 'share.confirmed', { assetId, shareId, actorId }, {});
    return managedAsset(deps, actorId, assetId);
  });
}

const appendAccepted = async (
  deps: Deps,
  { memberId, shareId, byUse }: { memberId: number; shareId: number; byUse: boolean },
): Promise<void> => {
  const assetId = await store.assetOfShare(deps.db, shareId);
  await appendMessage(deps, 'share.accepted', { assetId, shareId, actorId: memberId }, { by_use: byUse });
};

export async function declineOffer(deps: Deps, memberId: number, shareId: number): Promise<Result<undefined>> {
  const share = { memberId, shareId, offered: true };
  const now = deps.clock();
  const declined = await transaction(deps, (deps) =>
    endShares(deps, store.openShares.leaving(share, now), {
      at: now,
      told: 'share.declined',
      actorId: memberId,
    }),
  );
  if (declined.length > 0) return ok(undefined);
  const [accepted] = await store.readShares(deps.db, { ...share, now, limit: 1 });
  return accepted ? offerAccepted() : shareNotFound();
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

/**
 * Offers access again, with the same allowances, to the members of an asset that was archived for too long for their yes to still
 * count. Keeps that of a co-manager who restores it, and of people without an account, who can't be asked.
 */
export async function offerAgain(deps: Deps, { assetId, actorId }: Causes['assetRestoring']): Promise<void> {
  if (deps.config.SHARE_CONSENT === 'off') return;
  const now = deps.clock();
  const before = new Date(now.getTime() - ARCHIVED_MAX_MILLISECONDS);
  const { shareIds, archivedAt } = await store.sharesToOfferAgain(deps.db, { assetId, actorId, before });
  await endShares(deps, store.openShares.some(shareIds), { at: archivedAt });
  for (const { id: shareId, hours } of await store.insertOffersAgain(deps.db, shareIds, now)) {
    await recordOffer(deps, shareId);
    await appendMessage(deps, 'share.offered', { assetId, shareId, actorId }, { hours, accepted: false });
  }
}

/** Ends access to a deleted asset, its offers, and its invitations. */
export async function endSharesOfAsset(deps: Deps, { assetId, now }: Causes['assetDeleted']): Promise<void> {
  await endShares(deps, store.openShares.ofAsset(assetId), { at: now, cause: 'asset' });
  await deleteInvitationsOf(deps.db, assetId);
}

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
  await endShares(deps, store.openShares.ofMember(userId), { at: deps.clock(), told: 'share.ended' });
  await store.moveShares(deps.db, { from: userId, to: standInId });
  for (const id of await store.usersAround(deps.db, [userId, standInId])) seenBy.add(id);
}

/** Removes stand-ins of deleted accounts that have nothing left that others need. */
export const removeStandIns = ({ db }: Deps): Promise<void> => deleteStandIns(db, store.holdsNothing);

/** Ends all offers that have certainly expired; run by the schedule. Reads treat them as ended even before. */
export async function endExpiredOffers(deps: Deps): Promise<void> {
  const now = await deps.confirmedTime(deps.db);
  // Tells only the bell: no one lost access.
  await endShares(deps, store.openShares.expiredOffers(now), { at: now, told: 'share.ended' });
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

export function listShares(
  { db, clock }: Deps,
  memberId: number,
  { status, own, ...request }: PageRequest & { status?: 'open' | 'past' | undefined; own?: 'include' | undefined },
): Promise<Result<Page<SharedAsset>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toWire,
    read: async (page) => {
      const which = { past: status === 'past', own: own === 'include' };
      return ok(await store.readShares(db, { memberId, ...which, now: clock(), ...page }));
    },
  });
}

export async function sharedAsset(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
): Promise<Result<SharedAsset>> {
  const [share] = await store.readShares(db, { memberId, shareId, now: clock(), limit: 1 });
  return share ? ok(toWire(share)) : shareNotFound();
}

function toWire(share: store.StoredShare): SharedAsset {
  const usedHours = toHours(share.used_seconds);
  const { next_terms, ...current } = toPricing(share);
  return {
    id: share.id,
    asset_name: share.name,
    owner: share.owner,
    owner_hue: hueOf(share.owner_id),
    status: share.past ? 'past' : share.accepted_at === null ? 'offered' : 'accepted',
    accepted: share.accepted_at !== null || share.promised_at !== null,
    starts_on: share.starts_on,
    manager_since: share.past ? null : (share.manager_since?.toISOString() ?? null),
    offer:
      share.members === null
        ? null
        : { ...current, members: share.members, expires_at: share.expires_at.toISOString() },
    next_terms,
    own: share.own,
    measured: share.measured,
    terms: share.shown && toWireTerms(share.shown, share.currency),
    cost_of_all: share.shown && toAmount(costOfAll(share.shown), share.currency),
    agreed: share.agreed && share.accepted_at !== null ? toWireTerms(share.agreed, share.currency) : null,
    asked:
      share.accepted_at !== null &&
      share.shown !== null &&
      share.agreed !== null &&
      costsMore(share.shown, share.agreed),
    handover: share.handover && toHandover(share.handover),
    next_owner: share.next_owner,
    shared_at: share.created_at.toISOString(),
    ended_at: share.ended_at?.toISOString() ?? null,
    monthly_hours_allocated: share.allocation_hours,
    current_usage: usedHours,
    usage_this_month: usedHours,
    active_session: share.active_since !== null,
    active_since: share.active_since?.toISOString() ?? null,
    last_used_at: share.last_used_at?.toISOString() ?? null,
    asset: { id: share.asset_id, name: share.name, description: share.description, owner: share.owner },
  };
}
