import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from './database.ts';
import { insertUser } from './testing/rows.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';
import { transaction } from './transaction.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

async function usernames(): Promise<string[]> {
  const rows = await database.db.selectFrom('users').select('username').orderBy('id').execute();
  return rows.map((row) => row.username);
}

/** Makes the engine give up on a transaction, as it would in favor of another. */
async function giveUp(db: Database, code: string): Promise<void> {
  await sql.raw(`do $$ begin raise exception 'given up' using errcode = '${code}'; end $$`).execute(db);
}

test("a transaction is read committed, whatever the session's default", async () => {
  await database.db.connection().execute(async (connection) => {
    await sql`set default_transaction_isolation = 'serializable'`.execute(connection);
    const { rows } = await transaction({ db: connection }, ({ db: trx }) =>
      sql<{ transaction_isolation: string }>`show transaction_isolation`.execute(trx),
    );
    await sql`reset default_transaction_isolation`.execute(connection);
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
  });
});

test('returns the result of the work and commits its writes', async () => {
  const result = await transaction({ db: database.db }, async ({ db: trx }) => {
    await insertUser(trx, 'first');
    return insertUser(trx, 'second');
  });
  expect(result).toBe(2);
  expect(await usernames()).toEqual(['first', 'second']);
});

test('rolls back work that throws', async () => {
  const failure = new Error('no');
  const failing = transaction({ db: database.db }, async ({ db: trx }) => {
    await insertUser(trx, 'first');
    throw failure;
  });
  await expect(failing).rejects.toBe(failure);
  expect(await usernames()).toEqual([]);
});

test('joins an open transaction and rolls back with it', async () => {
  const failing = transaction({ db: database.db }, async ({ db: outer }) => {
    await transaction({ db: outer }, async ({ db: inner }) => {
      expect(inner).toBe(outer);
      await insertUser(inner, 'first');
    });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await usernames()).toEqual([]);
});

test.each(['40001', '40P01'])('repeats work that the database gave up with %s from the start', async (code) => {
  let attempts = 0;
  await transaction({ db: database.db }, async ({ db: trx }) => {
    attempts += 1;
    await insertUser(trx, `attempt${attempts}`);
    if (attempts < 3) await giveUp(trx, code);
  });
  expect(await usernames()).toEqual(['attempt3']);
});

test('fails after five attempts when the database always gives up', async () => {
  let attempts = 0;
  const failing = transaction({ db: database.db }, async ({ db: trx }) => {
    attempts += 1;
    await giveUp(trx, '40001');
  });
  await expect(failing).rejects.toMatchObject({ code: '40001' });
  expect(attempts).toBe(5);
});

test("doesn't repeat work that fails for another reason", async () => {
  let attempts = 0;
  const failing = transaction({ db: database.db }, async ({ db: trx }) => {
    attempts += 1;
    await giveUp(trx, '23505');
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(attempts).toBe(1);
});

test('repeats nothing on its own inside a joined transaction', async () => {
  let inner = 0;
  let outer = 0;
  await transaction({ db: database.db }, async ({ db: trx }) => {
    outer += 1;
    await transaction({ db: trx }, async ({ db: joined }) => {
      inner += 1;
      if (outer === 1) await giveUp(joined, '40001');
    });
  });
  expect({ inner, outer }).toEqual({ inner: 2, outer: 2 });
});
