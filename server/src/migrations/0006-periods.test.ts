import { readFileSync } from 'node:fs';
import { Migrator, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenPeriods } from '../features/periods/service.ts';
import { verifyUsage } from '../features/usage/service.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openTestApi, type TestApi } from '../testing/api.ts';
import { migrations } from './index.ts';

// Databases that the version before billing periods wrote in random histories, with what it answered on them: lists,
// statements, analytics, prices and histories.

interface Earlier {
  now: string;
  tables: Record<string, object[]>;
  figures: Record<string, unknown>;
}

const earlier = JSON.parse(
  readFileSync(new URL('../testing/earlier-databases.json', import.meta.url), 'utf8'),
) as Earlier[];

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

async function writeEarlier(tables: Earlier['tables']): Promise<void> {
  const { db } = api.deps;
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const first = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006'));
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(first) } });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  for (const [table, rows] of Object.entries(tables))
    await sql`
      insert into ${sql.table(table)} overriding system value
      select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(db);
  await migrate(db);
}

/** Signs users in whose sign-ins were not kept; gives their access tokens by username. */
async function signInAll(users: { id: number; username: string }[]): Promise<Map<string, string>> {
  const tokens = new Map<string, string>();
  const now = api.clock.now;
  for (const { id, username } of users) {
    const expiry = new Date(now.getTime() + 3_600_000);
    await api.deps.db
      .insertInto('sign_ins')
      .values({
        user_id: id,
        handle: username,
        refresh_hash: '',
        device: '',
        created_at: now,
        last_used_at: now,
        expires_at: expiry,
      })
      .execute();
    tokens.set(username, await api.deps.tokens.access({ userId: id, signIn: username }));
  }
  return tokens;
}

const ADDED = new Set([
  'used_seconds',
  'available_seconds',
  'hour_days',
  'available_hours',
  'explanation',
  'last_used_at',
  'active_since',
  'used',
  'shared_at',
  'status',
  'offer',
  'expires_at',
  'next_terms',
  'next_price',
  'proposed_terms',
  'handover',
  'next_owner',
  'price_changes',
  'edited_sessions',
  'objection',
  'open_until',
  'ended_at',
  'ends_at',
  'confirmed_at',
  'account_deleted',
  'unbilled',
  'deleted_at',
  'objected_at',
  'person',
  'claim_expires_at',
  'recorded_by_owner',
  'manager',
  'manager_since',
  'your_role',
  'share_id',
  'invitation_id',
  'payment_details',
  'they_sent',
  'you_sent',
  'open_amount',
  'sent_amount',
  'paid_amount',
  'covered_amount',
  'undone_at',
  'undo_asked_by',
  'events',
  'can',
]);
/** What follows from available hours, which count by day in months that were still open. */
const BY_DAY = new Set(['offered_hours', 'allotted_hour_days', 'amount', 'base_amount', 'odd_cents']);

const without = (body: unknown, fields: ReadonlySet<string>): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (fields.has(key) ? undefined : value)));

/** Leaves out what this version tells in another way on purpose, and what it tells in addition. */
function comparable(path: string, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if (path.includes('/history/')) {
    const { months } = body as { months: object[] };
    // Whether a month is whole is known better now, and what stands out follows from that.
    return without(months, new Set([...ADDED, 'whole', 'offered_hours', 'idle_hours', 'idle_percentage']));
  }
  if (/\/assets\/\d+\/analytics\//.test(path)) {
    // Ended months list those who had access in them, not those who have it now.
    const { total_usage, total_sessions, daily_usage, weekly_usage, month } = body as Record<string, unknown>;
    return { total_usage, total_sessions, daily_usage, weekly_usage, month };
  }
  return JSON.parse(
    JSON.stringify(without(body, ADDED), (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'closed' in value && value.closed === false
        ? without(value, BY_DAY)
        : value,
    ),
  );
}

describe('a database of the version before billing periods', () => {
  it.each(earlier.map((each, index) => ({ number: index + 1, ...each })))(
    'gives the same figures after it was converted: $number',
    async ({ now, tables, figures }) => {
      await writeEarlier(tables);
      api.clock.now = new Date(now);
      expect(await brokenPeriods(api.deps.db)).toEqual([]);
      for await (const { days } of verifyUsage(api.deps.db, { repair: false })) expect(days).toEqual([]);
      const tokens = await signInAll(tables['users'] as { id: number; username: string }[]);
      const [answered, expected]: Record<string, unknown>[] = [{}, {}];
      for (const [question, figure] of Object.entries(figures)) {
        const [username = '', path = ''] = question.split(' ');
        const { status, body } = await api.call('GET', path, { token: tokens.get(username) ?? '' });
        answered![question] = status === 200 ? comparable(path, body) : status;
        expected![question] = comparable(path, figure);
      }
      expect(answered).toEqual(expected);
    },
  );
});
