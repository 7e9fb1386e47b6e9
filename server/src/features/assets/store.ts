import { sql, type Insertable, type Updateable } from 'kysely';
import { wallClock } from '../../platform/database/calendar.ts';
import { changeAfter, monthOf, zoneIn } from '../../platform/database/asset-months.ts';
import { usedThisMonth } from '../../platform/database/share-use.ts';
import type { AssetsTable, Database } from '../../platform/database/tables.ts';

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
    /** Those with higher ids. */ after?: number | undefined;
  },
): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`
    select a.id, a.name, a.description, p.price_cents, a.currency, a.split_method, a.base_percent,
      ${zoneIn(sql`m.first_day`)} as time_zone,
      case when a.past_time_zones -> ${changeAfter(sql`m.first_day`)} is not null then json_build_object(
        'time_zone', a.time_zone, 'from_month', to_char(m.first_day + interval '1 month', 'YYYY-MM')
      ) end as next_time_zone,
      a.owner_hours, a.max_session_hours, a.archived_at is not null as archived, o.username as owner,
      coalesce(e.entries, '[]'::json) as entries
    from (
      select * from assets
      where owner_id = ${ownerId} and id > ${after} ${assetId === undefined ? sql`` : sql`and id = ${assetId}`}
      order by id
      limit ${limit}
    ) a
    join users o on o.id = a.owner_id
    cross join lateral (select ${monthOf(sql`${now}::timestamptz`)} as first_day offset 0) m
    cross join lateral (
      -- the price in force; the first one to come when the clock stands before all of them
      select price_cents from prices
      where asset_id = a.id
      order by from_month <= m.first_day::date desc, abs(from_month - m.first_day::date)
      limit 1
    ) p
    left join lateral (
      select json_agg(json_build_object(
        'id', sh.id, 'username', m.username, 'allocation_hours', sh.monthly_hours_allocated,
        'used_seconds', u.used_seconds, 'active', u.active_since is not null
      ) order by sh.id) as entries
      from shares sh
      join users m on m.id = sh.member_id
      cross join ${usedThisMonth(sql`sh.id`, now)} u
      where sh.asset_id = a.id and sh.ended_at is null
    ) e on true
    order by a.id`.execute(db);
  return rows;
}

/** Adds an asset whose price holds, and whose statements begin, with the month of its own zone in which it is added. */
export async function insertAsset(
  db: Database,
  asset: Omit<Insertable<AssetsTable>, 'created_at' | 'first_open_month' | 'archived_at' | 'restored_at'>,
  { priceCents, now }: { priceCents: number; now: Date },
): Promise<number> {
  const month = sql<string>`
    date_trunc('month', ${wallClock(sql`${now}::timestamptz`, sql`${asset.time_zone}::text`)})::date`;
  const { id } = await db
    .insertInto('assets')
    .values({ ...asset, created_at: now, first_open_month: month })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('prices').values({ asset_id: id, from_month: month, price_cents: priceCents }).execute();
  return id;
}

/** Sets what an asset costs from the month that holds an instant on, in the asset's own zone. */
export async function setPrice(
  db: Database,
  { assetId, priceCents, now }: { assetId: number; priceCents: number; now: Date },
): Promise<void> {
  await sql`
    insert into prices (asset_id, from_month, price_cents)
    select a.id, ${monthOf(sql`${now}::timestamptz`)}::date, ${priceCents}::bigint
    from assets a where a.id = ${assetId}
    on conflict (asset_id, from_month) do update set price_cents = excluded.price_cents`.execute(db);
}

/** Whether an owner's asset is archived; undefined when there is no such asset of theirs. */
export async function isArchived(
  db: Database,
  { ownerId, assetId }: { ownerId: number; assetId: number },
): Promise<boolean | undefined> {
  const asset = await db
    .selectFrom('assets')
    .select('archived_at')
    .where('id', '=', assetId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return asset && asset.archived_at !== null;
}

/** Keeps how an asset's price was split so far, for the months before the one that holds an instant. */
export async function keepSplitTerms(
  db: Database,
  { ownerId, assetId, now }: { ownerId: number; assetId: number; now: Date },
): Promise<void> {
  await sql`
    insert into past_split_terms (asset_id, before_month, split_method, base_percent, owner_hours)
    select a.id, ${monthOf(sql`${now}::timestamptz`)}::date, a.split_method, a.base_percent, a.owner_hours
    from assets a where a.id = ${assetId} and a.owner_id = ${ownerId}
    for no key update
    on conflict (asset_id, before_month) do nothing`.execute(db);
}

/**
 * Puts an asset's months after the one that holds an instant into another zone. Nothing waits any more when that is the
 * zone in force.
 */
export async function setTimeZone(
  db: Database,
  { ownerId, assetId, timeZone, now }: { ownerId: number; assetId: number; timeZone: string; now: Date },
): Promise<void> {
  const month = monthOf(sql`${now}::timestamptz`);
  const inForce = zoneIn(month);
  const change = changeAfter(month);
  await sql`
    update assets a set
      time_zone = ${timeZone},
      past_time_zones = case when ${inForce} = ${timeZone}
        then nullif(a.past_time_zones - ${change}, '{}')
        else coalesce(a.past_time_zones, '{}') || jsonb_build_object(${change}, ${inForce}) end
    where a.id = ${assetId} and a.owner_id = ${ownerId}`.execute(db);
}

/** Ends what runs on an asset, each session at this instant or at its limit, whichever came first. */
export async function endSessions(db: Database, assetId: number, now: Date): Promise<void> {
  await sql`
    update sessions s
    set ended_at = least(s.ends_by, greatest(s.started_at, ${now}::timestamptz))
    from shares sh
    where sh.id = s.share_id and sh.asset_id = ${assetId} and s.ended_at is null`.execute(db);
}

/** False when there is no such asset of that owner. Its prices, shares and their sessions go with it. */
export async function deleteAsset(
  db: Database,
  { ownerId, assetId }: { ownerId: number; assetId: number },
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('assets')
    .where('id', '=', assetId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** False when there is no such asset of that owner. */
export async function updateAsset(
  db: Database,
  { ownerId, assetId }: { ownerId: number; assetId: number },
  changes: Pick<
    Updateable<AssetsTable>,
    | 'name'
    | 'description'
    | 'max_session_hours'
    | 'archived_at'
    | 'restored_at'
    | 'split_method'
    | 'base_percent'
    | 'owner_hours'
  >,
): Promise<boolean> {
  const updated = await db
    .updateTable('assets')
    .set(changes)
    .where('id', '=', assetId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}
