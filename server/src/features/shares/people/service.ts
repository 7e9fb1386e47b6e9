import type { OwnedAsset } from '@hourshare/contract/assets';
import { toHours } from '@hourshare/contract/fields';
import { CLAIM_DAYS, PEOPLE_MAX } from '@hourshare/contract/limits';
import { toAmount } from '@hourshare/contract/money';
import type { AddPersonRequest, AssetToClaim, Claim, ClaimRequest } from '@hourshare/contract/shares';
import type { Causes } from '../../../causes.ts';
import type { Deps } from '../../../deps.ts';
import type { Database } from '../../../platform/database/database.ts';
import { transaction, undoableTransaction, Undone } from '../../../platform/database/transaction.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { hashToken } from '../../../platform/tokens.ts';
import { notSignedIn } from '../../users/errors.ts';
import { addGuest } from '../../accounts/guests/service.ts';
import { assetArchived, assetNotFound, ownerOnly } from '../../assets/errors.ts';
import { changeFirstTerms, managedAsset } from '../../assets/service.ts';
import { appendMessage } from '../../outbox/service.ts';
import { extendPeriods } from '../../periods/upkeep/service.ts';
import {
  alreadyShared,
  claimChanged,
  claimNotFound,
  claimOverlap,
  claimOwn,
  hoursMissing,
  shareNotFound,
  tooManyPeople,
} from '../errors.ts';
import { recordYes } from '../agreements/service.ts';
import { hoursOf } from '../rules.ts';
import { updateAccessInTime } from '../starts/service.ts';
import { endShares } from '../endings/service.ts';
import { openShares } from '../endings/store.ts';
import * as managers from '../managers/store.ts';
import { refuseStart } from '../offers/service.ts';
import { insertShare } from '../offers/store.ts';
import * as shares from '../store.ts';
import { toJoining, toPricing } from '../wire.ts';
import * as store from './store.ts';

// As for invitations: a token can't be guessed, and no household needs more.
export const FAILED_CLAIMS_BY_NETWORK: Limit = { name: 'claim by network', max: 60, windowSeconds: 3600 };

const LIFETIME_MILLISECONDS = CLAIM_DAYS * 24 * 3_600_000;

/** Gives someone without an account an allowance of an owner's asset, from now or a day on. Returns the asset. */
export function addGuestToAsset(
  deps: Deps,
  { ownerId, assetId }: { ownerId: number; assetId: number },
  { name, monthly_hours_allocated: hours, starts_on: startsOn, terms }: AddPersonRequest,
): Promise<Result<OwnedAsset>> {
  return undoableTransaction(deps, async (deps) => {
    const now = deps.clock();
    const asset = await managers.findManagedAsset(deps.db, { userId: ownerId, assetId }, now);
    if (!asset) return assetNotFound();
    if (asset.ownerId !== ownerId) return ownerOnly('guest_by_owner');
    if (asset.archived) return assetArchived();
    const allocationHours = hoursOf(asset, hours);
    if (allocationHours === undefined) return hoursMissing();
    const refusal =
      (await refuseStart(deps, { assetId, startsOn, now })) ??
      (await changeFirstTerms(deps, { userId: ownerId, assetId }, terms));
    if (refusal) return refusal;
    const guestId = await addGuest(deps.db, { hostId: ownerId, name, now });
    if (guestId === undefined) return notSignedIn();
    await shares.lockMember(deps.db, guestId);
    if ((await store.countOtherPeople(deps.db, { ownerId, guestId })) >= PEOPLE_MAX) return tooManyPeople();
    const share = { assetId, ownerId, memberId: guestId, allocationHours, accepted: true, startsOn, now };
    const outcome = await insertShare(deps.db, share);
    if (outcome === 'shared') return alreadyShared();
    if (outcome === 'asset_gone' || outcome === 'member_gone') return assetNotFound();
    await recordYes(deps, outcome);
    await appendMessage(deps, 'person.changed', { assetId, actorId: ownerId }, {});
    return managedAsset(deps, ownerId, assetId);
  });
}

