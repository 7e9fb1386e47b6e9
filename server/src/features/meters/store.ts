import { METER_SILENCES_DAYS, METER_SILENT_HOURS } from '@hourshare/contract/limits';
import type { MeterKind } from '@hourshare/contract/fields';
import type { CountedTypes, NameAttribute } from '@hourshare/contract/meters';
import { sql, type RawBuilder } from 'kysely';
import type { StoredTotal } from './totals/store.ts';
import type { Database } from '../../platform/database/database.ts';
import { wholeSeconds } from '../../platform/database/calendar.ts';
import { lockThenRead } from '../../platform/database/lock-then-read.ts';
import { isManagedBy } from '../assets/sql.ts';
import { currentPeriod, isDayOfPeriod } from '../periods/sql.ts';
import { objectionsEnd } from '../sessions/sql.ts';
import { recordedParts, usedInPeriod } from '../usage/sql.ts';
import { silencesOfMeter } from './sql.ts';

interface MeterOfManager {
  userId: number;
  assetId: number;
  meterId: number;
}

export interface StoredMeter {
  id: number;
  asset_id: number;
  name: string;
  kind: MeterKind;
  per_member: boolean;
  grace_minutes: number;
  merge_minutes: number;
  min_seconds: number;
  counter: string;
  counted_types: CountedTypes;
  name_attribute: NameAttribute;
  created_at: Date;
  last_event_at: Date | null;
  late_events: number;
}

const meterColumns = sql`m.id, m.asset_id, m.name, m.kind, m.per_member, m.grace_minutes, m.merge_minutes, m.min_seconds,
  m.counter, m.counted_types, m.name_attribute, m.created_at, m.last_event_at, m.late_events`;

