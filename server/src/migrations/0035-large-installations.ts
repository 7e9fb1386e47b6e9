import { sql, type Kysely } from 'kysely';

// docs/decisions/0037-periods-and-days-of-use.md
const statements = [
  `alter table installation add column periods_extended_at timestamptz`,
  `comment on column installation.periods_extended_at is 'When every asset last had its periods of two months ahead; null if that is not known.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
