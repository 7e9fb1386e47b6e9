import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';

const MONTHS_COMPARED = 24;

/**
 * Returns the IANA zones whose clocks the database and this process set differently within the coming two years: each
 * carries its own time-zone data, and one of them is older.
 */
export async function differingTimeZones(db: Database, clock: Clock): Promise<string[]> {
  const now = clock();
  const instants = Array.from(
    { length: MONTHS_COMPARED },
    (_, month) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 15)),
  );
  const { rows } = await sql<{ name: string; clocks: string[] }>`
    select name, array_agg(to_char(instant at time zone name, 'YYYY-MM-DD HH24:MI') order by instant) as clocks
    from pg_timezone_names cross join unnest(${instants}::timestamptz[]) instant
    where name = any(${Intl.supportedValuesOf('timeZone')}::text[])
    group by name order by name`.execute(db);
  return rows.filter(({ name, clocks }) => showsOtherTimes(name, instants, clocks)).map(({ name }) => name);
}

/** Whether this process's clock in a zone shows other times at some instants, `YYYY-MM-DD HH:MM`, than are given. */
function showsOtherTimes(zone: string, instants: Date[], shown: string[]): boolean {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return instants.some((instant, index) => format.format(instant) !== shown[index]);
}
