import { sql, type Kysely } from 'kysely';

// What is in a waiting message is encrypted, because it may hold a link that opens an account.
const statements = [
  `create table mails (
    id bigint generated always as identity primary key,
    user_id bigint references users (id) on delete cascade,
    kind text not null,
    sealed text not null,
    created_at timestamptz not null,
    attempts integer not null default 0 constraint mails_attempts check (attempts >= 0),
    due_at timestamptz not null
  )`,
  `create index mails_due on mails (due_at, id)`,
  `create index mails_user on mails (user_id)`,
  `comment on table mails is 'Messages that wait to be sent; each is deleted once the mail server has taken it.'`,
  `comment on column mails.user_id is 'Whose account it is about; null if that is looked up when it is sent.'`,
  `comment on column mails.sealed is 'What the message is written from, encrypted with the secret of the server.'`,
  `comment on column mails.due_at is 'When the next attempt is made; each attempt moves it before it begins.'`,

  `create table password_resets (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    token_hash text not null constraint password_resets_token_hash unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint password_resets_expire_later check (expires_at > created_at)
  )`,
  `create index password_resets_user on password_resets (user_id)`,
  `create index password_resets_end on password_resets (expires_at)`,
  `comment on table password_resets is 'Links with which people who forgot their password set a new one.'`,
  `comment on column password_resets.token_hash is 'SHA-256 of the token in the link, in hexadecimal; the token itself is not stored.'`,

  `create table email_changes (
    user_id bigint primary key references users (id) on delete cascade,
    email text not null,
    token_hash text not null constraint email_changes_token_hash unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint email_changes_expire_later check (expires_at > created_at)
  )`,
  `create index email_changes_end on email_changes (expires_at)`,
  `comment on table email_changes is 'New email addresses that wait for a confirmation, at most one for each user.'`,
  `comment on column email_changes.token_hash is 'As in password_resets.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
