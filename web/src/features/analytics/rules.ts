import type { Analytics, AssetAnalytics } from '@hourshare/contract/analytics';
import type { SharedWithEntry } from '@hourshare/contract/assets';
import { formatHours, formatNumber, roundHours } from '../../platform/format/numbers.ts';
import { dateFormat, formattingLocale } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { dateText, daysInMonth, thisMonth } from '../../platform/format/months.ts';

/** Whom the figures are about: the reader, all members together, or one member. */
export type AnalyzedUser = 'you' | 'members' | AssetAnalytics['members'][number];

/** The figures of a month, and whom they are about. An owner's only member has a pace of their own beside the total. */
export interface MonthFigures {
  analytics: Analytics;
  user: AnalyzedUser;
}

/** Returns the answer to how a month goes, or went, in one sentence. */
export function answerText({ analytics, user }: MonthFigures, past: boolean): string {
  const { total_usage: used, total_allocation: allowance } = analytics;
  if (used === 0) return past ? t('No usage that month') : t('No usage yet this month');
  return (
    (past ? null : paceText(typeof user === 'string' ? analytics : user, user)) ??
    t('{used} of {allowance} used', { used: formatNumber(roundHours(used)), allowance: formatHours(allowance) })
  );
}

/** Says that the hours are used up, or where the pace leads; null while there is none. */
function paceText(analytics: Analytics, user: AnalyzedUser): string | null {
  const { pace, month, total_allocation: allowance, remaining_hours: remaining } = analytics;
  const over = overHours(analytics);
  const hours = formatHours(allowance);
  if (user === 'you' && over > 0) return t("You're {hours} over your allowance.", { hours: formatHours(over) });
  if (allowance > 0 && remaining === 0) return usedUpText(user, hours);
  if (!pace || pace.projected_hours === 0) return null;
  // Members together have no day on which their hours run out.
  if (pace.runs_out_on !== null && user !== 'members')
    return runsOutText(user, { hours, day: dateText(pace.runs_out_on) });
  const day = dateText(`${month}-${daysInMonth(month)}`);
  return projectionText(user, { hours: formatHours(pace.projected_hours), day });
}

function projectionText(user: AnalyzedUser, values: { hours: string; day: string }): string {
  if (user === 'you') return t("At this pace you'll use {hours} by {day}.", values);
  if (user === 'members') return t('At this pace members will use {hours} by {day}.', values);
  return t('At this pace {name} will use {hours} by {day}.', { name: user.username, ...values });
}

function usedUpText(user: AnalyzedUser, hours: string): string {
  if (user === 'you') return t("You've used all {hours}.", { hours });
  if (user === 'members') return t('Members have used all {hours}.', { hours });
  return t('{name} has used all {hours}.', { name: user.username, hours });
}

function runsOutText(user: Exclude<AnalyzedUser, 'members'>, values: { hours: string; day: string }): string {
  if (user === 'you') return t("You're on pace to use all {hours} by {day}.", values);
  return t('{name} is on pace to use all {hours} by {day}.', { name: user.username, ...values });
}

/** Returns when the running sessions of an asset were started: those of a member, or of everyone, with the owner's own. */
export const startsOf = (entries: SharedWithEntry[], own: string | null, member: string | undefined): string[] => [
  ...entries.flatMap(({ shared_with_username: name, active_since: since }) =>
    since !== null && (member === undefined || name === member) ? [since] : [],
  ),
  ...(own !== null && member === undefined ? [own] : []),
];

export interface Series {
  labels: string[];
  values: number[];
}

/** Hours by week or day, and what meters recorded of them. */
interface MeteredSeries extends Series {
  metered: number[];
}

export interface WeeklySeries extends MeteredSeries {
  /** The days of each week, such as "8–14". */
  days: string[];
}

const DAYS_PER_WEEK = 7;

const dateIn = (month: string, day: number): Date => new Date(`${month}-${String(day).padStart(2, '0')}T00:00:00Z`);

/** Returns hours by week; empty without use. */
export function weeklySeries({
  month,
  weekly_usage: weeks,
  metered_usage: metered,
}: Pick<Analytics, 'month' | 'weekly_usage' | 'metered_usage'>): WeeklySeries {
  const used = weeks.some(({ hours }) => hours > 0) ? weeks : [];
  const format = dateFormat({ day: 'numeric', timeZone: 'UTC' });
  return {
    labels: used.map(({ week }) => t('Week {number, number}', { number: week })),
    values: used.map(({ hours }) => hours),
    metered: used.map(({ week, hours }) => {
      const days = Object.entries(metered).filter(
        ([date]) => Math.ceil(Number(date.slice(8)) / DAYS_PER_WEEK) === week,
      );
      // Rounded days may add up to more than their week.
      return Math.min(hours, round(days.reduce((sum, [, each]) => sum + each, 0)));
    }),
    days: used.map(({ week }) =>
      format.formatRange(
        dateIn(month, (week - 1) * DAYS_PER_WEEK + 1),
        dateIn(month, Math.min(week * DAYS_PER_WEEK, daysInMonth(month))),
      ),
    ),
  };
}

