import type { SplitMethod } from '@hourshare/contract/fields';
import type { PeriodToSplit } from '../rules.ts';

/** Terms and allowances (whole hours a month by user id) to try in place of a period's own; omitted ones stay. */
export interface Trial {
  method?: SplitMethod | undefined;
  basePercent?: number | undefined;
  ownerHours?: number | undefined;
  allocations: ReadonlyMap<number, number>;
}

/** Returns a period with the terms of a trial, its allowances on all of each member's days, and its own use. */
export const applyTrial = (
  period: PeriodToSplit,
  { method, basePercent, ownerHours, allocations }: Trial,
): PeriodToSplit => ({
  ...period,
  terms: {
    method: method ?? period.terms.method,
    basePercent: basePercent ?? period.terms.basePercent,
    ownerHours: ownerHours ?? period.terms.ownerHours,
  },
  members: period.members.map((member) => {
    const hours = allocations.get(member.userId);
    return hours === undefined ? member : { ...member, allocationHours: hours, hourDays: hours * member.days };
  }),
});
