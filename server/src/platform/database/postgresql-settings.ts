import { sql } from 'kysely';
import { codeOf } from './error-details.ts';
import type { Database } from './tables.ts';

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
 * The address with the settings as startup parameters, which hold for that one connection's backend. SET would reach
 * whichever backend a pooler lends out, and stay there for the pooler's other clients.
 */
export function withSettings(databaseUrl: string): string {
  const [address = '', query = ''] = databaseUrl.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const options = Object.entries(required).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  parameters.set('options', [parameters.get('options') ?? '', ...options].join(' ').trim());
  return `${address}?${parameters.toString()}`;
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
