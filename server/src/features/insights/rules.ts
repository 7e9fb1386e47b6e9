import type { Finding, HistoryMonth } from '@hourshare/contract/insights';
import { toAmount, toHours } from '@hourshare/contract/fields';
import { daysIn, monthsSince2000 } from '../periods/rules.ts';
import { offeredSeconds, type MonthToSplit, type PastMonth } from '../statements/rules.ts';

export interface AssetOfInsights {
  id: number;
  name: string;
  currency: string;
  archived: boolean;
  /** The day of the last use, `YYYY-MM-DD` in the asset's zone; null when no one ever has. */
  last_used_on: string | null;
  /** Ids of the users who have it now. */
  members: number[];
}

const SECONDS_PER_HOUR = 3600;
const MONTHS_PER_YEAR = 12;

/** Findings look at the calendar months before the current one, this many. */
const MONTHS_LOOKED_AT = 3;
const LOW_USE_PERCENT = 20;
const IDLE_PERCENT = 50;

interface Seconds {
  used: number;
  offered: number;
  kept: number;
  /** What members were allotted, used or not. */
  allotted: number;
  /** What members might have used and did not. */
  idle: number;
}

/** What became of the hours on offer in a month: offered = used + kept + idle, where more was not used than offered. */
function secondsOf(of: MonthToSplit): Seconds {
  const used = of.members.reduce((sum, { usedSeconds }) => sum + usedSeconds, 0);
  const offered = offeredSeconds(of);
  const kept = of.terms.ownerHours * SECONDS_PER_HOUR;
  const allotted = of.members.reduce((sum, { allocationHours }) => sum + allocationHours * SECONDS_PER_HOUR, 0);
  return { used, offered, kept, allotted, idle: Math.max(0, allotted - used) };
}

/** A part of a whole in percent with one decimal; 0 of nothing. */
const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 1000) / whole) / 10);

/** Whether a month has ended, and the asset was there all of it. */
const isWhole = ({ running, partial }: PastMonth): boolean => !running && !partial;

/** The figures of one month, rounded only here, on their way out. */
export function toHistoryMonth(month: PastMonth): HistoryMonth {
  const { running, of, names } = month;
  const { used, offered, kept, allotted, idle } = secondsOf(of);
  return {
    month: of.month,
    running,
    whole: isWhole(month),
    price: toAmount(of.priceCents),
    used_hours: toHours(used),
    offered_hours: toHours(offered),
    kept_hours: toHours(kept),
    idle_hours: toHours(idle),
    idle_percentage: percentOf(idle, allotted),
    price_per_used_hour: used === 0 ? null : toAmount(Math.round((of.priceCents * SECONDS_PER_HOUR) / used)),
    members: of.members.map(({ usedSeconds, allocationHours }, index) => ({
      username: names[index + 1] ?? '',
      used_hours: toHours(usedSeconds),
      allocated_hours: allocationHours,
    })),
  };
}

/**
 * What an owner may want to know about an asset, from its months, newest first. Nothing is said without a whole month:
 * one that has ended, and in which the asset (or the member that it is about) was there from the first day to the last.
 */
export function findingsOf(asset: AssetOfInsights, months: readonly PastMonth[]): Finding[] {
  const running = months.find((each) => each.running);
  if (!running || asset.archived) return [];
  const first = monthsSince2000(running.of.month) - MONTHS_LOOKED_AT;
  const whole = months.filter((each) => isWhole(each) && monthsSince2000(each.of.month) >= first);
  const about = { asset_id: asset.id, asset_name: asset.name, currency: asset.currency };
  const found = (kind: Finding['kind'], months: number, evidence: Partial<Finding>): Finding => ({
    ...about,
    kind,
    months,
    username: null,
    since: null,
    months_reached: null,
    percentage: null,
    allocated_hours: null,
    yearly_cost: null,
    ...evidence,
  });
  const since = unusedSince(asset, whole);
  if (since !== undefined)
    return [
      found('unused', whole.filter(wasShared).length, {
        since,
        yearly_cost: toAmount(running.of.priceCents * MONTHS_PER_YEAR),
      }),
    ];
  const lyingIdle = idle(whole);
  return [
    ...lyingIdle.map(({ months: count, evidence }) => found('idle', count, evidence)),
    ...running.of.members.flatMap(({ userId }, index) => {
      if (!asset.members.includes(userId)) return [];
      const mine = whole.flatMap(({ of }) =>
        of.members.filter((member) => member.userId === userId && member.days === daysIn(of.month)),
      );
      return (
        byMember(mine)
          // Of the only member it would say again what lay idle.
          .filter(([kind]) => kind !== 'low_use' || asset.members.length > 1 || lyingIdle.length === 0)
          .map(([kind, evidence]) =>
            found(kind, mine.length, { ...evidence, username: running.names[index + 1] ?? '' }),
          )
      );
    }),
  ];
}

