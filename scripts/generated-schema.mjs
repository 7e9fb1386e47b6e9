import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { generate, getDialect } from 'kysely-codegen';
import { format, resolveConfig } from 'prettier';
import { root } from './processes.mjs';

// server/src/schema.ts: the types of the tables in a database that the built server's migrations have made.

/** As server/src/platform/database/column-readers.ts reads them. */
const typeMapping = { int8: 'number', timestamptz: 'Date', date: 'string' };

/** @param {string} file */
const built = (file) => import(pathToFileURL(join(root, 'server', 'dist', 'platform', 'database', file)).href);

/** The values that a check allows a column, for `check (column in ('a', 'b'))`. @param {any} db */
async function readAllowedValues(db) {
  const { rows } = await sql`
    select conrelid::regclass::text as table, attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and pg_get_constraintdef(c.oid) ~ '= ANY \\(ARRAY\\['
    order by conrelid, conname`.execute(db);
  return rows.map((/** @type {any} */ { table, column, definition }) => ({
    table,
    column,
    values: [...definition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value),
  }));
}

export async function schemaFile() {
  const { openDatabase } = await built('open.js');
  const { migrate } = await built('migrate.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'hourshare-schema-'));
  const { db, close } = await openDatabase({ dataDir, log: console });
  try {
    await migrate(db);
    const allowed = await readAllowedValues(db);
    const text = await generate({
      db,
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
    const path = join(root, 'server', 'src', 'schema.ts');
    return format(text.replaceAll('DB', 'Tables'), { ...(await resolveConfig(path)), filepath: path });
  } finally {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
