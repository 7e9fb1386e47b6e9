import type { Analytics, AssetAnalytics } from '@hourshare/contract/analytics';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { shareNotFound } from '../shares/errors.ts';
import { combineMonths, secondsOf, summarize } from './rules.ts';
import { monthOfShare, monthsOfAsset, type AssetMonth } from './store.ts';

const toAnalytics = (use: AssetMonth): Analytics => ({ asset_name: use.asset_name, ...summarize(use) });

/** Returns a member's use of one share in a month, `YYYY-MM`; by default the current one in the asset's zone. */
export async function shareAnalytics(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  month: string | undefined,
): Promise<Result<Analytics>> {
  const use = await monthOfShare(db, { shareId, memberId }, { month, now: clock() });
  return use ? ok(toAnalytics(use)) : shareNotFound();
}

/** Returns the use in a month, `YYYY-MM`, of an asset that a user manages: the totals and each member's figures. */
export async function assetAnalytics(
  deps: Deps,
  userId: number,
  assetId: number,
  month: string | undefined,
): Promise<Result<AssetAnalytics>> {
  const found = await monthsOfAsset(deps.db, { assetId, userId }, { month, now: deps.clock() });
  if (!found) return assetNotFound();
  const [first, ...others] = [...found.members, ...found.own];
  const { totalHours, ownerHours: reservedHours } = found.empty;
  const ownSeconds = found.own.reduce((sum, month) => sum + secondsOf(month), 0);
  const total = summarize(combineMonths([first ?? found.empty, ...others], { totalHours, reservedHours, ownSeconds }));
  const members = found.members.map((month) => ({ ...toAnalytics(month), username: month.username }));
  // Members have separate allowances, which don't run out on the same day.
  const pace = total.pace && {
    ...total.pace,
    runs_out_on: members.length === 1 ? (members[0]?.pace?.runs_out_on ?? null) : null,
  };
  return ok({ asset_name: found.empty.asset_name, ...total, pace, members });
}
