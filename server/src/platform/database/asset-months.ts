import { sql, type RawBuilder } from 'kysely';
import { dayBegins, monthBegins, wallClock } from './calendar.ts';

// The usage months of an asset `a`, as SQL. A month keeps the zone that it ran in. Where two months are in different
// zones, the first ends by its own and the second begins at that instant, so no moment is in both or in neither.
// Most assets never change their zone; each CASE here then finds nothing to look up. These are long expressions: a
// statement that uses one twice fences it (`offset 0`), or it would be planned, and worked out for each row, twice.

/** What was valid before which month; the asset's latest zone before the end of time. */
const zones = sql`jsonb_each_text(a.past_time_zones || jsonb_build_object('infinity', a.time_zone))
  as zones (before_month, zone)`;

/** The zone of the month that begins with a date. */
export const zoneIn = (firstDay: RawBuilder<unknown>): RawBuilder<string> => sql<string>`(case
  when a.past_time_zones is null then a.time_zone
  else (select zone from ${zones} where before_month::date > ${firstDay} order by before_month::date limit 1)
end)`;

/** The name under which `past_time_zones` has the zone of the month that begins with a date, if the next is in another. */
export const changeAfter = (firstDay: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${firstDay} + interval '1 month', 'YYYY-MM-DD')`;

/** The instant at which the month that begins with a date begins: where the month before it ends, by that one's zone. */
export const beginOf = (firstDay: RawBuilder<unknown>): RawBuilder<Date> => sql<Date>`(case
  when a.past_time_zones is null then ${dayBegins(firstDay, sql`a.time_zone`)}
  else (
    select ${dayBegins(firstDay, sql`zone`)} from ${zones}
    where before_month::date >= ${firstDay} order by before_month::date limit 1
  )
end)`;

/** Of a month in UTC and its neighbours one is the month of any zone. */
const nearMonths = (instant: RawBuilder<unknown>) => sql`(
  select date_trunc('month', ${wallClock(instant, sql`'UTC'`)}) + months * interval '1 month' as month
  from (values (-1), (0), (1)) near (months)
) near`;

/** The first day of the month that holds an instant, as a timestamp without zone. */
export const monthOf = (instant: RawBuilder<unknown>): RawBuilder<unknown> => sql`(case
  when a.past_time_zones is null then date_trunc('month', ${wallClock(instant, sql`a.time_zone`)})
  else (select max(month) from ${nearMonths(instant)} where ${beginOf(sql`month`)} <= ${instant})
end)`;

/** The instant at which the month that holds another instant begins. */
export const monthOfBegins = (instant: RawBuilder<unknown>): RawBuilder<Date> => sql<Date>`(case
  when a.past_time_zones is null then ${monthBegins(instant, sql`a.time_zone`)}
  else (select max(${beginOf(sql`month`)}) from ${nearMonths(instant)} where ${beginOf(sql`month`)} <= ${instant})
end)`;

/**
 * The date at an instant of the month that begins with a date, as a timestamp without zone. After a change to a zone
 * further west the wall clock still shows the end of the month before; that counts as the first day.
 */
export const dateIn = (firstDay: RawBuilder<unknown>, instant: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`greatest(${firstDay}, date_trunc('day', ${wallClock(instant, zoneIn(firstDay))}))`;
