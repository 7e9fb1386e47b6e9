import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** A column with sealed texts, and the primary key of its table. */
export interface SealedColumn {
  table: string;
  key: readonly string[];
  column: string;
}

/** Every column with sealed texts, of all features, because they are all sealed with the same key. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'two_step_keys', key: ['user_id'], column: 'sealed' },
  { table: 'mails', key: ['id'], column: 'sealed' },
  { table: 'provider_flows', key: ['id'], column: 'sealed' },
  { table: 'idempotency_keys', key: ['user_id', 'key'], column: 'body' },
  { table: 'installation', key: ['id'], column: 'push_sealed_key' },
  { table: 'push_subscriptions', key: ['id'], column: 'sealed' },
  { table: 'notice_targets', key: ['id'], column: 'sealed' },
];

/** A text, and the primary key of its row. */
export interface StoredText {
  key: string[];
  sealed: string;
}

/** Returns the first texts of a column that don't begin with the prefix, in the order of their keys, after one of these. */
export async function readOtherTexts(
  db: Database,
  { table, key, column }: SealedColumn,
  { prefix, after, limit }: { prefix: string; after: string[] | undefined; limit: number },
): Promise<StoredText[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  // Answers without a secret are kept as JSON.
  const { rows } = await sql<StoredText>`
    select array[${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}] as key, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sql.ref(column)} not like '{%' and ${sql.ref(column)} <> ''
      and left(${sql.ref(column)}, ${prefix.length}) <> ${prefix}
      ${after === undefined ? sql`` : sql`and (${keys}) > (${sql.join(after)})`}
    order by ${keys} limit ${limit}`.execute(db);
  return rows;
}

/** Lets statements of a transaction take as long as they need, for large tables and for other servers that seal the same texts. */
export async function allowWaiting(trx: Database): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
}

/** Replaces a text unless it has changed since it was read. Returns whether it did. */
export async function replaceText(
  db: Database,
  { table, key, column }: SealedColumn,
  { text, sealed }: { text: StoredText; sealed: string },
): Promise<boolean> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where (${keys}) = (${sql.join(text.key)}) and ${sql.ref(column)} = ${text.sealed}`.execute(db);
  return numAffectedRows === 1n;
}
