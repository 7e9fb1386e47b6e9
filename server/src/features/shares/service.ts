import type { OwnedAsset } from '@hourshare/contract/assets';
import type {
  AcceptOfferRequest,
  AnswerTermsRequest,
  SharedAsset,
  ShareRequest,
  TrustedOwner,
} from '@hourshare/contract/shares';
import { Username } from '@hourshare/contract/accounts';
import { Id, toHours } from '@hourshare/contract/fields';
import { OPEN_OFFERS_BY_OWNER_MAX, OPEN_OFFERS_MAX } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { findUser } from '../accounts/service.ts';
import { assetArchived, assetNotFound } from '../assets/errors.ts';
import { ownedAsset } from '../assets/service.ts';
import { answerProposal } from '../periods/service.ts';
import {
  alreadyShared,
  offerAccepted,
  offerChanged,
  proposalEnded,
  shareNotFound,
  shareWithSelf,
  tooManyOffers,
  trustSelf,
  userNotFound,
} from './errors.ts';
import { deleteInvitationsOf } from './invitations/store.ts';
import { isAsSeen } from './rules.ts';
import * as store from './store.ts';
import { toPricing } from './wire.ts';

/**
 * Offers a user an allowance of an owner's asset. They have access at once if they accept this owner's offers without being
 * asked, or if the server asks no one. Returns the asset with its members and offers.
 */
export async function shareAsset(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { username, monthly_hours_allocated: allocationHours }: ShareRequest,
): Promise<Result<OwnedAsset>> {
  const asset = await store.findOwnedAsset(deps.db, { ownerId, assetId });
  if (!asset) return assetNotFound();
  if (asset.archived) return assetArchived();
  const member = await findUser(deps, username);
  if (!member) return userNotFound(username);
  if (member.id === ownerId) return shareWithSelf();
  const share = { assetId, memberId: member.id, allocationHours, now: deps.clock() };
  const outcome = await inTransaction(deps.db, async (db) => {
    const { shared, offers, offersOfOwner, trusted } = await store.lockOffersTo(db, { ...share, ownerId });
    if (shared) return 'shared';
    const accepted = trusted || deps.config.SHARE_CONSENT === 'off';
    if (!accepted && (offers >= OPEN_OFFERS_MAX || offersOfOwner >= OPEN_OFFERS_BY_OWNER_MAX)) return 'too_many';
    await store.endExpiredOffer(db, share);
    return store.insertShare(db, { ...share, accepted });
  });
  if (outcome === 'shared') return alreadyShared();
  if (outcome === 'too_many') return tooManyOffers();
  if (outcome === 'asset_gone') return assetNotFound();
  if (outcome === 'member_gone') return userNotFound(username);
  return ownedAsset(deps, ownerId, assetId);
}

/** Changes what a member may use each month, or what an offer gives, from now on. */
export async function changeShare(
  deps: Deps,
  share: { ownerId: number; assetId: number; shareId: number },
  allocationHours: number,
): Promise<Result<OwnedAsset>> {
  const changed = await store.setAllowance(deps.db, share, { allocationHours, now: deps.clock() });
  return changed ? ownedAsset(deps, share.ownerId, share.assetId) : shareNotFound();
}

/** Ends a share and its active session, or withdraws an offer; its history stays. */
export async function endShare(
  deps: Deps,
  share: { ownerId: number; assetId: number; shareId: number },
): Promise<Result<OwnedAsset>> {
  const ended = await inTransaction(deps.db, async (db) => {
    if (!(await store.endShare(db, share, deps.clock()))) return false;
    await deps.events.emit({ ...deps, db }, 'shareEnded', share);
    return true;
  });
  return ended ? ownedAsset(deps, share.ownerId, share.assetId) : shareNotFound();
}

/**
 * Accepts an offered share: from now on its member is charged. What they have seen, if given, must still be what is offered. An
 * accepted share stays as it is.
 */
export function acceptOffer(
  deps: Deps,
  memberId: number,
  shareId: number,
  seen: AcceptOfferRequest,
): Promise<Result<SharedAsset>> {
  return inTransaction(deps.db, async (db) => {
    const locked = await store.lockShare(db, { shareId, memberId }, deps.clock());
    const now = deps.clock();
    const [share] = locked ? await store.readShares(db, { memberId, shareId, now, limit: 1 }) : [];
    if (!share) return shareNotFound();
    if (locked?.accepted) return ok(toWire(share));
    const { offer, ...offered } = toWire(share);
    if (!isAsSeen({ ...offered, ...offer }, seen)) return offerChanged();
    await store.acceptOffer(db, shareId, now);
    return sharedAsset({ ...deps, db }, memberId, shareId);
  });
}

