import { sql } from 'kysely';
import type { Database } from './tables.ts';

/** Which of some users there are; none of them can go before the transaction has ended. */
export async function holdUsers(db: Database, ids: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = any(${ids}::bigint[]) order by id for key share`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
