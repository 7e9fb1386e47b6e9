import { sql, type RawBuilder } from 'kysely';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { wallClock } from '../../platform/database/calendar.ts';

// Expressions over periods that any store may join. Writing periods is this folder's store alone.

/** A lateral table `p`: the period of asset `a` that holds an instant, the first one while the clock is before it. */
export const currentPeriod = (now: Date): RawBuilder<unknown> => sql`lateral (
  (select * from periods where asset_id = a.id and starts_at <= ${now}::timestamptz order by starts_at desc limit 1)
  union all
  (select * from periods where asset_id = a.id order by starts_at limit 1)
  limit 1
) p`;

/** Condition: share `sh` gave access at some time of period `p`. */
export const sharedWithin = sql<boolean>`
  (sh.created_at < p.ends_at and (sh.ended_at is null or sh.ended_at > p.starts_at))`;

/**
 * The local date of an instant within period `p`. After a change to a zone further west the wall clock still shows the
 * end of the month before; that counts as the first day.
 */
export const dateInPeriod = (instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`greatest(p.month, ${wallClock(instant, sql`p.time_zone`)}::date)`;

/** Condition: the time for corrections of period `p` is over, and it has not been closed yet. */
export const isDue = (now: Date): RawBuilder<boolean> => sql<boolean>`
  (p.closed_at is null and p.ends_at <= ${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS}::int))`;
