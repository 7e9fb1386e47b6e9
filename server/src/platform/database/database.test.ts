import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

describe('columns', () => {
  test('arrive as number, day and instant', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as cents, '2026-02-28'::date as day,
        '2026-03-01 01:02:03.456+02'::timestamptz as instant, array[1, null]::bigint[] as ids,
        array['2026-02-28']::date[] as days`.execute(database.db);
    expect(rows[0]).toEqual({
      cents: 9007199254740991,
      day: '2026-02-28',
      instant: new Date('2026-02-28T23:02:03.456Z'),
      ids: [1, null],
      days: ['2026-02-28'],
    });
  });
});
