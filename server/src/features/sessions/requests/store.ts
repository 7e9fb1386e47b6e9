import type { EditRequestStatus } from '@hourshare/contract/sessions';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { isCoManagedBy } from '../../assets/sql.ts';
import { closesAt } from '../../periods/sql.ts';
import type { Interval } from '../rules.ts';
import { anyOwnShare, whoAccepts, type ShareOfMember } from '../sql.ts';

interface NewRequest {
  sessionId: number;
  shareId: number;
  /** Its first day, as in all of this file. */
  month: string;
  /** Null to remove the session. */
  times: Interval | null;
  now: Date;
}

/** Adds a request to edit a locked session, replacing an open one. Returns who has to accept it. */
export async function insertRequest(
  db: Database,
  { sessionId, shareId, month, times, now }: NewRequest,
): Promise<number[]> {
  await closeRequests(db, [sessionId], { status: 'withdrawn', now });
  const row = {
    share_id: shareId,
    session_id: sessionId,
    month,
    started_at: times?.startedAt ?? null,
    ended_at: times?.endedAt ?? null,
    requested_at: now,
  };
  const { id } = await db.insertInto('edit_requests').values(row).returning('id').executeTakeFirstOrThrow();
  return readWaiting(db, id, now);
}

/** Returns who would have to accept an edit of a share's session that takes time out of a month. */
export async function readApprovers(
  db: Database,
  { shareId, month, now }: { shareId: number; month: string; now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select who.id from (values (${shareId}::bigint, ${month}::date)) r (share_id, month) cross join lateral ${whoAccepts('r', now)} who
    order by who.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns who has yet to accept a request. */
export async function readWaiting(db: Database, requestId: number, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select who.id from edit_requests r cross join lateral ${whoAccepts('r', now)} who
    where r.id = ${requestId} and not exists (
      select 1 from request_acceptances done where done.request_id = r.id and done.user_id = who.id)
    order by who.id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function insertAcceptance(
  db: Database,
  { requestId, userId, now }: { requestId: number; userId: number; now: Date },
): Promise<void> {
  await db
    .insertInto('request_acceptances')
    .values({ request_id: requestId, user_id: userId, accepted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface AnsweredRequest {
  session_id: number;
  share_id: number;
  member_id: number;
  month: string;
  started_at: Date | null;
  ended_at: Date | null;
  /** Who accepted it last. */
  last: number | null;
}

/** Returns the open requests about assets that a user used of which no one is left to answer. */
export async function answeredWithout(db: Database, userId: number, now: Date): Promise<AnsweredRequest[]> {
  const { rows } = await sql<AnsweredRequest>`
    select r.session_id, r.share_id, sh.member_id, r.month::text as month, r.started_at, r.ended_at, (
        select user_id from request_acceptances where request_id = r.id order by accepted_at desc limit 1
      ) as last
    from edit_requests r join shares sh on sh.id = r.share_id
    join periods p on p.asset_id = sh.asset_id and p.month = r.month
    where r.status = 'open' and ${isOpen(now)}
      and sh.asset_id in (select asset_id from shares where member_id = ${userId})
      and not exists (
        select 1 from ${whoAccepts('r', now)} who where not exists (
          select 1 from request_acceptances done where done.request_id = r.id and done.user_id = who.id))
    order by r.id`.execute(db);
  return rows;
}

/** Returns the open request to edit a session. */
export const readOpenRequest = (
  db: Database,
  sessionId: number,
): Promise<{ started_at: Date | null; ended_at: Date | null } | undefined> =>
  db
    .selectFrom('edit_requests')
    .select(['started_at', 'ended_at'])
    .where('session_id', '=', sessionId)
    .where('status', '=', 'open')
    .executeTakeFirst();

/** Closes the open requests to edit sessions. */
export async function closeRequests(
  db: Database,
  sessionIds: number[],
  { status, now }: { status: Exclude<EditRequestStatus, 'open'>; now: Date },
): Promise<void> {
  await sql`
    update edit_requests set status = ${status}, resolved_at = ${now}::timestamptz
    where session_id = any(${sessionIds}::bigint[]) and status = 'open'`.execute(db);
}

export interface LapsedRequest {
  share_id: number;
  session_id: number;
  month: string;
}

/** Closes the open requests about some periods, which close, and returns their sessions. */
export async function lapseRequests(
  db: Database,
  periods: { asset_id: number; month: string }[],
  now: Date,
): Promise<LapsedRequest[]> {
  const { rows } = await sql<LapsedRequest>`
    update edit_requests r set status = 'lapsed', resolved_at = ${now}::timestamptz
    from unnest(
      ${periods.map((period) => period.asset_id)}::bigint[], ${periods.map(({ month }) => `${month}-01`)}::date[]
    ) closing (asset_id, month), shares sh
    where sh.asset_id = closing.asset_id and r.share_id = sh.id and r.month = closing.month and r.status = 'open'
    returning r.share_id, r.session_id, r.month::text as month`.execute(db);
  return rows;
}

/** Returns whether a request is open in a month of an asset or an earlier one that can still be edited. */
export async function hasOpenRequest(
  db: Database,
  { assetId, month, now }: { assetId: number; month: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from periods p join shares sh on sh.asset_id = p.asset_id
    join edit_requests r on r.share_id = sh.id and r.month = p.month and r.status = 'open'
    where p.asset_id = ${assetId} and p.month <= ${`${month}-01`}::date and p.closed_at is null
      and ${closesAt('p')} > ${now}::timestamptz
    limit 1`.execute(db);
  return rows.length > 0;
}

export interface RequestToAnswer {
  share_id: number;
  member_id: number;
  /** The last request; null without one. */
  id: number | null;
  status: EditRequestStatus | null;
  month: string | null;
  started_at: Date | null;
  ended_at: Date | null;
  /** Whether its month is open. */
  open: boolean;
  /** Whether it is for the user to accept; the owner or a participant. Without one, whether they are the owner. */
  accepts: boolean;
  /** Whether the user made it, for someone without an account. */
  made: boolean;
}

/** A table `s`: a session, also a removed one. */
const anySession = (sessionId: number) => sql`(
  select id, share_id from sessions where id = ${sessionId}
  union all select id, share_id from removed_sessions where id = ${sessionId}
) s`;

const lastRequest = sql`lateral (select * from edit_requests where session_id = s.id order by id desc limit 1)`;

const isOpen = (now: Date) => sql`((p.closed_at is null and ${closesAt('p')} > ${now}::timestamptz) is true)`;

/** As `lockRequest`, for a member's own session. */
export async function lockOwnRequest(
  db: Database,
  { sessionId, ...share }: ShareOfMember & { sessionId: number },
  now: Date,
): Promise<Pick<RequestToAnswer, 'id' | 'status' | 'month' | 'open'> | undefined> {
  const tables = sql`${anySession(sessionId)} join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id`;
  const scope = anyOwnShare('sh', share);
  const [found] = await lockThenRead(
    db,
    sql`select 1 from ${tables} where ${scope} for share of a for no key update of sh`,
    sql<Pick<RequestToAnswer, 'id' | 'status' | 'month' | 'open'>>`
      select r.id, r.status, r.month::text as month, ${isOpen(now)} as open
      from ${tables} left join ${lastRequest} r on true left join periods p on p.asset_id = a.id and p.month = r.month
      where ${scope}`,
  );
  return found;
}

/**
 * Returns the last request to edit a session, with its asset's and share's rows locked; undefined if the user neither manages the
 * asset nor has to accept it. Meanwhile, the share's sessions can't be edited, restored, or started, and no month closed.
 */
export async function lockRequest(
  db: Database,
  { userId, assetId, sessionId }: { userId: number; assetId: number; sessionId: number },
  now: Date,
): Promise<RequestToAnswer | undefined> {
  const tables = sql`
    ${anySession(sessionId)} join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    join users m on m.id = sh.member_id
    left join ${lastRequest} r on true
    left join periods p on p.asset_id = a.id and p.month = r.month
    cross join lateral (
      select r.id is null and a.owner_id = ${userId}
          or exists (select 1 from ${whoAccepts('r', now)} who where who.id = ${userId}) as accepts,
        m.host_id = ${userId} as made
    ) who`;
  const scope = sql`
    a.id = ${assetId}
    and (who.accepts or who.made is true or a.owner_id = ${userId} or ${isCoManagedBy('a', userId)})`;
  const [found] = await lockThenRead(
    db,
    sql`select 1 from ${tables} where ${scope} for share of a for no key update of sh`,
    sql<RequestToAnswer>`
      select sh.id as share_id, sh.member_id, r.id, r.status, r.month::text as month, r.started_at, r.ended_at,
        ${isOpen(now)} as open,
        who.accepts, who.made is true as made
      from ${tables} where ${scope}`,
  );
  return found;
}
