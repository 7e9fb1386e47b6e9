import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { CompiledQuery, RawBuilder } from 'kysely';
import { expect, it } from 'vitest';
import type { Tables } from '../../schema.ts';
import type { Database } from './database.ts';
import { prepared } from './prepared.ts';

interface Values {
  id: number;
  name: string | null;
}

/** Returns what a prepared statement sends for each of some values. */
async function sent(build: (values: Values) => RawBuilder<unknown>, ...calls: object[]): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = [];
  const db: Database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void queries.push(query),
  });
  const run = prepared(build);
  for (const values of calls) await run(db, values as Values);
  return queries;
}

it('builds a statement once, and runs it with the values of each call, where they stand', async () => {
  let builds = 0;
  const build = ({ id, name }: Values) => {
    builds += 1;
    return sql`select ${name}, ${7}, ${id}, ${id}`;
  };
  const queries = await sent(build, { id: 1, name: 'a' }, { id: 2, name: null });
  expect(builds).toBe(1);
  expect(queries.map(({ sql: text }) => text)).toEqual(Array<string>(2).fill('select $1, $2, $3, $4'));
  expect(queries.map(({ parameters }) => parameters)).toEqual([
    ['a', 7, 1, 1],
    [null, 7, 2, 2],
  ]);
});

it.each<[string, (values: Values) => RawBuilder<unknown>]>([
  ['compares', ({ id }) => (id > 3 ? sql`select 1` : sql`select 2`)],
  ['calculates with', ({ id }) => sql`select ${id + 1}`],
  ['writes into the text', ({ name }) => sql`select ${sql.raw(`'${name}'`)}`],
  ['puts into an array', ({ id }) => sql`select ${[1, id]}::bigint[]`],
  ['puts into JSON', (values) => sql`select ${JSON.stringify({ name: values.name })}::jsonb`],
])('refuses a statement that %s a value', async (_, build) => {
  await expect(sent(build, { id: 1, name: 'a' })).rejects.toThrow(/isn't known while a statement is built/);
});

it('refuses to run without a value', async () => {
  await expect(sent(({ id }) => sql`select ${id}`, { id: undefined })).rejects.toThrow('A statement lacks "id".');
  await expect(sent((values) => sql`select ${{ ...values }.id}`, { id: 1 })).rejects.toThrow('lacks a value');
});
