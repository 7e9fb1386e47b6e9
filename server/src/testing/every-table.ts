import { sql } from 'kysely';
import { requireSameSecret } from '../features/installation/service.ts';
import { dispatchAll } from '../features/notifications/dispatch/service.ts';
import type { Database } from '../platform/database/database.ts';
import { TEST_SECRET, type TestApi } from './api.ts';
import { successfulCalls } from './successes.ts';

// Values that are easily changed when they are copied: microseconds, quotes, line ends, text of any script, and nulls.
const TEXT = `E'a "b" \\'c\\' \\\\N \\\\n [1, null] {\\n\\t\\r} \\u00e9\\u05d0\\U0001F600'`;

const statements = [
  `insert into registration_links (token_hash, created_at, expires_at)
    values ('hash', '2026-03-10T12:00:00.123456Z', 'infinity')`,
  `insert into idempotency_keys (user_id, key, request_hash, status, body, created_at)
    select id, 'key', 'hash', 201, repeat(${TEXT}, 20000), '2026-03-10T12:00:00.123456Z' from users limit 1`,
  `insert into archivals (asset_id, since) select id, '2026-03-10T12:00:00.000001Z' from assets limit 1`,
  `insert into renewal_votes (asset_id, renews_on, user_id, choice, line, voted_at)
    select a.id, '2030-02-28', u.id, 'keep', ${TEXT}, '2026-03-10T12:00:00.000001Z' from assets a, users u limit 1`,
  `insert into renewal_decisions (asset_id, renews_on, decision, decided_at)
    select id, '2030-02-28', 'renewed', '2026-03-10T12:00:00.000001Z' from assets limit 1`,
  `insert into price_changes (asset_id, month, changed_at, from_cents, to_cents)
    select asset_id, month, '0099-12-31T23:59:59.999999Z', 1, 9007199254740991 from periods limit 1`,
  `insert into confirmations (asset_id, month, member_id, confirmed_at)
    select asset_id, month, u.id, 'infinity' from periods, users u limit 1`,
  `insert into cost_answers (cost_id, version, user_id, answer, answered_at)
    select v.cost_id, v.version, u.id, 'no', '2026-03-01T00:00:00.000001Z' from cost_versions v, users u limit 1`,
  `insert into removed_sessions (id, share_id, started_at, ended_at, removed_at)
    select 1000, id, '2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z', '2026-03-02T00:00:00Z' from shares limit 1`,
  `insert into metered_days (id, share_id, meter_id, day, told_seconds, seconds, cost_micros, last_at)
    select 1001, sh.id, m.id, '2026-03-01', 60, 30, 9007199254740991, '2026-03-01T00:00:00.000001Z' from shares sh, meters m limit 1`,
  `insert into meter_series (meter_id, external_name, series, at, micros)
    select id, ${TEXT}, 'hash', '2026-03-01T00:00:00.000001Z', 1 from meters limit 1`,
  `insert into meter_silences (asset_id, meter_id, meter, since, until)
    select asset_id, id, ${TEXT}, '2026-03-01T00:00:00.000001Z', '2026-03-02T01:00:00Z' from meters limit 1`,
  `insert into meter_uncounted (meter_id, share_id, imported, started_at, ended_at)
    select meter_id, share_id, true, '2026-03-01T00:00:00.000001Z', '2026-03-01T01:00:00Z' from meter_members limit 1`,
  `insert into imported_uses (meter_id, external_name, started_at, ended_at)
    select id, ${TEXT}, '2026-03-01T00:00:00.000001Z', '2026-03-01T01:00:00Z' from meters limit 1`,
  `insert into mails (kind, sealed, created_at, due_at) values ('kind', ${TEXT}, '2026-03-01T00:00:00Z', '-infinity')`,
  `insert into manager_changes (asset_id, changed_at, kind) select id, '2026-03-01T00:00:00Z', 'price' from assets limit 1`,
  `insert into objection_messages (objection_id, by_owner, text, sent_at)
    select id, true, ${TEXT}, '2026-03-01T00:00:00Z' from objections limit 1`,
  `insert into request_acceptances (request_id, user_id, accepted_at)
    select r.id, u.id, '2026-03-01T00:00:00Z' from edit_requests r, users u limit 1`,
  `insert into outbox (kind, user_ids, data, happened_at) values ('account.changed', '{1}', '{}', '2026-03-01T00:00:00Z')`,
  `insert into notice_choices (user_id, kind, bell, mail, push) select id, 'sign_in', true, false, false from users limit 1`,
  `insert into deliveries (notice_id, target_id, due_at)
    select n.id, t.id, '2026-03-01T00:00:00.000001Z' from notices n, notice_targets t limit 1`,
  `insert into job_runs (job, started_at) values ('job', '2026-03-01T00:00:00.000001Z')`,
  // Someone whose owner came later.
  `insert into users (username, email, password_hash, time_zone, created_at, host_id)
    select 'Kept (later)', null, null, 'UTC', '2026-03-01T00:00:00Z', max(id) from users`,
  `update users set host_id = (select max(id) from users where email is not null)
    where username = 'Kept (later)'`,
];

/** Fills every table of an empty database, most of them through the API. */
export async function fillEveryTable(api: TestApi): Promise<void> {
  await requireSameSecret(api.deps.db, TEST_SECRET, undefined);
  await successfulCalls(api);
  await dispatchAll(api.deps);
  for (const statement of statements) await sql.raw(statement).execute(api.deps.db);
}

/** Everything in a database. */
export interface Everything {
  /** Rows as text, in no order, by table. */
  tables: Record<string, string[]>;
  schema: Record<'migrations' | 'columns' | 'constraints' | 'indexes' | 'sequences', string[]>;
}

export async function readEverything(db: Database): Promise<Everything> {
  await sql`select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, MDY', false)`.execute(db);
  const texts = async (query: string) => {
    const { rows } = await sql.raw<{ text: string }>(query).execute(db);
    return rows.map(({ text }) => text).toSorted();
  };
  const tables = await texts(
    `select tablename::text as text from pg_tables where schemaname = 'public' and tablename <> 'kysely_migration'`,
  );
  const rows = await Promise.all(
    tables.map(async (table) => [table, await texts(`select t::text as text from public.${table} t`)] as const),
  );
  const schema = {
    migrations: await texts('select name as text from kysely_migration'),
    columns: await texts(
      `select format('%s %s %s %s %s', c.table_name, ordinal_position, column_name, data_type, column_default) as text
       from information_schema.columns c where table_schema = 'public'`,
    ),
    constraints: await texts(
      `select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
       from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
    ),
    indexes: await texts(`select indexdef as text from pg_indexes where schemaname = 'public'`),
    sequences: await texts(
      `select format('%s %s', sequencename, last_value) as text from pg_sequences where schemaname = 'public'`,
    ),
  };
  return { tables: Object.fromEntries(rows), schema };
}
