import { sql, type Kysely } from 'kysely';

// In the database, so that one of several servers makes the backup of a day and all of them know its age.
const statements = [
  `alter table installation
    add column backed_up_at timestamptz,
    add column backup_failed_at timestamptz`,
  `comment on column installation.backed_up_at is 'When a server last made its daily backup; null if none has.'`,
  `comment on column installation.backup_failed_at is 'When the daily backup first failed since the last one that was made; null if it has not.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
