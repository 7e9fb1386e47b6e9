import type { CreateAssetRequest, OwnedAsset, UpdateAssetRequest } from '@hourshare/contract/assets';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import { toHours } from '@hourshare/contract/fields';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound, unknownTimeZone } from './errors.ts';
import { toCents, toDollars } from './rules.ts';
import * as store from './store.ts';

export async function listAssets(
  { db, clock }: Deps,
  ownerId: number,
): Promise<Result<{ results: OwnedAsset[]; next: null }>> {
  const assets = await store.ownedAssets(db, { ownerId, now: clock(), limit: LIST_PAGE_SIZE });
  return ok({ results: assets.map(toWire), next: null });
}

export async function ownedAsset({ db, clock }: Deps, ownerId: number, assetId: number): Promise<Result<OwnedAsset>> {
  const [asset] = await store.ownedAssets(db, { ownerId, assetId, now: clock(), limit: 1 });
  return asset ? ok(toWire(asset)) : assetNotFound();
}

/** Adds an asset whose price holds from the current month on. */
export async function createAsset(
  deps: Deps,
  ownerId: number,
  { name, description, subscription_cost, time_zone: timeZone = 'UTC' }: CreateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (!(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return inTransaction(deps.db, async (db) => {
    const asset = { ownerId, name, description, timeZone, priceCents: toCents(subscription_cost), now: deps.clock() };
    return ownedAsset({ ...deps, db }, ownerId, await store.insertAsset(db, asset));
  });
}

export async function updateAsset(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { name, description }: UpdateAssetRequest,
): Promise<Result<OwnedAsset>> {
  const changes = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
  if (Object.keys(changes).length > 0 && !(await store.updateAsset(deps.db, { ownerId, assetId }, changes)))
    return assetNotFound();
  return ownedAsset(deps, ownerId, assetId);
}

function toWire({ price_cents, entries, ...asset }: store.StoredAsset): OwnedAsset {
  return {
    ...asset,
    subscription_cost: toDollars(price_cents),
    shared_with: entries.map((entry) => ({
      id: entry.id,
      pending: false,
      shared_with_username: entry.username,
      monthly_hours_allocated: entry.allocation_hours,
      usage_this_month: toHours(entry.used_seconds),
      active_session: entry.active,
    })),
  };
}
