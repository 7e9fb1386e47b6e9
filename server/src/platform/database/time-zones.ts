import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface TimeZones {
  /** Returns whether this IANA zone can be used, asking through the current database or transaction. */
  isKnown(db: Database, zone: string): Promise<boolean>;
}

/**
 * A zone must be known to the database, which divides use into months, and to the runtime, for screens. The database's
 * list is read once, because listing it reads hundreds of files.
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