/** Returns whether a user manages an asset, which is locked against other changes of its meters until the transaction ends. */
export async function lockAsset(
  db: Database,
  { userId, assetId }: { userId: number; assetId: number },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from assets a where a.id = ${assetId} and ${isManagedBy('a', userId)} for no key update of a`.execute(db);
  return rows.length > 0;
}

export async function managesAsset(
  db: Database,
  { userId, assetId }: { userId: number; assetId: number },
): Promise<boolean> {
  const { rows } = await sql`select 1 from assets a where a.id = ${assetId} and ${isManagedBy('a', userId)}`.execute(
    db,
  );
  return rows.length > 0;
}

export async function countMeters(db: Database, assetId: number): Promise<number> {
  const { count } = await db
    .selectFrom('meters')
    .where('asset_id', '=', assetId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertMeter(
  db: Database,
  meter: Omit<StoredMeter, 'id' | 'last_event_at' | 'late_events'> & { token_hash: string | null },
): Promise<number> {
  return (await db.insertInto('meters').values(meter).returning('id').executeTakeFirstOrThrow()).id;
}

/** Returns the meters of an asset, or one of them. */
export async function readMeters(db: Database, assetId: number, meterId?: number): Promise<StoredMeter[]> {
  const { rows } = await sql<StoredMeter>`
    select ${meterColumns} from meters m
    where m.asset_id = ${assetId} ${meterId === undefined ? sql`` : sql`and m.id = ${meterId}`}
    order by m.id`.execute(db);
  return rows;
}

/** Returns when each meter of an asset has been silent in the last days, newest first; instants are as JSON writes them. */
export async function readSilences(
  db: Database,
  assetId: number,
  now: Date,
): Promise<Map<number, { since: string; until: string | null }[]>> {
  const since = sql`(${now}::timestamptz - make_interval(days => ${METER_SILENCES_DAYS}::int))`;
  const { rows } = await sql<{ id: number; list: { since: string; until: string | null }[] }>`
    select m.id, ${silencesOfMeter('m', { since, now })} as list from meters m where m.asset_id = ${assetId}`.execute(
    db,
  );
  return new Map(rows.map(({ id, list }) => [id, list]));
}

/** Changes a meter of a locked asset; returns false if there is none. */
export async function updateMeter(
  db: Database,
  { assetId, meterId }: Pick<MeterOfManager, 'assetId' | 'meterId'>,
  changes: Partial<
    Pick<
      StoredMeter,
      'name' | 'grace_minutes' | 'merge_minutes' | 'min_seconds' | 'counter' | 'counted_types' | 'name_attribute'
    > & { token_hash: string }
  >,
): Promise<boolean> {
  const meter = db.selectFrom('meters').select('id').where('id', '=', meterId).where('asset_id', '=', assetId);
  if (!(await meter.executeTakeFirst())) return false;
  if (Object.keys(changes).length > 0) await db.updateTable('meters').set(changes).where('id', '=', meterId).execute();
  return true;
}

export async function deleteMeter(
  db: Database,
  { assetId, meterId, now }: Pick<MeterOfManager, 'assetId' | 'meterId'> & { now: Date },
): Promise<void> {
  await addSilence(sql`id = ${meterId} and asset_id = ${assetId}`, now).execute(db);
  await db.deleteFrom('meters').where('id', '=', meterId).where('asset_id', '=', assetId).execute();
}

/** Whose token it is: that of a meter, or of a member of it. */
export interface FoundMeter {
  id: number;
  asset_id: number;
  /** The share to which the token is bound; null with the token of the meter. */
  sender_id: number | null;
}

export async function findToken(db: Database, hash: string): Promise<FoundMeter | undefined> {
  const { rows } = await sql<FoundMeter>`
    select m.id, m.asset_id, null::bigint as sender_id from meters m where m.token_hash = ${hash}
    union all
    select m.id, m.asset_id, member.share_id from meter_members member join meters m on m.id = member.meter_id
    where member.token_hash = ${hash} and member.agreed`.execute(db);
  return rows[0];
}

/** Locks a meter, after its asset, so that its events are taken one call after another. Returns it. */
export async function lockMeter(db: Database, meterId: number): Promise<StoredMeter | undefined> {
  const tables = sql`meters m join assets a on a.id = m.asset_id`;
  const [meter] = await lockThenRead(
    db,
    sql`select 1 from ${tables} where m.id = ${meterId} for share of a for no key update of m`,
    sql<StoredMeter>`select ${meterColumns} from ${tables} where m.id = ${meterId}`,
  );
  return meter;
}

/** Locks shares in an order, so that nothing else changes their sessions. */
export async function lockShares(db: Database, shareIds: number[]): Promise<void> {
  await sql`select 1 from shares where id = any(${shareIds}::bigint[]) order by id for no key update`.execute(db);
}

/** A statement that records a silence that ends now, if it was long enough. */
const addSilence = (condition: RawBuilder<unknown>, now: Date) => sql`
  insert into meter_silences (asset_id, meter_id, meter, since, until)
  select asset_id, id, name, last_event_at, ${now}::timestamptz from meters
  where ${condition} and last_event_at <= ${now}::timestamptz - make_interval(hours => ${METER_SILENT_HOURS}::int)`;

/**
 * Records that a meter sent something, and the names in it. Returns the shares that these are matched with, and whether managers
 * should hear of it: it is the first event, the first after a silence, or has a new name.
 */
export async function noteNames(
  db: Database,
  { meterId, names, now, max }: { meterId: number; names: string[]; now: Date; max: number },
): Promise<{ shareOf: Map<string, number | null>; isNews: boolean }> {
  const silent = await sql`
    with silent as (${addSilence(sql`id = ${meterId}`, now)} returning 1), heard as (
      update meters set last_event_at = ${now}::timestamptz where id = ${meterId}
    )
    select 1 from silent union all select 1 from meters where id = ${meterId} and last_event_at is null`.execute(db);
  const { rows } = await sql<{ external_name: string; share_id: number | null; is_new: boolean }>`
    insert into meter_names as known (meter_id, external_name, last_event_at)
    select ${meterId}, name, ${now}::timestamptz from unnest(${names}::text[]) name
    where (select count(*) from meter_names where meter_id = ${meterId}) < ${max}
      or exists (select 1 from meter_names where meter_id = ${meterId} and external_name = name)
    on conflict (meter_id, external_name) do update set last_event_at = excluded.last_event_at
    returning external_name, share_id, xmax::text = '0' as is_new`.execute(db);
  return {
    shareOf: new Map(rows.map(({ external_name: name, share_id: id }) => [name, id])),
    isNews: silent.rows.length > 0 || rows.some((row) => row.is_new),
  };
}

/** Returns which members of a meter said yes, and which no. */
export async function readAnswers(db: Database, meterId: number): Promise<Map<number, boolean>> {
  const rows = await db
    .selectFrom('meter_members')
    .select(['share_id', 'agreed'])
    .where('meter_id', '=', meterId)
    .execute();
  return new Map(rows.map(({ share_id: id, agreed }) => [id, agreed]));
}

export interface StoredEvent {
  external_name: string;
  sender_id: number | null;
  event_id: string;
  type: 'start' | 'beat' | 'stop' | 'session';
  at: Date;
  until: Date | null;
  /** When it happened by the clock of the sender, where that was ahead. */
  told_at: Date | null;
}

/** Returns when the kept sessions begin that have the name and id of one of the given sessions. */
export async function readKept(
  db: Database,
  meterId: number,
  { senderId, sessions }: { senderId: number | null; sessions: readonly StoredEvent[] },
): Promise<{ external_name: string; event_id: string; at: Date }[]> {
  if (sessions.length === 0) return [];
  const { rows } = await sql<{ external_name: string; event_id: string; at: Date }>`
    select e.external_name, e.event_id, e.at from meter_events e
    where e.meter_id = ${meterId} and coalesce(e.sender_id, 0) = ${senderId ?? 0} and e.until is not null
      and (e.external_name, e.event_id) in (
        select * from unnest(${sessions.map((each) => each.external_name)}::text[], ${sessions.map((each) => each.event_id)}::text[]))`.execute(
    db,
  );
  return rows;
}

/**
 * Keeps events. Of several sessions with the same id, the longest stays; other events are the same only if they have the same id, type,
 * and instant. So it doesn't matter which came first.
 */
export async function keepEvents(db: Database, meterId: number, events: StoredEvent[]): Promise<void> {
  const sessions = events.filter(({ type }) => type === 'session');
  const signs = events.filter(({ type }) => type !== 'session');
  if (sessions.length > 0)
    await sql`
      ${insertEvents(meterId, sessions)}
      on conflict (meter_id, coalesce(sender_id, 0), external_name, event_id) where until is not null do update
      set at = excluded.at, until = excluded.until
      where excluded.until > known.until or (excluded.until = known.until and excluded.at < known.at)`.execute(db);
  if (signs.length > 0)
    await sql`
      ${insertEvents(meterId, signs)}
      on conflict (meter_id, coalesce(sender_id, 0), external_name, event_id, type, coalesce(told_at, at))
        where until is null and day is null do nothing`.execute(db);
}

const insertEvents = (meterId: number, events: StoredEvent[]) => sql`
  insert into meter_events as known (meter_id, external_name, sender_id, event_id, type, at, until, told_at)
  select ${meterId}, * from unnest(
    ${events.map((event) => event.external_name)}::text[], ${events.map((event) => event.sender_id)}::bigint[],
    ${events.map((event) => event.event_id)}::text[], ${events.map((event) => event.type)}::text[],
    ${events.map((event) => event.at.toISOString())}::timestamptz[],
    ${events.map((event) => event.until?.toISOString() ?? null)}::timestamptz[],
    ${events.map((event) => event.told_at?.toISOString() ?? null)}::timestamptz[])`;

/** Returns the events of a share, in order. */
export async function readEvents(
  db: Database,
  { meterId, shareId }: { meterId: number; shareId: number },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select e.external_name, e.sender_id, e.event_id, e.type, e.at, e.until, e.told_at from meter_events e
    where e.meter_id = ${meterId} and (e.sender_id = ${shareId} or e.sender_id is null and e.external_name in (
      select external_name from meter_names where meter_id = ${meterId} and share_id = ${shareId}))
    order by e.at, e.event_id`.execute(db);
  return rows;
}

