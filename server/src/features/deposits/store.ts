import { sql, type RawBuilder } from 'kysely';
import type { Names } from '../../causes.ts';
import type { Database } from '../../platform/database/database.ts';
import { renamedGuest } from '../accounts/guests/sql.ts';
import { isManagedBy } from '../assets/sql.ts';
import { isAgreedShare } from '../shares/sql.ts';
import type { DepositState } from './rules.ts';

/** Where a deposit is recorded: by an owner, of who gave it, or by a member, through their share. */
export type DepositPlace = { assetId: number; username: string } | { shareId: number };

/** An asset as someone finds it who records a deposit, with the two people. */
export interface DepositRoom {
  /** Of the asset. */
  id: number;
  name: string;
  currency: string;
  /** Whether the user owns it, rather than being a co-manager or a member. */
  owned: boolean;
  holder_id: number;
  holder_name: string;
  /** Null if the owner gave a name of which no one has or had access. */
  giver_id: number | null;
  giver_name: string | null;
  /** Whether the giver has an account. */
  has_account: boolean;
}

/** Returns the asset of a place; undefined if the user neither manages nor uses it. */
export async function findRoom(db: Database, place: DepositPlace, userId: number): Promise<DepositRoom | undefined> {
  const from =
    'assetId' in place
      ? sql`assets a left join users giver on lower(giver.username) = lower(${place.username}) and giver.id <> a.owner_id
          and exists (
            select 1 from shares sh
            where sh.asset_id = a.id and sh.member_id = giver.id and not sh.own and ${isAgreedShare('sh')})
        join users holder on holder.id = a.owner_id
        where a.id = ${place.assetId} and ${isManagedBy('a', userId)}`
      : sql`shares sh join assets a on a.id = sh.asset_id
        join users giver on giver.id = sh.member_id
        join users holder on holder.id = a.owner_id
        where sh.id = ${place.shareId} and sh.member_id = ${userId} and not sh.own and sh.ended_at is null
          and ${isAgreedShare('sh')} and a.deleted_at is null`;
  const { rows } = await sql<DepositRoom>`
    select a.id, a.name, a.currency, a.owner_id = ${userId} as owned, holder.id as holder_id,
      holder.username as holder_name, giver.id as giver_id, giver.username as giver_name, giver.email is not null as has_account
    from ${from}`.execute(db);
  return rows[0];
}

/** Locks who holds deposits until the transaction ends, so that they are counted and added one after another. */
export async function lockHolder(db: Database, userId: number): Promise<void> {
  await sql`select 1 from users where id = ${userId} for no key update`.execute(db);
}

/** Keeps an asset from being removed until the transaction ends. */
export async function lockAsset(db: Database, assetId: number): Promise<void> {
  await sql`select 1 from assets where id = ${assetId} for key share`.execute(db);
}

