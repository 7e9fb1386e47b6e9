import type { AddedLate, SessionSource } from '@hourshare/contract/sessions';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { closesAt, currentPeriod, sharedDuringPeriod } from '../../periods/sql.ts';
import { addUse, sessionEnd, subtractUse } from '../../usage/sql.ts';
import { moveRemoved } from '../objections/store.ts';
import type { Interval } from '../rules.ts';
import { anyOwnShare, isActive, objectionsEnd, wholeSession, type ShareOfMember } from '../sql.ts';

interface SessionOfMember extends ShareOfMember {
  sessionId: number;
}

export interface SessionToEdit {
  asset_name: string;
  started_at: Date;
  /** When it ended or its limit ended it; the instant of the limit while active. */
  ended_at: Date;
  ends_by: Date;
  active: boolean;
  asset_id: number;
  recorded_by_owner: boolean;
  added_late: AddedLate | null;
  source: SessionSource;
  /** Whether a meter recorded it, and the member can still refuse that, instead of asking for its removal. */
  refusable: boolean;
  shared_at: Date;
  share_ended_at: Date | null;
  /** The start of the first period that can still be changed. */
  open_since: Date;
}

/** The start of the first period of asset `a` that can still be changed; now if none can, as of a deleted asset. */
const openSince = (now: Date) => sql<Date>`
  (select coalesce(min(p.starts_at), ${now}::timestamptz) from periods p
    where p.asset_id = a.id and p.closed_at is null and ${closesAt('p')} > ${now}::timestamptz)`;

export interface ShareToRecord {
  asset_id: number;
  asset_name: string;
  shared_at: Date;
  share_ended_at: Date | null;
  /** The session limit of the month in which the session starts. */
  limit_hours: number;
  /** Whether that month is measured, and when the first later month begins that isn't. */
  measured: boolean;
  unmeasured_since: Date | null;
  open_since: Date;
}

export async function lockShareToRecord(
  db: Database,
  isShare: RawBuilder<unknown>,
  { startedAt, now }: { startedAt: Date; now: Date },
): Promise<ShareToRecord | undefined> {
  const tables = sql`shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id`;
  const [share] = await lockThenRead(
    db,
    sql`select 1 from ${tables} where ${isShare} for share of a for no key update of sh`,
    sql<ShareToRecord>`
      select a.id as asset_id, a.name as asset_name, sh.accepted_at as shared_at, sh.ended_at as share_ended_at,
        p.max_session_hours as limit_hours, p.measured, ${openSince(now)} as open_since, (
          select min(each.starts_at) from periods each
          where each.asset_id = a.id and not each.measured and each.starts_at > p.starts_at
        ) as unmeasured_since
      from ${tables} cross join ${currentPeriod('a', startedAt)} p
      where ${isShare}`,
  );
  return share;
}

/**
 * Returns one of a member's own sessions with its row, its share's, and first its asset's locked. No other session of
 * the share can be edited or started meanwhile, and no period of the asset closed.
 */
export async function lockSession(
  db: Database,
  session: SessionOfMember,
  now: Date,
): Promise<SessionToEdit | undefined> {
  const tables = sql`sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id`;
  const [found] = await lockThenRead(
    db,
    sql`
      select 1 from ${tables}
      where ${anyOwnShare('sh', session)} and s.id = ${session.sessionId}
      for share of a for no key update of sh for update of s`,
    sql<SessionToEdit>`
      select a.name as asset_name, s.started_at, ${sessionEnd('s', now)} as ended_at, s.ends_by, ${isActive('s', now)} as active,
        a.id as asset_id, s.recorded_by_owner, s.added_late, s.source,
        s.source = 'metered' and s.edited_at is null and not exists (
          select 1 from periods p
          where p.asset_id = a.id and p.starts_at < s.ended_at and p.ends_at > s.started_at
            and ${objectionsEnd('p')} <= ${now}::timestamptz
        ) as refusable, sh.accepted_at as shared_at, sh.ended_at as share_ended_at,
        ${openSince(now)} as open_since
      from ${tables}
      where s.id = ${session.sessionId}`,
  );
  return found;
}

