import { sql } from 'kysely';
import { onlyRow } from '../../../platform/database/only-row.ts';
import type { Database } from '../../../platform/database/database.ts';

export interface UserRow {
  id: number;
  username: string;
  email: string;
  created_at: Date;
  last_used_at: Date | null;
  assets: number;
  disabled: boolean;
  administrator: boolean;
}

/** Returns accounts whose name or, with `inEmail`, email address contains a text, ignoring case, ordered by id. */
export async function users(
  db: Database,
  { search, inEmail, after, limit }: { search: string; inEmail: boolean; after: number; limit: number },
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.username, u.email, u.created_at, u.disabled_at is not null as disabled,
      u.administrator_since is not null as administrator,
      (select max(last_used_at) from sign_ins where user_id = u.id) as last_used_at,
      (select count(*) from assets where owner_id = u.id and deleted_at is null) as assets
    from users u
    where u.email is not null and u.id > ${after}::bigint
      and (strpos(lower(u.username), lower(${search}::text)) > 0
        or (${inEmail}::boolean and strpos(lower(u.email), lower(${search}::text)) > 0))
    order by u.id limit ${limit}`.execute(db);
  return rows;
}

export interface Totals {
  users: number;
  disabled_users: number;
  people: number;
  assets: number;
  open_sessions: number;
  month_sessions: number;
  statements: number;
  database_bytes: number;
  /** The name of the latest migration. */
  migration: string;
}

/** Returns totals of what is in the database; the month is in UTC. */
export function totals(db: Database, now: Date): Promise<Totals> {
  return onlyRow(
    sql<Totals>`
    select
      (select count(*) from users where email is not null) as users,
      (select count(*) from users where disabled_at is not null) as disabled_users,
      (select count(*) from users where host_id is not null) as people,
      (select count(*) from assets where deleted_at is null) as assets,
      (select count(*) from sessions where ended_at is null) as open_sessions,
      (select count(*) from sessions
        where started_at >= date_trunc('month', ${now}::timestamptz, 'UTC')) as month_sessions,
      (select count(*) from statements) as statements,
      pg_database_size(current_database()) as database_bytes,
      (select max(name) from kysely_migration) as migration`,
    db,
  );
}

export function databaseVersion(db: Database): Promise<{ version: string; migration: string }> {
  return onlyRow(
    sql<{ version: string; migration: string }>`
    select current_setting('server_version') as version, (select max(name) from kysely_migration) as migration`,
    db,
  );
}

/** Returns how many assets a user owns, and how many assets of others they have access to or were offered. */
export function holdings(db: Database, userId: number): Promise<{ assets: number; shares: number }> {
  return onlyRow(
    sql<{ assets: number; shares: number }>`
    select
      (select count(*) from assets where owner_id = ${userId}::bigint and deleted_at is null) as assets,
      (select count(*) from shares where member_id = ${userId}::bigint and not own and ended_at is null) as shares`,
    db,
  );
}
