import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { objectionsEnd } from '../../sessions/sql.ts';
import { hasUncounted, type ShareToMeter } from '../store.ts';

/** A row of a file. */
export interface StoredRow {
  external_name: string;
  started_at: Date;
  ended_at: Date;
}

/** Returns the shares that the names of a meter are matched with. */
export async function readShareOfNames(db: Database, meterId: number): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('meter_names')
    .where('meter_id', '=', meterId)
    .select(['external_name', 'share_id'])
    .execute();
  return new Map(rows.map(({ external_name: name, share_id: id }) => [name, id]));
}

export interface ShareOfRows extends Omit<ShareToMeter, 'agreed'> {
  /** Null as long as they have said neither yes nor no. */
  agreed: boolean | null;
}

/** Returns a share that names of a meter may mean. */
export async function readShare(
  db: Database,
  { meterId, shareId }: { meterId: number; shareId: number },
): Promise<ShareOfRows | undefined> {
  const { rows } = await sql<ShareOfRows>`
    select sh.id, sh.asset_id, sh.member_id, sh.own, sh.monthly_hours_allocated as hours, sh.accepted_at, sh.ended_at,
      coalesce(member.beyond_allowance, false) as beyond_allowance, member.agreed, ${hasUncounted} as has_uncounted
    from shares sh left join meter_members member on member.share_id = sh.id and member.meter_id = ${meterId}
    where sh.id = ${shareId} and sh.accepted_at is not null`.execute(db);
  return rows[0];
}

/** Returns the shares of an asset's members whose usernames are among some names, in any case. */
export async function readNamesakes(
  db: Database,
  { assetId, names }: { assetId: number; names: string[] },
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<{ name: string; id: number }>`
    select name, sh.id
    from unnest(${names}::text[]) name join users u on lower(u.username) = lower(name) and u.email is not null
    join shares sh on sh.member_id = u.id and sh.asset_id = ${assetId} and sh.accepted_at is not null and sh.ended_at is null`.execute(
    db,
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** Notes that a file had names, and the shares of those that are new; one that is gone doesn't count. */
export async function noteNames(
  db: Database,
  { meterId, names, now }: { meterId: number; names: { name: string; shareId: number | null }[]; now: Date },
): Promise<void> {
  await sql`
    insert into meter_names (meter_id, external_name, share_id, last_event_at)
    select ${meterId}, given.name, sh.id, ${now}::timestamptz
    from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ shareId }) => shareId)}::bigint[])
      as given (name, share_id)
    left join shares sh on sh.id = given.share_id
    on conflict (meter_id, external_name) do update set last_event_at = excluded.last_event_at`.execute(db);
}

/** Keeps rows, each once. */
export async function keepRows(db: Database, meterId: number, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into imported_uses (meter_id, external_name, started_at, ended_at)
    select ${meterId}, * from unnest(
      ${rows.map((row) => row.external_name)}::text[], ${rows.map((row) => row.started_at.toISOString())}::timestamptz[],
      ${rows.map((row) => row.ended_at.toISOString())}::timestamptz[])
    on conflict do nothing`.execute(db);
}

/** Returns the kept rows of shares, by share, and those of names. */
export async function readRows(
  db: Database,
  { meterId, shareIds, names }: { meterId: number; shareIds: number[]; names: string[] },
): Promise<(StoredRow & { share_id: number | null })[]> {
  const { rows } = await sql<StoredRow & { share_id: number | null }>`
    select n.share_id, i.external_name, i.started_at, i.ended_at
    from meter_names n join imported_uses i on i.meter_id = n.meter_id and i.external_name = n.external_name
    where n.meter_id = ${meterId} and (n.share_id = any(${shareIds}::bigint[]) or n.external_name = any(${names}::text[]))
    order by i.started_at, i.ended_at`.execute(db);
  return rows;
}

/** Returns the kept rows whose name isn't matched, or whose member hasn't agreed. */
export async function readWaitingRows(db: Database, meterId: number): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select i.external_name, i.started_at, i.ended_at
    from meter_names n join imported_uses i on i.meter_id = n.meter_id and i.external_name = n.external_name
    where n.meter_id = ${meterId} and not exists (
      select 1 from meter_members member
      where member.meter_id = n.meter_id and member.share_id = n.share_id and member.agreed)`.execute(db);
  return rows;
}

/** Deletes the kept rows of names. */
export async function deleteRows(
  db: Database,
  { meterId, names }: { meterId: number; names: string[] },
): Promise<void> {
  await sql`
    delete from imported_uses where meter_id = ${meterId} and external_name = any(${names}::text[])`.execute(db);
}

/** Deletes the kept rows that are in settled months alone. */
export async function deleteSettledRows(db: Database, now: Date): Promise<void> {
  await sql`
    delete from imported_uses i using meters m
    where m.id = i.meter_id and i.ended_at <= (
      select min(p.starts_at) from periods p
      where p.asset_id = m.asset_id and p.closed_at is null and ${objectionsEnd('p')} > ${now}::timestamptz)`.execute(
    db,
  );
}
