import { sql, type Migration } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { migrations } from './index.ts';

// A migration keeps earlier versions working, or its name says which migration they need (docs/decisions/0098).

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const NEEDED = /-needs-(\d{4})$/;

interface ColumnOfTable {
  table: string;
  column: string;
  /** Whether a row can't be added without it. */
  required: boolean;
}

async function readColumns(db: Database): Promise<ColumnOfTable[]> {
  const { rows } = await sql<ColumnOfTable>`
    select table_name as "table", column_name as "column",
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as required
    from information_schema.columns where table_schema = 'public'`.execute(db);
  return rows;
}

/** Returns whether a version that knows only the columns before can't work with those after. */
function breaks(before: ColumnOfTable[], after: ColumnOfTable[]): boolean {
  const find = (columns: ColumnOfTable[], { table, column }: ColumnOfTable) =>
    columns.find((each) => each.table === table && each.column === column);
  const isKept = before.every((each) => find(after, each));
  const hasNewRequired = after.some(
    (each) => each.required && before.some(({ table }) => table === each.table) && !find(before, each)?.required,
  );
  return !isKept || hasNewRequired;
}

/** Runs migrations after others, and undoes them. Returns what is wrong with each. */
async function findProblems(later: Record<string, Migration>, earlier: readonly string[] = []): Promise<string[]> {
  const names = [...earlier, ...Object.keys(later)];
  const problems: string[] = [];
  const undone = new Error('undone');
  const run = database.db.transaction().execute(async (trx) => {
    if (earlier.length === 0) {
      await sql`drop schema public cascade`.execute(trx);
      await sql`create schema public`.execute(trx);
    }
    let before = await readColumns(trx);
    for (const [name, migration] of Object.entries(later)) {
      await migration.up(trx);
      const after = await readColumns(trx);
      const needed = NEEDED.exec(name)?.[1];
      if (breaks(before, after) && needed === undefined) problems.push(`${name} breaks earlier versions`);
      if (needed !== undefined && !names.some((other) => other < name && other.startsWith(`${needed}-`)))
        problems.push(`${name} needs none of the migrations before it`);
      before = after;
    }
    throw undone;
  });
  await expect(run).rejects.toBe(undone);
  return problems;
}

/** As findProblems, for made-up migrations after those of this version. */
const findInMadeUp = (statements: Record<string, string>) =>
  findProblems(
    Object.fromEntries(
      Object.entries(statements).map(([name, statement]) => [
        name,
        { up: async (db) => void (await sql.raw(statement).execute(db)) } satisfies Migration,
      ]),
    ),
    Object.keys(migrations),
  );

describe('migrations', () => {
  it('break no earlier version, or name the migration that versions need from then on', async () => {
    expect(await findProblems(migrations)).toEqual([]);
  });

  it.each([
    ['removes a column', 'alter table users drop column language'],
    ['renames a column', 'alter table users rename column language to tongue'],
    ['removes a table', 'drop table job_runs'],
    ['adds a required column', 'alter table job_runs add column server text not null'],
    ['requires a column', 'alter table outbox alter column asset_id set not null'],
    ['removes a default', 'alter table assets alter column currency drop default'],
  ])('are found to break them if one %s without saying so', async (_, statement) => {
    expect(await findInMadeUp({ '9992-more': statement })).toEqual(['9992-more breaks earlier versions']);
    expect(await findInMadeUp({ '9992-more-needs-0001': statement })).toEqual([]);
  });

  it('may add tables, columns with a default, and columns that can be null', async () => {
    expect(
      await findInMadeUp({
        '9992-table': 'create table more (id bigint not null)',
        '9993-default': 'alter table users add column more text not null default 0',
        '9994-null': 'alter table users add column most text',
      }),
    ).toEqual([]);
  });

  it('need only one that comes before', async () => {
    expect(await findInMadeUp({ '9992-drop-needs-9992': 'drop table job_runs' })).toEqual([
      '9992-drop-needs-9992 needs none of the migrations before it',
    ]);
  });
});
