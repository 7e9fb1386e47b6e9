import { daysInMonth, type SplitTerms } from '../../periods/rules.ts';
import { SECONDS_PER_HOUR, splitPeriod, type MemberShare, type PeriodToSplit } from '../rules.ts';

/** What a member would have of an asset, and under which terms. */
export interface Offer {
  memberId: number;
  /** Whole hours a month. */
  allocationHours: number;
  priceCents: number;
  terms: SplitTerms;
}

/**
 * Returns what an offered asset would have cost its member in a period, in cents, and the seconds that they are assumed to
 * have used: they have access for the whole month, and use all of their hours if use decides the amount. A `running` period
 * counts as if all its members had access for all of it.
 */
export function estimateOffer(
  { running, ...period }: PeriodToSplit & { running: boolean },
  { memberId, allocationHours, priceCents, terms }: Offer,
): { amountCents: number; usedSeconds: number } {
  const days = daysInMonth(period.month);
  const usedAll = terms.method === 'usage' ? allocationHours * SECONDS_PER_HOUR : 0;
  const allMonth = (member: MemberShare): MemberShare => ({ ...member, days, hourDays: member.allocationHours * days });
  // They may have been a member before.
  const others = period.members.filter(({ userId }) => userId !== memberId);
  const lines = splitPeriod({
    ...period,
    priceCents,
    terms,
    places: undefined,
    members: [
      ...(running ? others.map(allMonth) : others),
      allMonth({ userId: memberId, allocationHours, usedSeconds: usedAll, days, hourDays: 0 }),
    ],
  });
  return { amountCents: lines.at(-1)?.amountCents ?? 0, usedSeconds: usedAll };
}
