import type { AssetHistory, Finding } from '@hourshare/contract/insights';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { inMemory } from '../../platform/memory.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { readRecentPeriods } from '../statements/reading/service.ts';
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

/** By owner, the list of insights of which a page was last read, and when. */
const listsOf = inMemory(() => new Map<number, { at: Date; insights: Finding[] }>());

const InsightKey = z.tuple([z.string(), z.number(), z.number(), z.string()]);

/** Returns the insights into all assets of an owner, by currency, the most expensive first. */
export function listInsights(deps: Deps, ownerId: number, request: PageRequest): Promise<Result<Page<Finding>>> {
  return readPage(request, {
    key: InsightKey,
    keyOf: insightKey,
    toItem: (insight) => insight,
    // The order depends on costs that aren't stored, so a page needs the whole list, which is kept for the next ones.
    read: async ({ after, limit }) => {
      const kept = after && listsOf(deps).get(ownerId);
      const isFresh = kept && Math.abs(deps.clock().getTime() - kept.at.getTime()) < KEPT_MILLISECONDS;
      const insights = isFresh ? kept.insights : await allInsights(deps, ownerId);
      const rest = after ? insights.filter((insight) => compareInsightKeys(insightKey(insight), after) > 0) : insights;
      if (!isFresh && rest.length >= limit) keep(deps, ownerId, insights);
      return ok(rest);
    },
  });
}

const KEPT_MILLISECONDS = 60_000;
const KEPT_MAX = 100;

function keep(deps: Deps, ownerId: number, insights: Finding[]): void {
  const lists = listsOf(deps);
  lists.delete(ownerId);
  const [oldest] = lists.keys();
  if (oldest !== undefined && lists.size >= KEPT_MAX) lists.delete(oldest);
  lists.set(ownerId, { at: deps.clock(), insights });
}

async function allInsights(deps: Deps, userId: number): Promise<Finding[]> {
  const periods = await readRecentPeriods(deps, { userId, count: INSIGHT_MONTHS });
  const assets = await store.assetsToJudge(deps.db, { userId, now: deps.clock() });
  return assets
    .flatMap((asset) => findInsights(asset, periods.get(asset.id) ?? []))
    .toSorted((left, right) => compareInsightKeys(insightKey(left), insightKey(right)));
}
