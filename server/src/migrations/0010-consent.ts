import { sql, type Kysely } from 'kysely';

// A share starts as an offer. Until its member accepts it, it has no allowance and counts in no bill; all existing shares
// count as accepted.
const statements = [
  `alter table shares add column accepted_at timestamptz`,
  `update shares set accepted_at = created_at`,
  `alter table shares add constraint shares_accepted_after_offer check (accepted_at >= created_at),
    add constraint shares_accepted_before_end check (accepted_at <= ended_at)`,
  `create index shares_offered on shares (member_id, created_at) where accepted_at is null and ended_at is null`,
  `create table trusted_owners (
    member_id bigint not null references users (id) on delete cascade,
    owner_id bigint not null references users (id) on delete cascade,
    created_at timestamptz not null,
    primary key (member_id, owner_id),
    constraint trusted_owners_others check (member_id <> owner_id)
  )`,
  `create index trusted_owners_owner on trusted_owners (owner_id)`,
  `comment on table trusted_owners is 'Owners whose offers a member accepts without being asked.'`,
  `comment on column shares.created_at is 'When access was offered.'`,
  `comment on column shares.accepted_at is 'When the member accepted; null while it is only offered. Nothing before it is charged.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
