import { sql, type RawBuilder } from 'kysely';
import { wallClock } from '../../../platform/database/calendar.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isCoManagedBy } from '../../assets/sql.ts';
import type { Plan } from '../../assets/plans/sql.ts';
import { currentPeriod, pricePerCycle } from '../sql.ts';

/** What one of an asset's people said about a renewal. */
export interface StoredVote {
  user_id: number;
  username: string;
  choice: 'keep' | 'smaller' | 'cancel';
  line: string;
}

/** An asset with a plan or an end, as someone sees it, or for all its people. */
export interface PlannedAsset {
  asset_id: number;
  asset_name: string;
  owner: string;
  your_role: 'owner' | 'manager' | 'member';
  /** The user's own share as a member; null for others. */
  share_id: number | null;
  /** Null if each calendar month is paid. */
  plan: Plan | null;
  ends_on: string | null;
  cancel_by_days: number | null;
  auto_renews: boolean;
  reminder_days: number[];
  currency: string;
  /** In its time zone, YYYY-MM-DD. */
  today: string;
  /** The prices of cycles that start from a month on, `YYYY-MM`, in order. */
  prices: { from_month: string; cents: number }[];
  /** By the dates of renewals, YYYY-MM-DD. */
  votes: { renews_on: string; votes: StoredVote[] }[];
  decisions: { renews_on: string; decision: 'renewed' | 'canceled' }[];
  /** Everyone who has it. */
  user_ids: number[];
}

/** Condition: share `sh` gives its member access. */
const isMember = sql`not sh.own and sh.accepted_at is not null and sh.ended_at is null`;

/** Returns assets with a plan or an end that aren't archived, by a condition on assets `a`, by id. With a user, as they see them. */
export async function readPlannedAssets(
  db: Database,
  {
    condition,
    userId = 0,
    now,
    hour = 0,
    limit,
  }: { condition: RawBuilder<unknown>; userId?: number; now: Date; hour?: number; limit?: number },
): Promise<PlannedAsset[]> {
  const { rows } = await sql<PlannedAsset>`
    select a.id as asset_id, a.name as asset_name, o.username as owner,
      case when a.owner_id = ${userId} then 'owner' when ${isCoManagedBy('a', userId)} then 'manager' else 'member' end as your_role,
      (select sh.id from shares sh where sh.asset_id = a.id and ${isMember} and sh.member_id = ${userId} limit 1) as share_id,
      p.plan, a.ends_on, a.cancel_by_days, a.auto_renews, a.reminder_days, a.currency,
      (${wallClock(sql`${now}::timestamptz`, sql`p.time_zone`)} - make_interval(hours => ${hour}::int))::date as today,
      (
        select json_agg(json_build_object('from_month', to_char(each.month, 'YYYY-MM'), 'cents', ${pricePerCycle('each')}) order by each.month)
        from periods each where each.asset_id = a.id and (each.month = each.price_since or each.month = p.month)
      ) as prices,
      coalesce((
        select json_agg(json_build_object('renews_on', by_date.renews_on, 'votes', by_date.votes) order by by_date.renews_on)
        from (
          select v.renews_on, json_agg(json_build_object('user_id', v.user_id, 'username', u.username, 'choice', v.choice, 'line', v.line)
            order by v.voted_at, v.user_id) as votes
          from renewal_votes v join users u on u.id = v.user_id where v.asset_id = a.id group by v.renews_on
        ) by_date
      ), '[]') as votes,
      coalesce((
        select json_agg(json_build_object('renews_on', d.renews_on, 'decision', d.decision) order by d.renews_on)
        from renewal_decisions d where d.asset_id = a.id
      ), '[]') as decisions,
      array(
        select a.owner_id union
        select sh.member_id from shares sh join users m on m.id = sh.member_id and m.email is not null
        where sh.asset_id = a.id and ${isMember}
      ) as user_ids
    from assets a
    join users o on o.id = a.owner_id
    cross join ${currentPeriod('a', now)} p
    where ${condition} and (p.plan is not null or a.ends_on is not null) and a.archived_at is null and a.deleted_at is null
    order by a.id
    limit ${limit ?? null}`.execute(db);
  return rows;
}

/** Condition: a user owns asset `a`, or has access to it. */
export const isOf = (userId: number): RawBuilder<boolean> => sql<boolean>`a.id in (
  select id from assets where owner_id = ${userId}
  union select sh.asset_id from shares sh where sh.member_id = ${userId} and ${isMember})`;

/** Condition: asset `a` comes after another, and has reminders. */
export const isRemindedAfter = (assetId: number): RawBuilder<boolean> =>
  sql<boolean>`a.id > ${assetId} and a.reminder_days <> '{}'`;

/** Condition: asset `a` is one of a user's. */
export const isOneOf = (assetId: number, userId: number): RawBuilder<boolean> =>
  sql<boolean>`a.id = ${assetId} and ${isOf(userId)}`;

/** Condition: asset `a` is that of a share with which a user has access. */
export const isOfShare = (shareId: number, userId: number): RawBuilder<boolean> => sql<boolean>`a.id = (
  select sh.asset_id from shares sh where sh.id = ${shareId} and sh.member_id = ${userId} and ${isMember})`;

/**
 * Keeps a share with which a user, who is locked, has access, from ending, and its asset from being archived. Returns whether there
 * is one.
 */
export async function lockShare(db: Database, shareId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shares sh join assets a on a.id = sh.asset_id
    where sh.id = ${shareId} and sh.member_id = ${userId} and ${isMember} and a.archived_at is null and a.deleted_at is null
    for share of a for no key update of sh`.execute(db);
  return rows.length > 0;
}

export async function setVote(
  db: Database,
  vote: { assetId: number; renewsOn: string; userId: number; choice: StoredVote['choice']; line: string; now: Date },
): Promise<void> {
  const values = { choice: vote.choice, line: vote.line, voted_at: vote.now };
  await db
    .insertInto('renewal_votes')
    .values({ asset_id: vote.assetId, renews_on: vote.renewsOn, user_id: vote.userId, ...values })
    .onConflict((conflict) => conflict.columns(['asset_id', 'renews_on', 'user_id']).doUpdateSet(values))
    .execute();
}

export async function setDecision(
  db: Database,
  {
    assetId,
    renewsOn,
    decision,
    now,
  }: { assetId: number; renewsOn: string; decision: 'renewed' | 'canceled'; now: Date },
): Promise<void> {
  const values = { decision, decided_at: now };
  await db
    .insertInto('renewal_decisions')
    .values({ asset_id: assetId, renews_on: renewsOn, ...values })
    .onConflict((conflict) => conflict.columns(['asset_id', 'renews_on']).doUpdateSet(values))
    .execute();
}

/** Forgets what was decided about renewals to come that the end of an asset, which was set otherwise, contradicts. */
export async function deleteContradicted(
  db: Database,
  { assetId, now }: { assetId: number; now: Date },
): Promise<void> {
  await sql`
    delete from renewal_decisions d using assets a cross join ${currentPeriod('a', now)} p
    where a.id = ${assetId} and d.asset_id = a.id and d.renews_on > ${wallClock(sql`${now}::timestamptz`, sql`p.time_zone`)}::date
      and case d.decision when 'canceled' then d.renews_on is distinct from a.ends_on else d.renews_on >= a.ends_on end`.execute(
    db,
  );
}
