import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { onlyRow } from './only-row.ts';

const MONTHS_COMPARED = 24;

/**
 * Returns the IANA zones whose local times differ between the database and this process in the next two years, and the
 * database's version. Each has its own time-zone data, one of which may be older.
 */
export async function differingTimeZones(
  db: Database,
  clock: Clock,
): Promise<{ zones: string[]; databaseVersion: string }> {
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
  const { version } = await onlyRow(sql<{ version: string }>`select current_setting('server_version') as version`, db);
  const zones = rows.filter(({ name, clocks }) => showsOtherTimes(name, instants, clocks)).map(({ name }) => name);
  return { zones, databaseVersion: `PostgreSQL ${version}` };
}

/** Returns whether this process shows other local times at these instants than `shown`, in `YYYY-MM-DD HH:MM`. */
function showsOtherTimes(zone: string, instants: Date[], shown: string[]): boolean {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return instants.some((instant, index) => format.format(instant) !== shown[index]);
}
