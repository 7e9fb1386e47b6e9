import type { OwnedAsset } from '@hourshare/contract/assets';
import { toHours } from '@hourshare/contract/fields';
import { CLAIM_DAYS, PEOPLE_MAX } from '@hourshare/contract/limits';
import { toAmount } from '@hourshare/contract/money';
import type { AddPersonRequest, AssetToClaim, Claim, ClaimRequest } from '@hourshare/contract/shares';
import type { Deps } from '../../../deps.ts';
import { inTransaction, inUndoableTransaction, Undone } from '../../../platform/database/transaction.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { hashToken } from '../../../platform/tokens.ts';
import { notSignedIn } from '../../accounts/errors.ts';
import { keepPerson } from '../../accounts/service.ts';
import { assetArchived, assetNotFound } from '../../assets/errors.ts';
import { ownedAsset } from '../../assets/service.ts';
import { extendWindows } from '../../periods/service.ts';
import {
  alreadyShared,
  claimChanged,
  claimNotFound,
  claimOverlap,
  claimOwn,
  shareNotFound,
  tooManyPeople,
} from '../errors.ts';
import { isAsSeen } from '../rules.ts';
import * as shares from '../store.ts';
import * as store from './store.ts';

const LIFETIME_MILLISECONDS = CLAIM_DAYS * 24 * 3_600_000;

/** Gives someone without an account an allowance of an owner's asset from now on. Returns the asset. */
export function addPerson(
  deps: Deps,
  { ownerId, assetId }: { ownerId: number; assetId: number },
  { name, monthly_hours_allocated: allocationHours }: AddPersonRequest,
): Promise<Result<OwnedAsset>> {
  return inUndoableTransaction(deps.db, async (db) => {
    const asset = await shares.findOwnedAsset(db, { ownerId, assetId });
    if (!asset) return assetNotFound();
    if (asset.archived) return assetArchived();
    const now = deps.clock();
    const personId = await keepPerson(db, { keeperId: ownerId, name, now });
    if (personId === undefined) return notSignedIn();
    await shares.lockMember(db, personId);
    if ((await store.countOtherPeople(db, { ownerId, personId })) >= PEOPLE_MAX) return tooManyPeople();
    const share = { assetId, memberId: personId, allocationHours, accepted: true, now };
    const outcome = await shares.insertShare(db, share);
    if (outcome === 'shared') return alreadyShared();
    if (outcome === 'asset_gone' || outcome === 'member_gone') return assetNotFound();
    return ownedAsset({ ...deps, db }, ownerId, assetId);
  });
}

/** Makes the link with which a person joins, instead of an earlier one. Only its hash is stored. */
export function createClaim(deps: Deps, share: store.ShareOfPerson, origin: string): Promise<Result<AssetToClaim>> {
  return inTransaction(deps.db, async (db) => {
    const personId = await store.lockPerson(db, share);
    if (personId === undefined) return shareNotFound();
    // 256 random bits.
    const token = `${deps.randomId()}${deps.randomId()}`;
    const now = deps.clock();
    const expiresAt = new Date(now.getTime() + LIFETIME_MILLISECONDS);
    await store.putClaim(db, { personId, tokenHash: hashToken(token), now, expiresAt });
    const asset = await ownedAsset({ ...deps, db }, share.ownerId, share.assetId);
    if (!asset.ok) return asset;
    const link = `${deps.config.APP_URL ?? origin}/claim/${token}`;
    return ok({ ...asset.value, claim: { link, expires_at: expiresAt.toISOString() } });
  });
}

/** Ends the link of a person. Without one, nothing changes. */
export function revokeClaim(deps: Deps, share: store.ShareOfPerson): Promise<Result<OwnedAsset>> {
  return inTransaction(deps.db, async (db) => {
    const personId = await store.lockPerson(db, share);
    if (personId === undefined) return shareNotFound();
    await store.deleteClaim(db, personId);
    return ownedAsset({ ...deps, db }, share.ownerId, share.assetId);
  });
}

/** Returns what was recorded for a person, in all, to anyone who has the link. */
export async function readClaim({ db, clock }: Deps, token: string): Promise<Result<Claim>> {
  const claim = await store.readClaim(db, { tokenHash: hashToken(token), now: clock() });
  return claim ? ok(toWire(claim)) : claimNotFound();
}

/**
 * Gives a user what was recorded in their name: the person's shares and, if they accept them, the unpaid charges. Otherwise
 * those stay with the person, as paid by the owner. What the user has seen, if given,
 * must still be so.
 */
export function acceptClaim(
  deps: Deps,
  memberId: number,
  token: string,
  { charges, seen }: { charges: ClaimRequest['charges']; seen?: Record<string, unknown> | undefined },
): Promise<Result<Claim>> {
  return inTransaction(deps.db, async (db) => {
    const tokenHash = hashToken(token);
    const found = await store.lockClaim(db, { tokenHash, memberId });
    if (!found) return claimNotFound();
    const { personId, ownerId, hasMember } = found;
    if (!hasMember) return notSignedIn();
    const now = deps.clock();
    const claim = await store.readClaim(db, { tokenHash, now });
    if (!claim) return claimNotFound();
    if (memberId === ownerId) return claimOwn();
    const offered = toWire(claim);
    if (!isAsSeen(offered, seen ?? {})) return claimChanged();
    const accepted = charges === 'accept';
    const ids = { personId, memberId };
    const assetIds = await store.lockAssetsOfPerson(db, personId);
    if (await store.sharesAMonth(db, { ...ids, accepted })) return claimOverlap();
    for (const assetId of assetIds) {
      await shares.endOffer(db, { assetId, memberId, now });
      // They get a day to look at months that have ended, as after a late edit.
      const before = { startedAt: new Date(0), endedAt: now };
      await extendWindows(db, { assetId, before, after: undefined, now });
    }
    await deps.events.emit({ ...deps, db }, 'personClaimed', { ...ids, accepted });
    await store.moveShares(db, ids);
    await store.deleteClaim(db, personId);
    return ok(offered);
  });
}

/** A claim that leads to an account is accepted along with it, or there is no account. */
export function handleAccountEvents({ events }: Deps): void {
  events.on('userRegistered', async (deps, { userId, claim, seen }) => {
    if (claim === undefined) return;
    const accepted = await acceptClaim(deps, userId, claim.token, { charges: claim.charges, seen });
    if (!accepted.ok) throw new Undone(accepted);
  });
}

/** Deletes all links that have certainly expired; run by the schedule. */
export async function deleteExpiredClaims({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteExpiredClaims(db, await confirmedTime(db));
}

const toWire = ({ username, owner, open_charges: charges, ...claim }: store.StoredClaim): Claim => ({
  name: username.slice(0, -` (${owner})`.length),
  owner,
  assets: claim.assets,
  sessions: claim.sessions,
  hours: toHours(claim.seconds),
  charges: charges.reduce((count, each) => count + each.count, 0),
  open_charges: charges.map(({ currency, cents }) => ({ currency, amount: toAmount(cents, currency) })),
  expires_at: claim.expires_at.toISOString(),
});
