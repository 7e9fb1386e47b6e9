import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SplitMethod } from '@hourshare/contract/fields';
import { SplitPreviewRequest } from '@hourshare/contract/statements';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { MonthlyHours } from '@hourshare/contract/shares';
import { readNumber } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';

/** Returns what is wrong with a tried allowance, if one was typed. */
export const allocationProblem = (text: string | undefined): string | undefined =>
  text === undefined || MonthlyHours.safeParse(readNumber(text)).success
    ? undefined
    : t('{min, number} to {max, number}', { min: ALLOCATION_MIN_HOURS, max: ALLOCATION_MAX_HOURS });

type Asset = Pick<
  OwnedAsset,
  'split_method' | 'base_percent' | 'owner_hours' | 'max_price_per_hour' | 'measured' | 'shared_with'
>;

interface Typed {
  split_method?: SplitMethod;
  base_percent?: string;
  owner_hours?: string;
  max_price_per_hour?: string;
  measured?: boolean;
}

/** Returns the preview to request; null when nothing differs from the asset's terms, or when something is invalid. */
export function buildTrial(
  asset: Asset,
  typed: Typed,
  typedAllowances: Record<string, string>,
): SplitPreviewRequest | null {
  if (Object.values(typedAllowances).some((text) => allocationProblem(text) !== undefined)) return null;
  // What isn't measured is split evenly.
  const split_method = (typed.measured ?? asset.measured) ? (typed.split_method ?? asset.split_method) : 'equal';
  const most = split_method === 'share_of_use' ? typed.max_price_per_hour : undefined;
  const terms = {
    split_method,
    base_percent: typed.base_percent === undefined ? asset.base_percent : readNumber(typed.base_percent),
    owner_hours: typed.owner_hours === undefined ? asset.owner_hours : readNumber(typed.owner_hours),
    // An empty field leaves it to the server.
    ...(most !== undefined && { max_price_per_hour: most === '' ? null : readNumber(most) }),
  };
  const allocations = Object.fromEntries(
    asset.shared_with.flatMap(({ shared_with_username: name, monthly_hours_allocated: hours }) => {
      const text = name === null ? undefined : typedAllowances[name];
      return name === null || text === undefined || Number(text) === hours ? [] : [[name, Number(text)]];
    }),
  );
  const differs = (['split_method', 'base_percent', 'owner_hours', 'max_price_per_hour'] as const).some(
    (name) => terms[name] !== undefined && terms[name] !== asset[name],
  );
  if (!differs && Object.keys(allocations).length === 0) return null;
  const request = SplitPreviewRequest.safeParse({
    ...terms,
    ...(Object.keys(allocations).length > 0 && { allocations }),
  });
  return request.success ? request.data : null;
}
