import { hueOf, toHours } from '@hourshare/contract/fields';
import type { Finding, HistoryMonth } from '@hourshare/contract/insights';
import { toAmount } from '@hourshare/contract/money';
import { daysInMonth, monthsSince2000 } from '../periods/rules.ts';
import { memberSeconds, membersUsedSeconds, splitSeconds, usedUp, type PastPeriod } from '../statements/rules.ts';

export interface InsightAsset {
  id: number;
  name: string;
  currency: string;
  archived: boolean;
  /** The day of the last use, `YYYY-MM-DD` in the asset's zone; null without any use. */
  last_used_on: string | null;
  /** User ids of the current members. */
  members: number[];
}

const SECONDS_PER_HOUR = 3600;
const MONTHS_PER_YEAR = 12;

/** Insights come from this many calendar months before the current one. */
const WINDOW_MONTHS = 3;
const LOW_USE_PERCENT = 20;
const IDLE_PERCENT = 50;

interface PeriodSeconds {
  used: number;
  offered: number;
  /** Reserved for the owner. */
  kept: number;
  /** Available to members, used or not. */
  allotted: number;
  /** The part of them that went unused. */
  idle: number;
}

/** Returns a period's seconds, as its statement counts them: available at its fullest moment, or used if that is more. */
function sumSeconds(period: PastPeriod): PeriodSeconds {
  const used = splitSeconds(period);
  const kept = period.terms.ownerHours * SECONDS_PER_HOUR;
  const available = period.totalHours * SECONDS_PER_HOUR;
  const allotted = available - kept;
  return {
    used,
    offered: Math.max(available, used),
    kept,
    allotted,
    idle: Math.max(0, allotted - membersUsedSeconds(period)),
  };
}

const sumBy = <K extends string>(items: readonly Record<K, number>[], key: K): number =>
  items.reduce((sum, item) => sum + item[key], 0);

/** Returns a part of a whole in percent, with one decimal; 0 if the whole is 0. */
const toPercentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * 1000) / whole) / 10;

/** Returns whether a period has ended and the asset wasn't added, archived, or restored during it. */
const isWhole = ({ running, partial }: PastPeriod): boolean => !running && !partial;

/** Returns whether any member had access from a period's first day to its last. */
const wasSharedThroughout = ({ month, members }: PastPeriod): boolean =>
  members.some(({ days }) => days === daysInMonth(month));

/** Returns the figures of one month. Nothing is rounded before. */
export function toHistoryMonth(period: PastPeriod, currency: string): HistoryMonth {
  const { month, running, priceCents, members, names } = period;
  const { used, offered, kept, allotted, idle } = sumSeconds(period);
  return {
    month,
    running,
    whole: isWhole(period),
    price: toAmount(priceCents, currency),
    used_hours: toHours(used),
    offered_hours: toHours(offered),
    kept_hours: toHours(kept),
    idle_hours: toHours(idle),
    idle_percentage: toPercentage(idle, allotted),
    price_per_used_hour: used === 0 ? null : toAmount(Math.round((priceCents * SECONDS_PER_HOUR) / used), currency),
    members: members.map((member, index) => ({
      username: names[index + 1] ?? '',
      hue: hueOf(member.userId),
      used_hours: toHours(member.usedSeconds),
      allocated_hours: member.allocationHours,
      available_hours: toHours(memberSeconds(period, member)),
    })),
  };
}

const NO_EVIDENCE = {
  username: null,
  since: null,
  months_reached: null,
  percentage: null,
  allocated_hours: null,
  yearly_cost: null,
};

/** The fields that every insight has about its asset. */
type AssetFields = Pick<Finding, 'asset_id' | 'asset_name' | 'currency'> & typeof NO_EVIDENCE;

/**
 * Returns the insights into an asset from its periods, newest first. Only whole periods count: ended ones in which the
 * asset, and the member an insight is about, was there from the first day to the last. What isn't measured has none.
 */
