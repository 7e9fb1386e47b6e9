import type { Clock, Uptime } from './clock.ts';
import type { Database } from './database/database.ts';

/** The clock of another process, such as a PostgreSQL server's. */
export type OtherClock = (db: Database) => Promise<Date>;

/**
 * Returns the latest instant that has certainly passed, for actions that can't be undone. It is never ahead of the
 * clock, and 1970 while nothing is certain; call it regularly, because each call also checks the clock's pace.
 */
export type ConfirmedTime = (db: Database) => Promise<Date>;

/** How long a clock error must last to be accepted as the time. */
const CONFIRMED_AFTER_MS = 10 * 60_000;

/** How far the clock may drift from the uptime between two checks. Time servers correct clocks in smaller steps. */
const TOLERANCE_MS = 60_000;

/**
 * Confirms an instant when the clock and another one agree that it has passed, or when the clock showed it ten minutes
 * of uptime ago and has kept pace since. After a jump, the clock must run steadily for ten minutes again.
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