/** An event that waits: a sign, or a total. */
export type WaitingEvent = Pick<StoredEvent, 'external_name' | 'event_id' | 'at' | 'until'> & {
  sender_id: null;
  type: StoredEvent['type'] | StoredTotal['type'];
} & { [Column in 'day' | 'micros' | 'since' | 'place']: StoredTotal[Column] | null };

/** Returns the events whose name isn't matched, or whose member hasn't agreed. */
export async function readWaiting(db: Database, meterId: number): Promise<WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    select e.external_name, e.sender_id, e.event_id, e.type, e.at, e.until, e.day::text as day, e.micros, e.since, e.place
    from meter_events e join meter_names n on n.meter_id = e.meter_id and n.external_name = e.external_name
    where e.meter_id = ${meterId} and e.sender_id is null and not exists (
      select 1 from meter_members member
      where member.meter_id = e.meter_id and member.share_id = n.share_id and member.agreed)
    order by e.at, e.event_id`.execute(db);
  return rows;
}

/** Deletes the events of names. */
export async function deleteEvents(
  db: Database,
  { meterId, names }: { meterId: number; names: string[] },
): Promise<void> {
  await sql`
    delete from meter_events where meter_id = ${meterId} and sender_id is null and external_name = any(${names}::text[])`.execute(
    db,
  );
}

export interface ShareToMeter {
  id: number;
  asset_id: number;
  member_id: number;
  own: boolean;
  hours: number;
  accepted_at: Date;
  ended_at: Date | null;
  beyond_allowance: boolean;
  agreed: boolean;
  /** Whether use is stored that exceeded the allowance. */
  has_uncounted: boolean;
}

/** Condition: use of `member` is stored that exceeded their allowance. */
export const hasUncounted = sql<boolean>`exists (
  select 1 from meter_uncounted u where u.meter_id = member.meter_id and u.share_id = member.share_id)`;

/** Returns a locked share whose member lets a meter record them, or has let it. */
export async function readShare(
  db: Database,
  { meterId, shareId }: { meterId: number; shareId: number },
): Promise<ShareToMeter | undefined> {
  const { rows } = await sql<ShareToMeter>`
    select sh.id, sh.asset_id, sh.member_id, sh.own, sh.monthly_hours_allocated as hours, sh.accepted_at, sh.ended_at,
      member.beyond_allowance, member.agreed, ${hasUncounted} as has_uncounted
    from shares sh join meter_members member on member.share_id = sh.id and member.meter_id = ${meterId}
    where sh.id = ${shareId} and sh.accepted_at is not null`.execute(db);
  return rows[0];
}

/** Replaces what doesn't count in a locked share, of what a meter or its files told, from an instant on. */
export async function writeUncounted(
  db: Database,
  { meterId, shareId, imported, since }: { meterId: number; shareId: number; imported: boolean; since: Date },
  spans: readonly { from: number; to: number }[],
): Promise<void> {
  await db
    .deleteFrom('meter_uncounted')
    .where('meter_id', '=', meterId)
    .where('share_id', '=', shareId)
    .where('imported', '=', imported)
    .where('started_at', '>=', since)
    .execute();
  const toRow = ({ from, to }: { from: number; to: number }) => ({
    meter_id: meterId,
    share_id: shareId,
    imported,
    started_at: new Date(from),
    ended_at: new Date(to),
  });
  if (spans.length > 0) await db.insertInto('meter_uncounted').values(spans.map(toRow)).execute();
}

/** Deletes what didn't count and ended before an instant. */
export async function deleteOldUncounted(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('meter_uncounted').where('ended_at', '<', before).execute();
}

export interface MonthOfMeter {
  meter_id: number;
  share_id: number;
  told_seconds: number;
  counted_seconds: number;
  cost_micros: number | null;
}

/** Returns what the meters of an asset, or those of one share, told and counted in the current month. */
export async function readMonth(
  db: Database,
  { assetId, shareId, now }: { assetId: number; shareId?: number; now: Date },
): Promise<MonthOfMeter[]> {
  const { rows } = await sql<MonthOfMeter>`
    select part.meter_id, sh.id as share_id, sum(part.counted + part.uncounted)::bigint as told_seconds,
      sum(part.counted)::bigint as counted_seconds, sum(part.cost_micros)::bigint as cost_micros
    from assets a cross join ${currentPeriod('a', now)} p
    join shares sh on sh.asset_id = a.id ${shareId === undefined ? sql`` : sql`and sh.id = ${shareId}`}
    cross join lateral (
      select meter_id, seconds as counted, 0 as uncounted, null::bigint as cost_micros from (${recordedParts('p', now)}) recorded
      union all
      select d.meter_id, 0, case when d.refused_at is null then d.told_seconds - d.seconds else 0 end, d.cost_micros
      from metered_days d where d.share_id = sh.id and ${isDayOfPeriod('p', sql`d.day`)}
      union all
      select u.meter_id, 0, ${wholeSeconds(sql`greatest(u.started_at, p.starts_at)`, sql`least(u.ended_at, p.ends_at)`)}, null
      from meter_uncounted u where u.share_id = sh.id and u.started_at < p.ends_at and u.ended_at > p.starts_at
    ) part
    where a.id = ${assetId} and part.meter_id is not null
    group by part.meter_id, sh.id`.execute(db);
  return rows;
}

export interface TimeOfAsset {
  reason: 'refused' | 'archived' | 'not_measured' | 'month_closed';
  since: Date;
  /** Null if it lasts. */
  until: Date | null;
}

/** Returns the times of an asset in which a meter can't record a share. */
export async function readBarredTimes(
  db: Database,
  { meterId, shareId, assetId, now }: { meterId: number; shareId: number; assetId: number; now: Date },
): Promise<TimeOfAsset[]> {
  const { rows } = await sql<TimeOfAsset>`
    select 'refused' as reason, since, until from meter_refusals where meter_id = ${meterId} and share_id = ${shareId}
    union all
    select 'archived', since, until from archivals where asset_id = ${assetId}
    union all
    select 'not_measured', starts_at, ends_at from periods where asset_id = ${assetId} and not measured
    union all
    select 'month_closed', starts_at, ends_at from periods p
    where asset_id = ${assetId} and (closed_at is not null or ${objectionsEnd('p')} <= ${now}::timestamptz)`.execute(
    db,
  );
  return rows;
}

/** Returns how long sessions may last that start in each month of an asset, and when the months begin. */
export async function readLimits(db: Database, assetId: number): Promise<{ starts_at: Date; hours: number }[]> {
  return db
    .selectFrom('periods')
    .select(['starts_at', 'max_session_hours as hours'])
    .where('asset_id', '=', assetId)
    .orderBy('starts_at')
    .execute();
}

export async function addLateEvents(db: Database, meterId: number, count: number): Promise<void> {
  await sql`update meters set late_events = late_events + ${count}::int where id = ${meterId}`.execute(db);
}

export interface StoredName {
  meter_id: number;
  external_name: string;
  share_id: number | null;
  last_event_at: Date;
}

export const readNames = (db: Database, meterIds: number[]): Promise<StoredName[]> =>
  db
    .selectFrom('meter_names')
    .select(['meter_id', 'external_name', 'share_id', 'last_event_at'])
    .where('meter_id', 'in', meterIds)
    .orderBy('external_name')
    .execute();

/** Returns those whom the meters of an asset may record: who has access, and what they said to each. */
export async function readMembers(
  db: Database,
  assetId: number,
): Promise<{ meter_id: number; share_id: number; username: string; agreed: boolean | null }[]> {
  const { rows } = await sql<{ meter_id: number; share_id: number; username: string; agreed: boolean | null }>`
    select m.id as meter_id, sh.id as share_id, u.username, member.agreed
    from meters m join shares sh on sh.asset_id = m.asset_id and sh.accepted_at is not null and sh.ended_at is null
    join users u on u.id = sh.member_id and u.email is not null
    left join meter_members member on member.meter_id = m.id and member.share_id = sh.id
    where m.asset_id = ${assetId}
    order by m.id, lower(u.username)`.execute(db);
  return rows;
}

/** Returns which of some shares an asset has, accepted and not ended. */
export async function sharesOfAsset(db: Database, assetId: number, shareIds: number[]): Promise<Set<number>> {
  if (shareIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('shares')
    .select('id')
    .where('asset_id', '=', assetId)
    .where('id', 'in', shareIds)
    .where('accepted_at', 'is not', null)
    .where('ended_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Says of whom names are. */
export async function matchNames(
  db: Database,
  { meterId, names, now }: { meterId: number; names: Pick<StoredName, 'external_name' | 'share_id'>[]; now: Date },
): Promise<void> {
  await sql`
    insert into meter_names (meter_id, external_name, share_id, last_event_at)
    select ${meterId}, name, share_id, ${now}::timestamptz
    from unnest(${names.map((each) => each.external_name)}::text[], ${names.map((each) => each.share_id)}::bigint[])
      as given (name, share_id)
    on conflict (meter_id, external_name) do update set share_id = excluded.share_id`.execute(db);
}

export interface StoredMemberMeter {
  id: number;
  asset_id: number;
  name: string;
  kind: MeterKind;
  per_member: boolean;
  agreed: boolean | null;
  beyond_allowance: boolean;
  names: string[];
  has_token: boolean;
}

/** Condition: share `sh` is a member's and hasn't ended. While its asset is archived, they can still say no to a meter. */
const isOfMember = (shareId: number, memberId: number): RawBuilder<unknown> => sql`
  sh.id = ${shareId} and sh.member_id = ${memberId} and sh.accepted_at is not null and sh.ended_at is null
  and a.deleted_at is null`;

/** Returns the meters that may record a member, or one of them; undefined without such a share. */
export async function readMemberMeters(
  db: Database,
  { shareId, memberId, meterId }: { shareId: number; memberId: number; meterId?: number },
): Promise<StoredMemberMeter[] | undefined> {
  const { rows } = await sql<{ [Column in keyof StoredMemberMeter]: StoredMemberMeter[Column] | null }>`
    -- without a meter, its columns are null
    select m.id, m.asset_id, m.name, m.kind, m.per_member, member.agreed, coalesce(member.beyond_allowance, false) as beyond_allowance,
      array(select external_name from meter_names n where n.meter_id = m.id and n.share_id = sh.id order by 1) as names,
      member.token_hash is not null as has_token
    from shares sh join assets a on a.id = sh.asset_id
    left join meters m on m.asset_id = a.id ${meterId === undefined ? sql`` : sql`and m.id = ${meterId}`}
    left join meter_members member on member.meter_id = m.id and member.share_id = sh.id
    where ${isOfMember(shareId, memberId)}
    order by m.id`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is StoredMemberMeter => row.id !== null);
}

/** Locks the share of a member, after its asset and a meter of that. Returns false without such a share or meter. */
export async function lockMember(
  db: Database,
  { shareId, memberId, meterId }: { shareId: number; memberId: number; meterId: number },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shares sh join assets a on a.id = sh.asset_id join meters m on m.asset_id = a.id and m.id = ${meterId}
    where ${isOfMember(shareId, memberId)}
    for share of a for no key update of m for no key update of sh`.execute(db);
  return rows.length > 0;
}

