import { sql, type Kysely } from 'kysely';

// Available hours count by day: what a member held, and when the asset was archived, must be known for each day of a
// period. Periods closed before keep the earlier rule, by which an allowance counted for the whole month.
const statements = [
  `create table archivals (
    asset_id bigint not null references assets (id) on delete cascade,
    since timestamptz not null,
    until timestamptz constraint archivals_forward check (since <= until),
    primary key (asset_id, since)
  )`,
  `create unique index archivals_one_open on archivals (asset_id) where until is null`,
  `insert into archivals (asset_id, since) select id, archived_at from assets where archived_at is not null`,
  `comment on table archivals is 'When an asset was archived, and no one could use it.'`,
  `comment on column archivals.until is 'When it was restored; null while it is archived.'`,
  `alter table periods add column by_day boolean not null default true`,
  `update periods set by_day = false where closed_at is not null`,
  `comment on column periods.by_day is
    'Whether available hours count by day; false if it was closed when an allowance counted for the whole month.'`,
  `alter table statement_lines add column hour_days integer
    constraint statement_lines_hour_days check (hour_days >= 0)`,
  `comment on column statement_lines.hour_days is
    'The allowance of each day with access, summed; null if it was closed when an allowance counted for the whole month.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
