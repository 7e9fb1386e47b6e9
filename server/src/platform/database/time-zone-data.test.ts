import { sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';
import { differingTimeZones } from './time-zone-data.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const now = new Date('2026-11-21T12:00:00Z');

/** Returns whether the database and this process show the same time in a zone in the middle of each of 24 months. */
async function agree(zone: string): Promise<boolean> {
  const { rows } = await sql<{ instant: Date; shown: string }>`
    select instant, to_char(instant at time zone ${zone}, 'YYYY-MM-DD"T"HH24:MI:SS') as shown
    from generate_series(timestamptz '2026-11-15 00:00Z', '2028-10-15 00:00Z', '1 month') instant`.execute(database.db);
  return rows.every(
    ({ instant, shown }) =>
      Temporal.Instant.fromEpochMilliseconds(instant.getTime())
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .toString() === shown,
  );
}

test('reports exactly the zones in which the database and this process show different times', async () => {
  const { zones: differing, databaseVersion } = await differingTimeZones(database.db, () => now);
  expect(databaseVersion).toMatch(/^PostgreSQL \d+\.\d/);
  const asked = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', ...differing];
  const found = [];
  for (const zone of asked) if (!(await agree(zone))) found.push(zone);
  expect(found).toEqual(differing);
});
