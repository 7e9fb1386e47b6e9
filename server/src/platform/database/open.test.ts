import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { violates } from './failure.ts';
import { insertActiveSession, insertAsset, insertShare, insertUser } from './testing/rows.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

test('the engine is the one that the run asks for', () => {
  expect(database.engine).toBe(process.env['TEST_DATABASE_URL'] ? 'postgresql' : 'embedded');
});

describe('a column', () => {
  test('is returned as number, day or instant', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as cents, '2026-02-28'::date as day,
        '2026-03-01 01:02:03.456+02'::timestamptz as instant, array[1, null]::bigint[] as ids,
        array['2026-02-28']::date[] as days, sum(n)::bigint as total, null::bigint as nothing
      from (values (1::bigint), (2)) numbers (n)`.execute(database.db);
    expect(rows[0]).toEqual({
      cents: 9007199254740991,
      day: '2026-02-28',
      instant: new Date('2026-02-28T23:02:03.456Z'),
      ids: [1, null],
      days: ['2026-02-28'],
      total: 3,
      nothing: null,
    });
  });

  test('throws for a value that no number holds exactly', async () => {
    await expect(sql`select 9007199254740993::bigint as id`.execute(database.db)).rejects.toThrow('9007199254740993');
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  });

  test("keeps an instant to the millisecond, whatever the process's time zone", async () => {
    const { db } = database;
    const instant = new Date('2026-10-25T00:59:59.999Z');
    await insertUser(db, 'somebody');
    await db.updateTable('users').set({ created_at: instant }).execute();
    expect(await db.selectFrom('users').select('created_at').execute()).toEqual([{ created_at: instant }]);
  });
});

function rejectedBy(results: PromiseSettledResult<unknown>[], constraint: string): number {
  return results.filter((result) => result.status === 'rejected' && violates(result.reason, constraint)).length;
}

describe('exactly one of 50 concurrent inserts succeeds', () => {
  test('for an active session of a share', async () => {
    const { db } = database;
    const owner = await insertUser(db, 'owner');
    const share = await insertShare(db, await insertAsset(db, owner), await insertUser(db, 'member'));
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => insertActiveSession(db, share)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(rejectedBy(results, 'sessions_one_active')).toBe(49);
    expect(await db.selectFrom('sessions').select('share_id').execute()).toEqual([{ share_id: share }]);
  });

  test('for a share of an asset with a member', async () => {
    const { db } = database;
    const asset = await insertAsset(db, await insertUser(db, 'owner'));
    const member = await insertUser(db, 'member');
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => insertShare(db, asset, member)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(rejectedBy(results, 'shares_one_open')).toBe(49);
  });
});

describe('a failed statement', () => {
  test('leaves the connection usable, a hundred times in a row', async () => {
    for (let round = 0; round < 100; round += 1) {
      await expect(sql`select 1 / ${0}::int`.execute(database.db)).rejects.toMatchObject({ code: '22012' });
      const { rows } = await sql<{ round: number }>`select ${round}::int as round`.execute(database.db);
      expect(rows).toEqual([{ round }]);
    }
  });

  test('among many concurrent ones fails alone', async () => {
    const divisors = Array.from({ length: 40 }, (_, index) => index % 4);
    const results = await Promise.allSettled(
      divisors.map((divisor) => sql`select 12 / ${divisor}::int as quotient`.execute(database.db)),
    );
    const answers = results.map((result) => (result.status === 'fulfilled' ? result.value.rows : 'failed'));
    expect(answers).toEqual(divisors.map((divisor) => (divisor === 0 ? 'failed' : [{ quotient: 12 / divisor }])));
  });

  test('rolls back its transaction and leaves none open', async () => {
    const { db } = database;
    const failing = db.transaction().execute(async (trx) => {
      await insertUser(trx, 'somebody');
      await sql`select 1 / 0`.execute(trx);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await db.selectFrom('users').select('id').execute()).toEqual([]);
    await insertUser(db, 'somebody');
    expect(await db.selectFrom('users').select('username').execute()).toEqual([{ username: 'somebody' }]);
  });
});

describe('reset', () => {
  test('empties every table and restarts the ids at 1', async () => {
    const { db } = database;
    const owner = await insertUser(db, 'owner');
    const asset = await insertAsset(db, owner);
    await insertActiveSession(db, await insertShare(db, asset, await insertUser(db, 'member')));

    await database.reset();

    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
    expect(rows.length).toBeGreaterThanOrEqual(7);
    for (const { name } of rows) {
      expect({ name, rows: (await sql`select 1 from ${sql.table(name)}`.execute(db)).rows }).toEqual({
        name,
        rows: [],
      });
    }
    expect(await insertUser(db, 'first')).toBe(1);
  });
});
