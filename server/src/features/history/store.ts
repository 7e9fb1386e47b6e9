import { sql } from 'kysely';
import { dateIn, monthOf } from '../../platform/database/asset-months.ts';
import { sessionEnd } from '../../platform/database/share-use.ts';
import type { Database } from '../../platform/database/tables.ts';
import type { AssetOfHistory } from './rules.ts';

const thereSince = sql`coalesce(a.restored_at, a.created_at)`;

/** A session that ends at midnight was of the day before. */
const lastMoment = sql`(used.last - interval '1 microsecond')`;

/** Assets of an owner, all or the one that is named, each with the day of its last use by anybody. */
export async function assetsOfHistory(
  db: Database,
  { ownerId, assetId, now }: { ownerId: number; assetId?: number; now: Date },
): Promise<AssetOfHistory[]> {
  const { rows } = await sql<AssetOfHistory>`
    select a.id, a.name, a.currency, a.archived_at is not null as archived,
      to_char(${dateIn(sql`month.there`, thereSince)}, 'YYYY-MM-DD') as there_since,
      to_char(${dateIn(sql`month.used`, lastMoment)}, 'YYYY-MM-DD') as last_used_on,
      used.members
    from assets a
    cross join lateral (
      -- sessions of a share never overlap, so the one that started last ended last
      select max((
        select least(${sessionEnd}, ${now}::timestamptz) from sessions s
        where s.share_id = sh.id and s.started_at <= ${now}::timestamptz
        order by s.started_at desc limit 1
      )) as last, coalesce(json_agg(sh.member_id) filter (where sh.ended_at is null), '[]') as members
      from shares sh where sh.asset_id = a.id
    ) used
    cross join lateral (
      select ${monthOf(thereSince)} as there, ${monthOf(lastMoment)} as used offset 0
    ) month
    where a.owner_id = ${ownerId} ${assetId === undefined ? sql`` : sql`and a.id = ${assetId}`}
    order by a.id`.execute(db);
  return rows;
}