/** Accepts a share that is only offered, because its member starts to use it. Returns whether they have the share. */
export async function acceptOnUse({ db, clock }: Deps, share: { memberId: number; shareId: number }): Promise<boolean> {
  const locked = await store.lockShare(db, share, clock());
  if (locked && !locked.accepted) await store.acceptOffer(db, share.shareId, clock());
  return locked !== undefined;
}

export async function declineOffer({ db, clock }: Deps, memberId: number, shareId: number): Promise<Result<undefined>> {
  const share = { memberId, shareId };
  const now = clock();
  if (await store.endShareOfMember(db, share, { now, offered: true })) return ok(undefined);
  const [accepted] = await store.readShares(db, { ...share, now, limit: 1 });
  return accepted ? offerAccepted() : shareNotFound();
}

/** Ends a member's own share and its active session; use and charges up to now stay. */
export function leaveShare(deps: Deps, memberId: number, shareId: number): Promise<Result<undefined>> {
  return inTransaction(deps.db, async (db) => {
    if (!(await store.endShareOfMember(db, { memberId, shareId }, { now: deps.clock() }))) return shareNotFound();
    await deps.events.emit({ ...deps, db }, 'shareEnded', { shareId });
    return ok(undefined);
  });
}

/** Ends access, offers, and invitations when an asset is deleted, in the same transaction. */
export function handleAssetEvents({ events }: Deps): void {
  events.on('assetDeleted', async ({ db }, { assetId, now }) => {
    await store.endSharesOfAsset(db, assetId, now);
    await deleteInvitationsOf(db, assetId);
  });
}

/** Agrees, or not, that the terms an owner proposes apply to the current month. */
export async function answerTerms(
  deps: Deps,
  memberId: number,
  shareId: number,
  { proposal: proposalId, agreed }: AnswerTermsRequest,
): Promise<Result<undefined>> {
  if (!(await store.isShareOf(deps.db, { memberId, shareId }))) return shareNotFound();
  return (await answerProposal(deps, { proposalId, shareId, memberId, agreed })) ? ok(undefined) : proposalEnded();
}

/** Ends all offers that have certainly expired; run by the schedule. Reads treat them as ended even before. */
export async function endExpiredOffers({ db, confirmedTime }: Deps): Promise<void> {
  await store.endExpiredOffers(db, { now: await confirmedTime(db) });
}

export function listTrustedOwners(
  { db }: Deps,
  memberId: number,
  request: PageRequest,
): Promise<Result<Page<TrustedOwner>>> {
  return readPage(request, {
    key: Username,
    keyOf: ({ username }) => username,
    toItem: toTrustedOwner,
    read: async (page) => ok(await store.readTrustedOwners(db, { memberId, ...page })),
  });
}

/** From now on accepts an owner's offers without asking the member. */
export async function trustOwner(deps: Deps, memberId: number, username: string): Promise<Result<TrustedOwner>> {
  const owner = await findUser(deps, username);
  if (!owner) return userNotFound(username);
  if (owner.id === memberId) return trustSelf();
  const now = deps.clock();
  const inserted = await store.insertTrustedOwner(deps.db, { memberId, ownerId: owner.id, now });
  return inserted ? ok({ username: owner.username, since: inserted.toISOString() }) : userNotFound(username);
}

export async function distrustOwner({ db }: Deps, memberId: number, username: string): Promise<Result<undefined>> {
  return (await store.deleteTrustedOwner(db, { memberId, username })) ? ok(undefined) : userNotFound(username);
}

const toTrustedOwner = ({ username, created_at }: store.StoredTrustedOwner): TrustedOwner => ({
  username,
  since: created_at.toISOString(),
});

export function listShares(
  { db, clock }: Deps,
  memberId: number,
  { status, ...request }: PageRequest & { status?: 'open' | 'past' | undefined },
): Promise<Result<Page<SharedAsset>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toWire,
    read: async (page) => ok(await store.readShares(db, { memberId, past: status === 'past', now: clock(), ...page })),
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
    status: share.past ? 'past' : share.accepted_at === null ? 'offered' : 'accepted',
    offer:
      share.members === null
        ? null
        : { ...current, members: share.members, expires_at: share.expires_at.toISOString() },
    next_terms,
    proposed_terms: share.proposed_terms && {
      ...share.proposed_terms,
      proposed_at: new Date(share.proposed_terms.proposed_at).toISOString(),
    },
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
