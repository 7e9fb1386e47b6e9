import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { lockThenRead } from '../../platform/database/lock-then-read.ts';
import { violates } from '../../platform/database/failure.ts';
import { onlyRow } from '../../platform/database/only-row.ts';
import { isManagedBy } from '../assets/sql.ts';
import { closesAt, currentPeriod, ownerAt, sharedDuringPeriod } from '../periods/sql.ts';
import { lastUsedAt, usedInPeriod } from '../usage/sql.ts';
import { handoverToShare, nextOwner, type StoredHandoverTerms } from './handovers/sql.ts';
import { agreedOfShare, shownByOffer, shownTerms, termsAsJson, type AgreedTerms } from './agreements/sql.ts';
import {
  isAgreedShare,
  isExpiredOffer,
  isOpenShare,
  mayManageShare,
  memberCount,
  offerExpiry,
  periodOfAccess,
  pricing,
  startsLater,
  type StoredPricing,
} from './sql.ts';

export interface StoredShare extends StoredPricing {
  id: number;
  member_id: number;
  asset_id: number;
  name: string;
  description: string;
  owner_id: number;
  owner: string;
  own: boolean;
  measured: boolean;
  allocation_hours: number;
  /** What it costs its member; of an offer, as if its access had begun. Null for past shares. */
  shown: AgreedTerms | null;
  /** What the member last said yes to; of an offer, what it showed when it was made. Null outside the promise. */
  agreed: AgreedTerms | null;
  used_seconds: number;
  created_at: Date;
  accepted_at: Date | null;
  /** When the member said yes to access that begins later. */
  promised_at: Date | null;
  /** First day of access if that is still to come. */
  starts_on: string | null;
  manager_since: Date | null;
  ended_at: Date | null;
  /** Whether it gives no access now, and offers none. */
  past: boolean;
  active_since: Date | null;
  last_used_at: Date | null;
  expires_at: Date;
  handover: StoredHandoverTerms | null;
  next_owner: { username: string; from_month: string } | null;
  /** How many members have access; null once it has begun. */
  members: number | null;
}

/** The id of the owner that share `sh` of asset `a` belongs to: the current owner, or the owner when it ended. */
const ownerOfShare = sql`case when sh.ended_at is null then a.owner_id else ${ownerAt(
  'a',
  sql`(sh.ended_at - interval '1 microsecond')`,
)} end`;

/**
 * Returns a member's open shares and offers, oldest first, with their use this month; or their past ones, of ended access or an
 * archived asset, with a month that isn't closed. Takes one statement for all of them.
 */
export async function readShares(
  db: Database,
  {
    memberId,
    shareId,
    past = false,
    own = shareId !== undefined,
    now,
    limit,
    after = 0,
  }: {
    memberId: number;
    shareId?: number;
    past?: boolean;
    /** Whether those of assets that the user owns are among them; by default, if one is asked for by its id. */
    own?: boolean;
    now: Date;
    limit: number;
    /** Only shares with higher ids. */
    after?: number | undefined;
  },
): Promise<StoredShare[]> {
  const { rows } = await sql<StoredShare>`
    select sh.id, sh.member_id, a.id as asset_id, a.name, a.description, o.id as owner_id, o.username as owner, sh.created_at,
      sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds, used.active_since, sh.own, p.measured,
      ${past ? sql`null` : sql`case when not sh.own then (select ${termsAsJson('shown')} from ${shownTerms('a', 'p', 'sh')} shown) end`} as shown,
      ${past ? sql`null` : sql`case when sh.accepted_at is null then ${shownByOffer('a', 'sh')} else ${agreedOfShare('sh')} end`} as agreed,
      ${lastUsedAt('sh', now)} as last_used_at, sh.accepted_at, sh.promised_at, ${startsLater('a', 'sh', now)} as starts_on, sh.manager_since, sh.ended_at, ${past}::boolean as past,
      ${pricing('a', 'p')}, ${offerExpiry('sh')} as expires_at,
      ${
        past
          ? sql`null as handover, null as next_owner`
          : sql`
            case when sh.accepted_at is not null then ${handoverToShare('a', 'p', 'sh', now)} end as handover,
            case when sh.accepted_at is not null then ${nextOwner('a', 'p', now)} end as next_owner`
      },
      case when sh.accepted_at is null then ${memberCount('a')} end as members
    from (
      select sh.* from shares sh
      join assets a on a.id = sh.asset_id
      where sh.member_id = ${memberId} and ${past ? isPast(now) : sql`${isOpenShare('sh', now)} and a.archived_at is null`}
        and sh.id > ${after} ${shareId === undefined ? sql`` : sql`and sh.id = ${shareId}`} ${own ? sql`` : sql`and not sh.own`}
      order by sh.id
      limit ${limit}
    ) sh
    join assets a on a.id = sh.asset_id
    join users o on o.id = ${ownerOfShare}
    cross join ${periodOfAccess('a', 'sh', now)} p
    cross join ${usedInPeriod('sh', 'p', now)} used
    order by sh.id`.execute(db);
  return rows;
}

