import type { Deps } from '../../../deps.ts';
import { repeat } from '../../../platform/jobs.ts';
import { queueReminders } from './service.ts';

const INTERVAL_MILLISECONDS = 5 * 60_000;

/** Sends usage reminders while the server runs. Returns a function that stops it. */
export const scheduleReminders = (deps: Deps): (() => Promise<void>) =>
  repeat('send usage reminders', INTERVAL_MILLISECONDS, () => queueReminders(deps), deps);
