import { sql, type Kysely } from 'kysely';

// An ended period stays open for everyone, unless all its members say that they have nothing to edit; an edit that takes use
// away shortly before it closes keeps it open longer.
const statements = [
  `alter table periods add column extended_until timestamptz`,
  `alter table sessions add column extended boolean not null default false`,
  `create table confirmations (
    asset_id bigint not null,
    month date not null,
    member_id bigint not null references users (id) on delete cascade,
    confirmed_at timestamptz not null,
    primary key (asset_id, month, member_id),
    foreign key (asset_id, month) references periods (asset_id, month) on delete cascade
  )`,
  `create index confirmations_member on confirmations (member_id)`,
  `comment on column periods.extended_until is 'Until when late edits keep an ended period open, if longer than usual.'`,
  `comment on column sessions.extended is 'Whether an edit has kept a period open longer, which it does once.'`,
  `comment on table confirmations is 'Members who have nothing to edit in an ended period. An edit takes that back.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
