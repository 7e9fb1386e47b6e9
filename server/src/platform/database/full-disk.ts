import type { Uptime } from '../clock.ts';
import { isDiskFull } from './failure.ts';

/** A job writes every minute, so that a disk that stays full is noticed again before this is over. */
const REMEMBERED_MILLISECONDS = 90_000;

/** Knows from failed statements whether the database's disk is full, so that it answers reads and refuses writes. */
export interface DiskWatch {
  note: (error: unknown) => void;
  isFull: () => boolean;
}

/** Returns a watch that considers the disk full until a while after the last statement failed for that reason. */
export function watchDisk(uptime: Uptime): DiskWatch {
  let failedAt = -Infinity;
  return {
    note: (error) => {
      if (isDiskFull(error)) failedAt = uptime();
    },
    isFull: () => uptime() - failedAt < REMEMBERED_MILLISECONDS,
  };
}
