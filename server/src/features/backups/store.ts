import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { rebuildTables } from '../../platform/database/migrate.ts';
import { onlyRow } from '../../platform/database/only-row.ts';
import type { Tables } from '../../schema.ts';

/** Every table that a backup contains. The compiler rejects a missing one. */
const TABLES = Object.keys({
  access_tokens: true,
  agreements: true,
  allowances: true,
  archivals: true,
  assets: true,
  calendar_feeds: true,
  claims: true,
  confirmations: true,
  cost_answers: true,
  cost_versions: true,
  costs: true,
  deliveries: true,
  deposits: true,
  dispatcher: true,
  edit_requests: true,
  email_changes: true,
  handovers: true,
  idempotency_keys: true,
  identities: true,
  imported_uses: true,
  installation: true,
  invitations: true,
  job_runs: true,
  live_updates: true,
  mails: true,
  meter_events: true,
  meter_members: true,
  meter_names: true,
  meter_refusals: true,
  meter_series: true,
  meter_silences: true,
  meter_uncounted: true,
  metered_days: true,
  meters: true,
  manager_changes: true,
  notice_choices: true,
  notice_targets: true,
  notices: true,
  objection_messages: true,
  objections: true,
  outbox: true,
  passkeys: true,
  password_resets: true,
  periods: true,
  price_changes: true,
  provider_flows: true,
  push_subscriptions: true,
  recovery_codes: true,
  registration_links: true,
  removed_sessions: true,
  renewal_decisions: true,
  renewal_votes: true,
  request_acceptances: true,
  security_events: true,
  sessions: true,
  payment_steps: true,
  settlement_parts: true,
  settlements: true,
  shares: true,
  sign_ins: true,
  statement_lines: true,
  statements: true,
  trusted_owners: true,
  two_step_keys: true,
  usage_days: true,
  used_challenges: true,
  users: true,
} satisfies Record<keyof Tables, true>);

// "hoursha1" in ASCII, apart from the number that migrations lock.
const DAILY_LOCK = sql.lit('7525362636782330161');

/** About how many bytes of a table are read at once. */
const READ_BYTES = 1_000_000;

export interface Column {
  name: string;
  /** With its length and precision, as in a cast. */
  type: string;
}

/** What two tables with the same rows have in common. */
export interface Figures {
  rows: number;
  /** The sum of a hash of each row, so that the order of rows doesn't matter. */
  digest: string;
}

/** Columns by table. */
export type Columns = Record<string, Column[]>;

/** Runs work that reads the database as it is at one instant, while others may change it. */
export function inSnapshot<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      // The first query makes the snapshot, which must not miss a restore or a migration that these locks wait for.
      await sql`lock table ${sql.join(TABLES.map((name) => sql.table(name)))} in access share mode`.execute(trx);
      await writeTextExactly(trx);
      // The disk or the other database may be slow.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      return work(trx);
    });
}

/** Has both engines write the same text for the same value until the transaction ends, whatever the defaults of the database. */
async function writeTextExactly(trx: Database): Promise<void> {
  await sql`
    select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, MDY', true),
      set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
      set_config('extra_float_digits', '1', true)`.execute(trx);
}

/** Returns the columns of these tables, in order; by default, of all that this version has. */
export async function readColumns(trx: Database, tables: readonly string[] = TABLES): Promise<Columns> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    select relname::text as table, attname::text as name, format_type(atttypid, atttypmod) as type
    from pg_class c join pg_attribute on attrelid = c.oid
    where relnamespace = current_schema()::regnamespace and relname = any(${tables}::text[])
      and attnum > 0 and not attisdropped and attgenerated = ''
    order by relname, attnum`.execute(trx);
  const columns: Columns = {};
  for (const { table, ...column } of rows) (columns[table] ??= []).push(column);
  return columns;
}

/** One row as JSON: an array of texts and nulls. */
const asJson = (columns: Column[]) =>
  sql`json_build_array(${sql.join(columns.map(({ name }) => sql`${sql.ref(name)}::text`))})::text`;

// The hash by which PostgreSQL distributes texts among partitions, so it is the same in every version and engine. SHA-256
// would take three times as long as all the rest.
const figures = sql`
  count(*)::int as rows, coalesce(sum(hashtextextended(line collate "C", 0)), 0)::text as digest`;

/** Returns queries for the rows of a table as JSON, about a megabyte each, so that other work of the process runs in between. */
async function* partsOf(trx: Database, table: string, columns: Column[]): AsyncGenerator<RawBuilder<unknown>> {
  const { pages, bytes } = await onlyRow(
    sql<{ pages: number; bytes: number }>`
      select (pg_relation_size(oid) / current_setting('block_size')::int)::int as pages,
        pg_table_size(oid)::float8 as bytes
      from (select to_regclass(quote_ident(${table}::text))::oid as oid) found`,
    trx,
  );
  // Large values are stored apart from the pages of their rows.
  const step = Math.max(1, Math.floor((READ_BYTES * pages) / bytes));
  for (let page = 0; page < pages; page += step)
    yield sql`
      select ${asJson(columns)} as line from ${sql.table(table)}
      where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + step},0)`}::tid`;
}

