import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** A total or a cost as it is kept. */
export interface StoredTotal {
  external_name: string;
  sender_id: number | null;
  event_id: string;
  type: 'add' | 'replace' | 'cost';
  at: Date;
  /** `YYYY-MM-DD` */
  day: string;
  micros: number;
  since: Date;
  place: number | null;
}

const columns = sql`e.external_name, e.sender_id, e.event_id, e.type, e.at, e.day::text as day, e.micros, e.since, e.place`;

/** Returns the next place among what came of a locked meter at an instant. */
export async function nextPlace(db: Database, meterId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    select coalesce(max(place) + 1, 0)::int as place from meter_events where meter_id = ${meterId} and at = ${now}::timestamptz`.execute(
    db,
  );
  return rows[0]?.place ?? 0;
}

/** Returns the totals of a meter that have the ids, senders, and names of some. */
export async function readSame(db: Database, meterId: number, totals: readonly StoredTotal[]): Promise<StoredTotal[]> {
  if (totals.length === 0) return [];
  const { rows } = await sql<StoredTotal>`
    select ${columns}
    from meter_events e join unnest(
      ${totals.map((total) => total.external_name)}::text[], ${totals.map((total) => total.sender_id ?? 0)}::bigint[],
      ${totals.map((total) => total.event_id)}::text[]) as each (external_name, sender_id, event_id)
      on e.external_name = each.external_name and coalesce(e.sender_id, 0) = each.sender_id and e.event_id = each.event_id
    where e.meter_id = ${meterId} and e.day is not null`.execute(db);
  return rows;
}

/** Keeps totals of a locked meter, of which each has an id of its own, in place of those that had it. */
export async function keepTotals(db: Database, meterId: number, totals: readonly StoredTotal[]): Promise<void> {
  if (totals.length === 0) return;
  await sql`
    insert into meter_events as known (meter_id, external_name, sender_id, event_id, type, at, day, micros, since, place)
    select ${meterId}, * from unnest(
      ${totals.map((total) => total.external_name)}::text[], ${totals.map((total) => total.sender_id)}::bigint[],
      ${totals.map((total) => total.event_id)}::text[], ${totals.map((total) => total.type)}::text[],
      ${totals.map((total) => total.at.toISOString())}::timestamptz[], ${totals.map((total) => total.day)}::date[],
      ${totals.map((total) => total.micros)}::bigint[], ${totals.map((total) => total.since.toISOString())}::timestamptz[],
      ${totals.map((total) => total.place)}::integer[])
    on conflict (meter_id, coalesce(sender_id, 0), external_name, event_id) where day is not null do update
    set type = excluded.type, at = excluded.at, day = excluded.day, micros = excluded.micros, since = excluded.since,
      place = excluded.place`.execute(db);
}

/** Returns what a meter told of a share on some days. */
export async function readTotals(
  db: Database,
  { meterId, shareId, days }: { meterId: number; shareId: number; days: readonly string[] },
): Promise<StoredTotal[]> {
  const { rows } = await sql<StoredTotal>`
    select ${columns} from meter_events e
    where e.meter_id = ${meterId} and e.day = any(${days}::date[])
      and (e.sender_id = ${shareId} or e.sender_id is null and e.external_name in (
        select external_name from meter_names where meter_id = ${meterId} and share_id = ${shareId}))
    order by e.at, e.event_id`.execute(db);
  return rows;
}

export interface StoredReading {
  external_name: string;
  sender_id: number | null;
  series: string;
  at: Date;
  micros: number;
}

/** Returns where cumulative counters of a meter stood that are known by some names. */
export async function readReadings(db: Database, meterId: number, series: readonly string[]): Promise<StoredReading[]> {
  if (series.length === 0) return [];
  const { rows } = await sql<StoredReading>`
    select external_name, sender_id, series, at, micros from meter_series
    where meter_id = ${meterId} and series = any(${series}::text[])`.execute(db);
  return rows;
}

export async function keepReadings(db: Database, meterId: number, readings: readonly StoredReading[]): Promise<void> {
  if (readings.length === 0) return;
  await sql`
    insert into meter_series as known (meter_id, external_name, sender_id, series, at, micros)
    select ${meterId}, * from unnest(
      ${readings.map((each) => each.external_name)}::text[], ${readings.map((each) => each.sender_id)}::bigint[],
      ${readings.map((each) => each.series)}::text[], ${readings.map((each) => each.at.toISOString())}::timestamptz[],
      ${readings.map((each) => each.micros)}::bigint[])
    on conflict (meter_id, coalesce(sender_id, 0), external_name, series) do update
    set at = excluded.at, micros = excluded.micros`.execute(db);
}

/** Deletes where counters stood of which nothing was heard since an instant. */
export async function deleteOldReadings(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('meter_series').where('at', '<', before).execute();
}
