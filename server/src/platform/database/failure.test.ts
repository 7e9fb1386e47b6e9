import { createConnection } from 'node:net';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isTransient, isUnavailable, violates } from './failure.ts';
import { insertActiveSession, insertAsset, insertShare, insertUser } from './testing/rows.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('It should have failed.'),
    (error: unknown) => error,
  );
}

function raised(code: string): Promise<unknown> {
  const statement = `do $$ begin raise exception 'raised' using errcode = '${code}'; end $$`;
  return failureOf(sql.raw(statement).execute(database.db));
}

describe('a violated constraint is identified by its name', () => {
  test('for a unique index', async () => {
    await insertUser(database.db, 'somebody');
    const error = await failureOf(insertUser(database.db, 'SomeBody'));
    expect(violates(error, 'users_username_unique')).toBe(true);
    expect(violates(error, 'users_email_unique')).toBe(false);
    expect(isUnavailable(error)).toBe(false);
  });

  test('for a check', async () => {
    const error = await failureOf(insertUser(database.db, 'a b'));
    expect(violates(error, 'users_username_shape')).toBe(true);
  });

  test('for a foreign key', async () => {
    const error = await failureOf(insertAsset(database.db, 999));
    expect(violates(error, 'assets_owner_id_fkey')).toBe(true);
  });

  test('for a partial unique index', async () => {
    const { db } = database;
    const share = await insertShare(
      db,
      await insertAsset(db, await insertUser(db, 'owner')),
      await insertUser(db, 'member'),
    );
    await insertActiveSession(db, share);
    expect(violates(await failureOf(insertActiveSession(db, share)), 'sessions_one_active')).toBe(true);
  });

  test('and not confused with another error', async () => {
    const others = [
      undefined,
      null,
      'users_username_unique',
      new Error('users_username_unique'),
      await raised('22012'),
    ];
    for (const error of others) expect(violates(error, 'users_username_unique')).toBe(false);
  });
});

describe('an unusable database', () => {
  test.each(['08006', '53100', '53200', '53300', '57P01', '57P03', '57014', '58030', '25006'])(
    'is recognized by %s',
    async (code) => {
      expect(isUnavailable(await raised(code))).toBe(true);
    },
  );

  test.each(['22012', '23505', '40001', '42P01', 'P0001'])('is not recognized by %s', async (code) => {
    expect(isUnavailable(await raised(code))).toBe(false);
  });

  test('is recognized by a write in read-only mode', async () => {
    const { db } = database;
    const writing = db
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => insertUser(trx, 'somebody'));
    expect(isUnavailable(await failureOf(writing))).toBe(true);
  });

  test('is recognized by a refused connection', async () => {
    // Port 1 is reserved, so nothing listens on it.
    const [error] = (await once(createConnection({ host: '127.0.0.1', port: 1 }), 'error')) as [unknown];
    expect(isUnavailable(error)).toBe(true);
    expect(isUnavailable(new AggregateError([error]))).toBe(true);
  });

  test('is recognized by use after closing', async () => {
    const closed = await openTestDatabase();
    await closed.close();
    expect(isUnavailable(await failureOf(closed.db.selectFrom('users').select('id').execute()))).toBe(true);
  });

  test('is not recognized by a bug in the code', () => {
    for (const error of [
      undefined,
      null,
      'ECONNREFUSED',
      new TypeError('x is not a function'),
      new RangeError('57P01'),
    ]) {
      expect(isUnavailable(error)).toBe(false);
    }
  });
});

test('only serialization failures and deadlocks are worth retrying', async () => {
  expect(isTransient(await raised('40001'))).toBe(true);
  expect(isTransient(await raised('40P01'))).toBe(true);
  for (const code of ['40002', '23505', '57P01']) expect(isTransient(await raised(code))).toBe(false);
});
