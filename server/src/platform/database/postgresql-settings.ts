import { sql } from 'kysely';
import { codeOf } from './error-details.ts';
import type { Database } from './database.ts';

/** The server gives up on a statement before the client's deadline, so that the client learns what became of it. */
const STATEMENT_TIMEOUT_MS = 4_500;
const IDLE_IN_TRANSACTION_MS = 30_000;

/**
 * What every connection needs, as pg_settings shows it. UTC and ISO so that both engines answer alike; read committed
 * because statements expect to see what was committed before them. Neither compiled nor shared out among processes: a
 * statement that reads a few rows by many expressions is done in milliseconds, compiling it would take fifty, and
 * starting processes ten.
 */
const required: Record<string, string> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
  default_transaction_isolation: 'read committed',
};

/**
 * Returns how to connect with the settings as startup parameters, which hold for that one connection's backend. SET would
 * reach whichever backend a pooler lends out, and stay there for the pooler's other clients. Options that the address or
 * PGOPTIONS has are kept; the settings come last and win. The rest of the address is left as it is: passwords in it may
 * have characters that an address can't have.
 */
export function withSettings(
  databaseUrl: string,
  environment: Record<string, string | undefined> = process.env,
): { connectionString: string; options: string } {
  const named = /(?<=[?&])options=[^&#]*/.exec(databaseUrl)?.[0];
  const given = named === undefined ? environment['PGOPTIONS'] : new URLSearchParams(named).get('options');
  const settings = Object.entries(required).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  return {
    // The driver prefers what the address says, so the options are taken out of it.
    connectionString: named === undefined ? databaseUrl : databaseUrl.replace(named, ''),
    options: [given ?? '', ...settings].join(' ').trim(),
  };
}

/** Whether the other side takes no such startup parameters, as PgBouncer (08P01) and RDS Proxy (0A000) say it. */
export function refusesSettings(error: unknown): boolean {
  return ['08P01', '0A000'].includes(codeOf(error) ?? '');
}

/** The statements that make the required settings the defaults of this role in this database; none when they hold. */
export async function missingSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select format('alter role %I in database %I set %s = %L;', session_user, current_database(), name, required.value)
      as statement
    from json_each_text(${JSON.stringify(required)}::json) required (name, value)
    join pg_settings using (name)
    where setting <> required.value`.execute(db);
  return rows.map(({ statement }) => statement);
}