/** Returns what a member said to a meter. */
export const readAnswer = (
  db: Database,
  { shareId, meterId }: { shareId: number; meterId: number },
): Promise<{ agreed: boolean } | undefined> =>
  db
    .selectFrom('meter_members')
    .select('agreed')
    .where('meter_id', '=', meterId)
    .where('share_id', '=', shareId)
    .executeTakeFirst();

/** Ends the use of a share that a meter told of, because nothing more of it is kept. */
export async function stopUse(
  db: Database,
  { meterId, shareId, now }: { meterId: number; shareId: number; now: Date },
): Promise<void> {
  await sql`
    insert into meter_events (meter_id, external_name, sender_id, event_id, type, at)
    select ${meterId}, name.external_name, name.sender_id, ${`taken back ${now.toISOString()}`}, 'stop', ${now}::timestamptz
    from (
      select external_name, null::bigint as sender_id from meter_names where meter_id = ${meterId} and share_id = ${shareId}
      union all
      select '', ${shareId}::bigint
    ) name
    on conflict do nothing`.execute(db);
}

/** Stores what a member says to a meter. With a no, nothing that waits for a yes is kept, nor their token. */
export async function storeAnswer(
  db: Database,
  {
    meterId,
    shareId,
    agreed,
    beyondAllowance,
    wasAgreed,
    now,
  }: {
    meterId: number;
    shareId: number;
    agreed: boolean;
    beyondAllowance: boolean;
    /** What they had said before; undefined if nothing. */
    wasAgreed: boolean | undefined;
    now: Date;
  },
): Promise<void> {
  const answer = {
    agreed,
    beyond_allowance: agreed && beyondAllowance,
    ...(agreed !== wasAgreed && { changed_at: now }),
    ...(!agreed && { token_hash: null }),
  };
  await db
    .insertInto('meter_members')
    .values({ meter_id: meterId, share_id: shareId, changed_at: now, ...answer })
    .onConflict((conflict) => conflict.columns(['meter_id', 'share_id']).doUpdateSet(answer))
    .execute();
  const refusals = db.updateTable('meter_refusals').where('meter_id', '=', meterId).where('share_id', '=', shareId);
  if (agreed) await refusals.set({ until: now }).where('until', 'is', null).execute();
  else if (wasAgreed !== false)
    await db
      .insertInto('meter_refusals')
      .values({ meter_id: meterId, share_id: shareId, since: now })
      .onConflict((conflict) => conflict.columns(['meter_id', 'share_id', 'since']).doUpdateSet({ until: null }))
      .execute();
  const isOfMember = sql`meter_id = ${meterId} and (sender_id = ${shareId} or sender_id is null and external_name in (
    select external_name from meter_names where meter_id = ${meterId} and share_id = ${shareId}))`;
  if (!agreed) await sql`delete from meter_series where ${isOfMember}`.execute(db);
  if (wasAgreed === undefined && !agreed) await sql`delete from meter_events where ${isOfMember}`.execute(db);
}

