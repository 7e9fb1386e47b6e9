import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** A session that a script has added to a share before. */
export interface KnownSession {
  id: number;
  /** The times that count; null once it is removed. */
  started_at: Date | null;
  ended_at: Date | null;
  recorded_start: Date;
  recorded_end: Date;
  /** Whether a person has edited or removed it, or restored its recorded times. */
  kept: boolean;
}

/** Returns the session of a locked share that has an external id, also a removed one. */
export async function findByExternalId(
  db: Database,
  shareId: number,
  externalId: string,
): Promise<KnownSession | undefined> {
  const { rows } = await sql<KnownSession>`
    select id, started_at, ended_at, coalesce(was_started_at, started_at) as recorded_start,
      coalesce(was_ended_at, ended_at) as recorded_end, edited_by_hand or restored_at is not null as kept
    from sessions where share_id = ${shareId} and external_id = ${externalId}
    union all
    select id, null, null, started_at, ended_at, true
    from removed_sessions where share_id = ${shareId} and external_id = ${externalId}`.execute(db);
  return rows[0];
}
