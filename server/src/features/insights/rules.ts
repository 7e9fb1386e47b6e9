import type { Finding, HistoryMonth } from '@hourshare/contract/insights';
import { toAmount, toHours } from '@hourshare/contract/fields';
import { daysIn, monthsSince2000 } from '../periods/rules.ts';
import { offeredSeconds, type MemberShare, type MonthToSplit, type PastMonth } from '../statements/rules.ts';

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

const NO_EVIDENCE = {
  username: null,
  since: null,
  months_reached: null,
  percentage: null,
  allocated_hours: null,
  yearly_cost: null,
};

/** What each finding on an asset says of it. */
type AboutAsset = Pick<Finding, 'asset_id' | 'asset_name' | 'currency'> & typeof NO_EVIDENCE;

/**
 * Returns an asset's findings from its months, newest first. Only whole months count: ones that have ended, and in which the
 * asset (or the member that a finding is about) was there from the first day to the last.
 */
export function findingsOf(asset: AssetOfInsights, months: readonly PastMonth[]): Finding[] {
  const running = months.find((month) => month.running);
  if (!running || asset.archived) return [];
  const about = { asset_id: asset.id, asset_name: asset.name, currency: asset.currency, ...NO_EVIDENCE };
  const first = monthsSince2000(running.of.month) - MONTHS_LOOKED_AT;
  const whole = months.filter((month) => isWhole(month) && monthsSince2000(month.of.month) >= first);
  const shared = whole.filter(wasShared);
  const since = unusedSince(asset, whole);
  if (since !== undefined) {
    const yearlyCost = toAmount(running.of.priceCents * MONTHS_PER_YEAR);
    return [{ ...about, kind: 'unused', months: shared.length, since, yearly_cost: yearlyCost }];
  }
  const idle = idleFindings(about, shared);
  const byMember = running.of.members.flatMap(({ userId }, index) => {
    if (!asset.members.includes(userId)) return [];
    const memberMonths = whole.flatMap(({ of }) =>
      of.members.filter((member) => member.userId === userId && member.days === daysIn(of.month)),
    );
    return memberFindings(about, running.names[index + 1] ?? '', memberMonths);
  });
  // For the only member, low use would repeat what is idle.
  const repeated = idle.length > 0 && asset.members.length === 1;
  return [...idle, ...byMember.filter(({ kind }) => kind !== 'low_use' || !repeated)];
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

/** Compares allowances with use over months in which someone had access throughout. */
function idleFindings(about: AboutAsset, months: readonly PastMonth[]): Finding[] {
  const totals = months.map(({ of }) => ({ ...secondsOf(of), priceCents: of.priceCents }));
  const [idle, allotted] = [sumOf(totals, 'idle'), sumOf(totals, 'allotted')];
  if (idle * 100 < allotted * IDLE_PERCENT || idle === 0) return [];
  // An allowance is an hour at least, so no month divides by zero.
  const cents = totals.reduce((sum, month) => sum + (month.priceCents * month.idle) / month.offered, 0);
  return [
    {
      ...about,
      kind: 'idle',
      months: months.length,
      percentage: percentOf(idle, allotted),
      yearly_cost: toAmount(Math.round((cents * MONTHS_PER_YEAR) / months.length)),
    },
  ];
}

const sumOf = <K extends string>(items: readonly Record<K, number>[], key: K): number =>
  items.reduce((sum, item) => sum + item[key], 0);

/** Compares a member's allowance with their use over their whole months: all of it used, or hardly any. */
function memberFindings(
  about: AboutAsset,
  username: string,
  months: readonly Pick<MemberShare, 'usedSeconds' | 'allocationHours'>[],
): Finding[] {
  const finding = { ...about, username, months: months.length };
  const reached = months.filter(
    ({ usedSeconds, allocationHours }) => usedSeconds >= allocationHours * SECONDS_PER_HOUR,
  ).length;
  if (reached * 2 > months.length) return [{ ...finding, kind: 'limit_reached', months_reached: reached }];
  const [used, hours] = [sumOf(months, 'usedSeconds'), sumOf(months, 'allocationHours')];
  const allotted = hours * SECONDS_PER_HOUR;
  // Compared before rounding: 19.95 % is less than 20 %.
  if (months.length === 0 || used * 100 >= allotted * LOW_USE_PERCENT) return [];
  return [{ ...finding, kind: 'low_use', percentage: percentOf(used, allotted), allocated_hours: hours }];
}
