import type { SharedAsset } from '@hourshare/contract/shares';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { closesAt, ownerAt, sharedDuringPeriod } from '../periods/sql.ts';
import { lastUsedAt, usedInPeriod } from '../usage/sql.ts';
import { agreedOfShare, type AgreedTerms, shownByOffer, shownTerms, termsAsJson, termsAt } from './agreements/sql.ts';
import { handoverToShare, isHandedOver, nextOwner, type StoredHandoverTerms } from './handovers/sql.ts';
import {
  isAgreedShare,
  isOpenShare,
  memberCount,
  metersOf,
  offerExpiry,
  periodOfAccess,
  presentLevel,
  pricing,
  startsLater,
  type StoredPricing,
  countedBy,
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
  /** The meter that counts what it uses; null without one, and for past shares. */
  recorded_by: string | null;
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
  ends_on: string | null;
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
  /** What would record its member's use; null once access has begun. */
  meters: NonNullable<SharedAsset['offer']>['meters'] | null;
}

/** The id of the owner that share `sh` of asset `a` belongs to: the current owner, or the owner when it ended. */
const ownerOfShare = sql`case when sh.ended_at is null then a.owner_id else ${ownerAt(
  'a',
  sql`(sh.ended_at - interval '1 microsecond')`,
)} end`;

interface Listing {
  memberId: number;
  shareId: number | null;
  now: Date;
  limit: number;
  after: number;
}

/** What is read only for offers, and for shares whose asset changes this month, has a meter they answered, or has a handover. */
type Details = Pick<StoredShare, 'recorded_by' | 'handover' | 'next_owner' | 'members' | 'meters'>;

type ListedShare = Omit<StoredShare, keyof Details> & { detailed: boolean };

/** A statement that reads a member's shares: open or past, one or all, with or without those of assets that the member owns. */
const listStatement = ({ past, one, own }: { past: boolean; one: boolean; own: boolean }) =>
  prepared<Listing, ListedShare>(
    ({ memberId, shareId, now, limit, after }) => sql`
    with listed as materialized (
      select sh.*, p.month
      from (
        select sh.* from shares sh
        join assets a on a.id = sh.asset_id
        where sh.member_id = ${memberId} and ${past ? isPast(now) : sql`${isOpenShare('sh', now)} and a.archived_at is null`}
          and sh.id > ${after} ${one ? sql`and sh.id = ${shareId}` : sql``} ${own ? sql`` : sql`and not sh.own`}
        order by sh.id
        limit ${limit}
      ) sh
      join assets a on a.id = sh.asset_id
      cross join ${periodOfAccess('a', 'sh', now)} p
    )
    select sh.id, sh.member_id, a.id as asset_id, a.name, a.description, o.id as owner_id, o.username as owner, sh.created_at,
      sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds, used.active_since, sh.own, p.measured,
      ${past ? sql`null` : sql`case when not sh.own then (select ${termsAsJson('shown')} from (select ${presentTerms}) shown) end`} as shown,
      ${past ? sql`null` : agreedOfShare('sh')} as agreed,
      ${lastUsedAt('sh', now)} as last_used_at, sh.accepted_at, sh.promised_at, ${startsLater('a', 'sh', now)} as starts_on, a.ends_on, sh.manager_since, sh.ended_at, ${past}::boolean as past,
      ${pricing('a', 'p')}, ${offerExpiry('sh')} as expires_at,
      ${
        past
          ? sql`false`
          : sql`(sh.accepted_at is null or level.changes or ${isHandedOver('a')}
        or exists (select 1 from meter_members where share_id = sh.id))`
      } as detailed
    from listed sh
    join assets a on a.id = sh.asset_id
    join periods p on p.asset_id = sh.asset_id and p.month = sh.month
    join users o on o.id = ${ownerOfShare}
    cross join ${usedInPeriod('sh', 'p', now)} used
    ${past ? sql`` : sql`cross join ${presentLevel('a', 'p')} level`}
    order by sh.id`,
  );

