import { CORRECTION_HOURS, LATE_EDIT_MAX_DAYS } from '@hourshare/contract/limits';
import type { NoticeKind } from '@hourshare/contract/notifications';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { closesAt, currentPeriod, sharedDuringPeriod } from '../../periods/sql.ts';
import { usedInPeriod } from '../../usage/sql.ts';
import type { Channels, NewNotice } from './rules.ts';

/** Condition: row `u` of `users` is an account that can be notified. */
const isTold = sql<boolean>`(u.email is not null and u.disabled_at is null)`;

/** A notice to add, unless the user has chosen otherwise. */
export type InsertedNotice = NewNotice & Channels & { mailDueAt: Date | null };

/**
 * Adds notices for accounts that want them, unless they were notified of that cause before. Returns who has a new one
 * in the bell.
 */
export async function insertNotices(db: Database, notices: InsertedNotice[]): Promise<number[]> {
  const { rows } = await sql<{ user_id: number; in_bell: boolean }>`
    insert into notices
      (user_id, kind, cause, actor_id, asset_id, asset_name, share_id, data, created_at, in_bell, mail_due_at, push_due_at)
    select n."userId", n.kind, n.cause, (select id from users where id = n."actorId"), n."assetId", n."assetName", n."shareId",
      n.data, n."createdAt", coalesce(c.bell, n.bell),
      case when coalesce(c.mail, n.mail) and u.email_notifications then n."mailDueAt" end,
      case when coalesce(c.push, n.push) and exists (select 1 from push_subscriptions where user_id = u.id)
        then n."createdAt" end
    from rows from (jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as (
      "userId" bigint, kind text, cause text, "actorId" bigint, "assetId" bigint, "assetName" text, "shareId" bigint,
      data jsonb, "createdAt" timestamptz, "mailDueAt" timestamptz, bell boolean, mail boolean, push boolean
    )) with ordinality n (
      "userId", kind, cause, "actorId", "assetId", "assetName", "shareId", data, "createdAt", "mailDueAt", bell, mail, push, place
    )
    join users u on u.id = n."userId" and ${isTold}
    left join notice_choices c on c.user_id = n."userId" and c.kind = n.kind
    where coalesce(c.bell, n.bell) or coalesce(c.mail, n.mail) or coalesce(c.push, n.push)
    order by n.place
    on conflict (user_id, cause) do nothing
    returning user_id, in_bell`.execute(db);
  return [...new Set(rows.flatMap((row) => (row.in_bell ? [row.user_id] : [])))].toSorted((a, b) => a - b);
}

export interface AssetFacts {
  id: number;
  name: string;
  /** Its owner, then its co-managers. */
  manager_ids: number[];
  member_ids: number[];
  /** Of the members, in the same order. */
  member_share_ids: number[];
}

export async function readAssets(db: Database, ids: number[]): Promise<AssetFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AssetFacts>`
    select a.id, a.name, a.owner_id || members.managers as manager_ids, members.ids as member_ids,
      members.share_ids as member_share_ids
    from assets a
    cross join lateral (
      select coalesce(array_agg(member_id order by id), '{}') as ids, coalesce(array_agg(id order by id), '{}') as share_ids,
        coalesce(array_agg(member_id order by id) filter (where manager_since is not null), '{}') as managers
      from shares where asset_id = a.id and ended_at is null and accepted_at is not null
    ) members
    where a.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

export interface ShareFacts {
  id: number;
  asset_id: number;
  member_id: number;
  accepted: boolean;
}

export async function readShares(db: Database, ids: number[]): Promise<ShareFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ShareFacts>`
    select id, asset_id, member_id, accepted_at is not null as accepted from shares where id = any(${ids}::bigint[])`.execute(
    db,
  );
  return rows;
}

export interface SessionFacts {
  id: number;
  started_at: Date;
  ended_at: Date | null;
}

export async function readSessions(db: Database, ids: number[]): Promise<SessionFacts[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('sessions')
    .select(['id', 'started_at', 'ended_at'])
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .execute();
}

export interface LineFacts {
  statement_id: number;
  asset_name: string;
  user_id: number;
  role: 'owner' | 'member';
  amount: number;
  currency: string;
}

/** Returns the lines of accounts on some statements. */
export async function readLines(db: Database, statementIds: number[]): Promise<LineFacts[]> {
  if (statementIds.length === 0) return [];
  const { rows } = await sql<LineFacts>`
    select l.statement_id, st.asset_name, l.user_id, l.role, l.amount_cents as amount, st.currency
    from statement_lines l join statements st on st.id = l.statement_id
    where l.statement_id = any(${statementIds}::bigint[]) and l.user_id is not null
    order by l.id`.execute(db);
  return rows;
}

export interface MarkedLine {
  id: number;
  asset_id: number | null;
  asset_name: string;
  owner_id: number | null;
  user_id: number | null;
  /** What payments don't cover. */
  amount: number;
  currency: string;
}

export async function readMarkedLines(db: Database, ids: number[]): Promise<MarkedLine[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MarkedLine>`
    select l.id, st.asset_id, st.asset_name, l.owner_id, l.user_id, l.amount_cents - l.settled_cents as amount, st.currency
    from statement_lines l join statements st on st.id = l.statement_id
    where l.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

