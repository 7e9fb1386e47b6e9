import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { isAgreedShare, isManageableShare, isOpenShareOf, type ManagedShare } from '../sql.ts';

/** An insert of the first allowances of accepted shares. */
export const insertFirstAllowance = (shares: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
  select id, accepted_at, monthly_hours_allocated, monthly_hours_allocated,
    case when counted then monthly_hours_allocated else 0 end
  from ${shares}`;

/** Locks a share whose allowances are about to change, so that the change sees those before it. */
const lockOf = ({ shareId }: ManagedShare) => sql`select 1 from shares where id = ${shareId} for no key update`;

/** Condition: hours of an allowance cost something by a row of terms. */
const paysForHours = (row: string) => sql<boolean>`(
  ${sql.ref(`${row}.split_method`)} = 'allocation'
  or ${sql.ref(`${row}.split_method`)} <> 'equal' and ${sql.ref(`${row}.base_percent`)} > 0)`;

/**
 * Changes a share's allowance and, once it is accepted, records when that takes effect, with how much of it the member has agreed to
 * and how much counts toward the fullest moment: not what a co-manager adds. Returns the one before, and whether no one had said yes to
 * it; undefined if there is no open share with this id about which the user may decide.
 */
export async function setAllowance(
  db: Database,
  share: ManagedShare,
  { allocationHours, now }: { allocationHours: number; now: Date },
): Promise<{ hours: number; offered: boolean } | undefined> {
  const change = sql<{ hours: number; offered: boolean }>`
    with before as (
      select sh.id, sh.monthly_hours_allocated as hours, not ${isAgreedShare('sh')} as offered,
        -- a yes to later access was to fewer hours, and someone without an account can't give another
        sh.promised_at is not null and sh.accepted_at is null and ${allocationHours} > sh.monthly_hours_allocated
          and m.host_id is null as asked_again
      from shares sh join users m on m.id = sh.member_id where sh.id = ${share.shareId}
    ), changed as (
      update shares sh set monthly_hours_allocated = ${allocationHours},
        -- an offer, too, counts as far as the owner made it
        counted = by.owner or sh.counted and ${allocationHours} <= before.hours,
        promised_at = case when not before.asked_again then sh.promised_at end,
        created_at = case when before.asked_again then ${now}::timestamptz else sh.created_at end
      from before cross join lateral (
        select exists (
          select 1 from shares of_owner join assets a on a.id = of_owner.asset_id
          where of_owner.id = before.id and a.owner_id = ${share.userId}
        ) as owner
      ) by
      where before.id = sh.id and ${isManageableShare('sh', share, now)}
      returning sh.id, sh.asset_id, sh.accepted_at, before.hours, before.offered, by.owner as by_owner
    ), allowance as (
      insert into allowances as known (share_id, since, monthly_hours, agreed_hours, counted_hours)
      -- never before the allowance it replaces, even if the clock was set back
      select id, greatest(${now}::timestamptz, last.since), ${allocationHours},
        case when cost.is_free then ${allocationHours} else least(${allocationHours}, last.agreed_hours) end,
        case when by_owner then ${allocationHours} else least(${allocationHours}, last.counted_hours) end
      from changed
      cross join lateral (
        select since, agreed_hours, counted_hours from allowances where share_id = changed.id order by since desc limit 1
      ) last
      cross join lateral (
        -- more hours need a yes only where they cost more, by the terms or by what was agreed to, and on a server that asks
        select not exists (
          select 1 from (
            select split_method, base_percent from agreements
            where share_id = changed.id and agreed_at is not null order by agreed_at desc, id desc limit 1
          ) agreed
          where ${paysForHours('p')} or ${paysForHours('agreed')}
        ) as is_free
        from assets a cross join ${currentPeriod('a', now)} p where a.id = changed.asset_id
      ) cost
      where accepted_at is not null
      on conflict (share_id, since) do update set monthly_hours = excluded.monthly_hours,
        agreed_hours = excluded.agreed_hours, counted_hours = excluded.counted_hours
    )
    select hours, offered from changed`;
  const [before] = await lockThenRead(db, lockOf(share), change);
  return before;
}

/**
 * Counts all hours of a share of an owner's asset toward the fullest moment from now on, also what a co-manager added. Returns false if
 * there is no such open share.
 */
export async function countAllHours(db: Database, share: ManagedShare, now: Date): Promise<boolean> {
  const count = sql`
    with changed as (
      update shares sh set counted = true
      where ${isOpenShareOf('sh', share, now, sql`a.deleted_at is null and a.owner_id = ${share.userId}`)}
      returning sh.id
    ), allowance as (
      insert into allowances as known (share_id, since, monthly_hours, agreed_hours, counted_hours)
      select share_id, greatest(${now}::timestamptz, since), monthly_hours, agreed_hours, monthly_hours
      from changed cross join lateral (
        select * from allowances where share_id = changed.id order by since desc limit 1
      ) last
      where counted_hours < monthly_hours
      on conflict (share_id, since) do update set counted_hours = excluded.counted_hours
    )
    select 1 from changed`;
  return (await lockThenRead(db, lockOf(share), count)).length > 0;
}
