import { sql, type Kysely } from 'kysely';

// People without an account are users who can't sign in: their names contain a parenthesis, which no username may.
const statements = [
  `alter table users
    add column keeper_id bigint references users (id) on delete cascade,
    alter column email drop not null,
    alter column password_hash drop not null,
    drop constraint users_username_shape,
    add constraint users_username_shape check (
      username ~ case when keeper_id is null then '^[A-Za-z0-9._-]{3,30}$' else ' \\([A-Za-z0-9._-]{3,30}\\)$' end
    ),
    add constraint users_person check (
      (keeper_id is null) = (email is not null) and (keeper_id is null) = (password_hash is not null)
    )`,
  `create index users_keeper on users (keeper_id) where keeper_id is not null`,

  `create table claims (
    person_id bigint primary key references users (id) on delete cascade,
    token_hash text not null constraint claims_token_hash unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint claims_expire_later check (expires_at > created_at)
  )`,

  `alter table sessions add column recorded_by_owner boolean not null default false`,
  `alter table removed_sessions add column recorded_by_owner boolean not null default false`,
  `alter table statement_lines add column objected_at timestamptz`,

  `comment on table claims is 'Links with which people without an account join.'`,
  `comment on column claims.token_hash is 'SHA-256 of the token in the link, in hexadecimal; the token itself is not stored.'`,
  `comment on column users.keeper_id is 'The owner who added this person, who has no account; null for accounts.'`,
  `comment on column sessions.recorded_by_owner is 'Whether the owner recorded it, for a person without an account.'`,
  `comment on column removed_sessions.recorded_by_owner is 'As in sessions.'`,
  `comment on column statement_lines.objected_at is 'When someone who joined said that it is not theirs, so that the owner bears it.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
