import type { MonthOfUse } from '../features/analytics/rules.ts';
import { plainMonths, type PlainChange } from './plain-months.ts';

export interface PlainSession {
  startedAt: Date;
  endedAt: Date | null;
  endsBy: Date;
  /** Whether a meter recorded it. */
  metered?: boolean;
}

const second = (instant: number) => Math.floor(instant / 1000);

/**
 * Returns the use of a month from 2025 to 2027 by a member with one allowance throughout. A reference implementation for the SQL: slow and obvious, session by
 * session and day by day, with time zones from another library.
 */
export function plainMonthOfUse(
  sessions: PlainSession[],
  {
    zone,
    changes = [],
    month,
    now,
    allocationHours,
  }: { zone: string; changes?: PlainChange[]; month: string | undefined; now: Date; allocationHours: number },
): MonthOfUse {
  const nowMilliseconds = now.getTime();
  const months = plainMonths(zone, changes, { first: '2025-01', last: '2027-12' });
  const current = months.find(({ begins, ends }) => begins <= nowMilliseconds && nowMilliseconds < ends);
  const requested = month === undefined ? current : months.find((each) => each.month === month);
  const today = current?.days.find(({ from, to }) => from <= nowMilliseconds && nowMilliseconds < to);
  if (!requested || !today) throw new Error('The reference calculation covers only the months of 2025 to 2027.');

  const cut = sessions
    .map(({ startedAt, endedAt, endsBy, metered = false }) => ({
      metered,
      from: startedAt.getTime(),
      to: Math.min((endedAt ?? endsBy).getTime(), nowMilliseconds),
    }))
    .filter(({ from }) => from <= nowMilliseconds);

  const byDay = (counted: typeof cut) => {
    const secondsByDay: Record<string, number> = {};
    for (const day of requested.days) {
      const seconds = counted.reduce(
        (sum, { from, to }) => sum + Math.max(0, second(Math.min(to, day.to)) - second(Math.max(from, day.from))),
        0,
      );
      if (seconds > 0) secondsByDay[day.date] = seconds;
    }
    return secondsByDay;
  };
  return {
    month: requested.month,
    summedHours: allocationHours * requested.days.length,
    reservedHours: 0,
    ownSeconds: 0,
    billedSeconds: null,
    today: today.date,
    sessionCount: cut.filter(
      ({ from, to }) => from < requested.ends && (to > requested.begins || from >= requested.begins),
    ).length,
    active: sessions.some(({ endedAt, endsBy }) => endedAt === null && endsBy > now),
    secondsByDay: byDay(cut),
    meteredByDay: byDay(cut.filter(({ metered }) => metered)),
    running:
      requested !== current
        ? null
        : {
            passedSeconds: second(nowMilliseconds) - second(requested.begins),
            monthSeconds: second(requested.ends) - second(requested.begins),
            dayStarts: requested.days.map(({ from }) => second(from) - second(requested.begins)),
          },
  };
}
