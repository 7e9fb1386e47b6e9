import { sql, type Kysely } from 'kysely';

const statements = [
  `alter table sign_ins
    add column checked_at timestamptz,
    add column checked_with text
      constraint sign_ins_checked_with check (checked_with in ('password', 'passkey', 'provider')),
    add constraint sign_ins_checked check ((checked_at is null) = (checked_with is null))`,
  `comment on column sign_ins.checked_at is
    'When its user last proved who they are; null for sign-ins from before this was recorded.'`,
  `comment on column users.password_hash is
    'Null for people, stand-ins, and accounts that are signed in to with a passkey or a provider only.'`,
  `alter table users
    drop constraint users_account,
    add constraint users_account check (
      (keeper_id is null and former_id is null) = (email is not null)
      and (password_hash is null or (keeper_id is null and former_id is null))
      and (keeper_id is null or former_id is null)
    )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
