import { toHours } from '@hourshare/contract/fields';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { ReplayedYear, ReplayRequest } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { assetNotFound } from '../../assets/errors.ts';
import { ownedPeriods } from '../../periods/owners/service.ts';
import { ownerScope } from '../sql.ts';
import { readPeriods } from '../store.ts';
import { toPeriodSplit } from '../wire.ts';
import { replayMonth, type Replay } from './rules.ts';

const MONTHS = 12;

/** Returns what the last closed months of an asset would have cost under another plan, beside what they did. Nothing is saved. */
export async function replayYear(
  deps: Deps,
  userId: number,
  assetId: number,
  request: ReplayRequest,
): Promise<Result<ReplayedYear>> {
  const now = deps.clock();
  const owned = await ownedPeriods(deps.db, { assetId, userId, now });
  if (!owned) return assetNotFound();
  const { currency } = owned;
  const closed = (await readPeriods(deps.db, ownerScope(userId, assetId), { ended: true, now }))
    .filter(({ lines }) => lines !== null)
    .slice(0, MONTHS);
  const inMinor = (amount: number | undefined) => (amount === undefined ? undefined : toMinor(amount, currency));
  const replay: Replay = {
    priceCents: inMinor(request.price),
    hours: request.hours,
    method: request.split_method,
    basePercent: request.base_percent,
    hourCents: inMinor(request.price_per_hour),
    aloneCents: inMinor(request.price_alone),
  };
  const months = closed.map((each) => {
    const { period, names, lines } = toPeriodSplit(each);
    const { cents, unfitSeconds } = replayMonth(period, replay);
    return {
      month: period.month,
      unfitSeconds,
      people: names.map((username, index) => ({
        username,
        paid: lines[index]?.amountCents ?? 0,
        replayed: cents[index] ?? 0,
      })),
    };
  });
  const totals = new Map<string, { paid: number; replayed: number }>();
  for (const { username, paid, replayed } of months.flatMap(({ people }) => people)) {
    const before = totals.get(username) ?? { paid: 0, replayed: 0 };
    totals.set(username, { paid: before.paid + paid, replayed: before.replayed + replayed });
  }
  const toWire = (username: string, { paid, replayed }: { paid: number; replayed: number }) => ({
    username,
    paid: toAmount(paid, currency),
    replayed: toAmount(replayed, currency),
  });
  return ok({
    currency,
    months: months.map(({ month, unfitSeconds, people }) => ({
      month,
      unfit_hours: toHours(unfitSeconds),
      people: people.map(({ username, ...amounts }) => toWire(username, amounts)),
    })),
    people: [...totals].map(([username, amounts]) => toWire(username, amounts)),
  });
}