export interface SettlementFacts {
  id: number;
  payer_id: number | null;
  payee_id: number | null;
}

export async function readSettlements(db: Database, ids: number[]): Promise<SettlementFacts[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('settlements')
    .select(['id', 'payer_id', 'payee_id'])
    .where('id', '=', (builder) => builder.fn.any(builder.val(ids)))
    .execute();
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
    cross join ${currentPeriod(now)}
    cross join ${usedInPeriod(now)}
    where sh.id = any(${shareIds}::bigint[]) and sh.ended_at is null and sh.accepted_at is not null
      and used.seconds >= ${part}::float8 * 3600 * sh.monthly_hours_allocated
    order by sh.id`.execute(db);
  return rows;
}

/** Returns a number of shares after one that have an active session, in order. */
export async function runningShares(
  db: Database,
  { now, after, limit }: { now: Date; after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('share_id')
    .where('ended_at', 'is', null)
    .where('ends_by', '>', now)
    .where('share_id', '>', after)
    .orderBy('share_id')
    .limit(limit)
    .execute();
  return rows.map(({ share_id: id }) => id);
}

export interface LongSession {
  id: number;
  share_id: number;
  member_id: number;
  asset_id: number;
  asset_name: string;
  started_at: Date;
  ends_by: Date;
}

/** Returns the active sessions of some shares that are past half of their limit. */
export async function longSessions(
  db: Database,
  { shareIds, now }: { shareIds: number[]; now: Date },
): Promise<LongSession[]> {
  if (shareIds.length === 0) return [];
  const { rows } = await sql<LongSession>`
    select s.id, s.share_id, sh.member_id, a.id as asset_id, a.name as asset_name, s.started_at, s.ends_by
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where s.share_id = any(${shareIds}::bigint[]) and s.ended_at is null and s.ends_by > ${now}::timestamptz
      and s.started_at + (s.ends_by - s.started_at) / 2 <= ${now}::timestamptz
    order by s.id`.execute(db);
  return rows;
}

/** Those of some users who have no notice of a cause yet. */
const untold = (userIds: RawBuilder<unknown>, cause: RawBuilder<unknown>) => sql`array(
  select u.id from unnest(${userIds}) with ordinality u (id, place)
  where not exists (select 1 from notices n where n.user_id = u.id and n.cause = ${cause})
  order by u.place)`;

export interface PeriodKey {
  asset_id: number;
  month: string;
  ends_at: Date;
}

/** Returns a number of open periods after one whose end lets them close within some hours, by their end and asset. */
export async function periodsToClose(
  db: Database,
  { now, hours, after, limit }: { now: Date; hours: number; after: PeriodKey | undefined; limit: number },
): Promise<PeriodKey[]> {
  const { rows } = await sql<PeriodKey>`
    select p.asset_id, p.month, p.ends_at from periods p
    where p.closed_at is null
      and p.ends_at > ${now}::timestamptz
        - make_interval(hours => ${CORRECTION_HOURS}::int, days => ${LATE_EDIT_MAX_DAYS}::int)
      and p.ends_at <= ${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS - hours}::int)
      ${after ? sql`and (p.ends_at, p.asset_id) > (${after.ends_at}::timestamptz, ${after.asset_id}::bigint)` : sql``}
    order by p.ends_at, p.asset_id limit ${limit}`.execute(db);
  return rows;
}

export interface ClosingMonth {
  asset_id: number;
  asset_name: string;
  month: string;
  closes_at: Date;
  cause: string;
  /** Whom it concerns and who hasn't been notified. */
  user_ids: number[];
}

/** Returns those of some periods that are shared and will close within some hours, and whom to notify. */
export async function closingMonths(
  db: Database,
  { keys, now, hours }: { keys: PeriodKey[]; now: Date; hours: number },
): Promise<ClosingMonth[]> {
  if (keys.length === 0) return [];
  const assetIds = keys.map((key) => key.asset_id);
  const months = keys.map(({ month }) => month);
  const people = sql`(array_remove(array[p.owner_id], null) || members.ids)`;
  const { rows } = await sql<ClosingMonth>`
    select a.id as asset_id, a.name as asset_name, to_char(p.month, 'YYYY-MM') as month, ${closesAt} as closes_at,
      told.cause, ${untold(people, sql`told.cause`)} as user_ids
    from unnest(${assetIds}::bigint[], ${months}::date[]) wanted (asset_id, month)
    join periods p on p.asset_id = wanted.asset_id and p.month = wanted.month
    join assets a on a.id = p.asset_id and a.deleted_at is null
    cross join lateral (
      select coalesce(array_agg(distinct sh.member_id), '{}') as ids
      from shares sh where sh.asset_id = p.asset_id and ${sharedDuringPeriod}
    ) members
    cross join lateral (select concat('month:', a.id, ':', to_char(p.month, 'YYYY-MM'), ':closing') as cause) told
    where p.closed_at is null and p.ends_at <= ${now}::timestamptz and ${closesAt} > ${now}::timestamptz
      and ${closesAt} <= ${now}::timestamptz + make_interval(hours => ${hours}::int)
      and cardinality(members.ids) > 0
    order by a.id, p.month`.execute(db);
  return rows;
}

export interface OldBalance {
  debtor_id: number;
  creditor_id: number;
  currency: string;
  amount: number;
  /** Names the oldest of its charges. */
  cause: string;
  /** Those of the two who haven't been notified. */
  user_ids: number[];
}

/** Returns a number of accounts after one that owe something on statements, in order. */
export async function debtors(db: Database, { after, limit }: { after: number; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct l.user_id from statement_lines l
    where l.role = 'member' and l.paid_at is null and l.settled_cents < l.amount_cents and l.user_id > ${after}
    order by l.user_id limit ${limit}`.execute(db);
  return rows.map(({ user_id: id }) => id);
}

