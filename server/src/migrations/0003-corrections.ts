import { sql, type Kysely } from 'kysely';

// What a member corrects or removes leaves its trace for the owner: how the session first stood, and when it was changed.
const statements = [
  `alter table sessions
    add column was_started_at timestamptz,
    add column was_ended_at timestamptz,
    add column edited_at timestamptz,
    add constraint sessions_trace check ((edited_at is null) = (was_started_at is null)
      and (edited_at is null) = (was_ended_at is null))`,
  `create table removed_sessions (
    id bigint primary key,
    share_id bigint not null references shares (id) on delete cascade,
    started_at timestamptz not null,
    ended_at timestamptz not null,
    removed_at timestamptz not null
  )`,
  `create index removed_sessions_share on removed_sessions (share_id, started_at, id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
