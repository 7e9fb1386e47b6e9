import { sql, type Kysely } from 'kysely';
import { generate, getDialect } from 'kysely-codegen';
import { format, resolveConfig } from 'prettier';
import type { Tables } from '../schema.ts';

/** The types that platform/database/column-readers.ts returns. */
const typeMapping = { int8: 'number', timestamptz: 'Date', date: 'string' };

/** Returns the values that check constraints allow, as in `check (column in ('a', 'b'))`. */
async function readAllowedValues(db: Kysely<Tables>) {
  const { rows } = await sql<{ table: string; column: string; definition: string }>`
    select conrelid::regclass::text as table, attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and pg_get_constraintdef(c.oid) ~ '= ANY \\(ARRAY\\['
    order by conrelid, conname`.execute(db);
  return rows.map(({ table, column, definition }) => ({
    table,
    column,
    values: [...definition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value ?? ''),
  }));
}

/** Returns the text of schema.ts for a migrated database. The path of the file decides its format. */
export async function describeTables(db: Kysely<Tables>, path: string): Promise<string> {
  const allowed = await readAllowedValues(db);
  const text = await generate({
    // The same class, though the generator imports its CommonJS types.
    db: db as unknown as Parameters<typeof generate>[0]['db'],
    dialect: getDialect('postgres'),
    typeMapping,
    outFile: null,
    excludePattern: 'kysely_*',
    postprocess: async ({ metadata }) => {
      for (const { table, column, values } of allowed) {
        const found = metadata.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
        if (found) found.enumValues = values;
      }
      return metadata;
    },
  });
  return format(text.replaceAll('DB', 'Tables'), { ...(await resolveConfig(path)), filepath: path });
}
