import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/prepared.ts';
import { addMessages, type SessionEndCause } from '../../outbox/sql.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { countedBy } from '../../shares/sql.ts';
import { addUse, sessionEnd } from '../../usage/sql.ts';
import { acceptedShare, isActive, openShare, type ShareOfMember, type StoredSession } from '../sql.ts';

type RunningSession = StoredSession & { ended_at: null };

/** Returns whether what a member's open share gives access to is measured, and which meter counts it; undefined if they have no such share. */
export async function findShare(
  db: Database,
  share: ShareOfMember,
  now: Date,
): Promise<{ measured: boolean; meter: string | null } | undefined> {
  const { rows } = await sql<{ measured: boolean; meter: string | null }>`
    select p.measured, ${countedBy('sh', now)} as meter from shares sh join assets a on a.id = sh.asset_id cross join ${currentPeriod('a', now)} p
    where ${openShare('a', 'sh', share, now)}`.execute(db);
  return rows[0];
}

/** Returns which meter counts what a share uses, as its member had agreed by an instant. */
export async function findMeter(db: Database, shareId: number, since: Date): Promise<string | null> {
  const { rows } = await sql<{ meter: string | null }>`
    select ${countedBy('sh', since)} as meter from shares sh where sh.id = ${shareId}`.execute(db);
  return rows[0]?.meter ?? null;
}

/** Returns whether a member has been offered a share that they haven't accepted. */
export async function isOffered(db: Database, { shareId, memberId }: ShareOfMember): Promise<boolean> {
  const share = db.selectFrom('shares').select('id').where('id', '=', shareId).where('member_id', '=', memberId);
  return (await share.where('accepted_at', 'is', null).where('ended_at', 'is', null).executeTakeFirst()) !== undefined;
}

const startStatement = prepared<
  ShareOfMember & { now: Date },
  RunningSession & { added_late: null; source: 'pressed' }
>(
  ({ shareId, memberId, now }) => sql`
    with share as (
      select sh.id, sh.asset_id, a.name, p.max_session_hours
      from shares sh join assets a on a.id = sh.asset_id
      cross join ${currentPeriod('a', now)} p
      where ${acceptedShare('a', 'sh', { shareId, memberId })} and p.measured and ${countedBy('sh', now)} is null
      for share of a for no key update of sh
    ), started as (
      insert into sessions (share_id, started_at, ends_by)
      select id, ${now}::timestamptz, ${now}::timestamptz + make_interval(hours => max_session_hours) from share
      on conflict (share_id) where ended_at is null do nothing
      returning id, started_at, ended_at, added_late, source
    ), told as (${addMessages(sql`started cross join share`, {
      kind: 'session.started',
      assetId: sql`share.asset_id`,
      shareId: sql`share.id`,
      actorId: memberId,
      data: sql`jsonb_build_object('session_id', started.id)`,
      happenedAt: now,
    })})
    select started.*, share.name as asset_name from started cross join share`,
);

/**
 * Starts a session; undefined if the member has no such accepted share, it isn't measured, a meter counts it, or a session is open, which the index on
 * open sessions decides. Locks the asset's and the share's rows, in the order in which deleting an asset does, so that neither is
 * archived or ended meanwhile.
 */
export async function insertSession(
  db: Database,
  share: ShareOfMember,
  now: Date,
): Promise<RunningSession | undefined> {
  const [session] = await startStatement(db, { ...share, now });
  return session;
}

export type EndedSession = StoredSession & { ended_at: Date };

interface EndOfSession {
  cause: SessionEndCause;
  actorId?: number;
  now: Date;
  /** Which of the session's ends were pressed offline. */
  addedLate?: RawBuilder<unknown>;
}

/**
 * A statement that ends open sessions `s` of shares `sh` of assets `a` that match a condition, not before their start or after they
 * ended by themselves, and adds them to their days of use. Every session ends here; of concurrent ends, the first to write wins.
 */
const endOf = (
  condition: RawBuilder<unknown>,
  endsAt: RawBuilder<unknown>,
  { cause, actorId, now, addedLate = sql`s.added_late` }: EndOfSession,
): RawBuilder<EndedSession> => sql<EndedSession>`
    with ended as (
      update sessions s
      set ended_at = least(${sessionEnd('s', now)}, greatest(s.started_at, ${endsAt})), added_late = ${addedLate},
        ends_by = coalesce(s.limit_at, s.ends_by), alive_at = null, steady_until = null,
        silent = coalesce(s.ends_by <= ${now}::timestamptz and s.alive_at <= ${endsAt}, false),
        edited_by_hand = s.edited_by_hand or (s.source = 'metered' and ${cause === 'member'})
      from shares sh join assets a on a.id = sh.asset_id
      where sh.id = s.share_id and s.ended_at is null and ${condition}
      returning s.id, s.share_id, sh.asset_id, a.name as asset_name, s.started_at, s.ended_at, s.added_late, s.source,
        s.silent
    ), added as (${addUse(sql`ended`)}), told as (${addMessages(sql`ended`, {
      kind: 'session.ended',
      assetId: sql`asset_id`,
      shareId: sql`share_id`,
      actorId,
      data: sql`jsonb_build_object('session_id', id, 'cause', case when silent then 'meter' else ${cause}::text end)`,
      happenedAt: now,
    })})
    select id, asset_name, started_at, ended_at, added_late, source from ended`;

