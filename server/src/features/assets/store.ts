import { sql, type Insertable, type Updateable } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { unlessGone } from '../../platform/database/failure.ts';
import type { Assets } from '../../schema.ts';
import { currentPeriod } from '../periods/sql.ts';
import { usedInPeriod } from '../usage/sql.ts';

interface StoredEntry {
  id: number;
  username: string;
  allocation_hours: number;
  used_seconds: number;
  active: boolean;
}

export interface StoredAsset {
  id: number;
  name: string;
  description: string;
  price_cents: number;
  currency: string;
  time_zone: string;
  next_time_zone: { time_zone: string; from_month: string } | null;
  split_method: 'usage' | 'allocation' | 'equal';
  base_percent: number;
  owner_hours: number;
  max_session_hours: number;
  archived: boolean;
  owner: string;
  entries: StoredEntry[];
}

/**
 * Assets of an owner in the order they were added, each with its current price and its members with their use this
 * month: one statement, however many there are. With an id, that one alone, if it is theirs.
 */
export async function ownedAssets(
  db: Database,
  {
    ownerId,
    assetId,
    now,
    limit,
    after = 0,
  }: {
    ownerId: number;
    assetId?: number;
    now: Date;
    limit: number;
    /** Only assets with higher ids. */
    after?: number | undefined;
  },
): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`
    select a.id, a.name, a.description, p.price_cents, a.currency, p.split_method, p.base_percent, p.time_zone,
      case when next.time_zone <> p.time_zone then json_build_object(
        'time_zone', next.time_zone, 'from_month', to_char(next.month, 'YYYY-MM')
      ) end as next_time_zone,
      p.owner_hours, a.max_session_hours, a.archived_at is not null as archived, o.username as owner,
      coalesce(e.entries, '[]'::json) as entries
    from (
      select * from assets
      where owner_id = ${ownerId} and id > ${after} ${assetId === undefined ? sql`` : sql`and id = ${assetId}`}
      order by id
      limit ${limit}
    ) a
    join users o on o.id = a.owner_id
    cross join ${currentPeriod(now)}
    left join periods next on next.asset_id = a.id and next.month = (p.month + interval '1 month')::date
    left join lateral (
      select json_agg(json_build_object(
        'id', sh.id, 'username', m.username, 'allocation_hours', sh.monthly_hours_allocated,
        'used_seconds', used.seconds, 'active', used.active_since is not null
      ) order by sh.id) as entries
      from shares sh
      join users m on m.id = sh.member_id
      cross join ${usedInPeriod(now)}
      where sh.asset_id = a.id and sh.ended_at is null
    ) e on true
    order by a.id`.execute(db);
  return rows;
}

/** Adds an asset and returns its id; undefined when the owner's account is gone. Doesn't add its periods. */
export async function insertAsset(
  db: Database,
  asset: Omit<Insertable<Assets>, 'archived_at'>,
): Promise<number | undefined> {
  const insert = db.insertInto('assets').values(asset).returning('id');
  return (await unlessGone(insert.executeTakeFirstOrThrow(), 'assets_owner_id_fkey'))?.id;
}

/** Locks an owner's asset and tells whether it is archived; undefined when there is no such asset of theirs. */
export async function lockAsset(
  db: Database,
  { ownerId, assetId }: { ownerId: number; assetId: number },
): Promise<{ archived: boolean } | undefined> {
  // In the order in which deleting an account takes them.
  await sql`select 1 from users where id = ${ownerId} for key share`.execute(db);
  const asset = await db
    .selectFrom('assets')
    .select('archived_at')
    .where('id', '=', assetId)
    .where('owner_id', '=', ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return asset && { archived: asset.archived_at !== null };
}

/** Deletes an asset with its periods, shares and their sessions. */
export async function deleteAsset(db: Database, assetId: number): Promise<void> {
  await db.deleteFrom('assets').where('id', '=', assetId).execute();
}

export async function updateAsset(
  db: Database,
  assetId: number,
  changes: Pick<Updateable<Assets>, 'name' | 'description' | 'max_session_hours' | 'archived_at'>,
): Promise<void> {
  await db.updateTable('assets').set(changes).where('id', '=', assetId).execute();
}
