import { sql, type Kysely } from 'kysely';

// A deleted asset stays until its last period is closed, so that its members can edit their sessions as long as ever. Deleting or
// archiving one can leave the running period unbilled. A deletion ends that period, so its end must be stored with its statement.
const statements = [
  `alter table assets add column deleted_at timestamptz`,
  `alter table periods add column unbilled boolean not null default false`,
  `alter table statements add column ends_at timestamptz`,
  // The end of a deleted asset's period is unknown if an edit has kept it open longer.
  `update statements st set ends_at = coalesce(
    (select p.ends_at from periods p where p.asset_id = st.asset_id and p.month = st.month),
    st.closes_at - interval '72 hours')`,
  `alter table statements alter column ends_at set not null`,
  `alter table statements add column unbilled boolean not null default false`,
  `alter table statements add column deleted_at timestamptz`,
  // Lists of the current month look for them, of which there are few.
  `create index statements_cut_short on statements (month) where deleted_at is not null`,
  `comment on column assets.deleted_at is
    'When its owner deleted it: no one has access any more, and it is removed with its last open period.'`,
  `comment on column periods.unbilled is
    'Whether its price counts as 0, because the owner chose so when archiving or deleting the asset.'`,
  `comment on column periods.ends_at is
    'The start of the next month in the time zone of this period, or when the asset was deleted.'`,
  `comment on column statements.ends_at is 'The end of its period.'`,
  `comment on column statements.unbilled is 'Whether its price is 0 because the owner chose not to bill the month.'`,
  `comment on column statements.deleted_at is 'When deleting the asset ended its period; null if the month did.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
