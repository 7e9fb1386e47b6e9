import { sql, type RawBuilder } from 'kysely';
import { dayStart, latestDate } from '../../../platform/database/calendar.ts';
import { currentPeriod } from '../../periods/sql.ts';

// What columns of plans contain, for stores that read them.
export type { Plan, PricePart } from './rules.ts';

/** Condition: the plan of asset `a` has ended at an instant, and it isn't archived. */
export const hasEnded = (a: string, now: Date): RawBuilder<boolean> => sql<boolean>`(
  ${sql.id(a)}.ends_on <= ${latestDate(now)}::date and ${sql.id(a)}.archived_at is null and ${sql.id(a)}.deleted_at is null and (
    select ${dayStart(sql`${sql.id(a)}.ends_on::timestamp`, sql`p.time_zone`)} <= ${now}::timestamptz
    from ${currentPeriod(a, now)} p))`;