const presentTerms = termsAt('p', 'sh', {
  totalHours: sql`p.owner_hours + level.hours`,
  places: sql`1 + level.members`,
});

const readDetails = prepared<
  { shareIds: number[]; offerIds: number[]; now: Date },
  Details & Pick<StoredShare, 'id' | 'shown'> & { shown_by_offer: AgreedTerms | null }
>(
  ({ shareIds, offerIds, now }) => sql`
    select sh.id, case when not sh.own then (select ${termsAsJson('shown')} from ${shownTerms('a', 'p', 'sh')} shown) end as shown,
      case when offer.listed then ${shownByOffer('a', 'sh')} end as shown_by_offer,
      ${countedBy('sh', now)} as recorded_by,
      case when not offer.listed then ${handoverToShare('a', 'p', 'sh', now)} end as handover,
      case when not offer.listed then ${nextOwner('a', 'p', now)} end as next_owner,
      case when offer.listed then ${memberCount('a')} end as members,
      case when offer.listed then ${metersOf('a')} end as meters
    from shares sh join assets a on a.id = sh.asset_id cross join ${periodOfAccess('a', 'sh', now)} p
    cross join lateral (select sh.id = any(${offerIds}::bigint[]) as listed) offer
    where sh.id = any(${shareIds}::bigint[])`,
);

const NO_DETAILS: Details = { recorded_by: null, handover: null, next_owner: null, members: null, meters: null };

const variants = (past: boolean) => ({
  one: listStatement({ past, one: true, own: true }),
  all: listStatement({ past, one: false, own: true }),
  others: listStatement({ past, one: false, own: false }),
});
const listStatements = { open: variants(false), past: variants(true) };

/** Without its share if that vanished while it was read. */
export interface FoundShare {
  id: number;
  share?: StoredShare;
}

interface WhichShares {
  memberId: number;
  shareId?: number;
  past?: boolean;
  /** Whether those of assets that the user owns are among them, as one that is asked for by its id is. */
  own?: boolean;
  now: Date;
  limit: number;
  /** Only shares with higher ids. */
  after?: number | undefined;
}

/** Returns the shares that `readListedShares` found and that still exist. */
export const readShares = async (db: Database, which: WhichShares): Promise<StoredShare[]> =>
  (await readListedShares(db, which)).flatMap(({ share }) => share ?? []);

/**
 * Returns a member's open shares and offers, oldest first, with their use this month; or their past ones, of ended access or an
 * archived asset, with a month that isn't closed. Takes one statement, and a second for the few shares that need `Details`.
 */
export async function readListedShares(
  db: Database,
  { memberId, shareId, past = false, own = false, now, limit, after = 0 }: WhichShares,
): Promise<FoundShare[]> {
  const statements = listStatements[past ? 'past' : 'open'];
  const read = shareId === undefined ? statements[own ? 'all' : 'others'] : statements.one;
  const rows = await read(db, { memberId, shareId: shareId ?? null, now, limit, after });
  const detailed = rows.filter((row) => row.detailed);
  const shareIds = detailed.map(({ id }) => id);
  // An offer may be accepted between the statements: what the first one saw holds.
  const offerIds = detailed.flatMap(({ id, accepted_at: at }) => (at === null ? id : []));
  const details = new Map(
    (detailed.length > 0 ? await readDetails(db, { shareIds, offerIds, now }) : []).map((each) => [each.id, each]),
  );
  // Details are added to the rows, because a copy of each would take a tenth of the time of a list.
  return rows.map((row) => {
    const { id } = row;
    if (!row.detailed) return { id, share: Object.assign(row, NO_DETAILS) };
    const found = details.get(id);
    if (!found) return { id };
    const { shown_by_offer: agreed, ...more } = found;
    return { id, share: Object.assign(row, more, row.accepted_at === null ? { agreed } : {}) };
  });
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

/** Locks an account until the transaction ends: nothing else gives it access meanwhile. */
export async function lockMember(db: Database, memberId: number): Promise<void> {
  await sql`select 1 from users where id = ${memberId} for no key update`.execute(db);
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
