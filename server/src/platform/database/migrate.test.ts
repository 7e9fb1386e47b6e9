import { Migrator, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { isUsable, migrate, requireCurrent } from './migrate.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

async function emptyDatabase(): Promise<void> {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
}

async function tables(): Promise<unknown[]> {
  const { rows } = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`.execute(database.db);
  return rows;
}

async function migrationsDone(): Promise<unknown[]> {
  return (await sql`select name, timestamp from kysely_migration order by name`.execute(database.db)).rows;
}

test('a new database gets every table', async () => {
  const expected = await tables();
  await emptyDatabase();
  expect(await isUsable(database.db)).toBe(false);
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
  expect(await tables()).toEqual(expected);
});

test('a migrated database stays unchanged', async () => {
  const before = { tables: await tables(), migrationsDone: await migrationsDone() };
  await migrate(database.db);
  await migrate(database.db);
  expect({ tables: await tables(), migrationsDone: await migrationsDone() }).toEqual(before);
});

test('one of two concurrent migrations runs and the other waits', async () => {
  await emptyDatabase();
  await Promise.all([migrate(database.db), migrate(database.db)]);
  expect(await migrationsDone()).toHaveLength(Object.keys(migrations).length);
});

const addMigration = (name: string) =>
  sql`insert into kysely_migration values (${name}, '2030-01-01T00:00:00.000Z')`.execute(database.db);

const newest = Object.keys(migrations).at(-1) ?? '';

test('a database of a newer version is rejected with a message, and stays usable until a migration needs an unknown one', async () => {
  await addMigration('9997-later');
  await addMigration(`9998-drop-earlier-needs-${newest.slice(0, 4)}`);
  expect(await isUsable(database.db)).toBe(true);
  const refusal = {
    name: 'StartupError',
    message:
      'The database was last used by a newer version of HourShare (it has 9997-later); run that version or a later one, or restore an older backup into an empty database (a new DATA_DIR or DATABASE_URL).',
  };
  await expect(migrate(database.db)).rejects.toMatchObject(refusal);
  await expect(requireCurrent(database.db)).rejects.toMatchObject(refusal);

  await addMigration('9999-drop-later-needs-9997');
  expect(await isUsable(database.db)).toBe(false);
});

test("a database with an unknown migration but not all known ones isn't usable", async () => {
  await sql`update kysely_migration set name = '0035-something-else' where name = ${newest}`.execute(database.db);
  expect(await isUsable(database.db)).toBe(false);
  await expect(migrate(database.db)).rejects.toThrow('newer version of HourShare (it has 0035-something-else)');
});

test("a clock set back since an earlier migration doesn't block the start", async () => {
  await sql`update kysely_migration set timestamp = '2999-01-01T00:00:00.000Z'`.execute(database.db);
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
});

test('a failed migration leaves nothing behind', async () => {
  await emptyDatabase();
  // Conflicts with the third table of the first migration.
  await sql`create view assets as select 1 as one`.execute(database.db);
  await expect(migrate(database.db)).rejects.toMatchObject({ code: '42P07' });
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database.db);
  expect(rows.filter(({ name }) => !name.startsWith('kysely'))).toEqual([]);
  await sql`drop view assets`.execute(database.db);
  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
});

test('an upgrade keeps existing data and opens every month since an asset was added', async () => {
  await emptyDatabase();
  const { '0001-initial': initial } = migrations;
  if (!initial) throw new Error('no first migration');
  const { error } = await new Migrator({
    db: database.db,
    provider: { getMigrations: async () => ({ '0001-initial': initial }) },
  }).migrateToLatest();
  expect(error).toBeUndefined();
  await sql`
    insert into users (username, email, password_hash, time_zone, created_at)
    values ('mira', 'mira@example.org', '', 'UTC', '2026-01-01T00:00:00Z'),
      ('ana', 'ana@example.org', '', 'UTC', '2026-01-01T00:00:00Z')`.execute(database.db);
  // Added when it was still January in the asset's time zone.
  await sql`
    insert into assets (owner_id, name, description, time_zone, created_at)
    select id, 'Films', '', 'America/New_York', '2026-02-01T04:59:59Z' from users where username = 'mira'`.execute(
    database.db,
  );
  await sql`insert into prices select id, '2026-01-01', 1599 from assets`.execute(database.db);
  await sql`
    insert into shares (asset_id, member_id, monthly_hours_allocated, created_at)
    select a.id, u.id, 20, '2026-02-01T12:00:00Z' from assets a, users u where u.username = 'ana'`.execute(database.db);
  await sql`
    insert into sessions (share_id, started_at, ended_at, ends_by)
    select id, '2026-02-02T08:00:00Z', '2026-02-02T09:00:00Z', '2026-02-03T08:00:00Z' from shares`.execute(database.db);

  await migrate(database.db);
  expect(await isUsable(database.db)).toBe(true);
  const { rows } = await sql`
    select a.name, to_char(p.month, 'YYYY-MM-DD') as open, p.price_cents, sh.monthly_hours_allocated as hours,
      s.ended_at - s.started_at = interval '1 hour' as "keptSession", s.edited_at
    from assets a join shares sh on sh.asset_id = a.id join sessions s on s.share_id = sh.id
    cross join lateral (
      select * from periods where asset_id = a.id and closed_at is null order by month limit 1
    ) p`.execute(database.db);
  expect(rows).toEqual([
    { name: 'Films', open: '2026-01-01', price_cents: 1599, hours: 20, keptSession: true, edited_at: null },
  ]);
});
