import { sql, type Kysely } from 'kysely';

// Servers with different secrets on one database refuse each other's tokens, so people are signed out at random. One row,
// by its primary key.
const statements = [
  `create table installation (
    id smallint primary key default 1 check (id = 1),
    secret_fingerprint text not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
