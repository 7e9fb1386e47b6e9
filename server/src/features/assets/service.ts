import type { CreateAssetRequest, OwnedAsset, UpdateAssetRequest } from '@hourshare/contract/assets';
import { Id, toAmount, toCents, toHours } from '@hourshare/contract/fields';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { closeEndedMonths } from '../costs/service.ts';
import { assetNotFound, unknownTimeZone } from './errors.ts';
import * as store from './store.ts';

export function listAssets(
  { db, clock }: Deps,
  ownerId: number,
  request: PageRequest,
): Promise<Result<Page<OwnedAsset>>> {
  return readPage(request, {
    key: Id,
    keyOf: ({ id }) => id,
    toItem: toWire,
    read: async (page) => ok(await store.ownedAssets(db, { ownerId, now: clock(), ...page })),
  });
}

export async function ownedAsset({ db, clock }: Deps, ownerId: number, assetId: number): Promise<Result<OwnedAsset>> {
  const [asset] = await store.ownedAssets(db, { ownerId, assetId, now: clock(), limit: 1 });
  return asset ? ok(toWire(asset)) : assetNotFound();
}

/** Adds an asset whose price holds from the current month on. */
export async function createAsset(
  deps: Deps,
  ownerId: number,
  { subscription_cost: cost, time_zone: timeZone = 'UTC', ...plain }: CreateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (!(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return inTransaction(deps.db, async (db) => {
    const asset = { ...given(plain), owner_id: ownerId, time_zone: timeZone };
    const id = await store.insertAsset(db, asset, { priceCents: toCents(cost), now: deps.clock() });
    return ownedAsset({ ...deps, db }, ownerId, id);
  });
}

/**
 * Changes an asset. A new cost or another way to split it holds from the current month on, another time zone from the
 * next. Archiving ends what runs on it and hides it from its members until it is restored; nothing is lost.
 */
export async function updateAsset(
  deps: Deps,
  ownerId: number,
  assetId: number,
  { subscription_cost: cost, archived, time_zone: timeZone, ...plain }: UpdateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (timeZone !== undefined && !(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  const now = deps.clock();
  const changes = {
    ...given(plain),
    ...(archived === undefined ? {} : { archived_at: archived ? now : null }),
  };
  const splits = ['split_method', 'base_percent', 'owner_hours'].some((field) => field in changes);
  return inTransaction(deps.db, async (db) => {
    // Months that it spent archived are over before it is back: there is nothing of them to split.
    const restoring = archived === false && (await store.isArchived(db, { ownerId, assetId }));
    if (restoring) await closeEndedMonths({ ...deps, db }, assetId);
    if (splits) await store.keepSplitTerms(db, { ownerId, assetId, now });
    if (timeZone !== undefined) await store.setTimeZone(db, { ownerId, assetId, timeZone, now });
    // The asset's row is written first, so that a session starting at this moment waits and then finds it archived.
    if (
      Object.keys(changes).length > 0 &&
      !(await store.updateAsset(db, { ownerId, assetId }, restoring ? { ...changes, restored_at: now } : changes))
    )
      return assetNotFound();
    const current = await ownedAsset({ ...deps, db }, ownerId, assetId);
    if (!current.ok) return current;
    if (archived) await store.endSessions(db, assetId, now);
    if (cost === undefined) return archived ? ownedAsset({ ...deps, db }, ownerId, assetId) : current;
    await store.setPrice(db, { assetId, priceCents: toCents(cost), now });
    return ownedAsset({ ...deps, db }, ownerId, assetId);
  });
}

/** Deletes an asset. Its ended months are closed first, and what they say stays readable; the running one is not billed. */
export async function deleteAsset(deps: Deps, ownerId: number, assetId: number): Promise<Result<undefined>> {
  return inTransaction(deps.db, async (db) => {
    if ((await store.isArchived(db, { ownerId, assetId })) === undefined) return assetNotFound();
    await closeEndedMonths({ ...deps, db }, assetId);
    return (await store.deleteAsset(db, { ownerId, assetId })) ? ok(undefined) : assetNotFound();
  });
}

/** What a caller left out is left out here too, so that the database's own values stand. */
function given<T extends object>(fields: T): T {
  // oxlint-disable-next-line no-unsafe-type-assertion -- only what may be undefined is missing
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function toWire({ price_cents, entries, ...asset }: store.StoredAsset): OwnedAsset {
  return {
    ...asset,
    subscription_cost: toAmount(price_cents),
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
