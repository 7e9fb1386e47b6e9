import type { OwnedAsset } from '@hourshare/contract/assets';
import { toAmount, toMinor, usualHourLimit } from '@hourshare/contract/money';
import type { FirstTerms } from '@hourshare/contract/shares';

type Asset = Pick<
  OwnedAsset,
  | 'price_per_month'
  | 'currency'
  | 'split_method'
  | 'owner_hours'
  | 'owner_takes_part'
  | 'max_price_chosen'
  | 'shared_with'
>;

function usualLimit(
  { price_per_month: price, currency, owner_hours: own, shared_with: entries }: Asset,
  hours: number,
) {
  const given = entries.reduce((sum, { monthly_hours_allocated: each }) => sum + (each ?? 0), 0);
  return toAmount(usualHourLimit(toMinor(price, currency), own + given + hours), currency);
}

/**
 * Returns the terms to set before someone gets so many hours, as long as no one is in: an owner who uses the asset, too, reserves as
 * many, and the usual limit counts the new hours.
 */
export function firstTerms(asset: Asset, hours: number): { owner_hours?: number; max_price_per_hour?: number } {
  const { split_method: method, owner_hours: own, owner_takes_part: takesPart } = asset;
  if (hours === 0 || asset.shared_with.some(({ pending }) => !pending)) return {};
  if (method === 'usage' && takesPart && hours > own) return { owner_hours: hours };
  if (method === 'share_of_use' && !asset.max_price_chosen) return { max_price_per_hour: usualLimit(asset, hours) };
  return {};
}

/** Returns them as requests send them. */
export function withFirstTerms(
  asset: OwnedAsset,
  hours: number | undefined,
  extraCostLimit?: number,
): { terms?: FirstTerms } {
  const isNew = extraCostLimit !== undefined && extraCostLimit !== asset.extra_cost_limit;
  const terms = {
    ...(asset.your_role === 'owner' ? firstTerms(asset, hours ?? 0) : {}),
    ...(isNew && { extra_cost_limit: extraCostLimit }),
  };
  return Object.keys(terms).length > 0 ? { terms } : {};
}
