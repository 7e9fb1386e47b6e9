import type { MonthOfUse } from '../features/analytics/rules.ts';
import { plainMonths, type PlainChange } from './plain-months.ts';

export interface PlainSession {
  startedAt: Date;
  endedAt: Date | null;
  endsBy: Date;
}

const second = (instant: number) => Math.floor(instant / 1000);

/**
 * Use of a month worked out the slow and obvious way, session by session and day by day, with another implementation of
 * time zones than the database's. The oracle that the SQL is held against, for months of 2025 to 2027.
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
  const at = now.getTime();
  const months = plainMonths(zone, changes, { first: '2025-01', last: '2027-12' });
  const current = months.find(({ begins, ends }) => begins <= at && at < ends);
  const asked = month === undefined ? current : months.find((each) => each.month === month);
  const today = current?.days.find(({ from, to }) => from <= at && at < to);
  if (!asked || !today) throw new Error('The plain reckoning knows the months of 2025 to 2027 alone.');

  const cut = sessions
    .map(({ startedAt, endedAt, endsBy }) => ({
      from: startedAt.getTime(),
      to: Math.min((endedAt ?? endsBy).getTime(), at),
    }))
    .filter(({ from }) => from <= at);

  const secondsByDay: Record<string, number> = {};
  for (const day of asked.days) {
    const seconds = cut.reduce(
      (sum, { from, to }) => sum + Math.max(0, second(Math.min(to, day.to)) - second(Math.max(from, day.from))),
      0,
    );
    if (seconds > 0) secondsByDay[day.date] = seconds;
  }
  return {
    month: asked.month,
    allocationHours,
    today: today.date,
    sessionCount: cut.filter(({ from, to }) => from < asked.ends && (to > asked.begins || from >= asked.begins)).length,
    active: sessions.some(({ endedAt, endsBy }) => endedAt === null && endsBy > now),
    secondsByDay,
    running:
      asked !== current
        ? null
        : {
            passedSeconds: second(at) - second(asked.begins),
            monthSeconds: second(asked.ends) - second(asked.begins),
            dayStarts: asked.days.map(({ from }) => second(from) - second(asked.begins)),
          },
  };
}
