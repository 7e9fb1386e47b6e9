import { sql, type Kysely } from 'kysely';

const statements = [
  `create table identities (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    provider text not null constraint identities_provider check (provider in ('google', 'github', 'oidc')),
    issuer text not null,
    subject text not null,
    name text,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    constraint identities_subject unique (issuer, subject),
    constraint identities_user unique (user_id, issuer)
  )`,
  `comment on table identities is 'Accounts at providers with which users sign in.'`,
  `comment on column identities.issuer is 'The provider itself: oidc may be another one after a change of settings.'`,
  `comment on column identities.subject is 'What the provider calls the account for good; addresses and names change.'`,
  `comment on column identities.name is 'What the account was called when it was connected, to tell it from others.'`,

  `create table provider_flows (
    id bigint generated always as identity primary key,
    step text not null constraint provider_flows_step check (step in ('state', 'ticket')),
    token_hash text not null constraint provider_flows_token_hash unique,
    browser_hash text not null,
    provider text not null constraint provider_flows_provider check (provider in ('google', 'github', 'oidc')),
    purpose text not null constraint provider_flows_purpose check (purpose in ('sign-in', 'link', 'check')),
    sealed text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    constraint provider_flows_expire_later check (expires_at > created_at)
  )`,
  `create index provider_flows_end on provider_flows (expires_at)`,
  `comment on table provider_flows is
    'People who are signing in at a provider (state), or have and must still choose what for (ticket).'`,
  `comment on column provider_flows.token_hash is 'As in password_resets; of the state or the ticket.'`,
  `comment on column provider_flows.browser_hash is 'Of the cookie of the browser in which it began, which alone may go on.'`,
  `comment on column provider_flows.sealed is
    'What proves the answer of the provider genuine, or whom it named, encrypted with the secret of the server.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
