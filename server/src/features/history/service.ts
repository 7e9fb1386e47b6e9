import type { AssetHistory, Finding } from '@hourshare/contract/history';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import type { Deps } from '../../deps.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { lastMonths } from '../costs/service.ts';
import { findingsOf, toHistoryMonth } from './rules.ts';
import * as store from './store.ts';

const MONTHS_SHOWN = 12;
/** The running month and the three before it. */
const MONTHS_FOR_FINDINGS = 4;

/** The last twelve months of an owner's asset, and what may be learnt from them. */
export async function assetHistory(deps: Deps, ownerId: number, assetId: number): Promise<Result<AssetHistory>> {
  const [asset] = await store.assetsOfHistory(deps.db, { ownerId, assetId, now: deps.clock(), limit: 1 });
  if (!asset) return assetNotFound();
  const months = (await lastMonths(deps, { ownerId, assetId, count: MONTHS_SHOWN })).get(assetId) ?? [];
  return ok({
    asset_id: asset.id,
    asset_name: asset.name,
    currency: asset.currency,
    months: months.map((month) => toHistoryMonth(asset, month)).toReversed(),
    findings: findingsOf(asset, months),
  });
}

/** What may be learnt from the last months of all assets of an owner, in each currency the most costly first. */
export async function listFindings(deps: Deps, ownerId: number): Promise<Result<{ results: Finding[]; next: null }>> {
  const months = await lastMonths(deps, { ownerId, count: MONTHS_FOR_FINDINGS });
  const assets = await store.assetsOfHistory(deps.db, { ownerId, now: deps.clock(), limit: LIST_PAGE_SIZE });
  const findings = assets
    .flatMap((asset) => findingsOf(asset, months.get(asset.id) ?? []))
    .toSorted(
      (left, right) =>
        left.currency.localeCompare(right.currency) || (right.yearly_cost ?? 0) - (left.yearly_cost ?? 0),
    );
  return ok({ results: findings.slice(0, LIST_PAGE_SIZE), next: null });
}
