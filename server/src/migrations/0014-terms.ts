import { sql, type Kysely } from 'kysely';

// Terms change from the next period on, or from the running one once all its members agree, so the session limit becomes
// a column of periods as the split already is. Each change of a price leaves a record.
const statements = [
  `alter table periods add column max_session_hours integer not null default 24
    constraint periods_max_session_hours check (max_session_hours between 1 and 744)`,
  `update periods p set max_session_hours = a.max_session_hours from assets a where a.id = p.asset_id`,
  `alter table assets drop column max_session_hours`,
  `create table price_changes (
    id bigint generated always as identity primary key,
    asset_id bigint not null,
    month date not null,
    changed_at timestamptz not null,
    from_cents bigint not null,
    from_currency text not null,
    to_cents bigint not null,
    to_currency text not null,
    foreign key (asset_id, month) references periods (asset_id, month) on delete cascade,
    constraint price_changes_differ check (from_cents <> to_cents or from_currency <> to_currency)
  )`,
  `create index price_changes_period on price_changes (asset_id, month)`,
  `create table term_proposals (
    id bigint generated always as identity primary key,
    asset_id bigint not null,
    month date not null,
    split_method text not null
      constraint term_proposals_split_method check (split_method in ('usage', 'allocation', 'equal')),
    base_percent integer not null constraint term_proposals_base_percent check (base_percent between 0 and 100),
    owner_hours integer not null constraint term_proposals_owner_hours check (owner_hours between 0 and 744),
    max_session_hours integer not null
      constraint term_proposals_max_session_hours check (max_session_hours between 1 and 744),
    proposed_at timestamptz not null,
    applied_at timestamptz,
    withdrawn_at timestamptz,
    foreign key (asset_id, month) references periods (asset_id, month) on delete cascade,
    constraint term_proposals_one_end check (applied_at is null or withdrawn_at is null)
  )`,
  `create unique index term_proposals_one_open on term_proposals (asset_id)
    where applied_at is null and withdrawn_at is null`,
  `create table term_answers (
    proposal_id bigint not null references term_proposals (id) on delete cascade,
    member_id bigint not null references users (id) on delete cascade,
    agreed boolean not null,
    answered_at timestamptz not null,
    primary key (proposal_id, member_id)
  )`,
  `create index term_answers_member on term_answers (member_id)`,
  `alter table statements add column price_changes jsonb not null default '[]'`,
  `comment on table price_changes is 'Every change of the price of a period, for its statement.'`,
  `comment on table term_proposals is 'Terms that an owner wants to apply to the running period. They do once all its members agree.'`,
  `comment on column term_proposals.month is 'First day of the month to which the terms would apply.'`,
  `comment on column statements.price_changes is 'The changes of its price, oldest first, as price_changes has them.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