/** Stores that a member says yes to meters of a share, to which they have said nothing yet. */
export async function storeYes(
  db: Database,
  { shareId, meterIds, now }: { shareId: number; meterIds: number[]; now: Date },
): Promise<void> {
  await sql`
    insert into meter_members (meter_id, share_id, agreed, changed_at)
    select m.id, sh.id, true, ${now}::timestamptz
    from shares sh join meters m on m.asset_id = sh.asset_id and m.id = any(${meterIds}::bigint[])
    where sh.id = ${shareId}
    on conflict do nothing`.execute(db);
}

export async function setMemberToken(
  db: Database,
  { meterId, shareId, hash }: { meterId: number; shareId: number; hash: string },
): Promise<void> {
  const member = db.updateTable('meter_members').where('meter_id', '=', meterId).where('share_id', '=', shareId);
  await member.set({ token_hash: hash }).execute();
}

/**
 * Deletes events that no session can be made of any more: older than an instant, and not those with which an active one began. Those
 * that waited for a name or an answer until then count as late.
 */
export async function deleteOldEvents(db: Database, before: Date): Promise<void> {
  await sql`
    with old as (
      delete from meter_events e
      where e.at < ${before}::timestamptz and not exists (
        select 1 from sessions s
        where s.meter_id = e.meter_id and s.ended_at is null and s.started_at <= e.at)
      returning e.meter_id, e.external_name, e.sender_id
    ), late as (
      select old.meter_id, count(*)::int as count
      from old left join meter_names n on n.meter_id = old.meter_id and n.external_name = old.external_name
      where old.sender_id is null and not exists (
        select 1 from meter_members member where member.meter_id = old.meter_id and member.share_id = n.share_id)
      group by old.meter_id
    )
    update meters m set late_events = m.late_events + late.count from late where m.id = late.meter_id`.execute(db);
}

