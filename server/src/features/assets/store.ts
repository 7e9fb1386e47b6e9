import type { SplitMethod } from '@hourshare/contract/fields';
import { sql, type Insertable, type Updateable } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { dayStart, wallClock } from '../../platform/database/calendar.ts';
import { lockThenRead } from '../../platform/database/lock-then-read.ts';
import { onlyRow } from '../../platform/database/only-row.ts';
import type { Assets } from '../../schema.ts';
import {
  canAnswer,
  currentPeriod,
  hasPlanEnded,
  nextTerms,
  priceInForce,
  pricePerCycle,
  termColumns,
  type StoredTerms,
} from '../periods/sql.ts';
import { handoverOfAsset, type StoredHandover } from '../shares/handovers/sql.ts';
import { agreedOfShare } from '../shares/agreements/sql.ts';
import {
  fullestMoment,
  isAgreedShare,
  isOpenInvitation,
  isUnconfirmed,
  isOpenShare,
  offerExpiry,
  startsLater,
} from '../shares/sql.ts';
import { isUsed, sessionEnd, usedInPeriod } from '../usage/sql.ts';
import { isManagedBy, isOwnedBy } from './sql.ts';
import type { Plan } from './plans/rules.ts';
import type { AgreedTerms } from './terms/rules.ts';

export interface StoredEntry {
  id: number;
  /** Null, like hours and use, for an invitation. */
  username: string | null;
  member_id: number | null;
  person: boolean;
  manager: boolean;
  claim_expires_at: string | null;
  allocation_hours: number | null;
  used_seconds: number | null;
  /** Instants are as JSON writes them. */
  active_since: string | null;
  /** When an offer or invitation expires; null once accepted. */
  expires_at: string | null;
  /** Whether access hasn't begun. */
  pending: boolean;
  /** Whether the member said yes, also to access that begins later. */
  accepted: boolean;
  /** First day of access if that is still to come. */
  starts_on: string | null;
  /** What the member last said yes to; null outside the promise. */
  agreed: AgreedTerms | null;
  /** Whether they can agree to other terms, or have no account, so that the owner does it for them. */
  askable: boolean;
  /** Whether a co-manager added hours or the member, which don't count yet. */
  unconfirmed: boolean;
}

export interface StoredAsset {
  id: number;
  name: string;
  description: string;
  /** Of a cycle of the plan, if there is one; otherwise of a month. */
  price_cents: number;
  plan: Plan | null;
  ends_on: string | null;
  cancel_by_days: number | null;
  auto_renews: boolean;
  reminder_days: number[];
  currency: string;
  time_zone: string;
  next_time_zone: { time_zone: string; from_month: string } | null;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  max_session_hours: number;
  max_hour_cents: number | null;
  max_hour_chosen: boolean;
  extra_cost_cents: number;
  owner_takes_part: boolean;
  measured: boolean;
  /** The hours of members and the owner, and their number, at the fullest moment of the month. */
  total_hours: number;
  places: number;
  next_terms: StoredTerms | null;
  archived: boolean;
  unbilled: boolean;
  used: boolean;
  owner: string;
  your_role: 'owner' | 'manager';
  own_share_id: number | null;
  handover: StoredHandover | null;
  entries: StoredEntry[];
}

/**
 * Returns the assets that a user owns in the order they were added, or one that they own or co-manage, with current prices and
 * members' use this month. Takes one statement, however many assets there are.
 */
export async function managedAssets(
  db: Database,
  {
    userId,
    assetId,
    now,
    limit,
    after = 0,
  }: {
    userId: number;
    assetId?: number;
    now: Date;
    limit: number;
    /** Only assets with higher ids. */
    after?: number | undefined;
  },
): Promise<StoredAsset[]> {
  const { rows } = await sql<StoredAsset>`
    select a.id, a.name, a.description, ${pricePerCycle('p')} as price_cents, p.plan, a.ends_on, a.cancel_by_days, a.auto_renews, a.reminder_days, a.currency, p.time_zone, ${termColumns('p')},
      case when next.time_zone <> p.time_zone then json_build_object(
        'time_zone', next.time_zone, 'from_month', to_char(next.month, 'YYYY-MM')
      ) end as next_time_zone,
      fullest.total_hours, fullest.places, ${nextTerms('p', 'next')} as next_terms,
      a.archived_at is not null as archived, p.unbilled, o.username as owner,
      case when a.owner_id = ${userId} then 'owner' else 'manager' end as your_role,
      (select id from shares where asset_id = a.id and own and member_id = ${userId} and ended_at is null) as own_share_id,
      ${isUsed('a')} as used, ${handoverOfAsset('a', 'p', now)} as handover,
      coalesce(e.entries, '[]'::json) as entries
    from (
      select a.* from assets a
      where ${assetId === undefined ? isOwnedBy('a', userId) : sql`a.id = ${assetId} and ${isManagedBy('a', userId)}`} and a.id > ${after}
      order by a.id
      limit ${limit}
    ) a
    join users o on o.id = a.owner_id
    cross join ${currentPeriod('a', now)} p
    cross join ${fullestMoment('a', 'p')} fullest
    left join periods next on next.asset_id = a.id and next.month = (p.month + interval '1 month')::date
    left join lateral (
      select json_agg(entry order by entry.id) as entries
      from (
        select sh.id, m.username, m.id as member_id, m.host_id is not null as person, sh.manager_since is not null as manager, c.expires_at as claim_expires_at, sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds,
          used.active_since, case when not ${isAgreedShare('sh')} then ${offerExpiry('sh')} end as expires_at,
          sh.accepted_at is null as pending, ${isAgreedShare('sh')} as accepted, ${startsLater('a', 'sh', now)} as starts_on,
          case when sh.accepted_at is not null then ${agreedOfShare('sh')} end as agreed, ${isUnconfirmed('sh')} as unconfirmed,
          m.host_id is not null or a.archived_at is null and ${canAnswer('sh')} as askable
        from shares sh
        join users m on m.id = sh.member_id
        left join claims c on c.guest_id = m.id and c.expires_at > ${now}::timestamptz
        cross join ${usedInPeriod('sh', 'p', now)} used
        where sh.asset_id = a.id and not sh.own and ${isOpenShare('sh', now)}
        union all
        select i.id, null, null, false, false, null, null, null, null, i.expires_at, true, false,
          ${startsLater('a', 'i', now)}, null, false, false
        from invitations i
        where i.asset_id = a.id and ${isOpenInvitation('a', 'i', now)}
      ) entry
    ) e on true
    order by a.id`.execute(db);
  return rows;
}