/** Returns what some accounts owe others on statements from before an instant, and haven't sent, and whom to notify. */
export async function oldBalances(
  db: Database,
  { debtorIds, before }: { debtorIds: number[]; before: Date },
): Promise<OldBalance[]> {
  if (debtorIds.length === 0) return [];
  const cause = sql`concat('balance:', debtor_id, ':', creditor_id, ':', currency, ':', line_id)`;
  const { rows } = await sql<OldBalance>`
    select debtor_id, creditor_id, currency, amount, ${cause} as cause,
      ${untold(sql`array[debtor_id, creditor_id]`, cause)} as user_ids
    from (
      select l.user_id as debtor_id, l.owner_id as creditor_id, st.currency,
        sum(l.amount_cents - l.settled_cents - l.sent_cents)::bigint as amount, min(l.id) as line_id
      from statement_lines l join statements st on st.id = l.statement_id
      where l.user_id = any(${debtorIds}::bigint[])
        and l.role = 'member' and l.paid_at is null and l.sent_at is null
        and l.settled_cents < l.amount_cents and l.settled_cents + l.sent_cents < l.amount_cents
        and l.owner_id is not null and st.closed_at <= ${before}::timestamptz
      group by l.user_id, l.owner_id, st.currency
    ) balance
    order by line_id`.execute(db);
  return rows;
}

/** A notice as its reader sees it. */
export interface StoredNotice {
  id: number;
  kind: NoticeKind;
  created_at: Date;
  read: boolean;
  actor_id: number | null;
  actor: string | null;
  asset_id: number | null;
  asset_name: string | null;
  share_id: number | null;
  /** JSON of the facts of its kind. */
  data: string;
}

const noticeColumns = sql`
  n.id, n.kind, n.created_at, n.read_at is not null as read, n.actor_id, actor.username as actor, n.asset_id, n.asset_name,
  n.share_id, n.data::text as data`;

