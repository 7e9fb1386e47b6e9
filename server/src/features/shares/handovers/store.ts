import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { isOwnedBy } from '../../assets/sql.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { isAcceptedFor, isExpiredHandover, termsToAgree } from './sql.ts';

/** Locks an owner's asset until the transaction ends; returns whether it is archived, or undefined if they have no such asset. */
export async function lockOwnedAsset(
  db: Database,
  { ownerId, assetId }: { ownerId: number; assetId: number },
): Promise<{ archived: boolean } | undefined> {
  const { rows } = await sql<{ archived: boolean }>`
    select a.archived_at is not null as archived from assets a
    where a.id = ${assetId} and ${isOwnedBy('a', ownerId)} for no key update`.execute(db);
  return rows[0];
}

/** Locks the share of a member of a locked asset, who has accepted and has an account. */
export async function lockShareToHandOver(
  db: Database,
  { assetId, username }: { assetId: number; username: string },
): Promise<{ id: number; memberId: number } | undefined> {
  const { rows } = await sql<{ id: number; memberId: number }>`
    select sh.id, sh.member_id as "memberId" from shares sh join users m on m.id = sh.member_id
    where sh.asset_id = ${assetId} and not sh.own and sh.ended_at is null and sh.accepted_at is not null and m.email is not null and m.disabled_at is null
      and lower(m.username) = lower(${username})
    for no key update of sh`.execute(db);
  return rows[0];
}

/** Offers a locked asset to the member of a locked share; returns false if the asset already has a handover. */
export async function insertHandover(
  db: Database,
  { assetId, shareId, stayHours, now }: { assetId: number; shareId: number; stayHours: number | null; now: Date },
): Promise<boolean> {
  await deleteExpired(db, { now, assetId });
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('handovers')
    .values({ asset_id: assetId, share_id: shareId, stay_hours: stayHours, offered_at: now })
    .onConflict((conflict) => conflict.column('asset_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes expired handovers: all, or those of one asset. */
export async function deleteExpired(db: Database, { now, assetId }: { now: Date; assetId?: number }): Promise<void> {
  await sql`
    delete from handovers h using assets a
    where a.id = h.asset_id and ${isExpiredHandover('a', 'h', now)} ${assetId === undefined ? sql`` : sql`and a.id = ${assetId}`}
  `.execute(db);
}

export async function deleteHandover(db: Database, by: { assetId: number } | { shareIds: number[] }): Promise<void> {
  const handover = db.deleteFrom('handovers');
  await (
    'assetId' in by ? handover.where('asset_id', '=', by.assetId) : handover.where('share_id', 'in', by.shareIds)
  ).execute();
}

/** Records that the member of a locked share takes over its asset next month, under that month's current terms. */
export async function acceptHandover(db: Database, { shareId, now }: { shareId: number; now: Date }): Promise<void> {
  await sql`
    update handovers h set month = next.month, agreed = next.agreed
    from (
      select h.asset_id, p.month, ${termsToAgree('a', 'p', 'h')} as agreed
      from handovers h join assets a on a.id = h.asset_id
      cross join lateral (select p.month from ${currentPeriod('a', now)} p) running
      join periods p on p.asset_id = a.id and p.month = (running.month + interval '1 month')::date
      where h.share_id = ${shareId}
    ) next
    where h.asset_id = next.asset_id`.execute(db);
}

/** Returns the ids of assets with an accepted handover that is due at an instant. */
export async function dueAssets(db: Database, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select h.asset_id as id from handovers h join assets a on a.id = h.asset_id
    join periods p on p.asset_id = a.id and ${isAcceptedFor('a', 'p', 'h')}
    where p.starts_at <= ${now}::timestamptz order by h.asset_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the two users of an asset's handover. */
export async function parties(db: Database, assetId: number): Promise<number[]> {
  const { rows } = await sql<{ owner: number; member: number }>`
    select a.owner_id as owner, sh.member_id as member
    from handovers h join assets a on a.id = h.asset_id join shares sh on sh.id = h.share_id
    where h.asset_id = ${assetId}`.execute(db);
  return rows.flatMap(({ owner, member }) => [owner, member]);
}

export interface DueHandover {
  shareId: number;
  ownerId: number;
  memberId: number;
  /** Their monthly hours as a member, which are then reserved for them. */
  memberHours: number;
  stayHours: number | null;
  /** First day of the new owner's first month. */
  month: string;
  /** When it begins. */
  startsAt: Date;
  /** Whether it can't happen anymore: the member's account is disabled, or their first month is closed, which never changes. */
  lapsed: boolean;
}

/** Locks an asset and its accepted, due handover, and returns the handover. */
export async function lockDue(db: Database, assetId: number, now: Date): Promise<DueHandover | undefined> {
  const [due] = await lockThenRead(
    db,
    sql`select 1 from assets where id = ${assetId} for no key update`,
    sql<DueHandover>`
      select sh.id as "shareId", a.owner_id as "ownerId", sh.member_id as "memberId",
        sh.monthly_hours_allocated as "memberHours", h.stay_hours as "stayHours",
        p.month, p.starts_at as "startsAt", m.disabled_at is not null or p.closed_at is not null as lapsed
      from handovers h join assets a on a.id = h.asset_id join shares sh on sh.id = h.share_id
      join periods p on p.asset_id = a.id and ${isAcceptedFor('a', 'p', 'h')}
      join users m on m.id = sh.member_id
      where h.asset_id = ${assetId} and p.starts_at <= ${now}::timestamptz
        and sh.ended_at is null and a.archived_at is null and a.deleted_at is null
      for no key update of sh`,
  );
  return due;
}
