import { sql, type Kysely } from 'kysely';

// An owner may object to the edit or removal of a session. Without agreement by the close of a month, the recorded times
// count again.
const statements = [
  `alter table sessions add column restored_at timestamptz,
    add constraint sessions_restored check (restored_at is null or edited_at is not null)`,
  `create index sessions_edited on sessions (share_id) where edited_at is not null`,
  `create table objections (
    id bigint generated always as identity primary key,
    share_id bigint not null references shares (id) on delete cascade,
    session_id bigint not null,
    status text not null default 'open'
      constraint objections_status check (status in ('open', 'withdrawn', 'agreed', 'upheld')),
    automatic boolean not null default false,
    objected_at timestamptz not null,
    resolved_at timestamptz,
    constraint objections_resolved check ((status = 'open') = (resolved_at is null))
  )`,
  `create unique index objections_one_open on objections (session_id) where status = 'open'`,
  `create index objections_session on objections (session_id, id)`,
  `create index objections_share on objections (share_id)`,
  `create table objection_messages (
    id bigint generated always as identity primary key,
    objection_id bigint not null references objections (id) on delete cascade,
    by_owner boolean not null,
    text text not null constraint objection_messages_text check (char_length(text) between 1 and 280),
    sent_at timestamptz not null
  )`,
  `create index objection_messages_objection on objection_messages (objection_id, id)`,
  `alter table statements add column edited_sessions jsonb not null default '[]'`,
  `comment on column sessions.restored_at is 'When its original values came to count again; null once it is edited after that.'`,
  `comment on table objections is 'Objections of owners to edits and removals of sessions. The last one of a session counts.'`,
  `comment on column objections.session_id is 'In sessions or, once removed, in removed_sessions.'`,
  `comment on column objections.automatic is 'Whether the edit came too late for the owner to object in time.'`,
  `comment on column objections.status is 'upheld when a month closed without an agreement'`,
  `comment on column objection_messages.by_owner is 'Otherwise, the member wrote it.'`,
  `comment on column statements.edited_sessions is 'Sessions of the month that were edited, removed, or restored, as the API shows them, with the ids of members.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
