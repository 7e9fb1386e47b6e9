import type { AssetHistory, Finding } from '@hourshare/contract/insights';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { readRecentPeriods } from '../statements/service.ts';
import { compareInsightKeys, findInsights, insightKey, toHistoryMonth } from './rules.ts';
import * as store from './store.ts';

const HISTORY_MONTHS = 12;
/** The running month and the three before it. */
const INSIGHT_MONTHS = 4;

/** Returns the last twelve months of an asset that a user manages, oldest first, and the insights into them. */
export async function assetHistory(deps: Deps, userId: number, assetId: number): Promise<Result<AssetHistory>> {
  const [asset] = await store.assetsToJudge(deps.db, { userId, assetId, now: deps.clock() });
  if (!asset) return assetNotFound();
  const periods = (await readRecentPeriods(deps, { userId, assetId, count: HISTORY_MONTHS })).get(assetId) ?? [];
  return ok({
    asset_id: asset.id,
    asset_name: asset.name,
    currency: asset.currency,
    months: periods.map((period) => toHistoryMonth(period, asset.currency)).toReversed(),
    findings: findInsights(asset, periods),
  });
}

const InsightKey = z.tuple([z.string(), z.number(), z.number(), z.string()]);

/** Returns the insights into all assets of an owner, by currency, the most expensive first. */
export function listInsights(deps: Deps, ownerId: number, request: PageRequest): Promise<Result<Page<Finding>>> {
  return readPage(request, {
    key: InsightKey,
    keyOf: insightKey,
    toItem: (insight) => insight,
    // The order depends on costs that aren't stored, so each page needs the whole list.
    read: async ({ after }) => {
      const periods = await readRecentPeriods(deps, { userId: ownerId, count: INSIGHT_MONTHS });
      const assets = await store.assetsToJudge(deps.db, { userId: ownerId, now: deps.clock() });
      const insights = assets
        .flatMap((asset) => findInsights(asset, periods.get(asset.id) ?? []))
        .toSorted((left, right) => compareInsightKeys(insightKey(left), insightKey(right)));
      return ok(after ? insights.filter((insight) => compareInsightKeys(insightKey(insight), after) > 0) : insights);
    },
  });
}
