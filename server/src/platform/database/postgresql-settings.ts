import { sql } from 'kysely';
import { codeOf } from './error-details.ts';
import type { Database } from './database.ts';

/** The server cancels a statement before the client's deadline, so that the client learns the outcome. */
const STATEMENT_TIMEOUT_MS = 4_500;
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * The settings that every connection needs, as pg_settings shows them: UTC and ISO so that both engines answer alike,
 * read committed because statements must see earlier commits. JIT, parallel workers, and replanning cost more than these short
 * statements take. Pages are read from memory or an SSD, so random reads cost little more than sequential ones.
 */
const required: Record<string, string> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_generic_plan',
  random_page_cost: '1.1',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  default_transaction_isolation: 'read committed',
};

/**
 * Returns connection options with the settings as startup parameters, which apply to one backend; SET would leak to a
 * pooler's other clients. Options from the address or PGOPTIONS are kept but come first, and the rest of the address
 * stays unparsed because passwords may contain invalid characters.
 */
export function withSettings(
  databaseUrl: string,
  environment: Record<string, string | undefined> = process.env,
): { connectionString: string; options: string } {
  const named = /(?<=[?&])options=[^&#]*/.exec(databaseUrl)?.[0];
  const given = named === undefined ? environment['PGOPTIONS'] : new URLSearchParams(named).get('options');
  const settings = Object.entries(required).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  return {
    // The driver prefers the address's options, so they are removed from it.
    connectionString: named === undefined ? databaseUrl : databaseUrl.replace(named, ''),
    options: [given ?? '', ...settings].join(' ').trim(),
  };
}

/** Returns whether the other side rejected startup parameters, as PgBouncer (08P01) and RDS Proxy (0A000) do. */
export function refusesSettings(error: unknown): boolean {
  return ['08P01', '0A000'].includes(codeOf(error) ?? '');
}

/**
 * Returns the statements that make the required settings this role's defaults in this database, or none if they already
 * apply.
 */
export async function missingSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select format('alter role %I in database %I set %s = %L;', session_user, current_database(), name, required.value)
      as statement
    from json_each_text(${JSON.stringify(required)}::json) required (name, value)
    join pg_settings using (name)
    where setting <> required.value`.execute(db);
  return rows.map(({ statement }) => statement);
}
