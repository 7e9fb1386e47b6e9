import type { Analytics, AssetAnalytics } from '@hourshare/contract/analytics';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { shareNotFound } from './errors.ts';
import { summarize, together } from './rules.ts';
import { emptyMonth, monthOfShare, monthsOfAsset, type AssetMonth } from './store.ts';

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
  const now = deps.clock();
  const [first, ...others] = await monthsOfAsset(deps.db, { assetId, ownerId }, { month, now });
  if (first) {
    const members = [first, ...others].map((each) => ({ ...figures(each), username: each.username }));
    const all = summarize(together([first, ...others]));
    // Hours are each member's own: those of several do not run out together.
    const pace = all.pace && others.length > 0 ? { ...all.pace, runs_out_on: null } : all.pace;
    return ok({ asset_name: first.asset_name, ...all, pace, members });
  }
  const nothing = await emptyMonth(deps.db, { assetId, ownerId }, { month, now });
  return nothing ? ok({ ...figures(nothing), members: [] }) : assetNotFound();
}
