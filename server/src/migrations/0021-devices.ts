import { sql, type Kysely } from 'kysely';

const statements = [
  `alter table sign_ins add column name text
    constraint sign_ins_name_length check (char_length(name) between 1 and 50)`,
  `comment on column sign_ins.name is 'What its user calls the device; null until they name it.'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
