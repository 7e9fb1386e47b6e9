import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

export interface StoredMail {
  id: number;
  kind: string;
  sealed: string;
  created_at: Date;
  attempts: number;
}

export async function insertMail(
  db: Database,
  mail: { user_id: number | null; kind: string; sealed: string; created_at: Date; due_at: Date },
): Promise<void> {
  await db.insertInto('mails').values(mail).execute();
}

/**
 * Returns the message that has been due the longest, and postpones it by a delay that doubles with each attempt.
 * Servers that query at the same time get different messages.
 */
export async function claimMail(
  db: Database,
  { now, firstWaitSeconds, maxWaitSeconds }: { now: Date; firstWaitSeconds: number; maxWaitSeconds: number },
): Promise<StoredMail | undefined> {
  const { rows } = await sql<StoredMail>`
    update mails set attempts = attempts + 1,
      due_at = ${now}::timestamptz
        + make_interval(secs => least(${maxWaitSeconds}::int, ${firstWaitSeconds}::int * 2 ^ least(attempts, 20)))
    where id = (
      select id from mails where due_at <= ${now}::timestamptz order by due_at, id limit 1 for update skip locked
    )
    returning id, kind, sealed, created_at, attempts`.execute(db);
  return rows[0];
}

export async function replaceSealed(db: Database, id: number, sealed: string): Promise<void> {
  await db.updateTable('mails').set({ sealed }).where('id', '=', id).execute();
}

export async function deleteMail(db: Database, id: number): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute();
}

/** Returns how many messages wait, and since when the oldest does; null without any. */
export function outbox(db: Database): Promise<{ waiting: number; oldest: Date | null }> {
  return db
    .selectFrom('mails')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<Date | null>('created_at').as('oldest')])
    .executeTakeFirstOrThrow();
}
