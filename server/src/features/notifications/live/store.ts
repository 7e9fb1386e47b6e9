import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

export interface LiveUpdate {
  id: number;
  kind: string;
  user_ids: number[];
  data: Record<string, unknown>;
}

/** Returns live updates after an id, in order; only a user's, if given. */
export async function readLiveUpdates(
  db: Database,
  { userId, after, limit }: { userId?: number; after: number; limit: number },
): Promise<LiveUpdate[]> {
  const rows = await db
    .selectFrom('live_updates')
    .select(['id', 'kind', 'user_ids', 'data'])
    .where('id', '>', after)
    .$if(userId !== undefined, (query) => query.where(sql<boolean>`user_ids @> array[${userId ?? null}::bigint]`))
    .orderBy('id')
    .limit(limit)
    .execute();
  // oxlint-disable-next-line no-unsafe-type-assertion -- the dispatcher writes objects
  return rows as LiveUpdate[];
}

/** Returns the ids of the oldest and the newest live update; both 0 if there never was one. */
export async function idsOfLiveUpdates(db: Database): Promise<{ oldest: number; newest: number }> {
  const { rows } = await sql<{ oldest: number; newest: number }>`
    select coalesce(min(id), 0) as oldest, coalesce(max(id), 0) as newest from live_updates`.execute(db);
  return rows[0] ?? { oldest: 0, newest: 0 };
}
