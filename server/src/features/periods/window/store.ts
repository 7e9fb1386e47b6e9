import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Interval } from '../rules.ts';
import { canAnswer, closesAt, sharedDuringPeriod } from '../sql.ts';

interface PeriodKey {
  asset_id: number;
  /** `YYYY-MM` */
  month: string;
}

/** Records that a member has nothing to edit in an ended, open period; returns false if they had no access in it. */
export async function confirmPeriod(
  db: Database,
  { assetId, month, memberId, now }: { assetId: number; month: string; memberId: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into confirmations as known (asset_id, month, member_id, confirmed_at)
    select p.asset_id, p.month, ${memberId}, ${now}::timestamptz
    from periods p
    where p.asset_id = ${assetId} and p.month = ${`${month}-01`}::date and p.closed_at is null
      and p.ends_at <= ${now}::timestamptz
      and exists (
        select 1 from shares sh where sh.asset_id = p.asset_id and sh.member_id = ${memberId} and not sh.own and ${sharedDuringPeriod('sh', 'p')})
    on conflict (asset_id, month, member_id) do update set confirmed_at = known.confirmed_at
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Withdraws that a member has nothing to edit in the periods that a stretch of time overlaps. */
export async function unconfirmPeriods(
  db: Database,
  { assetId, memberId, startedAt, endedAt }: Interval & { assetId: number; memberId: number },
): Promise<void> {
  await sql`
    delete from confirmations c using periods p
    where c.asset_id = ${assetId} and c.member_id = ${memberId} and p.asset_id = c.asset_id and p.month = c.month
      and p.starts_at < ${endedAt}::timestamptz and p.ends_at > ${startedAt}::timestamptz`.execute(db);
}

/** Returns whether every member of an asset's open periods up to a month has nothing to edit, or their time is over. */
export async function areConfirmed(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from periods p join shares sh on sh.asset_id = p.asset_id and not sh.own and ${sharedDuringPeriod('sh', 'p')} and ${canAnswer('sh')}
    where p.asset_id = ${assetId} and p.month <= ${`${month}-01`}::date and p.closed_at is null
      and ${closesAt('p')} > ${now}::timestamptz
      and not exists (
        select 1 from confirmations c
        where c.asset_id = p.asset_id and c.month = p.month and c.member_id = sh.member_id)
    limit 1`.execute(db);
  return rows.length === 0;
}

/** Closes open periods; nothing in them changes afterwards. */
export async function markClosed(db: Database, periods: PeriodKey[], now: Date): Promise<void> {
  await sql`
    update periods p set closed_at = ${now}::timestamptz
    from unnest(
      ${periods.map((period) => period.asset_id)}::bigint[], ${periods.map(({ month }) => `${month}-01`)}::date[]
    ) closed (asset_id, month)
    where p.asset_id = closed.asset_id and p.month = closed.month and p.closed_at is null`.execute(db);
}
