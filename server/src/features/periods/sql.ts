import { sql, type RawBuilder } from 'kysely';
import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { wallClock } from '../../platform/database/calendar.ts';

// Expressions over periods that any store may join. Only this folder's store writes periods.

/** A lateral table `p`: the period of asset `a` at an instant; the first one if the clock is before it. */
export const currentPeriod = (now: Date): RawBuilder<unknown> => sql`lateral (
  (select * from periods where asset_id = a.id and starts_at <= ${now}::timestamptz order by starts_at desc limit 1)
  union all
  (select * from periods where asset_id = a.id order by starts_at limit 1)
  limit 1
) p`;

/** The month since which an asset has the price that is in force at an instant. */
export const priceInForce = (assetId: number, now: Date): RawBuilder<string> => sql<string>`
  (select p.price_since from assets a cross join ${currentPeriod(now)} where a.id = ${assetId})`;

/** Condition: share `sh` gave access at some time during period `p`. An offer gives none until it is accepted. */
export const sharedDuringPeriod = sql<boolean>`
  (sh.accepted_at < p.ends_at and (sh.ended_at is null or sh.ended_at > p.starts_at))`;

/**
 * The local date of an instant in period `p`. After a move to a zone further west, the clock may still show the
 * previous month, which counts as the first day.
 */
export const dateInPeriod = (instant: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`greatest(p.month, ${wallClock(instant, sql`p.time_zone`)}::date)`;

/** Condition: period `p` is past its time for corrections and not closed yet. */
export const isDue = (now: Date): RawBuilder<boolean> => sql<boolean>`
  (p.closed_at is null and p.ends_at <= ${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS}::int))`;
