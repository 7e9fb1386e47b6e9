import { sql, type RawBuilder } from 'kysely';

// Days and months of a time zone, as SQL. Only the database's zone rules divide time, so figures from different
// statements always agree.

/** Returns the local time of a zone at an instant, as a timestamp without time zone. */
export const wallClock = (instant: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${instant} at time zone ${zone})`;

/**
 * Returns the instant at which a local day starts. A midnight that happens twice counts from its first occurrence,
 * while the database would pick the second; a midnight that is skipped becomes the instant of the change.
 */
export const dayStart = (midnight: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> =>
  sql<Date>`(case
    when ((${midnight} at time zone ${zone}) - interval '1 hour') at time zone ${zone} >= ${midnight}
    then (${midnight} at time zone ${zone}) - interval '1 hour'
    else ${midnight} at time zone ${zone}
  end)`;

/** How far the clocks of any zone are ahead of UTC at most. */
const AHEAD_MILLISECONDS = 14 * 3_600_000;

/** Returns the latest date, YYYY-MM-DD, that any zone has at an instant: an index finds what may be due before zones are looked at. */
export const latestDate = (now: Date): string =>
  new Date(now.getTime() + AHEAD_MILLISECONDS).toISOString().slice(0, 10);

/**
 * Returns the whole seconds between two instants, each truncated to the second first. The parts of a stretch divided at
 * midnights therefore add up to the whole.
 */
export const wholeSeconds = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`greatest(0, floor(extract(epoch from ${to})) - floor(extract(epoch from ${from})))::bigint`;
