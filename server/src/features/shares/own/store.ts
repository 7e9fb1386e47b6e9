import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { insertFirstAllowance } from '../allowances/store.ts';

/** Condition: the open own share `sh` of asset `a` isn't what period `p` says. */
const differs = sql<boolean>`(case
  when p.owner_takes_part and a.deleted_at is null
    then (sh.member_id, sh.monthly_hours_allocated) is distinct from (a.owner_id, p.owner_hours)
  else sh.id is not null end)`;

/** A join of the open own share `sh` of asset `a`. */
const openOwnShare = sql`left join shares sh on sh.asset_id = a.id and sh.own and sh.ended_at is null`;

/** Returns the assets whose owner takes part at an instant with another share than their terms say, or with none, by id. */
export async function assetsToMatch(db: Database, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id
    from (
      select asset_id as id from periods where owner_takes_part and closed_at is null
      union select asset_id from shares where own and ended_at is null
    ) candidate
    join assets a using (id) cross join ${currentPeriod('a', now)} p ${openOwnShare}
    where ${differs} order by a.id`.execute(db);
  return rows.map(({ id }) => id);
}

export interface OwnUse {
  ownerId: number;
  /** The hours reserved for the owner; null if they don't take part. */
  hours: number | null;
  /** The open own share; null without one. */
  share: { id: number; memberId: number; hours: number } | null;
  /** When the current period started. */
  startedAt: Date;
  /** When the first period started in which the user of the share doesn't take part; null if there is none. */
  endedAt: Date | null;
}

/** Locks an asset until the transaction ends, and returns what decides about the owner's own share; undefined if it is gone. */
export async function lockOwnUse(db: Database, assetId: number, now: Date): Promise<OwnUse | undefined> {
  const [found] = await lockThenRead(
    db,
    sql`select 1 from assets a where a.id = ${assetId} for no key update of a`,
    sql<OwnUse>`
      select a.owner_id as "ownerId", case when p.owner_takes_part and a.deleted_at is null then p.owner_hours end as hours,
        case when sh.id is not null then json_build_object(
          'id', sh.id, 'memberId', sh.member_id, 'hours', sh.monthly_hours_allocated) end as share,
        p.starts_at as "startedAt", (
          select min(each.starts_at) from periods each
          where each.asset_id = a.id and each.ends_at > sh.accepted_at
            and (not each.owner_takes_part or each.owner_id <> sh.member_id)
        ) as "endedAt"
      from assets a cross join ${currentPeriod('a', now)} p ${openOwnShare}
      where a.id = ${assetId}`,
  );
  return found;
}

/** Adds the own share of a locked asset's owner. */
export async function insertOwnShare(
  db: Database,
  { assetId, ownerId, hours, at }: { assetId: number; ownerId: number; hours: number; at: Date },
): Promise<void> {
  await sql`
    with added as (
      insert into shares (asset_id, member_id, monthly_hours_allocated, own, created_at, accepted_at)
      values (${assetId}, ${ownerId}, ${hours}, true, ${at}::timestamptz, ${at}::timestamptz)
      returning *
    )
    ${insertFirstAllowance(sql`added`)}`.execute(db);
}

/** Changes the hours of an own share of a locked asset. */
export async function setOwnHours(
  db: Database,
  { shareId, hours, at }: { shareId: number; hours: number; at: Date },
): Promise<void> {
  await sql`
    with changed as (
      update shares set monthly_hours_allocated = ${hours} where id = ${shareId} returning id
    )
    insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
    select id, greatest(${at}::timestamptz, (select max(since) from allowances where share_id = id)), ${hours}, ${hours}, ${hours}
    from changed
    on conflict (share_id, since) do update set monthly_hours = excluded.monthly_hours,
      agreed_hours = excluded.agreed_hours, counted_hours = excluded.counted_hours`.execute(db);
}
