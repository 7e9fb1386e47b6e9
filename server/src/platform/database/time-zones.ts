import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface TimeZones {
  /** Whether months can be told in this IANA zone; asked through the database or transaction at hand. */
  isKnown(db: Database, zone: string): Promise<boolean>;
}

/**
 * The database is asked, because it is what divides use into months; the runtime too, because screens show them. The
 * database's list is read once, since listing it reads hundreds of files.
 */
export function createTimeZones(): TimeZones {
  let names: ReadonlySet<string> | undefined;

  const load = async (db: Database) => {
    const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(db);
    return new Set(rows.map((row) => row.name));
  };

  return {
    async isKnown(db, zone) {
      try {
        Intl.DateTimeFormat('en', { timeZone: zone });
      } catch {
        return false;
      }
      names ??= await load(db);
      return names.has(zone);
    },
  };
}