/** Returns notices in a user's bell that are newer than an instant, newest first. */
export async function readNotices(
  db: Database,
  { userId, since, limit, after }: { userId: number; since: Date; limit: number; after: number | undefined },
): Promise<StoredNotice[]> {
  const { rows } = await sql<StoredNotice>`
    select ${noticeColumns}
    from notices n left join users actor on actor.id = n.actor_id
    where n.user_id = ${userId} and n.in_bell and n.created_at > ${since}::timestamptz
      and (${after ?? null}::bigint is null or n.id < ${after ?? null}::bigint)
    order by n.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Returns some notices of a user that they haven't read, oldest first. */
export async function readUnread(
  db: Database,
  { userId, ids }: { userId: number; ids: number[] },
): Promise<StoredNotice[]> {
  const { rows } = await sql<StoredNotice>`
    select ${noticeColumns}
    from notices n join users u on u.id = n.user_id and ${isTold} left join users actor on actor.id = n.actor_id
    where n.user_id = ${userId} and n.id = any(${ids}::bigint[]) and n.read_at is null
    order by n.id`.execute(db);
  return rows;
}

/**
 * Takes the notices of up to `limit` users whose first waiting one is due to be sent by email, with all others of theirs that
 * wait. Servers that query at the same time get different users.
 */
export async function claimMailed(
  db: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<{ user_id: number; ids: number[] }[]> {
  const { rows } = await sql<{ user_id: number; ids: number[] }>`
    with due as materialized (
      select id from users where id in (select user_id from notices where mail_due_at <= ${now}::timestamptz)
      order by id limit ${limit} for no key update skip locked
    ), claimed as (
      update notices set mail_due_at = null where user_id in (select id from due) and mail_due_at is not null
      returning user_id, id
    )
    select user_id, array_agg(id order by id) as ids from claimed group by user_id order by user_id`.execute(db);
  return rows;
}

const FIRST_WAIT_SECONDS = 60;

/**
 * Takes the notice that has been due the longest to be sent by push message, and postpones it by a delay that doubles with each
 * attempt; after the last one, it isn't sent again. Those that were read are not sent.
 */
export async function claimPushed(
  db: Database,
  { now, attempts }: { now: Date; attempts: number },
): Promise<{ id: number; user_id: number } | undefined> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    update notices set push_attempts = push_attempts + 1,
      push_due_at = case when push_attempts + 1 < ${attempts}::int
        then ${now}::timestamptz + make_interval(secs => ${FIRST_WAIT_SECONDS}::int * 4 ^ push_attempts) end
    where id = (
      select id from notices where push_due_at <= ${now}::timestamptz order by push_due_at, id limit 1 for update skip locked
    )
    returning id, user_id`.execute(db);
  return rows[0];
}

export async function recordPush(
  db: Database,
  { noticeId, subscriptionId }: { noticeId: number; subscriptionId: number },
): Promise<void> {
  await sql`update notices set pushed_to = pushed_to || ${subscriptionId}::bigint where id = ${noticeId}`.execute(db);
}

/** Records that a notice has reached all browsers that it could. */
export async function finishPush(db: Database, id: number): Promise<void> {
  await db.updateTable('notices').set({ push_due_at: null }).where('id', '=', id).execute();
}

export async function countUnread(db: Database, { userId, since }: { userId: number; since: Date }): Promise<number> {
  const { count } = await db
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('in_bell', '=', true)
    .where('read_at', 'is', null)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks notices of a user as read, or all. Returns whether any was unread. */
export async function markRead(
  db: Database,
  { userId, ids, now }: { userId: number; ids: number[] | undefined; now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('notices')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('in_bell', '=', true)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', '=', (builder) => builder.fn.any(builder.val(ids ?? []))))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteOldNotices(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('notices').where('created_at', '<=', before).execute();
}

export type StoredChoice = Channels & { kind: string };

export const readChoices = (db: Database, userId: number): Promise<StoredChoice[]> =>
  db.selectFrom('notice_choices').select(['kind', 'bell', 'mail', 'push']).where('user_id', '=', userId).execute();

export async function saveChoices(
  db: Database,
  { userId, choices }: { userId: number; choices: StoredChoice[] },
): Promise<void> {
  await db
    .insertInto('notice_choices')
    .values(choices.map((choice) => ({ user_id: userId, ...choice })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet((builder) => ({
        bell: builder.ref('excluded.bell'),
        mail: builder.ref('excluded.mail'),
        push: builder.ref('excluded.push'),
      })),
    )
    .execute();
}

/** Deletes unread notices of offers, which have ended. Returns whose bell changes. */
export async function deleteUnreadOffers(db: Database, shareIds: number[]): Promise<number[]> {
  if (shareIds.length === 0) return [];
  const deleted = await db
    .deleteFrom('notices')
    .where('share_id', '=', (builder) => builder.fn.any(builder.val(shareIds)))
    .where('kind', '=', 'access_offered')
    .where('read_at', 'is', null)
    .returning(['user_id', 'in_bell'])
    .execute();
  return [...new Set(deleted.flatMap((notice) => (notice.in_bell ? [notice.user_id] : [])))];
}
