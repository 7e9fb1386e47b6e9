import { sql, type Kysely } from 'kysely';

// A share ends with its access, so a co-manager who leaves, is removed, or deletes the account is none any more.
const statements = [
  `alter table shares
    add column manager_since timestamptz,
    add constraint shares_manager check (manager_since is null or accepted_at is not null)`,
  `comment on column shares.manager_since is
    'Since when the member co-manages the asset, which ends with the share; null if they do not.'`,
  `create table manager_changes (
    id bigint generated always as identity primary key,
    asset_id bigint not null references assets (id) on delete cascade,
    user_id bigint references users (id) on delete set null,
    kind text not null constraint manager_changes_kind check (kind in ('details', 'price', 'terms', 'archived', 'restored',
      'shared', 'hours', 'removed', 'invited', 'revoked', 'objected', 'withdrawn', 'replied', 'closed')),
    share_id bigint references shares (id) on delete cascade,
    changed_at timestamptz not null
  )`,
  `create index manager_changes_asset on manager_changes (asset_id, id)`,
  `create index manager_changes_user on manager_changes (user_id)`,
  `create index manager_changes_share on manager_changes (share_id)`,
  `comment on table manager_changes is 'What co-managers did in place of the owner, who sees it.'`,
  `comment on column manager_changes.share_id is 'Whose share it was about; null if about none.'`,
  `alter table objections add column manager_id bigint references users (id) on delete set null`,
  `alter table objection_messages add column manager_id bigint references users (id) on delete set null`,
  `create index objections_manager on objections (manager_id) where manager_id is not null`,
  `create index objection_messages_manager on objection_messages (manager_id) where manager_id is not null`,
  `comment on column objections.manager_id is 'The co-manager who made it; null if the owner or the server did.'`,
  `comment on column objection_messages.manager_id is
    'The co-manager who wrote it in place of the owner; null if the owner or the member did.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
