import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { repeatOnOneServer } from '../runs/service.ts';
import { queueMonthlyReminders, queueWeeklyReminders } from './service.ts';

const INTERVAL_MILLISECONDS = 5 * 60_000;

/** Sends usage reminders while the server runs. Returns a function that stops it. */
export function scheduleReminders(deps: Deps): () => Promise<void> {
  const stops = [
    repeat('send weekly reminders', INTERVAL_MILLISECONDS, () => queueWeeklyReminders(deps), deps),
    // Looks at all statements of the month.
    repeatOnOneServer('send monthly reminders', INTERVAL_MILLISECONDS, queueMonthlyReminders, deps),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
