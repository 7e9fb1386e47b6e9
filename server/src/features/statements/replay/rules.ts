import type { SplitMethod } from '@hourshare/contract/fields';
import { splitPeriod, usedSeconds, SECONDS_PER_HOUR, type PeriodToSplit } from '../rules.ts';
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
  /** The position of a member who isn't there. */
  without?: number | undefined;
}

interface ReplayedMonth {
  /** The owner's amount, then each member's, in minor units. */
  cents: number[];
  /** Used seconds that the hours of the plan wouldn't have covered. */
  unfitSeconds: number;
}

const isUnchanged = ({ priceCents, hours, method, basePercent }: Replay): boolean =>
  priceCents === undefined && hours === undefined && method === undefined && basePercent === undefined;

/** Returns a period without one of its members, and so with one place fewer. */
function leaveOut(period: PeriodToSplit, position: number): PeriodToSplit {
  const isKept = (_: unknown, index: number) => index !== position;
  return {
    ...period,
    members: period.members.filter(isKept),
    totalHours: Math.max(0, period.totalHours - (period.members[position]?.allocationHours ?? 0)),
    places: Math.max(1, period.places - 1),
    positions: period.positions?.filter((_, index) => index !== position + 1),
  };
}

/** Returns what a month would have cost everyone, with the use that there was. Without any change, that is what it did cost. */
export function replayMonth(period: PeriodToSplit, replay: Replay): ReplayedMonth {
  const { without } = replay;
  if (without === undefined) return replayShared(period, replay, isUnchanged(replay));
  const { cents, unfitSeconds } = replayShared(leaveOut(period, without), replay, false);
  return { cents: cents.toSpliced(without + 1, 0, 0), unfitSeconds };
}

function replayShared(period: PeriodToSplit, replay: Replay, isAsItWas: boolean): ReplayedMonth {
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
  const unfitSeconds = hours === undefined ? 0 : Math.max(0, usedSeconds(period) - hours * SECONDS_PER_HOUR);
  if (isAsItWas) return { cents: splitPeriod(period).map(({ amountCents }) => amountCents), unfitSeconds };
  const tried = applyTrial(period, {
    priceCents: replay.priceCents,
    method: replay.method,
    basePercent: replay.basePercent,
    memberHours: period.totalHours - period.terms.ownerHours,
    allocations: new Map(),
  });
  // Members don't see the owner's own use, nor how long others had access. Divided by less, their amounts would tell.
  const isOther = hours !== undefined || tried.terms.method !== period.terms.method;
  const ownedHours = isOther && ownerUsedSeconds > 0 ? Math.ceil(usedSeconds(period) / SECONDS_PER_HOUR) : 0;
  const lines = splitPeriod({
    ...tried,
    totalHours: Math.max(hours ?? tried.totalHours, ownedHours),
    allowanceHours: Math.max(hours ?? 0, tried.totalHours),
  });
  return { cents: lines.map(({ amountCents }) => amountCents), unfitSeconds };
}
