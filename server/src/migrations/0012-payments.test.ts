import { Migrator, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../platform/database/migrate.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { migrations } from './index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('keeps payments of the version before as paid, with the charges they cleared', async () => {
  const { db } = database;
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const first = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0012'));
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(first) } });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  await sql`
    insert into settlements (payer_name, payee_name, recorded_by, amount_cents, currency, settled_at)
    values ('ana', 'mira', 'ana', 450, 'USD', '2026-03-07T10:00:00Z'),
      ('ana', 'mira', 'mira', 100, 'USD', '2026-04-07T10:00:00Z')`.execute(db);
  await sql`
    insert into statements (asset_name, month, owner_name, price_cents, currency, split_method, base_percent, owner_hours,
      offered_seconds, closes_at, closed_at)
    values ('Films', '2026-02-01', 'mira', 2000, 'USD', 'usage', 0, 0, 0, '2026-03-04', '2026-03-04')`.execute(db);
  await sql`
    insert into statement_lines (statement_id, username, role, allocation_hours, used_seconds, days, base_cents, odd_cents,
      amount_cents, settlement_id, paid_at)
    values (1, 'mira', 'owner', 0, 0, 28, 0, 0, 1000, null, null), (1, 'ana', 'member', 0, 0, 28, 0, 0, 600, 1, null),
      (1, 'ben', 'member', 0, 0, 28, 0, 0, 300, null, '2026-03-05'), (1, 'kim', 'member', 0, 0, 28, 0, 0, 100, 2, null)`.execute(
    db,
  );
  await migrate(db);

  const lines = await db.selectFrom('statement_lines').selectAll().orderBy('id').execute();
  expect(lines.map((line) => [line.username, line.sent_cents, line.settled_cents])).toEqual([
    ['mira', 0, 0],
    ['ana', 0, 600],
    ['ben', 0, 0],
    ['kim', 0, 100],
  ]);
  expect(await db.selectFrom('settlement_parts').selectAll().orderBy('line_id').execute()).toEqual([
    { settlement_id: 1, line_id: 2, amount_cents: 600 },
    { settlement_id: 2, line_id: 4, amount_cents: 100 },
  ]);
  const settlements = await db.selectFrom('settlements').select(['status', 'status_since']).orderBy('id').execute();
  const [march, april] = [new Date('2026-03-07T10:00:00Z'), new Date('2026-04-07T10:00:00Z')];
  expect(settlements).toEqual([
    { status: 'paid', status_since: march },
    { status: 'paid', status_since: april },
  ]);
  const events = await db.selectFrom('settlement_events').select(['kind', 'by_payer', 'at']).orderBy('id').execute();
  expect(events).toEqual([
    { kind: 'paid', by_payer: true, at: march },
    { kind: 'paid', by_payer: false, at: april },
  ]);
  // Charges that were paid in any way are not open again, and no line takes more than its amount.
  await expect(sql`update statement_lines set sent_cents = 1 where id = 2`.execute(db)).rejects.toThrow(
    'statement_lines_never_overpaid',
  );
});