/**
 * Condition: share `sh` of asset `a` no longer gives access, but its sessions in a month that isn't closed can be
 * edited.
 */
const isPast = (now: Date) => sql`
  sh.accepted_at is not null and (sh.ended_at is not null or a.archived_at is not null)
  and exists (
    select 1 from periods p
    where p.asset_id = a.id and p.closed_at is null and ${sharedDuringPeriod('sh', 'p')}
      and ${closesAt('p')} > ${now}::timestamptz and p.starts_at <= least(sh.ended_at, a.archived_at)
  )`;

interface ManagedAsset {
  ownerId: number;
  archived: boolean;
  measured: boolean;
}

/** Returns undefined if the user manages no such asset. */
export async function findManagedAsset(
  db: Database,
  { userId, assetId }: { userId: number; assetId: number },
  now: Date,
): Promise<ManagedAsset | undefined> {
  const { rows } = await sql<ManagedAsset>`
    select a.owner_id as "ownerId", a.archived_at is not null as archived, p.measured
    from assets a cross join ${currentPeriod('a', now)} p where a.id = ${assetId} and ${isManagedBy('a', userId)}`.execute(
    db,
  );
  return rows[0];
}

/** Locks an account until the transaction ends: nothing else gives it access meanwhile. */
export async function lockMember(db: Database, memberId: number): Promise<void> {
  await sql`select 1 from users where id = ${memberId} for no key update`.execute(db);
}

interface OffersTo {
  shared: boolean;
  offers: number;
  offersOfOwner: number;
  offersOfDay: number;
  trust: { maxCents: number | null; currency: string | null } | null;
  refused: boolean;
}

/**
 * Locks a member's account for offers to them until the transaction ends, so that their open offers can be counted; returns
 * whether they have a share or offer of the asset already, how many offers they have from anyone and from one owner, how many of
 * that owner's in the last 24 hours they haven't accepted, up to which amount they accept that owner's without being asked, and
 * whether they refuse that owner's or those of the user who makes this one.
 */
export async function lockOffersTo(
  db: Database,
  {
    assetId,
    memberId,
    ownerId,
    userId,
    now,
  }: { assetId: number; memberId: number; ownerId: number; userId: number; now: Date },
): Promise<OffersTo> {
  await lockMember(db, memberId);
  return onlyRow(
    sql<OffersTo>`
    select exists (
        select 1 from shares sh
        where sh.asset_id = ${assetId} and sh.member_id = ${memberId} and ${isOpenShare('sh', now)}
      ) as shared, count(*)::int as offers, (count(*) filter (where a.owner_id = ${ownerId}))::int as "offersOfOwner",
      (
        select count(*)::int from shares each join assets its on its.id = each.asset_id
        where each.member_id = ${memberId} and its.owner_id = ${ownerId} and each.accepted_at is null
          and each.promised_at is null and each.created_at > ${now}::timestamptz - interval '24 hours'
      ) as "offersOfDay",
      (
        select json_build_object('maxCents', max_cents, 'currency', currency) from trusted_owners
        where member_id = ${memberId} and owner_id = ${ownerId} and offers = 'accept'
      ) as trust,
      exists (
        select 1 from trusted_owners
        where member_id = ${memberId} and owner_id in (${ownerId}, ${userId}) and offers = 'refuse'
      ) as refused
    from shares sh join assets a on a.id = sh.asset_id
    where sh.member_id = ${memberId} and not ${isAgreedShare('sh')} and ${isOpenShare('sh', now)}`,
    db,
  );
}

