import { INVITATION_DAYS } from '@hourshare/contract/limits';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SeenOffer } from '@hourshare/contract/fields';
import type {
  AcceptOfferRequest,
  CreateInvitationRequest,
  Invitation,
  InvitedAsset,
  SharedAsset,
} from '@hourshare/contract/shares';
import type { Causes } from '../../../causes.ts';
import type { Deps } from '../../../deps.ts';
import { transaction, undoableTransaction, Undone } from '../../../platform/database/transaction.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { hashToken } from '../../../platform/tokens.ts';
import { notSignedIn } from '../../users/errors.ts';
import { assetArchived, assetNotFound } from '../../assets/errors.ts';
import { changeFirstTerms, noteChange, managedAsset } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { extendPeriods } from '../../periods/upkeep/service.ts';
import {
  hoursMissing,
  invitationNotFound,
  invitedToArchived,
  inviteSelf,
  memberAlready,
  noSuchInvitation,
  offerChanged,
  tooManyInvitations,
} from '../errors.ts';
import { updateAccessInTime } from '../starts/service.ts';
import { sharedAsset } from '../service.ts';
import { costsMoreThanSeen, recordYes } from '../agreements/service.ts';
import { hoursOf } from '../rules.ts';
import { endShares } from '../endings/service.ts';
import { openShares } from '../endings/store.ts';
import { refuseStart } from '../offers/service.ts';
import { insertShare } from '../offers/store.ts';
import { lockMember } from '../store.ts';
import { toJoining, toPricing } from '../wire.ts';
import * as store from './store.ts';

const LIFETIME_MILLISECONDS = INVITATION_DAYS * 24 * 3_600_000;

/** Makes a link that gives access to whoever accepts it first. Only its hash is stored, so it can't be shown again. */
export function createInvitation(
  deps: Deps,
  { userId, assetId, origin }: { userId: number; assetId: number; origin: string },
  { monthly_hours_allocated: hours, starts_on: startsOn, terms }: CreateInvitationRequest,
): Promise<Result<InvitedAsset>> {
  return undoableTransaction(deps, async (deps) => {
    const now = deps.clock();
    const failure = await changeFirstTerms(deps, { userId, assetId }, terms);
    if (failure) return failure;
    const locked = await store.lockAssetForInvitation(deps.db, { userId, assetId, now });
    if (!locked) return assetNotFound();
    if (locked.archived) return assetArchived();
    const allocationHours = hoursOf(locked, hours);
    if (allocationHours === undefined) return hoursMissing();
    if (locked.isFull) return tooManyInvitations();
    const refusal = await refuseStart(deps, { assetId, startsOn, now });
    if (refusal) return refusal;
    // 256 random bits.
    const token = `${deps.randomId()}${deps.randomId()}`;
    const expiresAt = new Date(now.getTime() + LIFETIME_MILLISECONDS);
    const id = await store.insertInvitation(deps.db, {
      assetId,
      makerId: userId,
      tokenHash: hashToken(token),
      allocationHours,
      startsOn,
      now,
      expiresAt,
    });
    await noteChange(deps.db, { assetId, userId, kind: 'invited', now });
    await appendMessage(deps, 'invitation.changed', { assetId, actorId: userId }, {});
    const asset = await managedAsset(deps, userId, assetId);
    if (!asset.ok) return asset;
    const invitation = {
      id,
      link: `${deps.config.APP_URL ?? origin}/invite/${token}`,
      expires_at: expiresAt.toISOString(),
      monthly_hours_allocated: allocationHours,
    };
    return ok({ ...asset.value, invitation });
  });
}

/** Revokes an invitation to an asset that a user manages. */
export function revokeInvitation(
  deps: Deps,
  invitation: { userId: number; assetId: number; invitationId: number },
): Promise<Result<OwnedAsset>> {
  return transaction(deps, async (deps) => {
    const { userId, assetId } = invitation;
    const now = deps.clock();
    if (!(await store.deleteInvitation(deps.db, { ...invitation, now }))) return noSuchInvitation();
    await noteChange(deps.db, { assetId, userId, kind: 'revoked', now });
    await appendMessage(deps, 'invitation.changed', { assetId, actorId: userId }, {});
    return managedAsset(deps, userId, assetId);
  });
}

