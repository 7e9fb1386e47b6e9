import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from './platform/database/testing/test-database.ts';
import { describeTables } from './testing/describe-tables.ts';

const PLATFORM = join(import.meta.dirname, 'platform');

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('matches the migrated database; if not, run "npm run generate" and commit it', async () => {
  const path = join(import.meta.dirname, 'schema.ts');
  await expect(await describeTables(database.db, path)).toMatchFileSnapshot(path);
});

it('is not referenced by the platform: no table or constraint names', async () => {
  const { rows } = await sql<{ table: string; constraint: string }>`
    select table_name as table, constraint_name as constraint
    from information_schema.table_constraints
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(database.db);
  const tables = new Set(rows.map(({ table }) => table));
  expect([...tables]).toEqual(expect.arrayContaining(['users', 'periods', 'usage_days']));
  // As a string literal, or where a statement names a table; `users` alone is also an English word.
  const known = [
    ...[...tables].map((table) => new RegExp(`['"]${table}\\b|\\b(?:from|into|update|join|table) ${table}\\b`)),
    ...rows.map(({ constraint }) => new RegExp(`\\b${constraint}\\b`)),
  ];
  const files = readdirSync(PLATFORM, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'),
  );
  expect(files).not.toEqual([]);
  const found = files.filter((file) => {
    const code = readFileSync(join(PLATFORM, file), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
    return known.some((name) => name.test(code));
  });
  expect(found).toEqual([]);
});
