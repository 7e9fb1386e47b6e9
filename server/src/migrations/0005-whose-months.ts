import { sql, type Kysely } from 'kysely';

// A month's costs are worked out from all shares that an asset or a member had in it, also those that have ended since;
// the indexes there were know the open ones alone. What somebody was billed for is found by them, and not by the assets
// there still are. An asset that comes back from the archive keeps when: the months before show nobody's use.
const statements = [
  `create index shares_of_asset on shares (asset_id, member_id)`,
  `create index shares_of_member on shares (member_id, asset_id)`,
  `create index statement_lines_user on statement_lines (user_id)`,
  `create index statements_owner_month on statements (owner_id, month)`,
  `drop index statements_owner`,
  `alter table assets add column restored_at timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