/** Returns the shares in which sessions of meters ended by themselves after an instant, but are too short to count. */
export async function readShort(
  db: Database,
  since: Date,
): Promise<{ meter_id: number; share_id: number; started_at: Date }[]> {
  const { rows } = await sql<{ meter_id: number; share_id: number; started_at: Date }>`
    select s.meter_id, s.share_id, min(s.started_at) as started_at
    from sessions s join meters m on m.id = s.meter_id
    where s.ended_at > ${since}::timestamptz and s.edited_at is null and not s.edited_by_hand and not s.imported
      and (s.ended_at - s.started_at < make_interval(secs => m.min_seconds) or s.ended_at = s.started_at)
    group by s.meter_id, s.share_id
    order by s.meter_id, s.share_id`.execute(db);
  return rows;
}

/**
 * Returns the shares in which a meter records what would go beyond the allowance, because something else has used that since, or there
 * is less of it.
 */
export async function readOverdrawn(
  db: Database,
  now: Date,
): Promise<{ meter_id: number; share_id: number; started_at: Date }[]> {
  const { rows } = await sql<{ meter_id: number; share_id: number; started_at: Date }>`
    select s.meter_id, s.share_id, s.started_at
    from sessions s
    join shares sh on sh.id = s.share_id and not sh.own
    join assets a on a.id = sh.asset_id
    join meter_members member on member.meter_id = s.meter_id and member.share_id = sh.id and not member.beyond_allowance
    cross join ${currentPeriod('a', now)} p
    cross join ${usedInPeriod('sh', 'p', now)} used
    where s.ended_at is null and s.ends_by > ${now}::timestamptz and s.edited_at is null and not s.edited_by_hand
      and s.steady_until > date_trunc('second', ${now}::timestamptz)
        + make_interval(secs => greatest(0, sh.monthly_hours_allocated * 3600 - used.seconds))
    order by s.meter_id, s.share_id`.execute(db);
  return rows;
}