/** Tells the findings of an owner apart: an asset has at most one about itself and one about each member. */
type FindingKey = [currency: string, yearlyCost: number, assetId: number, username: string];

export const findingKey = (finding: Finding): FindingKey => [
  finding.currency,
  finding.yearly_cost ?? 0,
  finding.asset_id,
  finding.username?.toLowerCase() ?? '',
];

/** By currency, the most costly first, then by asset and member. */
export const compareKeys = (left: FindingKey, right: FindingKey): number =>
  compare(left[0], right[0]) || right[1] - left[1] || left[2] - right[2] || compare(left[3], right[3]);

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

/** Whether anybody might have used an asset from a month's first day to its last. */
const wasShared = ({ of }: PastMonth): boolean => of.members.some(({ days }) => days === daysIn(of.month));

/**
 * The day of an asset's last use, null when there was none at all, if its last whole month and all that followed went by
 * without any; undefined otherwise. Where nobody had a share, or the owner kept hours, it cannot be told.
 */
function unusedSince(
  { last_used_on: last }: AssetOfInsights,
  [newest]: readonly PastMonth[],
): string | null | undefined {
  if (!newest || newest.of.terms.ownerHours > 0 || !wasShared(newest)) return undefined;
  return last === null || last < `${newest.of.month}-01` ? last : undefined;
}

function idle(months: readonly PastMonth[]): { months: number; evidence: Partial<Finding> }[] {
  const all = months.filter(wasShared).map(({ of }) => ({ ...secondsOf(of), priceCents: of.priceCents }));
  const [idleSeconds, allotted] = [sumOf(all, 'idle'), sumOf(all, 'allotted')];
  if (idleSeconds * 100 < allotted * IDLE_PERCENT || idleSeconds === 0) return [];
  // Who had a share was offered an hour at least.
  const cents = all.reduce((sum, each) => sum + (each.priceCents * each.idle) / each.offered, 0);
  return [
    {
      months: all.length,
      evidence: {
        percentage: percentOf(idleSeconds, allotted),
        yearly_cost: toAmount(Math.round((cents * MONTHS_PER_YEAR) / all.length)),
      },
    },
  ];
}

const sumOf = <K extends string>(all: readonly Record<K, number>[], key: K): number =>
  all.reduce((sum, each) => sum + each[key], 0);

/** Of one member's whole months: whether they use up what they have, or hardly any of it. */
function byMember(
  mine: readonly { usedSeconds: number; allocationHours: number }[],
): [Finding['kind'], Partial<Finding>][] {
  const reached = mine.filter(({ usedSeconds, allocationHours }) => usedSeconds >= allocationHours * SECONDS_PER_HOUR);
  if (reached.length * 2 > mine.length) return [['limit_reached', { months_reached: reached.length }]];
  const [used, hours] = [sumOf(mine, 'usedSeconds'), sumOf(mine, 'allocationHours')];
  // Compared before rounding: 19.95 % is less than 20 %.
  if (mine.length === 0 || used * 100 >= hours * SECONDS_PER_HOUR * LOW_USE_PERCENT) return [];
  return [['low_use', { percentage: percentOf(used, hours * SECONDS_PER_HOUR), allocated_hours: hours }]];
}
