import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { engineConnection } from './database/embedded-pool.ts';
import { overConnection } from './database/embedded.ts';
import { inMemoryParams } from './database/embedded-engine.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { transaction } from './database/transaction.ts';
import { createMetrics } from './metrics.ts';
import { observeStatements } from './statements.ts';

const metrics = createMetrics({ clock: () => new Date(0), uptime: () => performance.now() });
let engine: PGlite;
let database: OpenDatabase;
beforeAll(async () => {
  engine = await PGlite.create({ startParams: inMemoryParams });
  const observe = observeStatements({ uptime: () => performance.now(), metrics, tracing: undefined });
  const log = { info: () => undefined, warn: () => undefined };
  database = overConnection(engineConnection(engine, { log, observe }));
  await sql`create table users (name text primary key)`.execute(database.db);
  await sql`insert into users values ('mira')`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await engine.close();
});

async function figures(): Promise<Record<string, number>> {
  const text = await metrics.render();
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  const failures = Object.fromEntries(
    ['conflict', 'constraint', 'timeout', 'unavailable', 'other'].map((reason) => [
      reason,
      value(`hourshare_database_statement_failures_total{reason="${reason}"}`),
    ]),
  );
  return { ...failures, statements: value('hourshare_database_statement_duration_seconds_count') };
}

it.each([
  ['23505', 'constraint', 1],
  ['57014', 'timeout', 1],
  ['53300', 'unavailable', 1],
  ['22P02', 'other', 1],
  // The statement and its four repetitions.
  ['40001', 'conflict', 5],
])('a statement that fails with %s is counted as %s', async (code, reason, times) => {
  const before = await figures();
  const statement = sql.raw(`do $$ begin raise exception 'canary' using errcode = '${code}'; end $$`);
  await expect(statement.execute(database.db)).rejects.toThrow('canary');
  expect(await figures()).toEqual({
    ...before,
    [reason]: before[reason]! + times,
    statements: before['statements']! + times,
  });
});

it('each attempt of a transaction that is repeated after a conflict is counted', async () => {
  const before = await figures();
  let attempts = 0;
  await transaction({ db: database.db }, async ({ db: trx }) => {
    attempts += 1;
    if (attempts < 3) await sql.raw(`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`).execute(trx);
  });
  expect(await figures()).toMatchObject({ conflict: before['conflict']! + 2, other: before['other'] });
});

it('a successful statement is only counted', async () => {
  const before = await figures();
  await sql`select 1`.execute(database.db);
  expect(await figures()).toEqual({ ...before, statements: before['statements']! + 1 });
});

it('nothing is observed if there are neither metrics nor traces', () => {
  expect(
    observeStatements({ uptime: () => performance.now(), metrics: undefined, tracing: undefined }),
  ).toBeUndefined();
});
