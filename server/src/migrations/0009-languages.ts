import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column language text
    constraint users_language check (language in ('en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar'))`.execute(db);
  await sql`comment on column users.language is
    'The language of the screens and of email; null until one is chosen, while each browser decides.'`.execute(db);
}
