import { sql, type Kysely } from 'kysely';

// A deleted account leaves a row behind while others need its shares and assets. It is another row, so that whatever refers to the
// account itself is gone, also what is being inserted meanwhile.
const statements = [
  `alter table users
    add column former_id bigint constraint users_former_id_unique unique,
    drop constraint users_username_shape,
    add constraint users_username_shape check (
      username ~ case
        when former_id is not null then '^([A-Za-z0-9._-]{3,30}|Deleted user [0-9]+)$'
        when keeper_id is null then '^[A-Za-z0-9._-]{3,30}$'
        else ' \\(([A-Za-z0-9._-]{3,30}|Deleted user [0-9]+)\\)$'
      end
    ),
    drop constraint users_person,
    add constraint users_account check (
      (keeper_id is null and former_id is null) = (email is not null)
      and (keeper_id is null and former_id is null) = (password_hash is not null)
      and (keeper_id is null or former_id is null)
    )`,
  `comment on column users.former_id is
    'The id of the deleted account whose shares and assets this row holds; null for accounts and people.'`,
  // For hiding a name, and for the foreign key when an account is deleted.
  `create index statement_lines_owner on statement_lines (owner_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