/** Returns how many deposits one person holds for another, or may. */
export async function countOpen(
  db: Database,
  { giverId, holderId }: { giverId: number; holderId: number },
): Promise<number> {
  const { count } = await db
    .selectFrom('deposits')
    .where('giver_id', '=', giverId)
    .where('holder_id', '=', holderId)
    .where('return_confirmed_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a deposit. Returns its id. */
export async function insertDeposit(
  db: Database,
  deposit: {
    assetId: number;
    assetName: string;
    giver: { id: number; name: string };
    holder: { id: number; name: string };
    amountCents: number;
    currency: string;
    byGiver: boolean;
    confirmed: boolean;
    now: Date;
  },
): Promise<number> {
  const { giver, holder, now } = deposit;
  const { id } = await db
    .insertInto('deposits')
    .values({
      asset_id: deposit.assetId,
      asset_name: deposit.assetName,
      giver_id: giver.id,
      giver_name: giver.name,
      holder_id: holder.id,
      holder_name: holder.name,
      amount_cents: deposit.amountCents,
      currency: deposit.currency,
      recorded_by_giver: deposit.byGiver,
      recorded_at: now,
      confirmed_at: deposit.confirmed ? now : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks a deposit until the transaction ends, so that what both do to it happens one after the other. */
export async function lockDeposit(db: Database, id: number): Promise<void> {
  await db.selectFrom('deposits').select('id').where('id', '=', id).forUpdate().execute();
}

/** Returns the ids of the two people; none unless the user is one of them. */
export async function partiesOf(db: Database, { id, userId }: { id: number; userId: number }): Promise<number[]> {
  const row = await db
    .selectFrom('deposits')
    .select(['giver_id', 'holder_id'])
    .where('id', '=', id)
    .where((either) => either.or([either('giver_id', '=', userId), either('holder_id', '=', userId)]))
    .executeTakeFirst();
  return [row?.giver_id, row?.holder_id].filter((party) => typeof party === 'number');
}

export interface StoredDeposit extends DepositState {
  id: number;
  /** Null once the account is gone. */
  other_id: number | null;
  other_name: string;
  own_name: string;
  /** Null once the asset is deleted. */
  asset_id: number | null;
  asset_name: string;
  amount_cents: number;
  currency: string;
  recorded_at: Date;
}

/** Returns the deposits that a user gave or holds, newest first. */
export async function readDeposits(
  db: Database,
  {
    userId,
    depositId,
    before,
    limit,
  }: { userId: number; depositId?: number; before?: number | undefined; limit: number },
): Promise<StoredDeposit[]> {
  const { rows } = await sql<StoredDeposit>`
    select d.id, other.id as other_id, d.other_name, d.own_name, a.id as asset_id, d.asset_name, d.amount_cents, d.currency,
      d.recorded_by_giver, d.recorded_at, d.confirmed_at, d.returned_by_giver, d.returned_at, d.return_confirmed_at,
      d.gave, other.email is null as is_alone
    from (
      select *, coalesce(giver_id = ${userId}, false) as gave,
        case when giver_id = ${userId} then holder_id else giver_id end as other_id,
        case when giver_id = ${userId} then holder_name else giver_name end as other_name,
        case when giver_id = ${userId} then giver_name else holder_name end as own_name
      from deposits
      where (giver_id = ${userId} or holder_id = ${userId})
        ${depositId === undefined ? sql`` : sql`and id = ${depositId}`}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc
      limit ${limit}
    ) d
    left join users other on other.id = d.other_id and other.former_id is null
    left join assets a on a.id = d.asset_id and a.deleted_at is null
    order by d.id desc`.execute(db);
  return rows;
}

/** Never earlier than the step before, though a clock may have been set back. */
const notBefore = (now: Date, column: string) => sql<Date>`greatest(${now}::timestamptz, ${sql.ref(column)})`;

/** Confirms the step of a locked deposit that waits. */
export async function confirmStep(db: Database, id: number, now: Date): Promise<void> {
  await sql`
    update deposits set
      return_confirmed_at = case when returned_at is not null then ${notBefore(now, 'returned_at')} end,
      confirmed_at = coalesce(confirmed_at, ${notBefore(now, 'recorded_at')})
    where id = ${id}`.execute(db);
}

/** Records who says that a locked deposit was given back; no one, with null. */
export async function setReturn(
  db: Database,
  id: number,
  step: { byGiver: boolean; confirmed: boolean; now: Date } | null,
): Promise<void> {
  const at = step && notBefore(step.now, 'confirmed_at');
  await db
    .updateTable('deposits')
    .set({
      returned_by_giver: step?.byGiver ?? null,
      returned_at: at,
      return_confirmed_at: step?.confirmed ? at : null,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteDeposit(db: Database, id: number): Promise<void> {
  await db.deleteFrom('deposits').where('id', '=', id).execute();
}

/** Returns the other people of all deposits that a user gave or holds. */
export async function usersWithDeposits(db: Database, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('deposits')
    .select('holder_id as id')
    .where('giver_id', '=', userId)
    .union(db.selectFrom('deposits').select('giver_id as id').where('holder_id', '=', userId))
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}

/** Gives a person's deposits to the member they have become. */
export async function moveDeposits(db: Database, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`
    update deposits d set giver_id = u.id, giver_name = u.username from users u where d.giver_id = ${from} and u.id = ${to}`.execute(
    db,
  );
}

/** Replaces a user's name on all of their deposits, and in the names of people without an account that contain it. */
export async function hideName(db: Database, userId: number, { from, to }: Names): Promise<void> {
  const renamed = (column: string): RawBuilder<string> => sql`
    case when ${sql.ref(column)} = ${from}::text then ${to}::text else ${renamedGuest(sql.ref(column), { from, to })} end`;
  await sql`
    update deposits set giver_name = ${renamed('giver_name')}, holder_name = ${renamed('holder_name')}
    where giver_id = ${userId} or holder_id = ${userId}`.execute(db);
}
