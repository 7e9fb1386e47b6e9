import { sql, type Kysely } from 'kysely';

// A month's costs are worked out from all shares that an asset or a member had in it, also those that have ended since;
// the indexes there were know the open ones alone.
const statements = [
  `create index shares_of_asset on shares (asset_id, member_id)`,
  `create index shares_of_member on shares (member_id, asset_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
