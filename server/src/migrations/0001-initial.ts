import { sql, type Kysely } from 'kysely';

// Invariants live here: whatever the code does, there is at most one active session a share, one open share an asset
// and member, one price an asset and month. Only what PostgreSQL-compatible clusters have too: no extensions, no
// exclusion constraints, no triggers. No now(): every instant comes from the server's clock.
const statements = [
  `create table users (
    id bigint generated always as identity primary key,
    username text not null constraint users_username_shape check (username ~ '^[A-Za-z0-9._-]{3,30}$'),
    email text not null,
    password_hash text not null,
    time_zone text not null,
    email_notifications boolean not null default true,
    usage_reminders boolean not null default true,
    created_at timestamptz not null
  )`,
  `create unique index users_username_unique on users (lower(username))`,
  `create unique index users_email_unique on users (lower(email))`,

  `create table sign_ins (
    id bigint generated always as identity primary key,
    user_id bigint not null references users (id) on delete cascade,
    handle text not null constraint sign_ins_handle_unique unique,
    generation integer not null default 0,
    refresh_hash text not null,
    replaced_at timestamptz,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    device text not null
  )`,
  `create index sign_ins_user on sign_ins (user_id)`,

  `create table assets (
    id bigint generated always as identity primary key,
    owner_id bigint not null references users (id) on delete cascade,
    name text not null constraint assets_name_length check (char_length(name) between 1 and 100),
    description text not null constraint assets_description_length check (char_length(description) <= 2000),
    currency text not null default 'USD',
    time_zone text not null,
    split_method text not null default 'usage'
      constraint assets_split_method check (split_method in ('usage', 'allocation', 'equal')),
    base_percent integer not null default 0 constraint assets_base_percent check (base_percent between 0 and 100),
    owner_hours integer not null default 0 constraint assets_owner_hours check (owner_hours between 0 and 744),
    max_session_hours integer not null default 24
      constraint assets_max_session_hours check (max_session_hours between 1 and 744),
    archived_at timestamptz,
    created_at timestamptz not null
  )`,
  `create index assets_owner on assets (owner_id, id)`,

  `create table prices (
    asset_id bigint not null references assets (id) on delete cascade,
    from_month date not null constraint prices_first_of_month check (extract(day from from_month) = 1),
    price_cents bigint not null constraint prices_not_negative check (price_cents >= 0),
    primary key (asset_id, from_month)
  )`,

  `create table shares (
    id bigint generated always as identity primary key,
    asset_id bigint not null references assets (id) on delete cascade,
    member_id bigint not null references users (id) on delete cascade,
    monthly_hours_allocated integer not null
      constraint shares_allocation check (monthly_hours_allocated between 1 and 744),
    created_at timestamptz not null,
    ended_at timestamptz constraint shares_end_after_start check (ended_at >= created_at)
  )`,
  `create unique index shares_one_open on shares (asset_id, member_id) where ended_at is null`,
  `create index shares_member on shares (member_id, id) where ended_at is null`,

  `create table sessions (
    id bigint generated always as identity primary key,
    share_id bigint not null references shares (id) on delete cascade,
    started_at timestamptz not null,
    ended_at timestamptz,
    ends_by timestamptz not null,
    constraint sessions_end_after_start check (ended_at >= started_at),
    constraint sessions_end_within_limit check (ended_at <= ends_by),
    constraint sessions_limit check (ends_by > started_at and ends_by <= started_at + interval '744 hours')
  )`,
  `create unique index sessions_one_active on sessions (share_id) where ended_at is null`,
  `create index sessions_share on sessions (share_id, started_at, id)`,

  `create table idempotency_keys (
    user_id bigint not null references users (id) on delete cascade,
    key text not null,
    request_hash text not null,
    status integer not null,
    body text not null,
    created_at timestamptz not null,
    primary key (user_id, key)
  )`,
  `create index idempotency_keys_age on idempotency_keys (created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
