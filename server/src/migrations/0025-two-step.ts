import { sql, type Kysely } from 'kysely';

const statements = [
  `alter table users
    add column two_step_since timestamptz,
    -- What has no email address is no account.
    add constraint users_two_step check (two_step_since is null or email is not null)`,
  `comment on column users.two_step_since is
    'Since when signing in takes a code, too; null while it does not.'`,

  `create table two_step_keys (
    user_id bigint primary key references users (id) on delete cascade,
    sealed text not null,
    created_at timestamptz not null,
    last_step bigint
  )`,
  `comment on table two_step_keys is
    'What the codes of an authenticator app are made from; not in use yet while the user has no two_step_since.'`,
  `comment on column two_step_keys.sealed is 'The key, encrypted with the secret of the server.'`,
  `comment on column two_step_keys.last_step is
    'The latest period of 30 seconds since 1970 whose code was used; later ones alone are accepted.'`,

  `create table recovery_codes (
    user_id bigint not null references users (id) on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  )`,
  `comment on table recovery_codes is 'Each replaces one code of the authenticator app, and is deleted when it is used.'`,
  `comment on column recovery_codes.code_hash is 'SHA-256 of the code without hyphens, as hexadecimal.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
