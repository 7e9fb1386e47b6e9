import type { Analytics } from '@hourshare/contract/analytics';
import { toHours } from '@hourshare/contract/fields';
import { daysIn } from '../periods/rules.ts';

export interface MonthOfUse {
  /** `YYYY-MM` */
  month: string;
  allocationHours: number;
  /** Today's date in the asset's zone, `YYYY-MM-DD`. */
  today: string;
  /** Sessions that overlap the month. */
  sessionCount: number;
  active: boolean;
  /** Whole seconds by date in the asset's zone, only days with use. */
  secondsByDay: Record<string, number>;
  /** Null for a month that is not the current one. */
  running: RunningMonth | null;
}

/** How far the current month has got, in whole seconds since it began. */
interface RunningMonth {
  passedSeconds: number;
  monthSeconds: number;
  /** When each of its days begins, the first one's 0 included. */
  dayStarts: number[];
}

const SECONDS_PER_HOUR = 3600;
const DAYS_PER_WEEK = 7;
const LONGEST_MONTH_WEEKS = 5;

const dayOf = (date: string): number => Number(date.slice(8, 10));

/** The week of its month that a day belongs to: days 1 to 7 are week 1, days 29 to the end are week 5. */
const weekOf = (day: number): number => Math.ceil(day / DAYS_PER_WEEK);

/** How many weeks of a month have begun by today: none of a future month, all of a past one. */
export function weeksBegun(month: string, today: string): number {
  const current = today.slice(0, 7);
  if (month > current) return 0;
  return Math.min(LONGEST_MONTH_WEEKS, weekOf(month < current ? daysIn(month) : dayOf(today)));
}

const DAYS_BEFORE_A_PACE = 3;

/**
 * Where the current month's use is heading, once three of its days have passed: what it comes to by the month's end, and
 * the day on which the allocation is used up, where that is within the month.
 */
function paceOf({ month, allocationHours, running }: MonthOfUse, usedSeconds: number): Analytics['pace'] {
  if (!running) return null;
  const { passedSeconds, monthSeconds, dayStarts } = running;
  if (passedSeconds < (dayStarts[DAYS_BEFORE_A_PACE] ?? Infinity)) return null;
  const emptyAfter = usedSeconds === 0 ? Infinity : (allocationHours * SECONDS_PER_HOUR * passedSeconds) / usedSeconds;
  // The day that holds that second: as many have begun before it.
  const day = dayStarts.filter((start) => start < emptyAfter).length;
  return {
    projected_hours: toHours((usedSeconds * monthSeconds) / passedSeconds),
    runs_out_on: emptyAfter < monthSeconds ? `${month}-${String(Math.max(1, day)).padStart(2, '0')}` : null,
  };
}

/**
 * The figures of one usage month from its seconds by day. Days, weeks and the total are sums of the same whole seconds
 * and are rounded only here, on their way out.
 */
export function summarize(use: MonthOfUse): Omit<Analytics, 'asset_name'> {
  const { month, allocationHours, today, sessionCount, active, secondsByDay } = use;
  const days = Object.entries(secondsByDay);
  const usedSeconds = days.reduce((sum, [, seconds]) => sum + seconds, 0);
  const secondsByWeek = Array<number>(weeksBegun(month, today)).fill(0);
  for (const [date, seconds] of days) {
    const week = weekOf(dayOf(date));
    secondsByWeek[week - 1] = (secondsByWeek[week - 1] ?? 0) + seconds;
  }
  const allocationSeconds = allocationHours * SECONDS_PER_HOUR;
  return {
    month,
    total_allocation: allocationHours,
    total_usage: toHours(usedSeconds),
    remaining_hours: toHours(Math.max(0, allocationSeconds - usedSeconds)),
    utilization_percentage: allocationSeconds === 0 ? 0 : Math.round((usedSeconds * 1000) / allocationSeconds) / 10,
    total_sessions: sessionCount,
    avg_session_duration_minutes: sessionCount === 0 ? 0 : Math.round(usedSeconds / sessionCount / 6) / 10,
    active_session: active,
    weekly_usage: secondsByWeek.map((seconds, index) => ({ week: index + 1, hours: toHours(seconds) })),
    daily_usage: Object.fromEntries(days.map(([date, seconds]) => [date, toHours(seconds)])),
    pace: paceOf(use, usedSeconds),
  };
}

/** Several members' months as one: allocations, sessions and each day's seconds summed. */
export function combine(months: [MonthOfUse, ...MonthOfUse[]]): MonthOfUse {
  const secondsByDay: Record<string, number> = {};
  for (const { secondsByDay: days } of months)
    for (const [date, seconds] of Object.entries(days)) secondsByDay[date] = (secondsByDay[date] ?? 0) + seconds;
  return {
    month: months[0].month,
    today: months[0].today,
    running: months[0].running,
    allocationHours: months.reduce((sum, { allocationHours }) => sum + allocationHours, 0),
    sessionCount: months.reduce((sum, { sessionCount }) => sum + sessionCount, 0),
    active: months.some(({ active }) => active),
    secondsByDay: Object.fromEntries(Object.entries(secondsByDay).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