export interface DailySeries extends MeteredSeries {
  /** The position of the current day; null in a month that has ended. */
  today: number | null;
  /** The position of the day on which the allowance was used up; null if it isn't exceeded. */
  usedUp: number | null;
}

type DaysOfMonth = Pick<Analytics, 'month' | 'daily_usage' | 'weekly_usage' | 'metered_usage'>;

/**
 * Returns hours by day, with zeros, up to today or the end of the month; empty without use. Labels cover the whole month.
 * Dates are days in the asset's time zone, so they are formatted in UTC to stay the same day everywhere.
 */
export function dailySeries(
  analytics: DaysOfMonth & Allowance,
  past: boolean,
  now = new Date(),
  locale = formattingLocale(),
): DailySeries {
  const { month, daily_usage: hours } = analytics;
  if (Object.keys(hours).length === 0) return { labels: [], values: [], metered: [], today: null, usedUp: null };
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const days = Array.from({ length: daysInMonth(month) }, (_, index) => dateIn(month, index + 1));
  const last = past ? days.length : lastDay(analytics, now);
  const dates = days.slice(0, last).map((day) => day.toISOString().slice(0, 10));
  const values = dates.map((date) => hours[date] ?? 0);
  const { within } = splitAtAllowance(values, analytics);
  const lastWithin = overHours(analytics) > 0 ? within.findLastIndex((hours) => hours > 0) : -1;
  return {
    labels: days.map((day) => format.format(day)),
    values,
    metered: dates.map((date) => analytics.metered_usage[date] ?? 0),
    today: past ? null : last - 1,
    usedUp: lastWithin === -1 ? null : lastWithin,
  };
}

/** Returns the hours used up to the end of each day so far. Days are rounded, so the last one is the total. */
export function usedSoFar({ values }: Pick<DailySeries, 'values'>, total: number): number[] {
  let sum = 0;
  return values.map((hours, index) => {
    sum = round(sum + hours);
    return index === values.length - 1 ? total : Math.min(sum, total);
  });
}

/**
 * Returns the last day of the current month so far. A member doesn't know the asset's time zone, so it is the viewer's date
 * within the week that has begun there, and no earlier than the last use.
 */
function lastDay({ month, daily_usage, weekly_usage }: Omit<DaysOfMonth, 'metered_usage'>, now: Date): number {
  const lastUse = Math.max(...Object.keys(daily_usage).map((date) => Number(date.slice(8))));
  const latest = Math.max(lastUse, Math.min(daysInMonth(month), weekly_usage.length * DAYS_PER_WEEK));
  const earliest = Math.max(lastUse, (weekly_usage.length - 1) * DAYS_PER_WEEK + 1);
  const viewersMonth = thisMonth(now);
  if (viewersMonth > month) return latest;
  return Math.min(latest, Math.max(earliest, viewersMonth === month ? now.getDate() : 0));
}

const round = (hours: number) => Math.round(hours * 100) / 100;

/**
 * Splits hours in order of time into those within the allowance and those over it. Each is rounded separately, so their
 * sum differs from the total; the hours over are counted from the end, so that they add up to what the total is over.
 */
export function splitAtAllowance(values: number[], analytics: Allowance): { within: number[]; over: number[] } {
  let left = overHours(analytics);
  const over = values
    .toReversed()
    .map((hours) => {
      const part = Math.min(hours, left);
      left = round(left - part);
      return part;
    })
    .toReversed();
  return { within: values.map((hours, index) => round(hours - (over[index] ?? 0))), over };
}

/** Returns used and remaining hours, and those over the allowance if any; empty without hours. */
export function utilizationSeries(analytics: Pick<Analytics, 'total_usage' | 'remaining_hours'> & Allowance): Series {
  const { total_usage: used, remaining_hours: remaining } = analytics;
  if (used === 0 && remaining === 0) return { labels: [], values: [] };
  const over = overHours(analytics);
  return {
    labels: [t('Used'), t('Remaining'), ...(over > 0 ? [t('Over [[allowance]]')] : [])],
    values: [used, remaining, ...(over > 0 ? [over] : [])],
  };
}

export type Allowance = Pick<Analytics, 'total_usage' | 'total_allocation'>;

/** Returns the hours used beyond the allowance. */
export const overHours = ({ total_usage: used, total_allocation: allowance }: Allowance): number =>
  allowance > 0 ? round(Math.max(0, used - allowance)) : 0;