/** Reads a table in parts of about a megabyte: their rows, a line each, and their figures. */
export async function* readRows(
  trx: Database,
  table: string,
  columns: Column[],
): AsyncGenerator<Figures & { lines: string }> {
  for await (const part of partsOf(trx, table, columns))
    yield await onlyRow(
      sql<{ rows: number; digest: string; lines: string }>`
        select ${figures}, coalesce(string_agg(line, E'\n'), '') as lines from (${part}) part`,
      trx,
    );
}

/** Returns the figures of a whole table. */
export async function readFigures(trx: Database, table: string, columns: Column[]): Promise<Figures> {
  let [rows, digest] = [0, 0n];
  for await (const part of partsOf(trx, table, columns)) {
    const found = await onlyRow(sql<{ rows: number; digest: string }>`select ${figures} from (${part}) part`, trx);
    rows += found.rows;
    digest += BigInt(found.digest);
  }
  return { rows, digest: String(digest) };
}

/** Returns how many rows a table has, in whatever way it stores them. */
export async function countRows(trx: Database, table: string): Promise<number> {
  const { rows } = await onlyRow(sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`, trx);
  return rows;
}

/** Returns the last values of all sequences of these tables, null for unused ones. */
export async function readSequences(
  trx: Database,
  tables: readonly string[] = TABLES,
): Promise<Record<string, string | null>> {
  const { rows } = await sql<{ name: string; last: string | null }>`
    select s.relname::text as name, last_value::text as last
    from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_sequences on schemaname = current_schema() and sequencename = s.relname
    where s.relkind = 'S' and t.relnamespace = current_schema()::regnamespace and t.relname = any(${tables}::text[])
    order by s.relname`.execute(trx);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

export async function writeSequence(trx: Database, name: string, last: string | null): Promise<void> {
  if (last !== null) await sql`select setval(quote_ident(${name}::text)::regclass, ${last}::bigint)`.execute(trx);
}

/** Replaces all tables by empty ones of these migrations, and keeps others from reading them until the transaction ends. */
export async function rebuild(trx: Database, migrations: readonly string[]): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
  await rebuildTables(trx, { tables: TABLES, names: migrations });
  await writeTextExactly(trx);
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Drops the foreign keys of these tables, so that rows can be added in any order. Returns them for `addForeignKeys`. */
export async function dropForeignKeys(trx: Database, tables: readonly string[]): Promise<ForeignKey[]> {
  // Ordered by id, because that is the order in which they act.
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select relname::text as table, conname::text as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = conrelid
    where contype = 'f' and relnamespace = current_schema()::regnamespace and relname = any(${tables}::text[])
    order by k.oid`.execute(trx);
  for (const { table, name } of rows)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(trx);
  return rows;
}

export async function addForeignKeys(trx: Database, keys: ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys)
    // oxlint-disable-next-line hourshare-server/no-sql-from-text -- the database wrote it for the key that was dropped
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(trx);
}

/** Adds rows from their lines, with the ids they have. */
export async function insertRows(trx: Database, table: string, columns: Column[], lines: string): Promise<void> {
  const names = columns.map(({ name }) => sql.ref(name));
  // oxlint-disable-next-line hourshare-server/no-sql-from-text -- the database named the type
  const values = columns.map(({ type }, index) => sql`(line ->> ${sql.lit(index)})::${sql.raw(type)}`);
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)}) overriding system value
    select ${sql.join(values)} from jsonb_array_elements(${`[${lines.replaceAll('\n', ',')}]`}::jsonb) line`.execute(
    trx,
  );
}

/** Updates what the engine knows about the tables, so that the first requests are as fast as later ones. */
export async function analyze(trx: Database): Promise<void> {
  await sql`analyze ${sql.join(TABLES.map((name) => sql.table(name)))}`.execute(trx);
}

/** Returns a table of a database, of HourShare or not, except those of the engine and its extensions. */
export async function findAnyTable(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'f')
      and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
    order by 1 limit 1`.execute(db);
  return rows[0]?.name;
}

/** Returns false if another server is making the daily backup. The lock ends with the transaction. */
export async function lockDailyBackup(trx: Database): Promise<boolean> {
  const { locked } = await onlyRow(
    sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${DAILY_LOCK}::bigint) as locked`,
    trx,
  );
  return locked;
}
