import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { deleteOldNotices } from './bell/service.ts';
import { queueNoticeMails } from './notice-mails/service.ts';
import { repeatOnOneServer } from './runs/service.ts';
import { tellOfMonthsAndBalances, tellOfRunningSessions } from './timed-notices/service.ts';

const RUNNING_MILLISECONDS = 60_000;
const MONTHS_MILLISECONDS = 10 * 60_000;
const MAIL_MILLISECONDS = 20_000;
const CLEANUP_MILLISECONDS = 60 * 60_000;

/**
 * While the server runs, notifies users of what only time causes, and deletes old notices. Returns a function that
 * stops it.
 */
export function scheduleNotices(deps: Deps): () => Promise<void> {
  const stops = [
    repeatOnOneServer('tell of running sessions', RUNNING_MILLISECONDS, tellOfRunningSessions, deps),
    repeatOnOneServer('tell of months and balances', MONTHS_MILLISECONDS, tellOfMonthsAndBalances, deps),
    repeat('queue mail with notices', MAIL_MILLISECONDS, () => queueNoticeMails(deps), deps),
    repeat('delete old notices', CLEANUP_MILLISECONDS, () => deleteOldNotices(deps), deps),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
