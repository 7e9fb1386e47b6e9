import type { Clock, Uptime } from './clock.ts';
import type { Database } from './database/database.ts';

/** The clock of another process, such as a PostgreSQL server's. */
export type OtherClock = (db: Database) => Promise<Date>;

/**
 * Gives the latest instant that has passed beyond doubt, for what can't be undone. It is at most the clock's time, and
 * lies in 1970 while nothing is certain. Ask regularly: each call also checks the clock's pace.
 */
export type ConfirmedTime = (db: Database) => Promise<Date>;

/** An error that lasts longer than this is believed. */
const CONFIRMED_AFTER_MS = 10 * 60_000;

/** How far the clock may get from the uptime between two checks: time servers correct clocks by less. */
const TOLERANCE_MS = 60_000;

/**
 * An instant has passed when the clock and another one agree that it has, or when the clock had shown it ten minutes of
 * uptime ago and has kept pace with the uptime since. After a jump, it must run steadily for ten minutes again.
 */
export function createConfirmedTime({
  clock,
  uptime,
  otherClock,
}: {
  clock: Clock;
  uptime: Uptime;
  otherClock?: OtherClock | undefined;
}): ConfirmedTime {
  let last = { time: clock().getTime(), uptime: uptime() };
  let steadySince = last.uptime;

  return async (db) => {
    const now = { time: clock().getTime(), uptime: uptime() };
    if (Math.abs(now.time - last.time - (now.uptime - last.uptime)) > TOLERANCE_MS) steadySince = now.uptime;
    last = now;
    const proven = now.uptime - steadySince >= CONFIRMED_AFTER_MS ? now.time - CONFIRMED_AFTER_MS : 0;
    const agreed = otherClock ? Math.min(now.time, (await otherClock(db)).getTime()) : 0;
    return new Date(Math.max(proven, agreed));
  };
}
