import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { addUse, subtractUse } from '../../usage/sql.ts';
import type { Metered } from '../metered/store.ts';

type Owner = Pick<Metered, 'shareId' | 'meterId'> & { assetId: number };

/** Removes sessions of a locked share that came with files, with nothing left of them. */
export async function deleteImported(db: Database, { assetId }: Owner, ids: number[]): Promise<void> {
  await sql`
    with gone as (
      delete from sessions where id = any(${ids}::bigint[]) returning share_id, started_at, ended_at
    ), less as (${subtractUse(sql`(select ${assetId}::bigint as asset_id, gone.* from gone)`)})
    select 1`.execute(db);
}

/** Adds sessions of a locked share that came with files. `limit` is how long each could have been. */
export async function insertImported(
  db: Database,
  { shareId, meterId, assetId }: Owner,
  sessions: readonly { startedAt: Date; endedAt: Date; limit: Date }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into sessions (share_id, meter_id, source, imported, started_at, ended_at, ends_by, limit_at)
      select ${shareId}, ${meterId}, 'metered', true, each.started_at, each.ended_at, each.limit_at, each.limit_at
      from unnest(
        ${sessions.map(({ startedAt }) => startedAt.toISOString())}::timestamptz[],
        ${sessions.map(({ endedAt }) => endedAt.toISOString())}::timestamptz[],
        ${sessions.map(({ limit }) => limit.toISOString())}::timestamptz[]) as each (started_at, ended_at, limit_at)
      order by each.started_at
      returning id, share_id, started_at, ended_at
    ), more as (
      ${addUse(sql`(select ${assetId}::bigint as asset_id, made.share_id, made.started_at, made.ended_at from made)`)})
    select id from made order by id`.execute(db);
  return rows.map(({ id }) => id);
}
