import { sql, type Kysely } from 'kysely';

// docs/decisions/0090-offline.md
const statements = [
  `alter table sessions
    add column added_late text constraint sessions_added_late check (added_late in ('start', 'end', 'both'))`,
  `comment on column sessions.added_late is 'Which of its ends were pressed offline and added later; null if none.'`,
  `alter table removed_sessions
    add column added_late text constraint removed_sessions_added_late check (added_late in ('start', 'end', 'both'))`,
  `comment on column removed_sessions.added_late is 'As in sessions.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
