import type { Analytics } from '@hourshare/contract/analytics';
import { toHours } from '@hourshare/contract/fields';
import { daysInMonth, secondsOfSummedHours } from '../periods/rules.ts';

/** What one month's figures are calculated from. */
export interface MonthOfUse {
  /** `YYYY-MM` */
  month: string;
  /**
   * The allowance of each day, summed: on days with access in an ended month, as on its statement; otherwise the
   * current one, on all days.
   */
  summedHours: number;
  /** The hours among them that are reserved for the owner, which no member can use. */
  reservedHours: number;
  /** The used seconds among all that are the owner's own, which take nothing from members. */
  ownSeconds: number;
  /** As on the statement of a closed month; null otherwise. */
  billedSeconds: number | null;
  /** Today's date in the asset's zone, `YYYY-MM-DD`. */
  today: string;
  /** The number of sessions that overlap the month. */
  sessionCount: number;
  active: boolean;
  /** Whole seconds by date in the asset's zone, only days with use. */
  secondsByDay: Record<string, number>;
  /** What meters recorded of them. */
  meteredByDay: Record<string, number>;
  /** Null for a month that is not the current one. */
  running: RunningMonth | null;
}

/** The progress of the current month, in whole seconds since it began. */
interface RunningMonth {
  passedSeconds: number;
  monthSeconds: number;
  /** The start of each of its days; the first is 0. */
  dayStarts: number[];
}

/** What a share was used on one day. */
export interface DayOfUse {
  shareId: number;
  /** `YYYY-MM-DD` */
  day: string;
  seconds: number;
  sessions: number;
  /** What meters recorded of the seconds. */
  metered: number;
}

const SECONDS_PER_HOUR = 3600;
const DAYS_PER_WEEK = 7;
const LONGEST_MONTH_WEEKS = 5;

/** Returns the day of the month of a date, `YYYY-MM-DD`. */
const dayNumber = (date: string): number => Number(date.slice(8, 10));

/** Returns the week of the month for a day: days 1 to 7 are week 1, days 29 to the end are week 5. */
const weekNumber = (day: number): number => Math.ceil(day / DAYS_PER_WEEK);

/** Returns the number of weeks of a month that have begun by today: none of a future month, all of a past one. */
export function countStartedWeeks(month: string, today: string): number {
  const current = today.slice(0, 7);
  if (month > current) return 0;
  return Math.min(LONGEST_MONTH_WEEKS, weekNumber(month < current ? daysInMonth(month) : dayNumber(today)));
}

const PACE_MIN_DAYS = 3;

/**
 * Projects the current month's use: its hours by the end of the month and, if within the month, the day on which the
 * allowance runs out. Returns null until three days have passed and for any other month.
 */
function projectPace({ month, summedHours, running }: MonthOfUse, usedSeconds: number): Analytics['pace'] {
  if (!running) return null;
  const { passedSeconds, monthSeconds, dayStarts } = running;
  if (passedSeconds < (dayStarts[PACE_MIN_DAYS] ?? Infinity)) return null;
  const runsOutAfter =
    usedSeconds === 0 || summedHours === 0
      ? Infinity
      : (secondsOfSummedHours(summedHours, month) * passedSeconds) / usedSeconds;
  // The day of an instant has the number of days begun by that second.
  const day = dayStarts.filter((start) => start < runsOutAfter).length;
  return {
    projected_hours: toHours((usedSeconds * monthSeconds) / passedSeconds),
    runs_out_on: runsOutAfter < monthSeconds ? `${month}-${String(Math.max(1, day)).padStart(2, '0')}` : null,
  };
}

/** Returns the seconds used in a month. */
export const secondsOf = ({ billedSeconds, secondsByDay }: MonthOfUse): number =>
  billedSeconds ?? Object.values(secondsByDay).reduce((sum, seconds) => sum + seconds, 0);