/** Makes the link with which a person joins, instead of an earlier one. Only its hash is stored. */
export function createClaim(deps: Deps, share: store.ShareOfGuest, origin: string): Promise<Result<AssetToClaim>> {
  return transaction(deps, async (deps) => {
    const guestId = await store.lockGuest(deps.db, share);
    if (guestId === undefined) return refuseGuest(deps, share);
    if (!(await store.canJoin(deps.db, guestId))) return assetArchived();
    // 256 random bits.
    const token = `${deps.randomId()}${deps.randomId()}`;
    const now = deps.clock();
    const expiresAt = new Date(now.getTime() + LIFETIME_MILLISECONDS);
    await store.putClaim(deps.db, { guestId, tokenHash: hashToken(token), now, expiresAt });
    await noteGuest(deps, share);
    const asset = await managedAsset(deps, share.ownerId, share.assetId);
    if (!asset.ok) return asset;
    const link = `${deps.config.APP_URL ?? origin}/claim/${token}`;
    return ok({ ...asset.value, claim: { link, expires_at: expiresAt.toISOString() } });
  });
}

const noteGuest = (deps: Deps, { ownerId, assetId }: store.ShareOfGuest): Promise<void> =>
  appendMessage(deps, 'person.changed', { assetId, actorId: ownerId }, {});

/** Returns why a user can't make or end a person's link: they are only a co-manager, or there is no such person. */
const refuseGuest = async ({ db, clock }: Deps, { ownerId: userId, assetId, shareId }: store.ShareOfGuest) =>
  (await managers.findManagedShare(db, { userId, assetId, shareId }, clock()))?.person
    ? ownerOnly('guest_by_owner')
    : shareNotFound();

/** Ends the link of a person. Without one, nothing changes. */
export function revokeClaim(deps: Deps, share: store.ShareOfGuest): Promise<Result<OwnedAsset>> {
  return transaction(deps, async (deps) => {
    const guestId = await store.lockGuest(deps.db, share);
    if (guestId === undefined) return refuseGuest(deps, share);
    await store.deleteClaim(deps.db, guestId);
    await noteGuest(deps, share);
    return managedAsset(deps, share.ownerId, share.assetId);
  });
}

/** Returns what was recorded for a person, and what joining costs, to anyone who has the link. */
export async function readClaim(deps: Deps, token: string): Promise<Result<Claim>> {
  // As for invitations, no other public call reads an asset's current period.
  await extendPeriods(deps);
  await updateAccessInTime(deps);
  const claim = await claimOf(deps.db, { tokenHash: hashToken(token), now: deps.clock() });
  return claim ? ok(claim) : claimNotFound();
}

/**
 * Returns the open claim with this token; undefined if its person has no access to anything. Read in parts: what changes between
 * them changes the version, too, and then no one accepts it unseen.
 */
async function claimOf(db: Database, { tokenHash, now }: { tokenHash: string; now: Date }): Promise<Claim | undefined> {
  const claim = await store.findClaim(db, { tokenHash, now });
  if (!claim) return undefined;
  const { guestId } = claim;
  const assets = await store.claimedAssets(db, guestId, now);
  if (assets.length === 0) return undefined;
  return toWire({
    ...claim,
    assets,
    ...(await store.countClaimed(db, guestId)),
    latest: await store.latestClaimed(db, guestId),
    charges: await store.claimedCharges(db, guestId),
    months: await store.claimedMonths(db, guestId, now),
  });
}

/** Returns the person whom an open claim is about. */
export async function findClaimedGuest({ db, clock }: Deps, token: string): Promise<Result<number>> {
  const claim = await store.findClaim(db, { tokenHash: hashToken(token), now: clock() });
  return claim ? ok(claim.guestId) : claimNotFound();
}

