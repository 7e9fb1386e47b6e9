import type { AssetHistory, Finding } from '@hourshare/contract/insights';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { readPage, type Page, type PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import { assetNotFound } from '../assets/errors.ts';
import { lastMonths } from '../statements/service.ts';
import { compareKeys, findingKey, findingsOf, toHistoryMonth } from './rules.ts';
import * as store from './store.ts';

const MONTHS_SHOWN = 12;
/** The running month and the three before it. */
const MONTHS_FOR_FINDINGS = 4;

/** The last twelve months of an owner's asset, and what may be learnt from them. */
export async function assetHistory(deps: Deps, ownerId: number, assetId: number): Promise<Result<AssetHistory>> {
  const [asset] = await store.assetsOfOwner(deps.db, { ownerId, assetId, now: deps.clock() });
  if (!asset) return assetNotFound();
  const months = (await lastMonths(deps, { ownerId, assetId, count: MONTHS_SHOWN })).get(assetId) ?? [];
  return ok({
    asset_id: asset.id,
    asset_name: asset.name,
    currency: asset.currency,
    months: months.map((month) => toHistoryMonth(month)).toReversed(),
    findings: findingsOf(asset, months),
  });
}

const FindingKey = z.tuple([z.string(), z.number(), z.number(), z.string()]);

/** What may be learnt from the last months of all assets of an owner, in each currency the most costly first. */
export function listFindings(deps: Deps, ownerId: number, request: PageRequest): Promise<Result<Page<Finding>>> {
  return readPage(request, {
    key: FindingKey,
    keyOf: findingKey,
    toItem: (finding) => finding,
    // What each costs is not stored, so the whole list is worked out for each page.
    read: async ({ after }) => {
      const months = await lastMonths(deps, { ownerId, count: MONTHS_FOR_FINDINGS });
      const assets = await store.assetsOfOwner(deps.db, { ownerId, now: deps.clock() });
      const findings = assets
        .flatMap((asset) => findingsOf(asset, months.get(asset.id) ?? []))
        .toSorted((left, right) => compareKeys(findingKey(left), findingKey(right)));
      return ok(after ? findings.filter((finding) => compareKeys(findingKey(finding), after) > 0) : findings);
    },
  });
}
