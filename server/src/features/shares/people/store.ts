import { CLAIM_SESSIONS_SHOWN } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { onlyRow } from '../../../platform/database/only-row.ts';
import { isOwnedBy } from '../../assets/sql.ts';
import { sharedDuringPeriod } from '../../periods/sql.ts';
import { shownTerms, termsAsJson, type StoredJoining } from '../agreements/sql.ts';
import { insertFirstAllowance } from '../allowances/store.ts';
import { accessInPeriod, memberCount, periodOfAccess, pricing, startsLater, type StoredPricing } from '../sql.ts';

/** Returns how many other people without an account an owner, who is locked, gives access to. */
export async function countOtherPeople(
  db: Database,
  { ownerId, guestId }: { ownerId: number; guestId: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct sh.member_id)::int as count
    from users p join shares sh on sh.member_id = p.id and sh.ended_at is null
    where p.host_id = ${ownerId} and p.id <> ${guestId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface ShareOfGuest {
  ownerId: number;
  assetId: number;
  shareId: number;
}

/**
 * Locks the person without an account who has an open share of an owner's asset, and returns their id; undefined if there is
 * no such share, also because the person has just joined.
 */
export async function lockGuest(
  db: Database,
  { ownerId, assetId, shareId }: ShareOfGuest,
): Promise<number | undefined> {
  const find = (lock = sql``) =>
    sql<{ id: number }>`
      select m.id
      from shares sh join assets a on a.id = sh.asset_id join users m on m.id = sh.member_id
      where sh.id = ${shareId} and sh.ended_at is null and a.id = ${assetId} and ${isOwnedBy('a', ownerId)}
        and m.host_id = ${ownerId} ${lock}`;
  return (await lockThenRead(db, find(sql`for no key update of m`), find()))[0]?.id;
}

/** Stores a locked person's link, instead of an earlier one. */
export async function putClaim(
  db: Database,
  { guestId, tokenHash, now, expiresAt }: { guestId: number; tokenHash: string; now: Date; expiresAt: Date },
): Promise<void> {
  const claim = { token_hash: tokenHash, created_at: now, expires_at: expiresAt };
  await db
    .insertInto('claims')
    .values({ guest_id: guestId, ...claim })
    .onConflict((conflict) => conflict.column('guest_id').doUpdateSet(claim))
    .execute();
}

export async function deleteClaim(db: Database, guestId: number): Promise<void> {
  await db.deleteFrom('claims').where('guest_id', '=', guestId).execute();
}

/** Deletes the links that a user made for people without an account. */
export async function deleteClaimsOfHost(db: Database, hostId: number): Promise<void> {
  await db
    .deleteFrom('claims')
    .where('guest_id', 'in', (inner) => inner.selectFrom('users').select('id').where('host_id', '=', hostId))
    .execute();
}

export async function deleteExpiredClaims(db: Database, passedTime: Date): Promise<void> {
  await db.deleteFrom('claims').where('expires_at', '<=', passedTime).execute();
}

export interface StoredClaim {
  guestId: number;
  username: string;
  owner: string;
  expiresAt: Date;
}

/** What a person has access to, now or from a later day on. */
export interface ClaimedAsset extends StoredPricing, StoredJoining {
  id: number;
  asset_name: string;
  allocation_hours: number;
}

/** Condition: share `sh` is a person's, and no one has objected to what was recorded in it. */
const isClaimed = (guestId: number) => sql`sh.member_id = ${guestId} and sh.objected_at is null`;

/** Condition: a person has access to anything that isn't archived; without it, their link leads nowhere. */
const hasAccess = (guestId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from shares sh join assets a on a.id = sh.asset_id
  where sh.member_id = ${guestId} and sh.ended_at is null and a.archived_at is null)`;

/** Returns whether a link for a person would lead anywhere. */
export async function canJoin(db: Database, guestId: number): Promise<boolean> {
  const { rows } = await sql`select 1 where ${hasAccess(sql`${guestId}::bigint`)}`.execute(db);
  return rows.length > 0;
}

/** Returns the open claim with this token, as long as its person has access to anything. */
export async function findClaim(
  db: Database,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<StoredClaim | undefined> {
  const { rows } = await sql<StoredClaim>`
    select m.id as "guestId", m.username, o.username as owner, c.expires_at as "expiresAt"
    from claims c join users m on m.id = c.guest_id join users o on o.id = m.host_id
    where c.token_hash = ${tokenHash} and c.expires_at > ${now}::timestamptz and ${hasAccess(sql`m.id`)}`.execute(db);
  return rows[0];
}

/** Returns what a person has access to that isn't archived, by name. */
export async function claimedAssets(db: Database, guestId: number, now: Date): Promise<ClaimedAsset[]> {
  const { rows } = await sql<ClaimedAsset>`
    select sh.id, a.name as asset_name, sh.monthly_hours_allocated as allocation_hours, ${pricing('a', 'p')},
      p.measured, (select ${termsAsJson('shown')} from ${shownTerms('a', 'p', 'sh')} shown) as shown, ${startsLater('a', 'sh', now)} as starts_on,
      -- others, because they will be one of them
      ${memberCount('a')} - (sh.accepted_at is not null)::int as members
    from shares sh join assets a on a.id = sh.asset_id cross join ${periodOfAccess('a', 'sh', now)} p
    where sh.member_id = ${guestId} and sh.ended_at is null and a.archived_at is null
    order by lower(a.name), sh.id`.execute(db);
  return rows;
}

/** Returns how many sessions were recorded for a person, and their seconds. */
export const countClaimed = (db: Database, guestId: number): Promise<{ sessions: number; seconds: number }> =>
  onlyRow(
    sql<{ sessions: number; seconds: number }>`
      select count(s.id)::int as sessions,
        coalesce(sum(extract(epoch from s.ended_at - s.started_at)), 0)::bigint as seconds
      from shares sh join sessions s on s.share_id = sh.id
      where ${isClaimed(guestId)}`,
    db,
  );

export interface ClaimedSession {
  asset_name: string;
  started_at: Date;
  ended_at: Date;
}

/** Returns the sessions that were last recorded for a person, newest first. */
export async function latestClaimed(db: Database, guestId: number): Promise<ClaimedSession[]> {
  const { rows } = await sql<ClaimedSession>`
    select a.name as asset_name, s.started_at, s.ended_at
    from shares sh join sessions s on s.share_id = sh.id join assets a on a.id = sh.asset_id
    where ${isClaimed(guestId)}
    order by s.started_at desc, s.id desc limit ${CLAIM_SESSIONS_SHOWN}`.execute(db);
  return rows;
}

export interface ClaimedCharges {
  currency: string;
  count: number;
  cents: number;
}

/** Returns what a person hasn't paid of closed months, by currency. */
export async function claimedCharges(db: Database, guestId: number): Promise<ClaimedCharges[]> {
  // The index names the first bound on what is settled.
  const { rows } = await sql<ClaimedCharges>`
    select st.currency, count(*)::int as count, sum(l.amount_cents - l.settled_cents)::bigint as cents
    from statement_lines l join statements st on st.id = l.statement_id
    where l.user_id = ${guestId} and l.role = 'member' and l.paid_at is null
      and l.settled_cents < abs(l.amount_cents) and l.settled_cents < l.amount_cents
    group by st.currency order by st.currency`.execute(db);
  return rows;
}

/** Returns everything that decides what a person's open months will cost, as text by month. */
export async function claimedMonths(db: Database, guestId: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select json_build_array(p.asset_id, p.month, p.price_cents, p.unbilled, p.split_method, p.base_percent,
      p.owner_hours, access.days, access.summed_hours, used.list, spent.list)::text as month
    from periods p
    cross join ${accessInPeriod('p', sql`sh.asset_id = p.asset_id and ${isClaimed(guestId)}`)} access
    left join lateral (
      select json_agg(json_build_array(s.started_at, s.ended_at) order by s.id) as list
      from shares sh join sessions s on s.share_id = sh.id
      where sh.asset_id = p.asset_id and ${isClaimed(guestId)} and s.started_at < p.ends_at and s.ended_at > p.starts_at
    ) used on true
    left join lateral (
      select json_agg(json_build_array(c.id, c.status, v.version) order by c.id, v.version) as list
      from costs c join cost_versions v on v.cost_id = c.id
      where c.asset_id = p.asset_id and c.month = p.month
    ) spent on true
    where p.closed_at is null and p.starts_at <= ${now}::timestamptz and exists (
      select 1 from shares sh where sh.asset_id = p.asset_id and ${isClaimed(guestId)} and ${sharedDuringPeriod('sh', 'p')})
    order by p.asset_id, p.month`.execute(db);
  return rows.map(({ month }) => month);
}

/**
 * Locks the person of a claim and the account that takes it until the transaction ends: neither gets access to anything
 * meanwhile, and of concurrent claims, the others wait for the first and then find the claim gone.
 */
export async function lockClaim(
  db: Database,
  { tokenHash, memberId }: { tokenHash: string; memberId: number },
): Promise<{ guestId: number; ownerId: number; hasMember: boolean } | undefined> {
  await sql`
    select 1 from users
    where id in ((select guest_id from claims where token_hash = ${tokenHash}), ${memberId})
    order by id for no key update`.execute(db);
  const { rows } = await sql<{ guestId: number; ownerId: number; hasMember: boolean }>`
    select m.id as "guestId", m.host_id as "ownerId",
      exists (select 1 from users where id = ${memberId}) as "hasMember"
    from claims c join users m on m.id = c.guest_id
    where c.token_hash = ${tokenHash}`.execute(db);
  return rows[0];
}

/** Locks the assets that a person has or had access to, so that none of their months closes. Returns their ids. */
export async function lockAssetsOfGuest(db: Database, guestId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from assets where id in (select asset_id from shares where member_id = ${guestId})
    order by id for no key update`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns whether an account and a person had access to one asset in the same month, or are in the same statement. */
export async function sharesAMonth(
  db: Database,
  { guestId, memberId }: { guestId: number; memberId: number },
): Promise<boolean> {
  const monthsOf = (userId: number) => sql`
    select p.asset_id, p.month
    from shares sh join periods p on p.asset_id = sh.asset_id and ${sharedDuringPeriod('sh', 'p')}
    where sh.member_id = ${userId} and sh.accepted_at is not null and sh.objected_at is null`;
  const statementsOf = (userId: number) => sql`
    select statement_id from statement_lines where user_id = ${userId}`;
  const { rows } = await sql`
    select 1 where exists (${monthsOf(guestId)} intersect ${monthsOf(memberId)})
      or exists (${statementsOf(guestId)} intersect ${statementsOf(memberId)})`.execute(db);
  return rows.length > 0;
}

/**
 * Gives an account the shares of a person that have just ended; what it has access to already stays as it is. The account objects to
 * all of the person's shares. The assets are locked. Returns the ids of the account's new shares.
 */
export async function replaceShares(
  db: Database,
  { guestId, memberId, shareIds, now }: { guestId: number; memberId: number; shareIds: number[]; now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with objected as (
      update shares set objected_at = ${now}::timestamptz where member_id = ${guestId} and objected_at is null
    ), added as (
      insert into shares (asset_id, member_id, monthly_hours_allocated, counted, created_at, starts_on, promised_at, accepted_at)
      select asset_id, ${memberId}, monthly_hours_allocated, counted, ended_at, starts_on,
        case when accepted_at is null then ended_at end, case when accepted_at is not null then ended_at end
      from shares
      where id = any(${shareIds}::bigint[])
      order by asset_id
      on conflict (asset_id, member_id) where ended_at is null do nothing
      returning *
    ), allowance as (${insertFirstAllowance(sql`added`)} where accepted_at is not null)
    select id from added order by id`.execute(db);
  return rows.map(({ id }) => id);
}
