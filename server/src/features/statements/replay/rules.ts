import type { SplitMethod } from '@hourshare/contract/fields';
import { splitPeriod, splitSeconds, SECONDS_PER_HOUR, type PeriodToSplit } from '../rules.ts';
import { applyTrial } from '../preview/rules.ts';

/** What to try on a closed month. All in minor units and whole hours; what is omitted stays as it was. */
export interface Replay {
  priceCents?: number | undefined;
  /** The hours of another plan, by which its price is divided. */
  hours?: number | undefined;
  method?: SplitMethod | undefined;
  basePercent?: number | undefined;
  /** Each pays for their own hours alone. */
  hourCents?: number | undefined;
  /** Each pays for a plan of their own, if they had access. */
  aloneCents?: number | undefined;
}

interface ReplayedMonth {
  /** The owner's amount, then each member's, in minor units. */
  cents: number[];
  /** Used seconds that the hours of the plan wouldn't have covered. */
  unfitSeconds: number;
}

const isUnchanged = ({ priceCents, hours, method, basePercent }: Replay): boolean =>
  priceCents === undefined && hours === undefined && method === undefined && basePercent === undefined;

/** Returns what a month would have cost everyone, with the use that there was. Without any change, that is what it did cost. */
export function replayMonth(period: PeriodToSplit, replay: Replay): ReplayedMonth {
  const { hourCents, aloneCents, hours } = replay;
  const { ownerUsedSeconds, members } = period;
  if (aloneCents !== undefined) {
    const owner = period.terms.ownerTakesPart || period.terms.ownerHours > 0 ? aloneCents : 0;
    return { cents: [owner, ...members.map(({ days }) => (days > 0 ? aloneCents : 0))], unfitSeconds: 0 };
  }
  if (hourCents !== undefined) {
    const costOf = (seconds: number) =>
      Number((BigInt(hourCents) * BigInt(seconds) + BigInt(SECONDS_PER_HOUR / 2)) / BigInt(SECONDS_PER_HOUR));
    return { cents: [ownerUsedSeconds, ...members.map(({ usedSeconds }) => usedSeconds)].map(costOf), unfitSeconds: 0 };
  }
  const unfitSeconds = hours === undefined ? 0 : Math.max(0, splitSeconds(period) - hours * SECONDS_PER_HOUR);
  if (isUnchanged(replay)) return { cents: splitPeriod(period).map(({ amountCents }) => amountCents), unfitSeconds };
  const memberHours = members.reduce((sum, { allocationHours }) => sum + allocationHours, 0);
  const tried = applyTrial(period, {
    priceCents: replay.priceCents,
    method: replay.method,
    basePercent: replay.basePercent,
    memberHours,
    allocations: new Map(),
  });
  const lines = splitPeriod({ ...tried, totalHours: hours ?? tried.totalHours });
  return { cents: lines.map(({ amountCents }) => amountCents), unfitSeconds };
}
