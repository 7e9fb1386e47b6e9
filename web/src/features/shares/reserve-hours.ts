import type { OwnedAsset } from '@hourshare/contract/assets';
import { useUpdateAsset } from '../assets/api.ts';

type Asset = Pick<OwnedAsset, 'split_method' | 'owner_hours' | 'owner_takes_part' | 'shared_with'>;

/** Returns the hours reserved for an owner once someone gets so many: as long as no one is in, the most that anyone gets. */
export const reservedHours = (
  { split_method: method, owner_hours: own, owner_takes_part: takesPart, shared_with: entries }: Asset,
  hours: number,
): number => (method === 'usage' && takesPart && entries.every(({ pending }) => pending) ? Math.max(own, hours) : own);

/** Returns what reserves hours for an owner who uses the asset, too, before someone gets so many. */
export function useReserveHours(asset: OwnedAsset) {
  const update = useUpdateAsset(asset.id);
  return async (hours: number | undefined) => {
    const owner_hours = reservedHours(asset, hours ?? 0);
    if (asset.your_role === 'owner' && owner_hours !== asset.owner_hours) await update.mutateAsync({ owner_hours });
  };
}
