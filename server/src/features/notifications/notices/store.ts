import type { NoticeChannels } from '@hourshare/contract/notifications';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { isAgreedShare, isUnconfirmed } from '../../shares/sql.ts';
import { usedInPeriod } from '../../usage/sql.ts';
import type { NewNotice } from './rules.ts';
import { canBeNotified, noticeColumns, type StoredNotice } from './sql.ts';

/** A notice to add, unless the user has chosen otherwise. */
export type InsertedNotice = NewNotice & NoticeChannels & { mailDueAt: Date | null };

/**
 * Adds notices for accounts that want them, unless they were notified of that cause before. Returns who has a new one
 * in the bell.
 */
export async function insertNotices(db: Database, notices: InsertedNotice[]): Promise<number[]> {
  const { rows } = await sql<{ user_id: number; in_bell: boolean }>`
    with told as materialized (select n.*, coalesce(c.bell, n.bell) as bells, coalesce(c.push, n.push) as pushes,
      case when coalesce(c.mail, n.mail) and u.email_notifications then n."mailDueAt" end as mails
    from rows from (jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as (
      "userId" bigint, kind text, cause text, "actorId" bigint, "assetId" bigint, "assetName" text, "shareId" bigint,
      data jsonb, "createdAt" timestamptz, "mailDueAt" timestamptz, bell boolean, mail boolean, push boolean
    )) with ordinality n (
      "userId", kind, cause, "actorId", "assetId", "assetName", "shareId", data, "createdAt", "mailDueAt", bell, mail, push, place
    )
    join users u on u.id = n."userId" and ${canBeNotified('u')}
    left join notice_choices c on c.user_id = n."userId" and c.kind = n.kind
    where coalesce(c.bell, n.bell) or coalesce(c.mail, n.mail) or coalesce(c.push, n.push)
      or exists (select 1 from notice_targets t where t.user_id = u.id and n.kind = any(t.kinds) and t.off_at is null)
    ), added as (
      insert into notices
        (user_id, kind, cause, actor_id, asset_id, asset_name, share_id, data, created_at, in_bell, mail_due_at)
      select n."userId", n.kind, n.cause, (select id from users where id = n."actorId"), n."assetId", n."assetName",
        n."shareId", n.data, n."createdAt", n.bells, n.mails
      from told n order by n.place
      on conflict (user_id, cause) do nothing
      returning id, user_id, kind, cause, created_at, in_bell
    ), pushed as (
      insert into deliveries (notice_id, subscription_id, due_at)
      select n.id, p.id, n.created_at
      from added n join told on told."userId" = n.user_id and told.cause = n.cause and told.pushes
      join push_subscriptions p on p.user_id = n.user_id
      order by n.id, p.id for key share of p
      on conflict do nothing
    ), sent as (
      insert into deliveries (notice_id, target_id, due_at)
      select n.id, t.id, n.created_at
      from added n join notice_targets t on t.user_id = n.user_id and n.kind = any(t.kinds) and t.off_at is null
      order by n.id, t.id for key share of t
      on conflict do nothing
    )
    select user_id, in_bell from added`.execute(db);
  return [...new Set(rows.flatMap((row) => (row.in_bell ? [row.user_id] : [])))].toSorted((a, b) => a - b);
}

/** A share whose member has used much of its allowance. */
export interface UsedAllowance {
  share_id: number;
  member_id: number;
  asset_id: number;
  asset_name: string;
  month: string;
  hours: number;
  used_seconds: number;
}

/** Returns those of some shares whose members have used at least a part of their allowance. */
export async function usedAllowances(
  db: Database,
  { shareIds, now, part }: { shareIds: number[]; now: Date; part: number },
): Promise<UsedAllowance[]> {
  if (shareIds.length === 0) return [];
  const { rows } = await sql<UsedAllowance>`
    select sh.id as share_id, sh.member_id, a.id as asset_id, a.name as asset_name, to_char(p.month, 'YYYY-MM') as month,
      sh.monthly_hours_allocated as hours, used.seconds as used_seconds
    from shares sh
    join assets a on a.id = sh.asset_id
    cross join ${currentPeriod('a', now)} p
    cross join ${usedInPeriod('sh', 'p', now)} used
    where sh.id = any(${shareIds}::bigint[]) and not sh.own and p.measured and sh.ended_at is null and sh.accepted_at is not null
      and used.seconds >= ${part}::float8 * 3600 * sh.monthly_hours_allocated
    order by sh.id`.execute(db);
  return rows;
}