/** Returns whether another session of the share, running or ended, overlaps a stretch of time. */
export async function overlapsAnother(
  db: Database,
  { shareId, sessionId, now }: { shareId: number; sessionId?: number; now: Date },
  { startedAt, endedAt }: Interval,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sessions s
    where s.share_id = ${shareId} and s.id is distinct from ${sessionId ?? null}::bigint
      and s.started_at < ${endedAt}::timestamptz and ${sessionEnd('s', now)} > ${startedAt}::timestamptz
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the first stretch in which an asset was archived during another; undefined if it wasn't. */
export async function archivedDuring(
  db: Database,
  assetId: number,
  { startedAt, endedAt }: Interval,
): Promise<{ since: Date } | undefined> {
  return db
    .selectFrom('archivals')
    .select('since')
    .where('asset_id', '=', assetId)
    .where('since', '<', endedAt)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', startedAt)]))
    .orderBy('since')
    .executeTakeFirst();
}

/**
 * Returns whether a stretch of time overlaps the recorded times of another session of the share, edited or removed, in a later month
 * than the session begins in now or did when it was recorded. Once the earlier month is closed, the session could not give way if
 * those recorded times were restored.
 */
export async function blocksRecordedTimes(
  db: Database,
  { shareId, sessionId }: SessionOfMember,
  { startedAt, endedAt }: Interval,
): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from (
      select id, share_id, was_started_at as started_at, was_ended_at as ended_at from sessions
      where share_id = ${shareId} and edited_at is not null
      union all
      select id, share_id, started_at, ended_at from removed_sessions where share_id = ${shareId}
    ) other
    join shares sh on sh.id = other.share_id
    join sessions s on s.id = ${sessionId}
    join periods p on p.asset_id = sh.asset_id
      and p.starts_at < least(other.ended_at, ${endedAt}::timestamptz)
      and p.ends_at > greatest(other.started_at, ${startedAt}::timestamptz)
    where other.id <> s.id and other.started_at < ${endedAt}::timestamptz and other.ended_at > ${startedAt}::timestamptz
      and least(${startedAt}::timestamptz, s.started_at, s.was_started_at) < p.starts_at
    limit 1`.execute(db);
  return rows.length > 0;
}

/** What an edit makes of a session's times. */
export interface TimeChange {
  before: Interval;
  /** Null if it is removed. */
  after: Interval | null;
}

const range = (times: Interval | null) =>
  times ? sql`tstzrange(${times.startedAt}::timestamptz, ${times.endedAt}::timestamptz)` : sql`'empty'::tstzrange`;

/** Returns the first ended month of an asset, still open, that an edit takes time out of, as its first day. */
export async function endedMonthThatLoses(
  db: Database,
  { assetId, before, after, now }: TimeChange & { assetId: number; now: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ month: string }>`
    select p.month::text as month from periods p
    where p.asset_id = ${assetId} and p.closed_at is null and p.ends_at <= ${now}::timestamptz
      and ${closesAt('p')} > ${now}::timestamptz
      and not (${range(before)} * tstzrange(p.starts_at, p.ends_at) <@ ${range(after)})
    order by p.starts_at limit 1`.execute(db);
  return rows[0]?.month;
}

/**
 * Returns the first month, `YYYY-MM`, in which others pay for the time that an edit takes away, and who they are: with `share_of_use`,
 * everyone else who takes part.
 */
export async function readAffected(
  db: Database,
  { shareId, before, after }: TimeChange & { shareId: number },
): Promise<{ month: string; user_ids: number[] } | undefined> {
  const { rows } = await sql<{ month: string; user_ids: number[] }>`
    select to_char(p.month, 'YYYY-MM') as month, array(
      select distinct sh.member_id from shares sh
      where sh.asset_id = p.asset_id and not sh.own and sh.member_id <> edited.member_id and ${sharedDuringPeriod('sh', 'p')}
      order by sh.member_id
    ) as user_ids
    from shares edited join periods p on p.asset_id = edited.asset_id
    where edited.id = ${shareId} and p.split_method = 'share_of_use' and p.closed_at is null
      and not (${range(before)} * tstzrange(p.starts_at, p.ends_at) <@ ${range(after)})
    order by p.starts_at limit 1`.execute(db);
  return rows[0];
}

/** Notes that a person changes a session, or asks to, so that the script or meter behind it can't any more. */
export async function keepFromScripts(db: Database, sessionId: number): Promise<void> {
  const session = db.updateTable('sessions').set({ edited_by_hand: true }).where('id', '=', sessionId);
  await session.where((row) => row.or([row('external_id', 'is not', null), row('source', '=', 'metered')])).execute();
}

/** Changes the times of an ended session, keeping the original ones and the limit it was started under. */
export async function editSession(
  db: Database,
  sessionId: number,
  { startedAt, endedAt, now }: Interval & { now: Date },
): Promise<void> {
  await subtractUse(wholeSession(sessionId)).execute(db);
  await sql`
    with edited as (
      update sessions s set
        started_at = ${startedAt}::timestamptz, ended_at = ${endedAt}::timestamptz,
        ends_by = ${startedAt}::timestamptz + (s.ends_by - s.started_at),
        was_started_at = coalesce(s.was_started_at, s.started_at), was_ended_at = coalesce(s.was_ended_at, s.ended_at),
        edited_at = ${now}::timestamptz, restored_at = null
      from shares sh
      where sh.id = s.share_id and s.id = ${sessionId}
      returning sh.asset_id, s.share_id, s.started_at, s.ended_at
    )
    ${addUse(sql`edited`)}`.execute(db);
}

/** Removes an ended session from every figure, keeping its original times for the owner. */
export async function removeSession(db: Database, sessionId: number, now: Date): Promise<void> {
  await subtractUse(wholeSession(sessionId)).execute(db);
  await moveRemoved(db, [sessionId], now);
}

/**
 * Forgets the edits of what an owner recorded for a person, who is about to join: the times that they were last recorded with
 * are those that a later edit is compared with.
 */
export async function forgetEdits(db: Database, guestId: number): Promise<void> {
  const shares = db.selectFrom('shares').select('id').where('member_id', '=', guestId);
  const times = { was_started_at: null, was_ended_at: null, edited_at: null };
  await db
    .updateTable('sessions')
    .set(times)
    .where('share_id', 'in', shares)
    .where('edited_at', 'is not', null)
    .execute();
  await db.deleteFrom('removed_sessions').where('share_id', 'in', shares).execute();
}
