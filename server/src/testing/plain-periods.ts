import { DEFAULT_TERMS } from '../features/periods/rules.ts';
import type { PeriodToSplit } from '../features/statements/rules.ts';
import { lastAgreementOf, lowestPrice, plainStatement, type PlainBilledMonth } from './plain-costs.ts';

/** Returns a month of the reference bills as the rules split it, with the use, days, and hours that the reference counts. */
export function toPeriod(billed: PlainBilledMonth): PeriodToSplit {
  const { month, priceCents, method, basePercent, reservedHours, maxHourCents, owner } = billed;
  const {
    totalHours,
    places,
    lines: [ofOwner, ...ofMembers],
  } = plainStatement(billed);
  return {
    month: month.month,
    priceCents,
    terms: {
      ...DEFAULT_TERMS,
      method,
      basePercent,
      ownerHours: reservedHours,
      maxHourCents,
      ownerTakesPart: owner.takesPart,
    },
    ownerId: owner.userId,
    ownerUsedSeconds: ofOwner?.usedSeconds ?? 0,
    totalHours,
    places,
    members: ofMembers.map(({ userId, usedSeconds, days, summedHours }) => {
      const agreed = lastAgreementOf(billed, userId) ?? null;
      const lowest = agreed && lowestPrice(billed, agreed.at);
      const share = billed.shares.findLast((each) => each.userId === userId);
      return {
        userId,
        usedSeconds,
        days,
        summedHours,
        allocationHours: share?.allowances.findLast(({ since }) => since < month.ends)?.monthlyHours ?? 0,
        agreed: agreed && { ...agreed, plan: agreed.plan ?? null, extraCostCents: agreed.extraCents ?? 0 },
        lowestPriceCents: lowest !== null && lowest < priceCents ? lowest : null,
      };
    }),
  };
}
