import type { Uptime } from '../clock.ts';
import { refusesWrites } from './failure.ts';

/** A job writes every minute, so that a database that goes on refusing writes is noticed again before this is over. */
const REMEMBERED_MILLISECONDS = 90_000;

/** Knows from failed statements whether the database refuses writes, as it does while its disk is full. */
export interface RefusedWrites {
  note: (error: unknown) => void;
  areRefused: () => boolean;
}

export function watchWrites(uptime: Uptime): RefusedWrites {
  let refusedAt = -Infinity;
  return {
    note: (error) => {
      if (refusesWrites(error)) refusedAt = uptime();
    },
    areRefused: () => uptime() - refusedAt < REMEMBERED_MILLISECONDS,
  };
}
