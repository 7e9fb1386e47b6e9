import { sql, type Kysely } from 'kysely';

// Shares can move to another user after a month has closed. What was used of them is still found under the name of its line.
// Those that someone objects to when joining stay where they are, for good.
const statements = [
  `alter table statement_lines add column share_id bigint`,
  `update statement_lines l set share_id = (
    select max(sh.id)
    from statements st
    join periods p on p.asset_id = st.asset_id and p.month = st.month
    join shares sh on sh.asset_id = st.asset_id and sh.member_id = l.user_id and sh.accepted_at < p.ends_at
      and (sh.ended_at is null or sh.ended_at > p.starts_at)
    where st.id = l.statement_id
  ) where role = 'member'`,
  `comment on column statement_lines.share_id is
    'The last share of the member in the month, which may be gone; null for the owner, and if it was unknown before.'`,
  `alter table shares add column objected_at timestamptz`,
  `comment on column shares.objected_at is
    'When someone who joined objected to what was recorded in it for a person without an account. The owner pays for it.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