export function findInsights(asset: InsightAsset, periods: readonly PastPeriod[]): Finding[] {
  const running = periods.find((period) => period.running);
  if (!running?.terms.measured || asset.archived) return [];
  const assetFields = { asset_id: asset.id, asset_name: asset.name, currency: asset.currency, ...NO_EVIDENCE };
  const windowStart = monthsSince2000(running.month) - WINDOW_MONTHS;
  const whole = periods.filter(
    (period) => isWhole(period) && period.terms.measured && monthsSince2000(period.month) >= windowStart,
  );
  const shared = whole.filter(wasSharedThroughout);
  const since = findUnusedSince(asset, whole);
  if (since !== undefined) {
    const yearlyCost = toAmount((running.averageCents ?? running.priceCents) * MONTHS_PER_YEAR, asset.currency);
    return [{ ...assetFields, kind: 'unused', months: shared.length, since, yearly_cost: yearlyCost }];
  }
  const idle = findIdle(assetFields, shared);
  const byMember = running.members.flatMap(({ userId }, index) => {
    if (!asset.members.includes(userId)) return [];
    const months = whole.flatMap((period) =>
      period.members
        .filter((member) => member.userId === userId && member.days === daysInMonth(period.month))
        .map((member) => ({
          used: member.usedSeconds,
          available: memberSeconds(period, member),
          usedUp: usedUp(period, member),
        })),
    );
    return findMemberInsights(assetFields, running.names[index + 1] ?? '', months);
  });
  // For the only member, low use would repeat the unused hours.
  const repeated = idle.length > 0 && asset.members.length === 1;
  return [...idle, ...byMember.filter(({ kind }) => kind !== 'low_use' || !repeated)];
}

/** Identifies an insight among an owner's: an asset has at most one about itself and one about each member. */
type InsightKey = [currency: string, yearlyCost: number, assetId: number, username: string];

export const insightKey = (insight: Finding): InsightKey => [
  insight.currency,
  insight.yearly_cost ?? 0,
  insight.asset_id,
  insight.username?.toLowerCase() ?? '',
];

/** Compares by currency, then the highest cost first, then by asset and member. */
export const compareInsightKeys = (left: InsightKey, right: InsightKey): number =>
  compareText(left[0], right[0]) || right[1] - left[1] || left[2] - right[2] || compareText(left[3], right[3]);

const compareText = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

/**
 * Returns the day of an asset's last use, null if it never had any; undefined if it was used in its last whole period
 * or later. Also undefined if that can't be judged: no member was there throughout, or the owner reserves hours.
 */
function findUnusedSince(
  { last_used_on: last }: InsightAsset,
  [newest]: readonly PastPeriod[],
): string | null | undefined {
  if (!newest || newest.terms.ownerHours > 0 || !wasSharedThroughout(newest)) return undefined;
  return last === null || last < `${newest.month}-01` ? last : undefined;
}

/** Compares allowances with use, over periods in which some member had access throughout. */
function findIdle(assetFields: AssetFields, periods: readonly PastPeriod[]): Finding[] {
  const totals = periods.map((period) => ({ ...sumSeconds(period), priceCents: period.priceCents }));
  const [idle, allotted] = [sumBy(totals, 'idle'), sumBy(totals, 'allotted')];
  if (idle * 100 < allotted * IDLE_PERCENT || idle === 0) return [];
  // An allowance is an hour at least, so no period divides by zero.
  const cents = totals.reduce((sum, period) => sum + (period.priceCents * period.idle) / period.offered, 0);
  return [
    {
      ...assetFields,
      kind: 'idle',
      months: periods.length,
      percentage: toPercentage(idle, allotted),
      yearly_cost: toAmount(Math.round((cents * MONTHS_PER_YEAR) / periods.length), assetFields.currency),
    },
  ];
}

interface MemberMonth {
  used: number;
  available: number;
  usedUp: boolean;
}

/** Compares a member's hours with their use over whole periods: all of them used, or hardly any. */
function findMemberInsights(assetFields: AssetFields, username: string, months: readonly MemberMonth[]): Finding[] {
  const insight = { ...assetFields, username, months: months.length };
  const reached = months.filter((month) => month.usedUp).length;
  if (reached * 2 > months.length) return [{ ...insight, kind: 'limit_reached', months_reached: reached }];
  const [used, available] = [sumBy(months, 'used'), sumBy(months, 'available')];
  // Compared before rounding: 19.95% is less than 20%.
  if (months.length === 0 || used * 100 >= available * LOW_USE_PERCENT) return [];
  const percentage = toPercentage(used, available);
  return [{ ...insight, kind: 'low_use', percentage, allocated_hours: toHours(available) }];
}