/**
 * Makes a user a member in place of a person. If they accept what was recorded, all shares and unpaid charges of the person become
 * theirs. Otherwise those stay with the person, as paid by the owner, and the user has access from now on. The version they
 * have read, if given, must still be the current one.
 */
export function acceptClaim(
  deps: Deps,
  memberId: number,
  token: string,
  { charges, version }: ClaimRequest,
): Promise<Result<Claim>> {
  return transaction(deps, async (deps) => {
    const tokenHash = hashToken(token);
    const found = await store.lockClaim(deps.db, { tokenHash, memberId });
    if (!found) return claimNotFound();
    const { guestId, ownerId, hasMember } = found;
    if (!hasMember) return notSignedIn();
    if (memberId === ownerId) return claimOwn();
    const assetIds = await store.lockAssetsOfGuest(deps.db, guestId);
    // After the locks, which keep prices, terms, and sessions as they are.
    const now = deps.clock();
    const read = await claimOf(deps.db, { tokenHash, now });
    if (!read) return claimNotFound();
    if (version !== undefined && version !== read.version) return claimChanged();
    const accepted = charges === 'accept';
    const ids = { guestId, memberId };
    if (accepted && (await store.sharesAMonth(deps.db, ids))) return claimOverlap();
    await endShares(deps, openShares.archived(guestId), { at: now });
    for (const assetId of assetIds) await endShares(deps, openShares.offers({ assetId, memberId }), { at: now });
    await deps.react(deps, 'guestClaimed', { ...ids, accepted });
    let shareIds = await shares.openSharesOf(deps.db, guestId);
    if (accepted) await shares.moveShares(deps.db, { from: guestId, to: memberId });
    else {
      const ended = await endShares(deps, openShares.ofMember(guestId), { at: now });
      shareIds = await store.replaceShares(deps.db, { ...ids, shareIds: ended.map(({ shareId }) => shareId), now });
    }
    // Not to what they had access to already.
    for (const shareId of shareIds) await recordYes(deps, shareId);
    await store.deleteClaim(deps.db, guestId);
    const userIds = [ownerId, memberId];
    for (const assetId of assetIds)
      await appendMessage(deps, 'person.changed', { assetId, actorId: memberId, userIds }, {});
    return ok(read);
  });
}

/** Accepts the claim with which a new account registers, or throws Undone. */
export async function acceptClaimOfAccount(deps: Deps, { userId, claim }: Causes['userRegistered']): Promise<void> {
  if (claim === undefined) return;
  const accepted = await acceptClaim(deps, userId, claim.token, claim);
  if (!accepted.ok) throw new Undone(accepted);
}

/** Deletes all links that have certainly expired; run by the schedule. */
export async function deleteExpiredClaims({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredClaims(db, await confirmedTime(db));
}

/** What a claim is put together from. */
interface ClaimParts extends store.StoredClaim {
  assets: store.ClaimedAsset[];
  sessions: number;
  seconds: number;
  latest: store.ClaimedSession[];
  charges: store.ClaimedCharges[];
  months: string[];
}

function toWire({ username, owner, charges, months, ...claim }: ClaimParts): Claim {
  const read = {
    name: username.slice(0, -` (${owner})`.length),
    owner,
    assets: claim.assets.map((asset) => ({
      asset_name: asset.asset_name,
      monthly_hours_allocated: asset.allocation_hours,
      ...toPricing(asset),
      ...toJoining(asset, asset.currency),
    })),
    sessions: claim.sessions,
    hours: toHours(claim.seconds),
    latest_sessions: claim.latest.map((session) => ({
      asset_name: session.asset_name,
      start_time: session.started_at.toISOString(),
      end_time: session.ended_at.toISOString(),
    })),
    charges: charges.reduce((count, each) => count + each.count, 0),
    open_charges: charges.map(({ currency, cents }) => ({ currency, amount: toAmount(cents, currency) })),
    expires_at: claim.expiresAt.toISOString(),
  };
  return { ...read, version: hashToken(JSON.stringify([read, months])) };
}