/** Ends the co-manager role of members of an asset. */
export async function endManagersOf(db: Database, assetId: number): Promise<void> {
  await db
    .updateTable('shares')
    .set({ manager_since: null })
    .where('asset_id', '=', assetId)
    .where('manager_since', 'is not', null)
    .execute();
}

/** Returns whether a day is the first of an asset's next month. */
export async function isNextMonth(
  db: Database,
  { assetId, day, now }: { assetId: number; day: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from assets a cross join ${currentPeriod('a', now)} p
    where a.id = ${assetId} and (p.month + interval '1 month')::date = ${day}::date`.execute(db);
  return rows.length > 0;
}

/**
 * Adds a share, accepted or only offered, and returns its id. With a start day in the future, access begins then. Of concurrent
 * requests, the index on open shares lets one through and the others get `shared`; `asset_gone` or `member_gone` means that the asset
 * or the member has just been deleted, or the asset handed over.
 */
export async function insertShare(
  db: Database,
  {
    ownerId,
    counted = true,
    startsOn = null,
    ...share
  }: {
    assetId: number;
    /** The owner who gives it, unless the asset is locked. */
    ownerId?: number;
    memberId: number;
    allocationHours: number;
    accepted: boolean;
    startsOn?: string | null | undefined;
    /** Whether it counts toward the fullest moment; not if a co-manager adds it. */
    counted?: boolean;
    now: Date;
  },
): Promise<number | 'shared' | 'asset_gone' | 'member_gone'> {
  const agreedAt = sql`${share.accepted ? share.now : null}::timestamptz`;
  const insert = sql<{ id: number | null }>`
    with asset as (
      -- locked, because a deletion that ends its shares must not miss this one
      select id from assets where id = ${share.assetId} and deleted_at is null
        ${ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`} for share
    ), added as (
      insert into shares (asset_id, member_id, monthly_hours_allocated, counted, created_at, starts_on, promised_at, accepted_at)
      select asset.id, ${share.memberId}, ${share.allocationHours}, ${counted}, ${share.now}::timestamptz, later.month,
        case when later.month is not null then ${agreedAt} end, case when later.month is null then ${agreedAt} end
      from asset
      left join periods later on later.asset_id = asset.id and later.month = ${startsOn}::date
        and later.starts_at > ${share.now}::timestamptz
      on conflict (asset_id, member_id) where ended_at is null do nothing
      returning *
    ), allowance as (${insertFirstAllowance(sql`added`)} where accepted_at is not null)
    select added.id from asset left join added on true`;
  try {
    const [row] = (await insert.execute(db)).rows;
    return row ? (row.id ?? 'shared') : 'asset_gone';
  } catch (error) {
    if (violates(error, 'shares_member_id_fkey')) return 'member_gone';
    throw error;
  }
}

/** Returns the shares of members with an account, except one, of a locked asset that was archived before an instant. */
export async function sharesToOfferAgain(
  db: Database,
  { assetId, actorId, before }: { assetId: number; actorId: number; before: Date },
): Promise<{ shareIds: number[]; archivedAt: Date }> {
  const { rows } = await sql<{ id: number; archivedAt: Date }>`
    select sh.id, a.archived_at as "archivedAt"
    from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
    where a.id = ${assetId} and a.archived_at < ${before}::timestamptz and sh.ended_at is null and ${isAgreedShare('sh')}
      and not sh.own and m.email is not null and m.id <> ${actorId}
    order by sh.id`.execute(db);
  return { shareIds: rows.map(({ id }) => id), archivedAt: rows[0]?.archivedAt ?? before };
}

/** Offers again what shares that have just ended gave, except to people who refuse the owner's offers. Returns the offers. */
export async function insertOffersAgain(
  db: Database,
  shareIds: number[],
  now: Date,
): Promise<{ id: number; hours: number }[]> {
  const { rows } = await sql<{ id: number; hours: number }>`
    insert into shares (asset_id, member_id, monthly_hours_allocated, counted, created_at, starts_on)
    select sh.asset_id, sh.member_id, sh.monthly_hours_allocated, sh.counted, ${now}::timestamptz, sh.starts_on
    from shares sh join assets a on a.id = sh.asset_id
    where sh.id = any(${shareIds}::bigint[]) and not exists (
      select 1 from trusted_owners where member_id = sh.member_id and owner_id = a.owner_id and offers = 'refuse')
    order by sh.id
    on conflict (asset_id, member_id) where ended_at is null do nothing
    returning id, monthly_hours_allocated as hours`.execute(db);
  return rows;
}

/** Returns the asset of a share. */
export async function assetOfShare(db: Database, shareId: number): Promise<number> {
  const { asset_id: assetId } = await db
    .selectFrom('shares')
    .select('asset_id')
    .where('id', '=', shareId)
    .executeTakeFirstOrThrow();
  return assetId;
}

/** Returns a member's open shares that they said yes to, also those that give access later. */
export async function openSharesOf(db: Database, memberId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from shares sh where member_id = ${memberId} and not own and ${isAgreedShare('sh')} and ended_at is null
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Transfers all of a user's shares, except those objected to, to another user, who has no shares of the same assets. */
export async function moveShares(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await db
    .updateTable('shares')
    .set({ member_id: to })
    .where('member_id', '=', from)
    .where('objected_at', 'is', null)
    .execute();
}

/** Returns the users who share an asset with a user, or have since its last closed month, also if it was the user's only then. */
export async function usersAround(db: Database, userIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with owned as (
      select id as asset_id from assets where owner_id = any(${userIds}::bigint[])
      union select asset_id from periods where owner_id = any(${userIds}::bigint[]) and closed_at is null
    )
    select a.owner_id as id from assets a join shares sh on sh.asset_id = a.id
    where sh.member_id = any(${userIds}::bigint[]) and not sh.own
    union select a.owner_id from assets a join owned on owned.asset_id = a.id
    union select member_id from shares join owned using (asset_id) where not own`.execute(db);
  return rows.map(({ id }) => id).filter((id) => !userIds.includes(id));
}

/** Condition: a row of `users` has no asset, no open month, and no share. */
export const holdsNothing = sql<boolean>`(
  not exists (select 1 from assets where owner_id = users.id)
  and not exists (select 1 from periods where owner_id = users.id and closed_at is null)
  and not exists (select 1 from shares where member_id = users.id))`;

interface ShareOfMember {
  shareId: number;
  memberId: number;
}

const isShareOfMember = ({ shareId, memberId }: ShareOfMember, now: Date) => sql`
  sh.id = ${shareId} and sh.member_id = ${memberId} and ${isOpenShare('sh', now)}`;

/**
 * Locks a member's share or offer, first its asset, in the order in which a session's start does. Returns whether they said yes to it;
 * undefined if they have none or its asset is archived.
 */
export async function lockShareOfMember(
  db: Database,
  share: ShareOfMember,
  now: Date,
): Promise<{ accepted: boolean } | undefined> {
  const { rows } = await sql<{ accepted: boolean }>`
    select ${isAgreedShare('sh')} as accepted
    from shares sh join assets a on a.id = sh.asset_id
    where ${isShareOfMember(share, now)} and a.archived_at is null
    for share of a for no key update of sh`.execute(db);
  return rows[0];
}

/** An insert of the first allowances of accepted shares. */
export const insertFirstAllowance = (shares: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
  select id, accepted_at, monthly_hours_allocated, monthly_hours_allocated,
    case when counted then monthly_hours_allocated else 0 end
  from ${shares}`;

/** Accepts a locked offer, with the hours it offers as the allowance from now on, or from the day on which it starts. */
export async function acceptOffer(db: Database, shareId: number, now: Date): Promise<void> {
  await sql`
    with accepted as (
      update shares sh set
        promised_at = case when later.starts_on is not null then ${now}::timestamptz end,
        accepted_at = case when later.starts_on is null then greatest(sh.created_at, ${now}::timestamptz) end
      from (
        select ${startsLater('a', 'sh', now)} as starts_on from shares sh join assets a on a.id = sh.asset_id where sh.id = ${shareId}
      ) later
      where sh.id = ${shareId} and sh.accepted_at is null and sh.ended_at is null
      returning sh.*
    )
    ${insertFirstAllowance(sql`accepted`)} where accepted_at is not null`.execute(db);
}

export interface StoredHistory {
  id: number;
  asset_name: string;
  owner: string;
  own: boolean;
  monthly_hours_allocated: number;
  offered_at: Date;
  accepted_at: Date | null;
  ended_at: Date | null;
  /** Oldest first. Instants are as JSON writes them. */
  allowances: { since: string; monthly_hours: number }[];
}

/** Returns a member's shares and offers, open or ended, after an id. */
export async function readAllShares(
  db: Database,
  { memberId, limit, after = 0 }: { memberId: number; limit: number; after?: number | undefined },
): Promise<StoredHistory[]> {
  const { rows } = await sql<StoredHistory>`
    select sh.id, a.name as asset_name, o.username as owner, sh.own, sh.monthly_hours_allocated, sh.created_at as offered_at,
      sh.accepted_at, sh.ended_at, coalesce((
        select json_agg(json_build_object('since', since, 'monthly_hours', monthly_hours) order by since)
        from allowances where share_id = sh.id
      ), '[]'::json) as allowances
    from shares sh join assets a on a.id = sh.asset_id join users o on o.id = a.owner_id
    where sh.member_id = ${memberId} and sh.id > ${after}
    order by sh.id limit ${limit}`.execute(db);
  return rows;
}

export interface ManagedShare {
  /** The owner or a co-manager of the asset. */
  userId: number;
  assetId: number;
  shareId: number;
}

const isOpenShareOf = ({ assetId, shareId }: ManagedShare, now: Date, manages: RawBuilder<boolean>) => sql<boolean>`
  sh.id = ${shareId} and not sh.own and ${isOpenShare('sh', now)} and sh.asset_id = ${assetId}
  and exists (select 1 from assets a where a.id = sh.asset_id and ${manages})`;

const isDecidedShare = (share: ManagedShare, now: Date) =>
  isOpenShareOf(share, now, sql`a.deleted_at is null and ${mayManageShare('a', 'sh', share.userId)}`);

/** Returns whether an open share of an asset that a user manages belongs to a person without an account; undefined if there is none. */
export async function findManagedShare(
  db: Database,
  share: ManagedShare,
  now: Date,
): Promise<{ person: boolean } | undefined> {
  const { rows } = await sql<{ person: boolean }>`
    select m.host_id is not null as person from shares sh join users m on m.id = sh.member_id
    where ${isOpenShareOf(share, now, isManagedBy('a', share.userId))}`.execute(db);
  return rows[0];
}

interface ShareToManage {
  ownerId: number;
  memberId: number;
  /** Whether its member could co-manage the asset. */
  fit: boolean;
  manager: boolean;
  /** The asset's number of co-managers. */
  managers: number;
}

/** Locks an asset that a user manages, and returns what decides who may co-manage it; undefined if the open share doesn't exist. */
export async function lockShareToManage(
  db: Database,
  share: ManagedShare,
  now: Date,
): Promise<ShareToManage | undefined> {
  const [found] = await lockThenRead(
    db,
    sql`
      select 1 from assets a where a.id = ${share.assetId} and ${isManagedBy('a', share.userId)}
      for no key update of a`,
    sql<ShareToManage>`
      select a.owner_id as "ownerId", sh.member_id as "memberId",
        sh.accepted_at is not null and m.host_id is null as fit, sh.manager_since is not null as manager,
        (select count(*) from shares each
          where each.asset_id = a.id and each.manager_since is not null and each.ended_at is null)::int as managers
      from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
      where ${isOpenShareOf(share, now, isManagedBy('a', share.userId))}`,
  );
  return found;
}

/** Starts or ends the co-manager role of an open share's member. The asset must be locked. Returns false if the share has just ended. */
export async function setManager(
  db: Database,
  { shareId, manager, now }: { shareId: number; manager: boolean; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shares set manager_since = ${manager ? now : null}::timestamptz
    where id = ${shareId} and ended_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** Locks a share whose allowances are about to change, so that the change sees those before it. */
const lockOf = ({ shareId }: ManagedShare) => sql`select 1 from shares where id = ${shareId} for no key update`;

/** Condition: hours of an allowance cost something by a row of terms. */
const paysForHours = (row: string) => sql<boolean>`(
  ${sql.ref(`${row}.split_method`)} = 'allocation'
  or ${sql.ref(`${row}.split_method`)} <> 'equal' and ${sql.ref(`${row}.base_percent`)} > 0)`;

/**
 * Changes a share's allowance and, once it is accepted, records when that takes effect, with how much of it the member has agreed to
 * and how much counts toward the fullest moment: not what a co-manager adds. Returns the one before; undefined if there is no open
 * share with this id about which the user may decide.
 */
export async function setAllowance(
  db: Database,
  share: ManagedShare,
  { allocationHours, now }: { allocationHours: number; now: Date },
): Promise<number | undefined> {
  const change = sql<{ hours: number }>`
    with before as (
      select sh.id, sh.monthly_hours_allocated as hours,
        -- a yes to later access was to fewer hours, and someone without an account can't give another
        sh.promised_at is not null and sh.accepted_at is null and ${allocationHours} > sh.monthly_hours_allocated
          and m.host_id is null as asked_again
      from shares sh join users m on m.id = sh.member_id where sh.id = ${share.shareId}
    ), changed as (
      update shares sh set monthly_hours_allocated = ${allocationHours},
        -- an offer, too, counts as far as the owner made it
        counted = by.owner or sh.counted and ${allocationHours} <= before.hours,
        promised_at = case when not before.asked_again then sh.promised_at end,
        created_at = case when before.asked_again then ${now}::timestamptz else sh.created_at end
      from before cross join lateral (
        select exists (
          select 1 from shares of_owner join assets a on a.id = of_owner.asset_id
          where of_owner.id = before.id and a.owner_id = ${share.userId}
        ) as owner
      ) by
      where before.id = sh.id and ${isDecidedShare(share, now)}
      returning sh.id, sh.asset_id, sh.accepted_at, before.hours, by.owner as by_owner
    ), allowance as (
      insert into allowances as known (share_id, since, monthly_hours, agreed_hours, counted_hours)
      -- never before the allowance it replaces, even if the clock was set back
      select id, greatest(${now}::timestamptz, last.since), ${allocationHours},
        case when cost.is_free then ${allocationHours} else least(${allocationHours}, last.agreed_hours) end,
        case when by_owner then ${allocationHours} else least(${allocationHours}, last.counted_hours) end
      from changed
      cross join lateral (
        select since, agreed_hours, counted_hours from allowances where share_id = changed.id order by since desc limit 1
      ) last
      cross join lateral (
        -- more hours need a yes only where they cost more, by the terms or by what was agreed to, and on a server that asks
        select not exists (
          select 1 from (
            select split_method, base_percent from agreements
            where share_id = changed.id and agreed_at is not null order by agreed_at desc, id desc limit 1
          ) agreed
          where ${paysForHours('p')} or ${paysForHours('agreed')}
        ) as is_free
        from assets a cross join ${currentPeriod('a', now)} p where a.id = changed.asset_id
      ) cost
      where accepted_at is not null
      on conflict (share_id, since) do update set monthly_hours = excluded.monthly_hours,
        agreed_hours = excluded.agreed_hours, counted_hours = excluded.counted_hours
    )
    select hours from changed`;
  const [before] = await lockThenRead(db, lockOf(share), change);
  return before?.hours;
}

/**
 * Counts all hours of a share of an owner's asset toward the fullest moment from now on, also what a co-manager added. Returns false if
 * there is no such open share.
 */
export async function countAllHours(db: Database, share: ManagedShare, now: Date): Promise<boolean> {
  const count = sql`
    with changed as (
      update shares sh set counted = true
      where ${isOpenShareOf(share, now, sql`a.deleted_at is null and a.owner_id = ${share.userId}`)}
      returning sh.id
    ), allowance as (
      insert into allowances as known (share_id, since, monthly_hours, agreed_hours, counted_hours)
      select share_id, greatest(${now}::timestamptz, since), monthly_hours, agreed_hours, monthly_hours
      from changed cross join lateral (
        select * from allowances where share_id = changed.id order by since desc limit 1
      ) last
      where counted_hours < monthly_hours
      on conflict (share_id, since) do update set counted_hours = excluded.counted_hours
    )
    select 1 from changed`;
  return (await lockThenRead(db, lockOf(share), count)).length > 0;
}

/** Which open shares and offers `sh` end. */
export const openShares = {
  /** One about which a user may decide. */
  managed: (share: ManagedShare, now: Date) => isDecidedShare(share, now),
  /** A member's; with `offered`, only if they haven't accepted it. An owner doesn't leave, but takes no part. */
  leaving: ({ offered = false, ...share }: ShareOfMember & { offered?: boolean }, now: Date) =>
    sql<boolean>`(${isShareOfMember(share, now)} and not sh.own and ${offered ? sql`sh.accepted_at is null` : sql`true`})`,
  /** The owner's own. */
  ofOwner: (assetId: number) => sql<boolean>`(sh.asset_id = ${assetId} and sh.own)`,
  ofMember: (memberId: number) => sql<boolean>`sh.member_id = ${memberId}`,
  ofAsset: (assetId: number) => sql<boolean>`sh.asset_id = ${assetId}`,
  /** A person's to assets that are archived, about which someone who joins hasn't been asked. */
  archived: (guestId: number) => sql<boolean>`(sh.member_id = ${guestId}
    and exists (select 1 from assets a where a.id = sh.asset_id and a.archived_at is not null))`,
  /** What an owner gave since an instant: offers, access that began then, and access of people whom they added. */
  gifts: ({ assetId, ownerId, since }: { assetId: number; ownerId: number; since: Date }) => sql<boolean>`(
    sh.asset_id = ${assetId} and not sh.own and (sh.accepted_at is null or sh.accepted_at >= ${since}::timestamptz
      or exists (select 1 from users m where m.id = sh.member_id and m.host_id = ${ownerId})))`,
  offers: ({ assetId, memberId }: { assetId: number; memberId: number }) => sql<boolean>`(
    sh.asset_id = ${assetId} and sh.member_id = ${memberId} and sh.accepted_at is null)`,
  offersOfOwner: ({ ownerId, memberId }: { ownerId: number; memberId: number }) => sql<boolean>`(
    sh.member_id = ${memberId} and not ${isAgreedShare('sh')}
    and exists (select 1 from assets a where a.id = sh.asset_id and a.owner_id = ${ownerId}))`,
  expiredOffers: (now: Date) => isExpiredOffer('sh', now),
  some: (shareIds: number[]) => sql<boolean>`sh.id = any(${shareIds}::bigint[])`,
};

export interface EndedShare {
  shareId: number;
  assetId: number;
}

/** Ends shares and offers at an instant: none before it began, and no offer after it expired. Returns them. */
export async function endShares(db: Database, which: RawBuilder<boolean>, at: Date): Promise<EndedShare[]> {
  const { rows } = await sql<EndedShare>`
    update shares sh set ended_at = case when not ${isAgreedShare('sh')}
      then least(${offerExpiry('sh')}, greatest(sh.created_at, ${at}::timestamptz))
      else greatest(sh.created_at, sh.accepted_at, ${at}::timestamptz) end
    where sh.ended_at is null and ${which}
    returning sh.id as "shareId", sh.asset_id as "assetId"`.execute(db);
  return rows;
}
