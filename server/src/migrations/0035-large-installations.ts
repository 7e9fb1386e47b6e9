import { sql, type Kysely } from 'kysely';

// docs/decisions/0011-the-database-tells-time-zones.md, docs/decisions/0085-outbox.md
const statements = [
  `alter table installation add column periods_extended_at timestamptz`,
  `comment on column installation.periods_extended_at is 'When every asset last had its periods of two months ahead; null if that is not known.'`,
  `create table job_runs (job text primary key, started_at timestamptz not null)`,
  `comment on table job_runs is 'Jobs that one server does for all.'`,
  `comment on column job_runs.started_at is 'When it last started, by the clock of the database.'`,
  // Months that end at the same time are read in parts.
  `drop index periods_due`,
  `create index periods_due on periods (ends_at, asset_id) where closed_at is null`,
  `create index statements_month on statements (month, id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
