import { sql, type Kysely } from 'kysely';

// An owner can hand an asset over from the next month on. The months before stay theirs, so each month knows its owner. `assets`
// keeps the current one.
const statements = [
  `alter table periods add column owner_id bigint constraint periods_owner_id_fkey references users (id) on delete set null`,
  `update periods p set owner_id = a.owner_id from assets a where a.id = p.asset_id`,
  `create index periods_owner on periods (owner_id)`,
  `create table handovers (
    asset_id bigint primary key references assets (id) on delete cascade,
    share_id bigint not null constraint handovers_share_id_unique unique references shares (id) on delete cascade,
    stay_hours integer constraint handovers_stay_hours check (stay_hours between 1 and 744),
    offered_at timestamptz not null,
    month date constraint handovers_month check (extract(day from month) = 1),
    agreed jsonb,
    constraint handovers_accepted check ((month is null) = (agreed is null))
  )`,
  `comment on column periods.owner_id is
    'Whose asset it is in this period; null if it is closed and that account is gone.'`,
  `comment on column handovers.share_id is 'The share of the member who shall become the owner, which ends then.'`,
  `comment on column handovers.stay_hours is
    'The monthly hours of the owner as a member from then on; null if they leave.'`,
  `comment on column handovers.month is
    'First day of the month from which the member is the owner; null until they accept.'`,
  `comment on column handovers.agreed is
    'What that month cost and how it was split when they accepted. Once either changes, they have to accept again.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
