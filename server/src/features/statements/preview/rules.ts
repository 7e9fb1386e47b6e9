import type { SplitMethod } from '@hourshare/contract/fields';
import { usualHourLimit } from '@hourshare/contract/money';
import type { PeriodToSplit } from '../rules.ts';

/** A price, terms, and allowances (whole hours a month by user id) to try in place of a period's own; omitted ones stay. */
export interface Trial {
  priceCents?: number | undefined;
  method?: SplitMethod | undefined;
  basePercent?: number | undefined;
  ownerHours?: number | undefined;
  /** Null for the usual one; omitted, also if there is none. */
  maxHourCents?: number | null | undefined;
  /** The hours of all members, by which the usual limit divides the price. */
  memberHours: number;
  allocations: ReadonlyMap<number, number>;
}

/**
 * Returns a period as it would be if everyone had agreed to a trial: with its price and terms, its allowances on all of each
 * member's days, and the use that there was.
 */
export function applyTrial(period: PeriodToSplit, trial: Trial): PeriodToSplit {
  const { priceCents = period.priceCents, ownerHours = period.terms.ownerHours, allocations } = trial;
  const method = trial.method ?? period.terms.method;
  const members = period.members.map((member) => {
    const hours = allocations.get(member.userId);
    const changed = hours === undefined ? {} : { allocationHours: hours, summedHours: hours * member.days };
    return { ...member, ...changed, agreed: null, lowestPriceCents: null };
  });
  const added = members.reduce((sum, { allocationHours }, index) => {
    const before = period.members[index]?.allocationHours ?? 0;
    return sum + allocationHours - before;
  }, ownerHours - period.terms.ownerHours);
  const totalHours = Math.max(0, period.totalHours + added);
  const { maxHourCents = period.terms.maxHourCents } = trial;
  return {
    ...period,
    priceCents,
    totalHours,
    terms: {
      ...period.terms,
      method,
      basePercent: trial.basePercent ?? period.terms.basePercent,
      ownerHours,
      maxHourCents:
        method === 'share_of_use' ? (maxHourCents ?? usualHourLimit(priceCents, ownerHours + trial.memberHours)) : null,
    },
    members,
  };
}
