import type { CreateAssetRequest, OwnedAsset, UpdateAssetRequest } from '@hourshare/contract/assets';
import { Id, toAmount, toCents, toHours } from '@hourshare/contract/fields';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { notSignedIn, unknownTimeZone } from '../accounts/errors.ts';
import { assetNotFound } from './errors.ts';
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

/** Adds an asset whose price applies from the current month. */
export async function createAsset(
  deps: Deps,
  ownerId: number,
  {
    subscription_cost: cost,
    time_zone: timeZone = 'UTC',
    split_method: method = 'usage',
    base_percent: basePercent = 0,
    owner_hours: ownerHours = 0,
    ...plain
  }: CreateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (!(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return inTransaction(deps.db, async (db) => {
    const inside = { ...deps, db };
    const assetId = await store.insertAsset(db, { ...given(plain), owner_id: ownerId, created_at: deps.clock() });
    if (assetId === undefined) return notSignedIn();
    const terms = { method, basePercent, ownerHours };
    await deps.events.emit(inside, 'assetAdded', { assetId, timeZone, priceCents: toCents(cost), terms });
    return ownedAsset(inside, ownerId, assetId);
  });
}

/**
 * Changes an asset. A new cost or another way to split it applies from the current month, another time zone from the
 * next. Archiving ends what runs on it and hides it from its members until it is restored; nothing is lost.
 */
export async function updateAsset(
  deps: Deps,
  ownerId: number,
  assetId: number,
  {
    subscription_cost: cost,
    archived,
    time_zone: timeZone,
    split_method: method,
    base_percent: basePercent,
    owner_hours: ownerHours,
    ...plain
  }: UpdateAssetRequest,
): Promise<Result<OwnedAsset>> {
  if (timeZone !== undefined && !(await deps.timeZones.isKnown(deps.db, timeZone))) return unknownTimeZone();
  return inTransaction(deps.db, async (db) => {
    const inside = { ...deps, db };
    // Locked first, so that a session starting at this moment waits and then finds the asset archived.
    const asset = await store.lockAsset(db, { ownerId, assetId });
    if (!asset) return assetNotFound();
    if (archived === false && asset.archived) await deps.events.emit(inside, 'assetRestoring', { assetId });
    const terms = given({ method, basePercent, ownerHours });
    await deps.events.emit(inside, 'assetChanging', {
      assetId,
      ...given({ name: plain.name, timeZone }),
      ...(cost === undefined ? {} : { priceCents: toCents(cost) }),
      ...(Object.keys(terms).length > 0 && { terms }),
    });
    const changes = {
      ...given(plain),
      ...(archived === undefined || archived === asset.archived ? {} : { archived_at: archived ? deps.clock() : null }),
    };
    if (Object.keys(changes).length > 0) await store.updateAsset(db, assetId, changes);
    if (archived && !asset.archived) await deps.events.emit(inside, 'assetArchived', { assetId });
    return ownedAsset(inside, ownerId, assetId);
  });
}

/** Deletes an asset. Its ended months are closed first, and what they say stays readable; the running one is not billed. */
export async function deleteAsset(deps: Deps, ownerId: number, assetId: number): Promise<Result<undefined>> {
  return inTransaction(deps.db, async (db) => {
    if (!(await store.lockAsset(db, { ownerId, assetId }))) return assetNotFound();
    await deps.events.emit({ ...deps, db }, 'assetDeleting', { assetId });
    await store.deleteAsset(db, assetId);
    return ok(undefined);
  });
}

/** Fields without those that are undefined. */
type Given<T> = { [Field in keyof T as undefined extends T[Field] ? never : Field]: T[Field] } & {
  [Field in keyof T as undefined extends T[Field] ? Field : never]?: Exclude<T[Field], undefined>;
};

/** What a caller left out is left out here too, so that the database's own values stand. */
function given<T extends object>(fields: T): Given<T> {
  // oxlint-disable-next-line no-unsafe-type-assertion -- only what may be undefined is missing
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
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