/** Returns what the link with this token offers, to anyone who has it. */
export async function readInvitation(deps: Deps, token: string): Promise<Result<Invitation>> {
  // No other public call reads an asset's current period.
  await extendPeriods(deps);
  await updateAccessInTime(deps);
  const invitation = await store.readInvitation(deps.db, { tokenHash: hashToken(token), now: deps.clock() });
  if (!invitation) return invitationNotFound();
  return invitation.archived ? invitedToArchived() : ok(toWire(invitation));
}

/**
 * Gives a user the access that an invitation offers, and uses it up. Nothing happens if it costs more than what they have seen. After any
 * failure, the invitation stays as it was.
 */
export function acceptInvitation(
  deps: Deps,
  memberId: number,
  token: string,
  seen: AcceptOfferRequest,
): Promise<Result<SharedAsset>> {
  return undoableTransaction(deps, async (deps) => {
    const shareId = await redeemInvitation(deps, memberId, token, seen);
    return shareId.ok ? sharedAsset(deps, memberId, shareId.value) : shareId;
  });
}

async function redeemInvitation(
  deps: Deps,
  memberId: number,
  token: string,
  seen: SeenOffer = {},
): Promise<Result<number>> {
  const { db, clock } = deps;
  const tokenHash = hashToken(token);
  await lockMember(db, memberId);
  // After the wait for the member, and before the one for the invitation, which has hours.
  const now = clock();
  const invitation = await store.lockInvitation(db, { tokenHash, now });
  if (!invitation) return invitationNotFound();
  const { id, assetId, ownerId, makerId, archived, allocationHours, startsOn } = invitation;
  if (memberId === ownerId || memberId === makerId) return inviteSelf();
  if (archived) return invitedToArchived();
  const offered = await store.readInvitation(db, { tokenHash, now });
  if (!offered || costsMoreThanSeen(offered, seen)) return offerChanged();
  await endShares(deps, openShares.offers({ assetId, memberId }), { at: now });
  const outcome = await insertShare(db, {
    assetId,
    memberId,
    allocationHours,
    accepted: true,
    counted: makerId === ownerId,
    startsOn,
    now,
  });
  if (outcome === 'shared') return memberAlready();
  if (outcome === 'asset_gone') return invitationNotFound();
  if (outcome === 'member_gone') return notSignedIn();
  await recordYes(deps, outcome, offered.shown);
  await store.deleteUsedInvitation(db, id);
  await appendMessage(deps, 'invitation.accepted', { shareId: outcome, actorId: memberId }, {});
  return ok(outcome);
}

/** Deletes all invitations that have certainly expired; run by the schedule. */
export async function deleteExpiredInvitations({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredInvitations(db, await confirmedTime(db));
}

/** Throws Undone unless an invitation is open with which someone asks for an account. */
export async function requireInvitation({ db, clock }: Deps, { invitation }: Causes['registering']): Promise<void> {
  const open = await store.readInvitation(db, { tokenHash: hashToken(invitation), now: clock() });
  if (!open) throw new Undone(invitationNotFound());
}

/** Accepts the invitation with which a new account registers, or throws Undone. */
export async function acceptInvitationOfAccount(
  deps: Deps,
  { userId, invitation, seen }: Causes['userRegistered'],
): Promise<void> {
  if (invitation === undefined) return;
  const accepted = await redeemInvitation(deps, userId, invitation, seen);
  if (!accepted.ok) throw new Undone(accepted);
}

const toWire = (invitation: store.StoredInvitation): Invitation => ({
  asset_name: invitation.name,
  owner: invitation.owner,
  monthly_hours_allocated: invitation.allocation_hours,
  ...toPricing(invitation),
  ...toJoining(invitation, invitation.currency),
  expires_at: invitation.expires_at.toISOString(),
});
