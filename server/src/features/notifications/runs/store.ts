import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/**
 * Records that a job starts, unless it started within a time. Returns whether it may. Goes by the clock of the database, which all
 * servers share; an instant in its future is from before that clock was set back.
 */
export async function claimRun(db: Database, job: string, milliseconds: number): Promise<boolean> {
  const interval = sql`make_interval(secs => ${milliseconds / 1000}::float8)`;
  const { rows } = await sql`
    insert into job_runs as known (job, started_at) values (${job}, clock_timestamp())
    on conflict (job) do update set started_at = excluded.started_at
    where known.started_at <= excluded.started_at - ${interval} or known.started_at > excluded.started_at + ${interval}
    returning 1`.execute(db);
  return rows.length > 0;
}
