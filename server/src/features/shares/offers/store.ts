import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/failure.ts';
import { onlyRow } from '../../../platform/database/only-row.ts';
import { currentPeriod } from '../../periods/sql.ts';
import { insertFirstAllowance } from '../allowances/store.ts';
import { isAgreedShare, isOpenShare, isShareOfMember, type ShareOfMember, startsLater } from '../sql.ts';
import { lockMember } from '../store.ts';

interface OffersTo {
  shared: boolean;
  offers: number;
  offersOfOwner: number;
  offersOfDay: number;
  trust: { maxCents: number; currency: string } | null;
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
    where ${isShareOfMember('sh', share, now)} and a.archived_at is null
    for share of a for no key update of sh`.execute(db);
  return rows[0];
}

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
