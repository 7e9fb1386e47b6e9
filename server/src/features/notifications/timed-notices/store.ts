import { CORRECTION_HOURS } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { closesAt, sharedDuringPeriod } from '../../periods/sql.ts';

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
      and s.started_at + (coalesce(s.limit_at, s.ends_by) - s.started_at) / 2 <= ${now}::timestamptz
    order by s.id`.execute(db);
  return rows;
}

/** Those of some users who have no notice of a cause yet. */
const notYetNotified = (userIds: RawBuilder<unknown>, cause: RawBuilder<unknown>) => sql`array(
  select u.id from unnest(${userIds}) with ordinality u (id, place)
  where not exists (select 1 from notices n where n.user_id = u.id and n.cause = ${cause})
  order by u.place)`;

/** Returns those of some notices whose users have none of the same cause yet. */
export async function notYetTold<Notice extends { userId: number; cause: string }>(
  db: Database,
  notices: Notice[],
): Promise<Notice[]> {
  if (notices.length === 0) return [];
  const { rows } = await sql<{ user_id: number; cause: string }>`
    select n.user_id, n.cause
    from unnest(${notices.map(({ userId }) => userId)}::bigint[], ${notices.map(({ cause }) => cause)}::text[]) asked (user_id, cause)
    join notices n on n.user_id = asked.user_id and n.cause = asked.cause`.execute(db);
  const told = new Set(rows.map(({ user_id: userId, cause }) => `${userId} ${cause}`));
  return notices.filter(({ userId, cause }) => !told.has(`${userId} ${cause}`));
}

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
      and p.ends_at > ${now}::timestamptz - make_interval(hours => ${CORRECTION_HOURS}::int)
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

/** Returns those of some periods that are shared, have sessions to edit, and will close within some hours, and whom to notify. */
export async function closingMonths(
  db: Database,
  { keys, now, hours }: { keys: PeriodKey[]; now: Date; hours: number },
): Promise<ClosingMonth[]> {
  if (keys.length === 0) return [];
  const assetIds = keys.map((key) => key.asset_id);
  const months = keys.map(({ month }) => month);
  const people = sql`(array_remove(array[p.owner_id], null) || members.ids)`;
  const { rows } = await sql<ClosingMonth>`
    select a.id as asset_id, a.name as asset_name, to_char(p.month, 'YYYY-MM') as month, ${closesAt('p')} as closes_at,
      told.cause, ${notYetNotified(people, sql`told.cause`)} as user_ids
    from unnest(${assetIds}::bigint[], ${months}::date[]) wanted (asset_id, month)
    join periods p on p.asset_id = wanted.asset_id and p.month = wanted.month
    join assets a on a.id = p.asset_id and a.deleted_at is null
    cross join lateral (
      select coalesce(array_agg(distinct sh.member_id), '{}') as ids
      from shares sh where sh.asset_id = p.asset_id and not sh.own and ${sharedDuringPeriod('sh', 'p')}
    ) members
    cross join lateral (select concat('month:', a.id, ':', to_char(p.month, 'YYYY-MM'), ':closing') as cause) told
    where p.closed_at is null and p.ends_at <= ${now}::timestamptz and ${closesAt('p')} > ${now}::timestamptz
      and ${closesAt('p')} <= ${now}::timestamptz + make_interval(hours => ${hours}::int)
      and p.measured and cardinality(members.ids) > 0
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

// The index of what is owed names it like this.
const isOwed = sql`l.role = 'member' and l.paid_at is null and l.settled_cents < abs(l.amount_cents)`;

/** Returns a number of accounts after one that owe something, or are owed it, on statements, in order. */
export async function membersWithBalances(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct l.user_id from statement_lines l
    where ${isOwed} and l.user_id > ${after}
    order by l.user_id limit ${limit}`.execute(db);
  return rows.map(({ user_id: id }) => id);
}

/**
 * Returns what some members owe owners, or are owed by them, on statements from before an instant, and what hasn't been sent, and whom
 * to notify. A negative line is owed to its member.
 */
export async function oldBalances(
  db: Database,
  { memberIds, before }: { memberIds: number[]; before: Date },
): Promise<OldBalance[]> {
  if (memberIds.length === 0) return [];
  const cause = sql`concat('balance:', debtor_id, ':', creditor_id, ':', currency, ':', line_id)`;
  const { rows } = await sql<OldBalance>`
    select debtor_id, creditor_id, currency, amount, ${cause} as cause,
      ${notYetNotified(sql`array[debtor_id, creditor_id]`, cause)} as user_ids
    from (
      select case when l.amount_cents < 0 then l.owner_id else l.user_id end as debtor_id,
        case when l.amount_cents < 0 then l.user_id else l.owner_id end as creditor_id, st.currency,
        sum(abs(l.amount_cents) - l.settled_cents - l.sent_cents)::bigint as amount, min(l.id) as line_id
      from statement_lines l join statements st on st.id = l.statement_id
      where l.user_id = any(${memberIds}::bigint[]) and ${isOwed} and l.sent_at is null
        and l.settled_cents + l.sent_cents < abs(l.amount_cents)
        and l.owner_id is not null and st.closed_at <= ${before}::timestamptz
      group by debtor_id, creditor_id, st.currency
    ) balance
    order by line_id`.execute(db);
  return rows;
}
