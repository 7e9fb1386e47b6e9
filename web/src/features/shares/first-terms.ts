import type { OwnedAsset } from '@hourshare/contract/assets';
import { toAmount, toMinor } from '@hourshare/contract/money';
import { useUpdateAsset } from '../assets/api.ts';

type Asset = Pick<
  OwnedAsset,
  | 'subscription_cost'
  | 'currency'
  | 'split_method'
  | 'owner_hours'
  | 'owner_takes_part'
  | 'max_price_per_hour'
  | 'shared_with'
>;

/** The server's limit for an owner who chose none: the price divided by all hours, rounded up. */
function defaultLimit(
  { subscription_cost: price, currency, owner_hours: own, shared_with: entries }: Asset,
  hours = 0,
) {
  const given = entries.reduce((sum, { monthly_hours_allocated: each }) => sum + (each ?? 0), 0);
  return toAmount(Math.ceil(toMinor(price, currency) / Math.max(1, own + given + hours)), currency);
}

/**
 * Returns the terms to set before someone gets so many hours, as long as no one is in: an owner who uses the asset, too, reserves as
 * many, and a limit that its owner hasn't chosen counts the new hours.
 */
export function firstTerms(asset: Asset, hours: number): { owner_hours?: number; max_price_per_hour?: number } {
  const { split_method: method, owner_hours: own, owner_takes_part: takesPart, max_price_per_hour: limit } = asset;
  if (hours === 0 || asset.shared_with.some(({ pending }) => !pending)) return {};
  if (method === 'usage' && takesPart && hours > own) return { owner_hours: hours };
  if (method === 'share_of_use' && limit !== 0 && limit === defaultLimit(asset))
    return { max_price_per_hour: defaultLimit(asset, hours) };
  return {};
}

/** Returns what sets them. */
export function useFirstTerms(asset: OwnedAsset) {
  const update = useUpdateAsset(asset.id);
  return async (hours: number | undefined) => {
    const terms = firstTerms(asset, hours ?? 0);
    if (asset.your_role === 'owner' && Object.keys(terms).length > 0) await update.mutateAsync(terms);
  };
}
