import { METER_SILENT_HOURS } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';

/** A table of `asset_id`, `meter_id`, `meter`, `since`, and `until`: when meters sent nothing for long; `until` is null while it lasts. */
const silences = (now: Date) => sql`(
  select asset_id, meter_id, meter, since, until from meter_silences
  union all
  select asset_id, id, name, last_event_at, null from meters
  where last_event_at <= ${now}::timestamptz - make_interval(hours => ${METER_SILENT_HOURS}::int)
)`;

/** A JSON array: when meters of the asset of period `p` sent nothing for long, as far as it was in the period; instants are as JSON writes them. */
export const silencesInPeriod = (p: string, now: Date): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object(
    'meter', each.meter, 'since', greatest(each.since, ${sql.id(p)}.starts_at),
    'until', least(coalesce(each.until, ${now}::timestamptz), ${sql.id(p)}.ends_at)
  ) order by each.since, each.meter), '[]')
  from ${silences(now)} each
  where each.asset_id = ${sql.id(p)}.asset_id and each.since < ${sql.id(p)}.ends_at
    and coalesce(each.until, ${now}::timestamptz) > ${sql.id(p)}.starts_at
)`;

/** A JSON array: when meter `m` has been silent since an instant, newest first. */
export const silencesOfMeter = (
  m: string,
  { since, now }: { since: RawBuilder<unknown>; now: Date },
): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('since', each.since, 'until', each.until) order by each.since desc), '[]')
  from ${silences(now)} each
  where each.meter_id = ${sql.id(m)}.id and coalesce(each.until, ${now}::timestamptz) > ${since}
)`;