/** Returns a notice, and whose it is; undefined if it is gone. */
export async function readNotice(db: Database, id: number): Promise<(StoredNotice & { user_id: number }) | undefined> {
  const { rows } = await sql<StoredNotice & { user_id: number }>`
    select ${noticeColumns('n', 'actor')}, n.user_id
    from notices n join users u on u.id = n.user_id and ${canBeNotified('u')} left join users actor on actor.id = n.actor_id
    where n.id = ${id}`.execute(db);
  return rows[0];
}

/** Returns some notices of a user that they haven't read, oldest first. */
export async function readUnread(
  db: Database,
  { userId, ids }: { userId: number; ids: number[] },
): Promise<StoredNotice[]> {
  const { rows } = await sql<StoredNotice>`
    select ${noticeColumns('n', 'actor')}
    from notices n join users u on u.id = n.user_id and ${canBeNotified('u')} left join users actor on actor.id = n.actor_id
    where n.user_id = ${userId} and n.id = any(${ids}::bigint[]) and n.read_at is null
    order by n.id`.execute(db);
  return rows;
}

/** Changes the hours in unread notices of an offer, those of what is measured. An index finds them by their asset. */
export async function updateOffered(
  db: Database,
  { assetId, shareId, hours }: { assetId: number; shareId: number; hours: number },
): Promise<void> {
  await sql`
    update notices set data = jsonb_set(data, '{hours}', to_jsonb(${hours}::int))
    where asset_id = ${assetId} and share_id = ${shareId} and kind = 'access_offered' and read_at is null
      and jsonb_typeof(data -> 'hours') = 'number'`.execute(db);
}

/** Condition: what notice `n` asks, or warns of, is still to be done. */
const isOpen = sql`case n.kind
  when 'month_closing' then exists (
    select 1 from periods p
    where p.asset_id = n.asset_id and to_char(p.month, 'YYYY-MM') = n.data ->> 'month' and p.closed_at is null)
  when 'session_long' then exists (
    select 1 from sessions s where s.share_id = n.share_id and s.ended_at is null and n.cause = 'session:' || s.id || ':half')
  when 'session_objection' then exists (
    select 1 from objections ob where ob.session_id = (n.data ->> 'session_id')::bigint and ob.status = 'open')
  when 'session_request' then exists (
    select 1 from edit_requests r
    where r.session_id = (n.data ->> 'session_id')::bigint and r.status = 'open' and r.requested_at <= n.created_at
      and not exists (select 1 from request_acceptances done where done.request_id = r.id and done.user_id = n.user_id))
  when 'access_unconfirmed' then exists (
    select 1 from shares sh where sh.id = n.share_id and sh.ended_at is null and ${isUnconfirmed('sh')})
  else exists (
    select 1 from shares sh left join handovers h on h.share_id = sh.id
    where sh.id = n.share_id and case when n.data ? 'handover' then h.offered_at <= n.created_at and h.month is null
      else sh.ended_at is null and not ${isAgreedShare('sh')} end)
end`;

/**
 * Deletes unread notices about some assets, or payments to which something happened, of which what they ask or warn of is settled.
 * Returns whose bell changes.
 */
export async function deleteSettled(
  db: Database,
  { assetIds, payments }: { assetIds: number[]; payments: { cause: string; userIds: number[]; at: Date }[] },
): Promise<number[]> {
  if (assetIds.length === 0 && payments.length === 0) return [];
  const { rows } = await sql<{ user_id: number; in_bell: boolean }>`
    with settled as (
      select n.id from notices n
      where n.asset_id = any(${assetIds}::bigint[]) and n.read_at is null
        and n.kind in ('month_closing', 'session_long', 'session_objection', 'session_request', 'access_unconfirmed', 'access_offered')
        and (n.kind not in ('session_objection', 'session_request') or n.data ->> 'change' = 'made')
        and (n.kind <> 'access_offered' or n.data ->> 'accepted' is distinct from 'true')
        and not ${isOpen}
      union all
      select n.id from notices n
      join jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as payment (cause text, "userIds" bigint[], at timestamptz)
        on n.user_id = any(payment."userIds") and starts_with(n.cause, payment.cause) and n.created_at < payment.at
      where n.kind in ('payment_sent', 'payment_undone') and n.read_at is null
    )
    delete from notices using settled where notices.id = settled.id
    returning notices.user_id, notices.in_bell`.execute(db);
  return [...new Set(rows.flatMap((row) => (row.in_bell ? [row.user_id] : [])))];
}
