import type { Analytics, AssetAnalytics } from '@hourshare/contract/analytics';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { shareNotFound } from '../shares/errors.ts';
import { combine, summarize } from './rules.ts';
import { monthOfShare, monthsOfAsset, type AssetMonth } from './store.ts';

const figures = (use: AssetMonth): Analytics => ({ asset_name: use.asset_name, ...summarize(use) });

/** A member's use of one share in a usage month, `YYYY-MM`; the current one of the asset's zone when none is named. */
export async function shareAnalytics(
  { db, clock }: Deps,
  memberId: number,
  shareId: number,
  month: string | undefined,
): Promise<Result<Analytics>> {
  const use = await monthOfShare(db, { shareId, memberId }, { month, now: clock() });
  return use ? ok(figures(use)) : shareNotFound();
}

/** All use of an owner's asset in a usage month: the sums, and each member's own figures. */
export async function assetAnalytics(
  deps: Deps,
  ownerId: number,
  assetId: number,
  month: string | undefined,
): Promise<Result<AssetAnalytics>> {
  const found = await monthsOfAsset(deps.db, { assetId, ownerId }, { month, now: deps.clock() });
  if (!found) return assetNotFound();
  const [first, ...others] = found.members;
  if (!first) return ok({ ...figures(found.empty), members: [] });
  const members = found.members.map((each) => ({ ...figures(each), username: each.username }));
  const all = summarize(combine([first, ...others]));
  // Hours are each member's own: those of several do not run out together.
  const pace = all.pace && others.length > 0 ? { ...all.pace, runs_out_on: null } : all.pace;
  return ok({ asset_name: first.asset_name, ...all, pace, members });
}
