import { sql } from 'kysely';
import { wholeSeconds } from '../../../platform/database/calendar.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isDayOfPeriod } from '../../periods/sql.ts';
import { addUse, sessionEnd, subtractUse } from '../../usage/sql.ts';
import { endSessions } from '../presses/store.ts';
import { wholeSession } from '../sql.ts';

/** What a meter may write in a locked share: from an instant on. */
export interface Metered {
  shareId: number;
  meterId: number;
  since: Date;
  /** When the first month began that isn't settled. Sessions that began earlier stay as they are. */
  openSince: Date;
  /** Whether it is about what came with files, or else about what the meter told. Neither changes the other. */
  imported: boolean;
}

/** A session of a meter. One that goes on has no end, and ends at `until` unless something is heard of it. */
export interface MeteredTimes {
  startedAt: Date;
  endedAt: Date | null;
  until: Date | null;
  /** Where it ends then; null if that is at `until`. */
  aliveAt: Date | null;
  silent: boolean;
}

/** Condition: the meter made session `s` of a share, and may change it, because no person has. */
const isOfMeter = ({ shareId, meterId, openSince, imported }: Omit<Metered, 'since'>) => sql`(
  s.share_id = ${shareId} and s.meter_id = ${meterId} and s.imported = ${imported} and s.edited_at is null
  and not s.edited_by_hand and s.started_at >= ${openSince}::timestamptz)`;

/** Condition: session `s` reaches beyond an instant, or begins then. */
const isSince = (since: Date) => sql`(
  coalesce(s.ended_at, 'infinity') > ${since}::timestamptz or s.started_at >= ${since}::timestamptz)`;

/** Returns the sessions that a meter made in a share, as far as it may change them and they reach beyond an instant. */
export async function readMetered(db: Database, metered: Metered): Promise<(MeteredTimes & { id: number })[]> {
  const { rows } = await sql<MeteredTimes & { id: number }>`
    select s.id, s.started_at as "startedAt", s.ended_at as "endedAt", case when s.ended_at is null then s.ends_by end as until,
      s.alive_at as "aliveAt", s.silent
    from sessions s
    where ${isOfMeter(metered)} and ${isSince(metered.since)}
    order by s.started_at, s.id`.execute(db);
  return rows;
}

export interface TakenTimes {
  startedAt: Date;
  /** Null if it goes on. */
  endedAt: Date | null;
}

/** Ends what others than a meter recorded in a locked share that has ended by itself. Returns whether there was any. */
export async function endOthers(db: Database, metered: Metered, now: Date): Promise<boolean> {
  const others = sql`
    s.share_id = ${metered.shareId} and s.ends_by <= ${now}::timestamptz and not coalesce(${isOfMeter(metered)}, false)`;
  return (await endSessions(db, others, sql`s.ends_by`, { cause: 'limit', now })).length > 0;
}

/** Returns the times of a share beyond an instant that others than a meter may decide about: counted, or recorded and then edited. */
export async function readOthers(db: Database, metered: Metered): Promise<TakenTimes[]> {
  const { shareId, since } = metered;
  const { rows } = await sql<TakenTimes>`
    select other.started_at as "startedAt", nullif(other.ended_at, 'infinity') as "endedAt"
    from (
      select started_at, coalesce(ended_at, 'infinity') as ended_at from sessions s
      where s.share_id = ${shareId} and not coalesce(${isOfMeter(metered)}, false)
      union all
      select was_started_at, was_ended_at from sessions where share_id = ${shareId} and edited_at is not null
      union all
      select started_at, ended_at from removed_sessions where share_id = ${shareId}
    ) other
    where other.ended_at > ${since}::timestamptz
    order by 1`.execute(db);
  return rows;
}

/** Returns how many seconds of each month of an asset a share has used up to now, apart from what a meter may change. */
export async function readOtherUse(
  db: Database,
  metered: Metered,
  now: Date,
): Promise<{ startsAt: Date; endsAt: Date; seconds: number }[]> {
  const { shareId, since } = metered;
  const end = sql`least(${sessionEnd('s', now)}, ${now}::timestamptz)`;
  const { rows } = await sql<{ startsAt: Date; endsAt: Date; seconds: number }>`
    select p.starts_at as "startsAt", p.ends_at as "endsAt", (coalesce(sum(
        ${wholeSeconds(sql`greatest(s.started_at, p.starts_at)`, sql`least(${end}, p.ends_at)`)})
        -- greatest and least skip nulls
        filter (where s.id is not null), 0) + coalesce((
          select sum(d.seconds) from metered_days d where d.share_id = sh.id and ${isDayOfPeriod('p', sql`d.day`)}
        ), 0))::bigint as seconds
    from shares sh join periods p on p.asset_id = sh.asset_id
    left join sessions s on s.share_id = sh.id and s.started_at < p.ends_at and ${end} > p.starts_at
      and not (coalesce(${isOfMeter(metered)}, false) and ${isSince(since)})
    where sh.id = ${shareId} and p.ends_at > ${since}::timestamptz and p.starts_at <= ${now}::timestamptz
    group by sh.id, p.month, p.starts_at, p.ends_at
    order by p.starts_at`.execute(db);
  return rows;
}