/** Ends the sessions that a condition selects, and returns them. */
export async function endSessions(db: Database, ...end: Parameters<typeof endOf>): Promise<EndedSession[]> {
  const { rows } = await endOf(...end).execute(db);
  return rows;
}

const endStatement = prepared<ShareOfMember & { now: Date }, EndedSession>(({ shareId, memberId, now }) => {
  const endsAt = sql`${now}::timestamptz`;
  const condition = sql`${acceptedShare('a', 'sh', { shareId, memberId })} and s.ends_by > ${endsAt}`;
  return endOf(condition, endsAt, { cause: 'member', actorId: memberId, now });
});

/** Ends the running session of a share and returns it, or undefined if there is none. */
export async function endSession(db: Database, share: ShareOfMember, now: Date): Promise<EndedSession | undefined> {
  const [ended] = await endStatement(db, { ...share, now });
  return ended;
}

/** Ends an open session of a share that has passed its limit, at that limit. Returns whether there was one. */
export async function endExpired(db: Database, shareId: number, now: Date): Promise<boolean> {
  const ended = await endSessions(
    db,
    sql`s.share_id = ${shareId} and s.ends_by <= ${now}::timestamptz`,
    sql`s.ends_by`,
    {
      cause: 'limit',
      now,
    },
  );
  return ended.length > 0;
}

/** Ends up to `limit` sessions that have passed their limit, each at that limit. Returns how many there were. */
export async function endAllExpired(db: Database, now: Date, limit: number): Promise<number> {
  const expired = sql`s.id in (
    select id from sessions where ended_at is null and ends_by <= ${now}::timestamptz
    order by id limit ${limit} for update skip locked
  )`;
  return (await endSessions(db, expired, sql`s.ends_by`, { cause: 'limit', now })).length;
}

/** Returns the number of active sessions. */
export async function countActive(db: Database, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('sessions as s')
    .where(isActive('s', now))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends the active sessions of ended shares when those ended. */
export async function endSessionsOfShares(
  db: Database,
  shareIds: number[],
  end: Pick<EndOfSession, 'cause' | 'now'>,
): Promise<void> {
  await endSessions(db, sql`s.share_id = any(${shareIds}::bigint[])`, sql`sh.ended_at`, end);
}

/** Condition: the asset of session `s` hasn't been measured since period `each`, which began after the session did. */
const isUnmeasuredSince = sql`each.asset_id = a.id and not each.measured and each.starts_at > s.started_at`;

/** Returns whether a session is open that began before its asset was no longer measured. */
export async function hasUnmeasured(db: Database, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    join periods each on ${isUnmeasuredSince} and each.starts_at <= ${now}::timestamptz
    where s.ended_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/** Ends open sessions of assets that are no longer measured at the start of the first such month. */
export async function endUnmeasured(db: Database, now: Date): Promise<void> {
  const start = sql`(select min(each.starts_at) from periods each where ${isUnmeasuredSince})`;
  await endSessions(db, sql`${start} <= ${now}::timestamptz`, start, { cause: 'asset', now });
}

/** Ends all active sessions of a member. */
export async function endSessionsOfMember(db: Database, memberId: number, now: Date): Promise<void> {
  await endSessions(db, sql`sh.member_id = ${memberId}`, sql`${now}::timestamptz`, { cause: 'account', now });
}

/** Ends the active sessions that a meter records, of one share or of all. */
export async function endSessionsOfMeter(
  db: Database,
  { meterId, shareId }: { meterId: number; shareId?: number },
  now: Date,
): Promise<void> {
  const ofShare = shareId === undefined ? sql`` : sql`and s.share_id = ${shareId}`;
  await endSessions(db, sql`s.meter_id = ${meterId} ${ofShare}`, sql`${now}::timestamptz`, { cause: 'meter', now });
}

/** Ends all active sessions of an asset. */
export async function endSessionsOfAsset(db: Database, assetId: number, now: Date): Promise<void> {
  await endSessions(db, sql`sh.asset_id = ${assetId}`, sql`${now}::timestamptz`, { cause: 'asset', now });
}

export async function activeSession(
  db: Database,
  share: ShareOfMember,
  now: Date,
): Promise<RunningSession | undefined> {
  const { rows } = await sql<RunningSession>`
    select s.id, a.name as asset_name, s.started_at, s.ended_at, s.added_late, s.source
    from sessions s join shares sh on sh.id = s.share_id join assets a on a.id = sh.asset_id
    where ${acceptedShare('a', 'sh', share)} and ${isActive('s', now)}`.execute(db);
  return rows[0];
}