/**
 * Returns the figures of one month from its seconds by day. Days, weeks and the total are sums of the same whole seconds,
 * and are rounded only here.
 */
export function summarize(use: MonthOfUse): Omit<Analytics, 'asset_name'> {
  const { month, summedHours, reservedHours, ownSeconds, today, sessionCount, active, secondsByDay } = use;
  const days = Object.entries(secondsByDay);
  const usedSeconds = secondsOf(use);
  const secondsByWeek = Array<number>(countStartedWeeks(month, today)).fill(0);
  for (const [date, seconds] of days) {
    const week = weekNumber(dayNumber(date));
    secondsByWeek[week - 1] = (secondsByWeek[week - 1] ?? 0) + seconds;
  }
  const allocationSeconds = secondsOfSummedHours(summedHours, month);
  return {
    month,
    total_allocation: toHours(allocationSeconds),
    total_usage: toHours(usedSeconds),
    // Not from rounded seconds, which would round twice.
    remaining_hours: toHours(
      Math.max(0, (summedHours / daysInMonth(month) - reservedHours) * SECONDS_PER_HOUR - (usedSeconds - ownSeconds)),
    ),
    utilization_percentage:
      summedHours === 0
        ? 0
        : Math.round((usedSeconds * daysInMonth(month) * 1000) / (summedHours * SECONDS_PER_HOUR)) / 10,
    total_sessions: sessionCount,
    avg_session_duration_minutes: sessionCount === 0 ? 0 : Math.round(usedSeconds / sessionCount / 6) / 10,
    active_session: active,
    weekly_usage: secondsByWeek.map((seconds, index) => ({ week: index + 1, hours: toHours(seconds) })),
    daily_usage: hoursByDay(secondsByDay),
    metered_usage: hoursByDay(use.meteredByDay),
    pace: projectPace(use, usedSeconds - ownSeconds),
  };
}

const hoursByDay = (seconds: Record<string, number>) =>
  Object.fromEntries(Object.entries(seconds).map(([date, each]) => [date, toHours(each)]));

/** Adds up what some shares were used, by rising day. */
export function daysOf(days: readonly DayOfUse[]): Pick<MonthOfUse, 'sessionCount' | 'secondsByDay' | 'meteredByDay'> {
  const byDay = (kind: 'seconds' | 'metered') =>
    addDays(days.filter((day) => day[kind] > 0).map((day) => ({ [day.day]: day[kind] })));
  return {
    sessionCount: days.reduce((sum, { sessions }) => sum + sessions, 0),
    secondsByDay: byDay('seconds'),
    meteredByDay: byDay('metered'),
  };
}

/** Adds up seconds by day, in the order of days. */
function addDays(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const days of all) for (const [date, seconds] of Object.entries(days)) sums[date] = (sums[date] ?? 0) + seconds;
  return Object.fromEntries(Object.entries(sums).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds up the months of those who use an asset: sessions and each day's seconds. Its hours are those of the fullest moment. */
export function combineMonths(
  months: [MonthOfUse, ...MonthOfUse[]],
  hours: { totalHours: number; reservedHours: number; ownSeconds: number },
): MonthOfUse {
  return {
    month: months[0].month,
    today: months[0].today,
    running: months[0].running,
    summedHours: hours.totalHours * daysInMonth(months[0].month),
    reservedHours: hours.reservedHours,
    ownSeconds: hours.ownSeconds,
    billedSeconds: months.every(({ billedSeconds }) => billedSeconds === null)
      ? null
      : months.reduce((sum, { billedSeconds }) => sum + (billedSeconds ?? 0), 0),
    sessionCount: months.reduce((sum, { sessionCount }) => sum + sessionCount, 0),
    active: months.some(({ active }) => active),
    secondsByDay: addDays(months.map(({ secondsByDay }) => secondsByDay)),
    meteredByDay: addDays(months.map(({ meteredByDay }) => meteredByDay)),
  };
}