/** What a session may last, and until when beats alone prolong it. */
export interface MeteredLimits {
  limit: Date;
  steadyUntil: Date;
}

const columnsOf = ({
  startedAt,
  endedAt,
  until,
  aliveAt,
  silent,
  limit,
  steadyUntil,
}: MeteredTimes & MeteredLimits) => ({
  started_at: startedAt,
  ended_at: endedAt,
  // What has ended keeps the limit, within which it can be edited.
  ends_by: endedAt ? limit : (until ?? limit),
  limit_at: limit,
  steady_until: endedAt ? null : steadyUntil,
  alive_at: endedAt ? null : aliveAt,
  silent,
});

/** Adds a session of a meter to a locked share. Returns its id. */
export async function insertMetered(
  db: Database,
  { shareId, meterId }: Pick<Metered, 'shareId' | 'meterId'>,
  times: MeteredTimes & MeteredLimits,
): Promise<number> {
  const { id } = await db
    .insertInto('sessions')
    .values({ share_id: shareId, meter_id: meterId, source: 'metered', ...columnsOf(times) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addUse(wholeSession(id)).execute(db);
  return id;
}

/** Changes the times of a session of a meter. */
export async function changeMetered(db: Database, id: number, times: MeteredTimes & MeteredLimits): Promise<void> {
  await subtractUse(wholeSession(id)).execute(db);
  await db.updateTable('sessions').set(columnsOf(times)).where('id', '=', id).execute();
  await addUse(wholeSession(id)).execute(db);
}

/** Beats of one name, or of one token of a member, each within the grace of the one before. */
interface Beats {
  shareId: number;
  name: string;
  senderId: number | null;
  first: Date;
  last: Date;
}

/**
 * Notes that active sessions go on that live by beats, as far as some beats tell no more: what a beat costs. Returns the shares of
 * these. Beats tell more if their own use began before the session, has been stopped since, or they are too late to be part of it.
 */
export async function prolongMetered(
  db: Database,
  { meterId, graceMinutes, mergeMinutes }: { meterId: number; graceMinutes: number; mergeMinutes: number },
  beats: Beats[],
): Promise<number[]> {
  if (beats.length === 0) return [];
  const own = sql`e.meter_id = ${meterId} and e.external_name = each.name and e.sender_id is not distinct from each.sender_id`;
  const until = sql`each.last + make_interval(mins => ${graceMinutes}::int)`;
  const { rows } = await sql<{ share_id: number }>`
    update sessions s set alive_at = each.last, ends_by = ${until}
    from unnest(
      ${beats.map(({ shareId }) => shareId)}::bigint[], ${beats.map(({ name }) => name)}::text[],
      ${beats.map(({ senderId }) => senderId)}::bigint[], ${beats.map(({ first }) => first.toISOString())}::timestamptz[],
      ${beats.map(({ last }) => last.toISOString())}::timestamptz[]) as each (share_id, name, sender_id, first, last)
    left join lateral (
      select e.at, e.type from meter_events e
      where ${own} and e.type <> 'session' and e.at < each.first
        and e.at >= each.first - make_interval(mins => ${graceMinutes}::int)
      order by e.at desc, e.type desc limit 1
    ) before on true
    where s.share_id = each.share_id and s.ended_at is null and s.meter_id = ${meterId} and not s.edited_by_hand
      and each.first >= s.alive_at and each.first <= s.ends_by and ${until} <= s.steady_until
      and (before.at is null or before.at >= s.started_at)
      and (before.type in ('start', 'beat') or each.first <= s.alive_at + make_interval(mins => ${mergeMinutes}::int))
      and not exists (select 1 from meter_events e where ${own} and e.type = 'stop' and e.at >= each.first)
    returning s.share_id`.execute(db);
  return rows.map(({ share_id: id }) => id);
}

/** Removes a session that a meter made, with nothing left of it. */
export async function deleteMetered(db: Database, id: number): Promise<void> {
  await subtractUse(wholeSession(id)).execute(db);
  await db.deleteFrom('sessions').where('id', '=', id).execute();
}
