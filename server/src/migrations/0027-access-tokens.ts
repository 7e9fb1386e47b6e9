import { sql, type Kysely } from 'kysely';

const statements = [
  `create table access_tokens (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    name text not null constraint access_tokens_name_length check (char_length(name) between 1 and 50),
    token_hash text not null constraint access_tokens_token_hash unique,
    scope text not null constraint access_tokens_scope check (scope in ('share', 'account')),
    share_id bigint references shares (id) on delete cascade,
    created_at timestamptz not null,
    last_used_at timestamptz,
    expires_at timestamptz not null,
    constraint access_tokens_share check ((scope = 'share') = (share_id is not null)),
    constraint access_tokens_expire_later check (expires_at > created_at)
  )`,
  `create index access_tokens_user on access_tokens (user_id)`,
  `create index access_tokens_share_id on access_tokens (share_id)`,
  `create index access_tokens_end on access_tokens (expires_at)`,
  `comment on table access_tokens is 'What scripts of a user sign in with.'`,
  `comment on column access_tokens.token_hash is 'SHA-256 of the token, in hexadecimal; the token itself is not stored.'`,
  `comment on column access_tokens.scope is 'share: starts, ends, and reads the sessions of one share. account: reads what its user can read about assets and costs.'`,
  `comment on column access_tokens.last_used_at is 'Written at most once a minute; null until it is used.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
