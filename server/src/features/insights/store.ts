import { sql } from 'kysely';
import { wallClock } from '../../platform/database/calendar.ts';
import type { Database } from '../../platform/database/database.ts';
import { isManagedBy, isOwnedBy } from '../assets/sql.ts';
import { currentPeriod } from '../periods/sql.ts';
import { sessionEnd } from '../usage/sql.ts';
import type { InsightAsset } from './rules.ts';

/** Returns the assets that a user owns, or one that they manage, with the last day on which anyone used each. */
export async function assetsToJudge(
  db: Database,
  { userId, assetId, now }: { userId: number; assetId?: number; now: Date },
): Promise<InsightAsset[]> {
  const { rows } = await sql<InsightAsset>`
    select a.id, a.name, a.currency, a.archived_at is not null as archived,
      -- a session that ends at midnight counts toward the day before
      to_char(greatest(
        used.last_day, ${wallClock(sql`(used.running_until - interval '1 microsecond')`, sql`p.time_zone`)}::date
      ), 'YYYY-MM-DD') as last_used_on,
      used.members
    from assets a
    cross join ${currentPeriod('a', now)} p
    cross join lateral (
      select max((select max(day) from usage_days where share_id = sh.id and seconds + sessions > 0)) as last_day,
        max((
          select least(${sessionEnd('s', now)}, ${now}::timestamptz) from sessions s
          where s.share_id = sh.id and s.ended_at is null and s.started_at <= ${now}::timestamptz
        )) as running_until,
        coalesce(json_agg(sh.member_id) filter (where not sh.own and sh.ended_at is null and sh.accepted_at is not null), '[]') as members
      from shares sh where sh.asset_id = a.id
    ) used
    where ${assetId === undefined ? isOwnedBy('a', userId) : sql`a.id = ${assetId} and ${isManagedBy('a', userId)}`}
    order by a.id`.execute(db);
  return rows;
}
