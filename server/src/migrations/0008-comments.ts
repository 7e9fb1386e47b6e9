import { sql, type Kysely } from 'kysely';

// Describes the columns in the database itself, for operators and for the types generated from it (schema.ts).

const columns = {
  'sign_ins.handle':
    'Unguessable name of the sign-in inside its tokens. Ids come back after a backup is restored; this never does.',
  'sign_ins.generation': 'Which refresh token of this sign-in is the current one, counted from 0.',
  'sign_ins.refresh_hash': 'SHA-256 of the current refresh token.',
  'sign_ins.device': 'The User-Agent it was made with, cut to 200 characters.',
  'periods.month': 'First day of the month.',
  'periods.starts_at': 'The end of the previous period.',
  'periods.ends_at': 'The start of the next month in the time zone of this period.',
  'periods.price_since': 'First day of the month from which that price was set.',
  'periods.base_percent': '0 to 100; with split_method usage, this share of the price is split by allowance.',
  'periods.owner_hours': 'Whole hours a month reserved for the owner.',
  'periods.partial': 'Whether the asset was added, archived, or restored within it.',
  'periods.asset_name': 'The name of the asset when the period was due to close, if it has been renamed since.',
  'usage_days.day': 'A local day of the period of the asset.',
  'usage_days.seconds': 'Whole seconds of ended sessions.',
  'usage_days.sessions':
    'Sessions that began on it and, on the first day of a period, one that ran on into the period.',
  'allowances.since': 'When the allowance takes effect.',
  'sessions.ends_by': 'When the limit of the asset ends the session if no one does.',
  'sessions.was_started_at': 'The original value; null if the session was never corrected.',
  'sessions.was_ended_at': 'The original value; null if the session was never corrected.',
  'removed_sessions.started_at': 'The original value, before any correction.',
  'removed_sessions.ended_at': 'The original value, before any correction.',
  'statements.month': 'First day of the month.',
  'statement_lines.base_cents': 'The part of the amount that comes from the base part of the price.',
  'statement_lines.odd_cents': 'The part of the amount that comes from rounding.',
  'settlements.recorded_by': 'Username of the person who recorded it.',
  'idempotency_keys.request_hash': 'SHA-256 of method, path, and body.',
};

const tables = {
  sign_ins: 'One sign-in on one device, from login until sign-out, expiry, or a replayed refresh token.',
  periods: 'A billing period: one calendar month of an asset, with everything that can differ from month to month.',
  usage_days: 'What the ended sessions of a share add up to on one day.',
  allowances: 'The monthly hours of a share, from an instant onward.',
  removed_sessions: 'Sessions that their members have removed.',
  statements: 'A closed month of an asset. Written once, never changed.',
  statement_lines: 'What one participant pays of a closed month. Only the marks and the settlement change.',
  idempotency_keys: 'Answers kept for 24 hours, so that a repeated request gets the same bytes.',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table statements
    add constraint statements_split_method check (split_method in ('usage', 'allocation', 'equal'))`.execute(db);
  for (const [table, text] of Object.entries(tables))
    await sql`comment on table ${sql.table(table)} is ${sql.lit(text)}`.execute(db);
  for (const [column, text] of Object.entries(columns))
    await sql`comment on column ${sql.ref(column)} is ${sql.lit(text)}`.execute(db);
}
