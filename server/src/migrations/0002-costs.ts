import { sql, type Kysely } from 'kysely';

// Statements and settlements outlive what they are about: an asset or account that goes takes only its id out of them,
// and what was billed stays readable under the names as they were. What an asset and a share say now stands on their own
// rows; what held in months before a change is kept beside them, for the months that were over when it came.
const statements = [
  `alter table assets add column first_open_month date`,
  `update assets set first_open_month = date_trunc('month', created_at at time zone time_zone)::date`,
  `alter table assets alter column first_open_month set not null`,
  `alter table assets add constraint assets_first_open_month check (extract(day from first_open_month) = 1)`,
  `create index assets_first_open_month on assets (first_open_month)`,

  `create table past_split_terms (
    asset_id bigint not null references assets (id) on delete cascade,
    before_month date not null constraint past_split_terms_month check (extract(day from before_month) = 1),
    split_method text not null constraint past_split_terms_method check (split_method in ('usage', 'allocation', 'equal')),
    base_percent integer not null,
    owner_hours integer not null,
    primary key (asset_id, before_month)
  )`,
  `create table past_allocations (
    share_id bigint not null references shares (id) on delete cascade,
    before_month date not null constraint past_allocations_month check (extract(day from before_month) = 1),
    monthly_hours_allocated integer not null,
    primary key (share_id, before_month)
  )`,

  `create table settlements (
    id bigint generated always as identity primary key,
    payer_id bigint references users (id) on delete set null,
    payer_name text not null,
    payee_id bigint references users (id) on delete set null,
    payee_name text not null,
    recorded_by text not null,
    amount_cents bigint not null constraint settlements_not_negative check (amount_cents >= 0),
    currency text not null,
    settled_at timestamptz not null
  )`,
  `create index settlements_payer on settlements (payer_id, id)`,
  `create index settlements_payee on settlements (payee_id, id)`,

  `create table statements (
    id bigint generated always as identity primary key,
    asset_id bigint references assets (id) on delete set null,
    asset_name text not null,
    month date not null constraint statements_month check (extract(day from month) = 1),
    owner_id bigint references users (id) on delete set null,
    owner_name text not null,
    price_cents bigint not null constraint statements_price check (price_cents >= 0),
    currency text not null,
    split_method text not null,
    base_percent integer not null,
    owner_hours integer not null,
    offered_seconds bigint not null,
    closes_at timestamptz not null,
    closed_at timestamptz not null,
    constraint statements_one_a_month unique (asset_id, month)
  )`,
  `create index statements_owner on statements (owner_id)`,

  `create table statement_lines (
    id bigint generated always as identity primary key,
    statement_id bigint not null references statements (id) on delete cascade,
    owner_id bigint references users (id) on delete set null,
    user_id bigint references users (id) on delete set null,
    username text not null,
    role text not null constraint statement_lines_role check (role in ('owner', 'member')),
    allocation_hours integer not null,
    used_seconds bigint not null,
    days integer not null,
    base_cents bigint not null,
    odd_cents integer not null,
    amount_cents bigint not null constraint statement_lines_not_negative check (amount_cents >= 0),
    sent_at timestamptz,
    paid_at timestamptz,
    settlement_id bigint references settlements (id),
    constraint statement_lines_owner_owes_nobody
      check (role = 'member' or (sent_at is null and paid_at is null and settlement_id is null))
  )`,
  `create unique index statement_lines_one_each on statement_lines (statement_id, user_id)`,
  `create unique index statement_lines_one_owner on statement_lines (statement_id) where role = 'owner'`,
  // What is open is found without reading what has been paid, however long the history is.
  `create index statement_lines_owed on statement_lines (owner_id)
    where role = 'member' and amount_cents > 0 and paid_at is null and settlement_id is null`,
  `create index statement_lines_owing on statement_lines (user_id)
    where role = 'member' and amount_cents > 0 and paid_at is null and settlement_id is null`,
  `create index statement_lines_settlement on statement_lines (settlement_id) where settlement_id is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
