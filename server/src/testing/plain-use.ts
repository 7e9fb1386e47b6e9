import { Temporal } from 'temporal-polyfill';
import type { MonthOfUse } from '../features/analytics/rules.ts';

export interface PlainSession {
  startedAt: Date;
  endedAt: Date | null;
  endsBy: Date;
}

const second = (instant: number) => Math.floor(instant / 1000);

/**
 * Use of a month worked out the slow and obvious way, session by session and day by day, with another implementation of
 * time zones than the database's. The oracle that the SQL is held against.
 */
export function plainMonthOfUse(
  sessions: PlainSession[],
  {
    zone,
    month,
    now,
    allocationHours,
  }: { zone: string; month: string | undefined; now: Date; allocationHours: number },
): MonthOfUse {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const firstDay = (month === undefined ? today : Temporal.PlainDate.from(`${month}-01`)).with({ day: 1 });
  const begins = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;

  const cut = sessions
    .map(({ startedAt, endedAt, endsBy }) => ({
      from: startedAt.getTime(),
      to: Math.min((endedAt ?? endsBy).getTime(), now.getTime()),
      end: (endedAt ?? endsBy).getTime(),
    }))
    .filter(({ from }) => from <= now.getTime());
  const monthFrom = begins(firstDay);
  const monthTo = begins(firstDay.add({ months: 1 }));

  const secondsByDay: Record<string, number> = {};
  for (let day = firstDay; day.month === firstDay.month; day = day.add({ days: 1 })) {
    const dayFrom = begins(day);
    const dayTo = begins(day.add({ days: 1 }));
    const seconds = cut.reduce(
      (sum, { from, to }) => sum + Math.max(0, second(Math.min(to, dayTo)) - second(Math.max(from, dayFrom))),
      0,
    );
    if (seconds > 0) secondsByDay[day.toString()] = seconds;
  }
  return {
    month: firstDay.toString().slice(0, 7),
    allocationHours,
    today: today.toString(),
    sessionCount: cut.filter(({ from, end }) => from < monthTo && (end > monthFrom || from >= monthFrom)).length,
    active: sessions.some(({ endedAt, endsBy }) => endedAt === null && endsBy > now),
    secondsByDay,
    running: monthFrom <= now.getTime() && now.getTime() < monthTo ? runningMonth(firstDay, zone, now) : null,
  };
}

function runningMonth(firstDay: Temporal.PlainDate, zone: string, now: Date): MonthOfUse['running'] {
  const instantOf = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  const since = (instant: number) => second(instant) - second(instantOf(firstDay));
  return {
    passedSeconds: since(now.getTime()),
    monthSeconds: since(instantOf(firstDay.add({ months: 1 }))),
    dayStarts: Array.from({ length: firstDay.daysInMonth }, (_, days) => since(instantOf(firstDay.add({ days })))),
  };
}
