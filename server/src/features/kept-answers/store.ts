import type { Database } from '../../platform/database/database.ts';
import { unlessGone } from '../../platform/database/failure.ts';
import type { EarlierAnswer } from '../../platform/http/idempotency.ts';

const RETENTION_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Claims a user's key, or returns the answer stored for it; `gone` if the user no longer exists. Of concurrent requests
 * with one key, the primary key makes all but the first wait for its transaction and then find its answer.
 */
export async function claim(
  trx: Database,
  { userId, key, requestHash, now }: { userId: number; key: string; requestHash: string; now: Date },
): Promise<EarlierAnswer | 'gone' | undefined> {
  const insert = trx
    .insertInto('idempotency_keys')
    .values({
      user_id: userId,
      key,
      request_hash: requestHash,
      status: 0,
      body: '',
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ request_hash: requestHash, status: 0, body: '', created_at: now })
        .where('idempotency_keys.created_at', '<=', new Date(now.getTime() - RETENTION_MILLISECONDS)),
    );
  const claimed = await unlessGone(insert.executeTakeFirst(), 'idempotency_keys_user_id_fkey');
  if (!claimed) return 'gone';
  if (claimed.numInsertedOrUpdatedRows === 1n) return undefined;
  return trx
    .selectFrom('idempotency_keys')
    .select(['request_hash as requestHash', 'status', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
}

export async function fulfill(
  trx: Database,
  answer: { userId: number; key: string; status: number; body: string },
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ status: answer.status, body: answer.body })
    .where('user_id', '=', answer.userId)
    .where('key', '=', answer.key)
    .execute();
}

/** An hour longer than keys are honored, because another server's clock may have been behind when it wrote them. */
const DELETION_MILLISECONDS = RETENTION_MILLISECONDS + 60 * 60 * 1000;
const DELETE_BATCH_SIZE = 1000;

/** Deletes expired keys. `passed` is an instant that has certainly passed on every server. */
export async function deleteOldKeys(db: Database, passedTime: Date): Promise<void> {
  const cutoff = new Date(passedTime.getTime() - DELETION_MILLISECONDS);
  let deleted: bigint;
  do {
    // Deletes in batches, so that no one waits long for the embedded engine's only connection.
    ({ numDeletedRows: deleted } = await db
      .deleteFrom('idempotency_keys')
      .where((row) =>
        row(
          row.refTuple('user_id', 'key'),
          'in',
          row
            .selectFrom('idempotency_keys')
            .select(['user_id', 'key'])
            .where('created_at', '<=', cutoff)
            .limit(DELETE_BATCH_SIZE)
            .$asTuple('user_id', 'key'),
        ),
      )
      .executeTakeFirst());
  } while (deleted === BigInt(DELETE_BATCH_SIZE));
}
