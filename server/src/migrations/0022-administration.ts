import { sql, type Kysely } from 'kysely';

const statements = [
  `alter table users
    add column disabled_at timestamptz,
    add constraint users_disabled check (disabled_at is null or keeper_id is null)`,
  `alter table installation
    add column registration text
      constraint installation_registration check (registration in ('open', 'invited', 'closed'))`,
  `comment on column users.disabled_at is 'When an administrator disabled this account; null if it is enabled.'`,
  `comment on column installation.registration is 'Who may create an account, unless a setting of the server says so; null if no one has chosen.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
