import type { OwnedAsset } from '@hourshare/contract/assets';
import {
  ASSET_DESCRIPTION_MAX_LENGTH,
  ASSET_NAME_MAX_LENGTH,
  MAX_SESSION_HOURS_MAX,
  SUBSCRIPTION_COST_MAX,
} from '@hourshare/contract/limits';
import { countOf, parseDecimal } from '../../lib/formatting.ts';
import { monthText } from '../../lib/months.ts';
import { zoneText } from '../../lib/time.ts';

export const nameProblem = (name: string): string | true => {
  const length = name.trim().length;
  if (length === 0) return 'Name is required';
  return length <= ASSET_NAME_MAX_LENGTH ? true : `Name must be at most ${ASSET_NAME_MAX_LENGTH} characters long`;
};

export const descriptionProblem = (description: string): string | true =>
  description.length <= ASSET_DESCRIPTION_MAX_LENGTH
    ? true
    : `Description must be at most ${ASSET_DESCRIPTION_MAX_LENGTH} characters long`;

export const costProblem = (text: string): string | true => {
  if (text.trim() === '') return 'Monthly subscription cost is required';
  const cost = parseDecimal(text);
  if (cost === null) return 'Monthly subscription cost must be a number';
  if (cost < 0) return 'Monthly subscription cost must not be negative';
  if (cost > SUBSCRIPTION_COST_MAX) return `Monthly subscription cost must be at most ${SUBSCRIPTION_COST_MAX}`;
  return /[.,]\d{3,}$/.test(text.trim()) ? 'Monthly subscription cost must have at most two decimals' : true;
};

export function longestSessionProblem(text: string): string | true {
  const hours = Number(text);
  const good = text.trim() !== '' && Number.isInteger(hours) && hours >= 1 && hours <= MAX_SESSION_HOURS_MAX;
  return good ? true : `Longest session must be a whole number of hours from 1 to ${MAX_SESSION_HOURS_MAX}`;
}

/** What an asset's zone is for, and from when on another one counts, or already waits to. */
export const timeZoneHint = ({ time_zone: zone, next_time_zone: next }: OwnedAsset): string =>
  next
    ? `Counts from ${monthText(next.from_month)} on. Until then months and days are counted in ${zoneText(zone)}.`
    : 'Months and days are counted in this zone. A change counts from the next month on.';

/** Archived assets are out of the way: neither counted nor among the cards. */
export const inUse = (assets: OwnedAsset[]): OwnedAsset[] => assets.filter(({ archived }) => !archived);

export const sharedWithText = (asset: OwnedAsset): string => `Shared with ${countOf(asset.shared_with.length, 'user')}`;

export interface MemberUse {
  id: number;
  name: string;
  hours: number;
  /** Part of the hours on offer, 0 to 1. More is used than is on offer: part of all that is used. */
  part: number;
}

/** Who used how much of the hours on offer this month. Pending entries have nothing to show yet. */
export function memberUse(asset: Pick<OwnedAsset, 'shared_with' | 'owner_hours'>): MemberUse[] {
  const members = asset.shared_with.flatMap(({ id, shared_with_username: name, usage_this_month: hours, ...entry }) =>
    name === null ? [] : [{ id, name, hours: hours ?? 0, allocated: entry.monthly_hours_allocated ?? 0 }],
  );
  const used = members.reduce((sum, { hours }) => sum + hours, 0);
  const offered = members.reduce((sum, { allocated }) => sum + allocated, asset.owner_hours);
  const whole = Math.max(offered, used, Number.MIN_VALUE);
  return members.map(({ id, name, hours }) => ({ id, name, hours, part: hours / whole }));
}
