import { sql, type RawBuilder } from 'kysely';

// Days and months of a time zone, as SQL. The database's zone rules are the only ones used to divide time, so figures
// from different statements always agree with one another.

/** The wall clock of a zone at an instant, as a timestamp without zone. */
export const wallClock = (instant: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${instant} at time zone ${zone})`;

/**
 * The instant at which a local day starts. Where clocks are put back over midnight that midnight happens twice; the
 * database picks the second, but the day starts with the first. Where they are put forward over midnight it never
 * happens, and the day starts with the change, which is what the database picks.
 */
export const dayStart = (midnight: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> =>
  sql<Date>`(case
    when ((${midnight} at time zone ${zone}) - interval '1 hour') at time zone ${zone} >= ${midnight}
    then (${midnight} at time zone ${zone}) - interval '1 hour'
    else ${midnight} at time zone ${zone}
  end)`;

/**
 * Whole seconds between two instants, each cut to its second first: so the seconds of the parts of a stretch, divided at
 * midnights or months, always add up to the seconds of the whole.
 */
export const wholeSeconds = (from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`greatest(0, floor(extract(epoch from ${to})) - floor(extract(epoch from ${from})))::bigint`;
