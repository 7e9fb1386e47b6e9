import { toAmount, toMinor } from '@hourshare/contract/money';
import type { SplitPreview, SplitPreviewRequest } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { monthCents } from '../../assets/plans/service.ts';
import { assetNotFound } from '../../assets/errors.ts';
import { ownedPeriods } from '../../periods/owners/service.ts';
import { readTerms } from '../../periods/terms/service.ts';
import { notAMember } from '../errors.ts';
import { usedSeconds } from '../rules.ts';
import { ownerScope } from '../sql.ts';
import { readPeriods } from '../store.ts';
import { splitLines, toPeriodSplit, toSplitLine } from '../wire.ts';
import { applyTrial, type Trial } from './rules.ts';

const PREVIEWED_PAST_PERIODS = 3;

/**
 * Returns how the running month and the last ended ones with use are split, and how they would be under other terms.
 * Omitted terms stay as each month had them; nothing is saved.
 */
export async function previewSplit(
  deps: Deps,
  userId: number,
  assetId: number,
  { split_method, base_percent, owner_hours, max_price_per_hour, price, allocations = {} }: SplitPreviewRequest,
): Promise<Result<{ results: SplitPreview[]; next: null }>> {
  const now = deps.clock();
  if (!(await ownedPeriods(deps.db, { assetId, userId, now }))) return assetNotFound();
  const periods = await readPeriods(deps.db, ownerScope(userId, assetId), {
    lastUsed: PREVIEWED_PAST_PERIODS,
    now,
  });
  // What is tried is the price of a cycle, too.
  const plan = periods.find((period) => period.plan !== null)?.plan;
  const running = periods.filter(({ ended }) => !ended).map(toPeriodSplit);
  const ended = periods
    .filter((period) => period.ended)
    .map(toPeriodSplit)
    .filter(({ period }) => usedSeconds(period) > 0)
    .slice(0, PREVIEWED_PAST_PERIODS);
  const splits = [...running, ...ended];
  const hoursByName = new Map(Object.entries(allocations).map(([name, hours]) => [name.toLowerCase(), hours]));
  const members = new Set(splits.flatMap(({ names }) => names.slice(1)).map((name) => name.toLowerCase()));
  const stranger = Object.keys(allocations).find((name) => !members.has(name.toLowerCase()));
  if (stranger !== undefined) return notAMember(stranger);
  const current = splits[0];
  const added = (current?.period.members ?? []).map(({ allocationHours: hours }, index) => {
    const tried = hoursByName.get(current?.names[index + 1]?.toLowerCase() ?? '');
    return (tried ?? hours) - hours;
  });
  const known = await readTerms(deps.db, assetId, now);
  const memberHours = added.reduce((sum, hours) => sum + hours, known?.memberHours ?? 0);
  const results = splits.map(({ period, names, currency, lines }): SplitPreview => {
    const trial: Trial = {
      method: split_method,
      basePercent: base_percent,
      ownerHours: owner_hours,
      maxHourCents: typeof max_price_per_hour === 'number' ? toMinor(max_price_per_hour, currency) : max_price_per_hour,
      memberHours,
      priceCents: price === undefined ? undefined : monthCents(toMinor(price, currency), plan, period.month),
      allocations: new Map(
        period.members.flatMap(({ userId }, index) => {
          const hours = hoursByName.get(names[index + 1]?.toLowerCase() ?? '');
          return hours === undefined ? [] : [[userId, hours]];
        }),
      ),
    };
    return {
      month: period.month,
      price: toAmount(period.priceCents, currency),
      currency,
      before: lines.map((line) => toSplitLine(line, { month: period.month, currency })),
      after: splitLines(applyTrial(period, trial), names).map((line) =>
        toSplitLine(line, { month: period.month, currency }),
      ),
    };
  });
  return ok({ results, next: null });
}
