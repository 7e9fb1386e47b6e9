import type { Language } from '@hourshare/contract/users';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { archivedThroughout, closesAt, sharedDuringPeriod } from '../periods/sql.ts';
import { isActive } from '../sessions/sql.ts';
import { sessionEnd } from '../usage/sql.ts';

export async function addressSince(db: Database, userId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('created_at')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.created_at;
}

/** Stores the hash of a user's address, in place of the one before. */
export async function saveAddress(
  db: Database,
  { userId, tokenHash, now }: { userId: number; tokenHash: string; now: Date },
): Promise<void> {
  await db
    .insertInto('calendar_feeds')
    .values({ user_id: userId, token_hash: tokenHash, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ token_hash: tokenHash, created_at: now }))
    .execute();
}

/** Returns whether there was an address. */
export async function deleteAddress(db: Database, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('calendar_feeds').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows === 1n;
}

export interface CalendarReader {
  id: number;
  language: Language | null;
}

/** Returns the user whose address has a hash, unless the account is disabled. */
export function findReader(db: Database, tokenHash: string): Promise<CalendarReader | undefined> {
  return db
    .selectFrom('calendar_feeds')
    .innerJoin('users', 'users.id', 'calendar_feeds.user_id')
    .select(['users.id', sql<Language | null>`users.language`.as('language')])
    .where('calendar_feeds.token_hash', '=', tokenHash)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
}

interface Reading {
  userId: number;
  now: Date;
  since: Date;
  limit: number;
}

export interface CalendarSession {
  id: number;
  share_id: number;
  asset_name: string;
  started_at: Date;
  ended_at: Date;
  active: boolean;
}

/** Returns a user's sessions that started after an instant, newest first. One that is active ends now. */
export async function readSessions(db: Database, { userId, now, since, limit }: Reading): Promise<CalendarSession[]> {
  const { rows } = await sql<CalendarSession>`
    select s.id, s.share_id, a.name as asset_name, s.started_at, ${isActive('s', now)} as active,
      case when ${isActive('s', now)} then greatest(${now}::timestamptz, s.started_at) else ${sessionEnd('s', now)} end as ended_at
    from shares sh join assets a on a.id = sh.asset_id join sessions s on s.share_id = sh.id
    where sh.member_id = ${userId} and sh.accepted_at is not null and s.started_at > ${since}::timestamptz
    order by s.started_at desc, s.id desc limit ${limit}`.execute(db);
  return rows;
}

export interface CalendarClosing {
  asset_id: number;
  asset_name: string;
  /** `YYYY-MM` */
  month: string;
  at: Date;
}

/** Returns when the months of shared assets close or were closed that a user owned or had access in, latest first. */
export async function readClosings(db: Database, { userId, now, since, limit }: Reading): Promise<CalendarClosing[]> {
  const isMember = sql`sh.asset_id = p.asset_id and not sh.own and ${sharedDuringPeriod('sh', 'p')}`;
  const { rows } = await sql<CalendarClosing>`
    select a.id as asset_id, coalesce(p.asset_name, a.name) as asset_name, to_char(p.month, 'YYYY-MM') as month,
      coalesce(p.closed_at, ${closesAt('p')}) as at
    from assets a join periods p on p.asset_id = a.id
    where a.id in (
        select asset_id from shares where member_id = ${userId} union select asset_id from periods where owner_id = ${userId}
      )
      and p.starts_at <= ${now}::timestamptz and p.ends_at > ${since}::timestamptz and not ${archivedThroughout('a', 'p')}
      and (exists (select 1 from shares sh where ${isMember} and sh.member_id = ${userId})
        or p.owner_id = ${userId} and exists (select 1 from shares sh where ${isMember}))
    order by at desc, a.id limit ${limit}`.execute(db);
  return rows;
}
