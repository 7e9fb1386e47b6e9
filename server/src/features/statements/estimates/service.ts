import { toHours } from '@hourshare/contract/fields';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import { toAmount, toMinor } from '@hourshare/contract/money';
import type { ClaimEstimate, OfferEstimate } from '@hourshare/contract/statements';
import type { Deps } from '../../../deps.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { shareNotFound } from '../../shares/errors.ts';
import { findClaimedPerson } from '../../shares/people/service.ts';
import { sharedAsset } from '../../shares/service.ts';
import { assetScope, openMemberScope } from '../sql.ts';
import { readPeriods } from '../store.ts';
import { toPeriodSplit, toStatement } from '../wire.ts';
import { estimateOffer } from './rules.ts';

/** Returns about what an offered asset would have cost its member in the last ended month, or in the running one. */
export async function offerEstimate(deps: Deps, memberId: number, shareId: number): Promise<Result<OfferEstimate>> {
  const share = await sharedAsset(deps, memberId, shareId);
  if (!share.ok) return share;
  const { offer, asset, monthly_hours_allocated: allocationHours } = share.value;
  if (offer === null) return shareNotFound();
  const { price, currency, split_method: method, base_percent: basePercent, owner_hours: ownerHours } = offer;
  const periods = await readPeriods(deps.db, assetScope(asset.id), { limit: 2, now: deps.clock() });
  const period = periods.find(({ ended }) => ended) ?? periods[0];
  if (!period) return ok({ month: null, amount: null, currency, used_hours: 0, price });
  const { amountCents, usedSeconds: used } = estimateOffer(
    { ...toPeriodSplit(period).period, running: !period.ended },
    {
      memberId,
      allocationHours,
      priceCents: toMinor(price, currency),
      terms: { method, basePercent, ownerHours },
    },
  );
  return ok({
    month: period.month,
    amount: toAmount(amountCents, currency),
    currency,
    used_hours: toHours(used),
    price,
  });
}

/** Returns about what the open months would cost the person whom a claim is about so far, to anyone who has the link. */
export async function claimEstimate(deps: Deps, token: string): Promise<Result<ClaimEstimate>> {
  const person = await findClaimedPerson(deps, token);
  if (!person.ok) return person;
  const filter = { seenBy: person.value, limit: LIST_PAGE_SIZE, now: deps.clock() };
  const periods = await readPeriods(deps.db, openMemberScope(person.value), filter);
  const months = periods.flatMap((period) =>
    toStatement(period, person.value).lines.map(({ amount }) => ({
      asset_name: period.asset_name,
      month: period.month,
      ended: period.ended,
      amount,
      currency: period.currency,
    })),
  );
  return ok({ months });
}