/** Returns how many assets a user owns, archived ones included. */
export async function countAssets(db: Database, ownerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('assets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the date in a time zone, YYYY-MM-DD. */
export const dateIn = (db: Database, timeZone: string, now: Date): Promise<{ today: string }> =>
  onlyRow(
    sql<{ today: string }>`select ${wallClock(sql`${now}::timestamptz`, sql`${timeZone}::text`)}::date as today`,
    db,
  );

/** Adds an asset without its periods, for an owner whose row is locked, and returns its id. */
export async function insertAsset(
  db: Database,
  asset: Omit<Insertable<Assets>, 'archived_at' | 'deleted_at'>,
): Promise<number> {
  return (await db.insertInto('assets').values(asset).returning('id').executeTakeFirstOrThrow()).id;
}

export interface LockedAsset {
  ownerId: number;
  archived: boolean;
  currency: string;
  plan: Plan | null;
  endsOn: string | null;
  autoRenews: boolean;
  reminderDays: number[];
  /** In its time zone, YYYY-MM-DD. */
  today: string;
}

/** Locks an asset that a user may manage; undefined if there is no such asset. */
export async function lockAsset(
  db: Database,
  { userId, assetId, now }: { userId: number; assetId: number; now: Date },
): Promise<LockedAsset | undefined> {
  // Takes locks in the order in which deleting an account does, to avoid deadlocks.
  await db.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().execute();
  const find = (lock = sql``) => sql<LockedAsset>`
    select a.owner_id as "ownerId", a.archived_at is not null as archived, a.currency, p.plan, a.ends_on as "endsOn",
      a.auto_renews as "autoRenews", a.reminder_days as "reminderDays", ${wallClock(sql`${now}::timestamptz`, sql`p.time_zone`)}::date as today
    from assets a cross join ${currentPeriod('a', now)} p where a.id = ${assetId} and ${isManagedBy('a', userId)} ${lock}`;
  return (await lockThenRead(db, find(sql`for no key update of a`), find()))[0];
}

/** Returns the assets whose plan has ended, and that aren't archived. */
export async function endedAssets(db: Database, now: Date): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select a.id from assets a where ${hasPlanEnded('a', now)} order by a.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Locks an asset if its plan has ended, and it isn't archived. Returns since when it is to be: the start of the day on which it
 * ended or, if anything happened in it after that, the last such instant.
 */
export async function lockEnded(
  db: Database,
  { assetId, now }: { assetId: number; now: Date },
): Promise<Date | undefined> {
  // Takes locks in the order in which deleting an account does, to avoid deadlocks.
  await sql`select 1 from users where id = (select owner_id from assets where id = ${assetId}) for key share`.execute(
    db,
  );
  const find = (lock = sql``) => sql<{ since: Date }>`
    select least(${now}::timestamptz, greatest(
      ${dayStart(sql`a.ends_on::timestamp`, sql`p.time_zone`)},
      (select max(until) from archivals where asset_id = a.id),
      (select max(ends_at) from periods where asset_id = a.id and closed_at is not null),
      (select max(created_at) from costs where asset_id = a.id),
      (select max(greatest(
        -- An owner's own access begins by itself.
        case when not sh.own and accepted_at <= ${now}::timestamptz then accepted_at end,
        (select max(${sessionEnd('s', now)}) from sessions s where s.share_id = sh.id),
        (select max(last_at) from metered_days where share_id = sh.id)))
      from shares sh where sh.asset_id = a.id))) as since
    from assets a cross join ${currentPeriod('a', now)} p where a.id = ${assetId} and ${hasPlanEnded('a', now)} ${lock}`;
  return (await lockThenRead(db, find(sql`for no key update of a`), find()))[0]?.since;
}

/** Returns whether anyone but the owner has ever said yes to an asset, also to later access, or had it without an account. */
export async function wasAccepted(db: Database, assetId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from shares sh where sh.asset_id = ${assetId} and not sh.own and ${isAgreedShare('sh')} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns the prices of an asset's months that aren't closed, in minor units; with `exceptCurrent`, without the one in force. */
export async function openPrices(
  db: Database,
  { assetId, now, exceptCurrent }: { assetId: number; now: Date; exceptCurrent: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ price_cents: number }>`
    select distinct ${pricePerCycle('p')} as price_cents from periods p
    where p.asset_id = ${assetId} and p.closed_at is null
      ${exceptCurrent ? sql`and p.price_since <> ${priceInForce(assetId, now)}` : sql``}`.execute(db);
  return rows.map(({ price_cents: price }) => price);
}

/** Locks all assets that an owner has, or had in a month that isn't closed. Returns the ids of those they own that aren't deleted. */
export async function lockOwnedAssets(db: Database, ownerId: number): Promise<number[]> {
  const owned = await lockThenRead(
    db,
    sql`
      select 1 from assets a
      where a.id in (
        select id from assets where owner_id = ${ownerId}
        union select asset_id from periods where owner_id = ${ownerId} and closed_at is null)
      order by a.id for no key update`,
    sql<{ id: number }>`select id from assets where owner_id = ${ownerId} and deleted_at is null order by id`,
  );
  return owned.map(({ id }) => id);
}

/** Transfers all assets of a user, who only has deleted ones, to another user. */
export async function moveAssets(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db.updateTable('assets').set({ owner_id: to }).where('owner_id', '=', from).execute();
}

/** Transfers an asset to another user. Its row must be locked. */
export async function setOwner(
  db: Database,
  { assetId, ownerId }: { assetId: number; ownerId: number },
): Promise<void> {
  await db.updateTable('assets').set({ owner_id: ownerId }).where('id', '=', assetId).execute();
}

/** Marks an asset as deleted. Its row must be locked. */
export async function markDeleted(db: Database, { assetId, now }: { assetId: number; now: Date }): Promise<void> {
  await db.updateTable('assets').set({ deleted_at: now }).where('id', '=', assetId).execute();
}

/**
 * Removes those of some assets, or the first of all, that are deleted, have no open period, and no offer of the last 24 hours that
 * still counts for the next one; with their shares and sessions. Skips what others have locked. Returns their ids.
 */
export async function removeDeleted(
  db: Database,
  { assetIds, now, limit }: { assetIds?: number[] | undefined; now: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from assets where id = any(array(
      select a.id from assets a
      where ${assetIds ? sql`a.id = any(${assetIds}::bigint[]) and` : sql``} a.deleted_at is not null
        and not exists (select 1 from periods where asset_id = a.id and closed_at is null)
        and not exists (
          select 1 from shares
          where asset_id = a.id and accepted_at is null and promised_at is null
            and created_at > ${now}::timestamptz - interval '24 hours')
      order by a.id limit ${limit} for update skip locked
    )) returning id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function updateAsset(
  db: Database,
  assetId: number,
  changes: Pick<
    Updateable<Assets>,
    'name' | 'description' | 'currency' | 'ends_on' | 'cancel_by_days' | 'auto_renews' | 'reminder_days'
  >,
): Promise<void> {
  await db.updateTable('assets').set(changes).where('id', '=', assetId).execute();
}

/** Archives an asset, or restores it from the archive, and records when. Its row must be locked. */
export async function setArchived(
  db: Database,
  { assetId, archived, since }: { assetId: number; archived: boolean; since: Date },
): Promise<void> {
  await db
    .updateTable('assets')
    .set({ archived_at: archived ? since : null })
    .where('id', '=', assetId)
    .execute();
  const record = archived
    ? sql`
        insert into archivals (asset_id, since) values (${assetId}, ${since})
        on conflict (asset_id, since) do update set until = null`
    : sql`
        update archivals set until = greatest(since, ${since}::timestamptz)
        where asset_id = ${assetId} and until is null`;
  await record.execute(db);
}

interface PeopleOfAsset {
  name: string;
  /** Its owner, and everyone who has or was offered access. */
  userIds: number[];
  /** Those who have it. */
  memberIds: number[];
}

export const peopleOf = (db: Database, assetId: number): Promise<PeopleOfAsset> =>
  onlyRow(
    sql<PeopleOfAsset>`
      select a.name, array(
        select a.owner_id union select member_id from shares where asset_id = a.id and ended_at is null
      ) as "userIds", array(
        select member_id from shares where asset_id = a.id and not own and ended_at is null and accepted_at is not null order by id
      ) as "memberIds"
      from assets a where a.id = ${assetId}`,
    db,
  );