const sharesOf = (userId: number) => sql`(select id from shares where member_id = ${userId})`;

/** Makes a user's own tokens of meters stop working. */
export async function forgetTokens(db: Database, userId: number): Promise<void> {
  await sql`
    update meter_members set token_hash = null
    where share_id in ${sharesOf(userId)} and token_hash is not null`.execute(db);
}

/** Deletes what meters call a user, what they told of them, and what the user said to them. */
export async function forgetMember(db: Database, userId: number): Promise<void> {
  const sent = sql`sender_id in ${sharesOf(userId)}`;
  const named = (each: string) => sql`
    ${sql.id(each)}.meter_id = names.meter_id and ${sql.id(each)}.external_name = names.external_name`;
  await sql`
    with names as (
      delete from meter_names where share_id in ${sharesOf(userId)} returning meter_id, external_name
    ), events as (
      delete from meter_events e using names where e.sender_id is null and ${named('e')}
    ), series as (
      delete from meter_series r using names where r.sender_id is null and ${named('r')}
    ), uses as (
      delete from imported_uses i using names where ${named('i')}
    ), sent_events as (delete from meter_events where ${sent}), sent_series as (delete from meter_series where ${sent})
    delete from meter_members where share_id in ${sharesOf(userId)}`.execute(db);
}
