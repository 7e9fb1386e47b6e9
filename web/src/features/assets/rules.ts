import type { OwnedAsset } from '@hourshare/contract/assets';
import { t } from '../../lib/messages.ts';
import { monthText } from '../../lib/months.ts';
import { zoneText } from '../../lib/time.ts';

/** Explains an asset's time zone and when a change takes effect. */
export const timeZoneHint = ({ time_zone: zone, next_time_zone: next }: OwnedAsset): string =>
  next
    ? t('Takes effect in {month}. Until then, {zone} applies.', {
        month: monthText(next.from_month),
        zone: zoneText(zone),
      })
    : t('Sets when days and months begin. Changes apply next month.');

/** Returns the assets that are not archived. */
export const activeAssets = (assets: OwnedAsset[]): OwnedAsset[] => assets.filter(({ archived }) => !archived);

export const sharedWithText = (asset: OwnedAsset): string =>
  t('Shared with {count, plural, one {# user} other {# users}}', { count: asset.shared_with.length });

export interface MemberUse {
  id: number;
  name: string;
  hours: number;
  /** Fraction of the available hours, 0 to 1; of the total use if that is more. */
  part: number;
}

/** Returns each member's use of the available hours this month, without pending entries. */
export function memberUse(asset: Pick<OwnedAsset, 'shared_with' | 'owner_hours'>): MemberUse[] {
  const members = asset.shared_with.flatMap(({ id, shared_with_username: name, usage_this_month: hours, ...entry }) =>
    name === null ? [] : [{ id, name, hours: hours ?? 0, allocated: entry.monthly_hours_allocated ?? 0 }],
  );
  const used = members.reduce((sum, { hours }) => sum + hours, 0);
  const offered = members.reduce((sum, { allocated }) => sum + allocated, asset.owner_hours);
  const whole = Math.max(offered, used, Number.MIN_VALUE);
  return members.map(({ id, name, hours }) => ({ id, name, hours, part: hours / whole }));
}
