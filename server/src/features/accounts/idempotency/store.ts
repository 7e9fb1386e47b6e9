import type { Database } from '../../../platform/database/database.ts';
import { unlessGone } from '../../../platform/database/failure.ts';
import type { AnswerStore, EarlierAnswer } from '../../../platform/http/idempotency.ts';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Claims a user's key, or returns what it was answered with; `gone` when there is no such user. The primary key makes two
 * requests with the same key take turns: the second waits for the first one's transaction and then finds its answer. A key
 * older than a day is claimed again.
 */
async function claim(
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
        .where('idempotency_keys.created_at', '<=', new Date(now.getTime() - KEPT_MILLISECONDS)),
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

async function fulfill(
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

/** Answers to calls with an idempotency key, kept for a day. */
export const keptAnswers: AnswerStore = { claim, fulfill };

/** Kept longer than they count, because another server's clock may have been behind when it stamped them. */
const DELETED_AFTER_MILLISECONDS = KEPT_MILLISECONDS + 60 * 60 * 1000;
const DELETED_AT_ONCE = 1000;

/** Deletes the keys that no longer count at an instant that has passed beyond doubt. */
export async function deleteOldKeys(db: Database, passed: Date): Promise<void> {
  const before = new Date(passed.getTime() - DELETED_AFTER_MILLISECONDS);
  let deleted: bigint;
  do {
    // In pieces, so that nobody waits long for the embedded engine's only connection.
    ({ numDeletedRows: deleted } = await db
      .deleteFrom('idempotency_keys')
      .where((row) =>
        row(
          row.refTuple('user_id', 'key'),
          'in',
          row
            .selectFrom('idempotency_keys')
            .select(['user_id', 'key'])
            .where('created_at', '<=', before)
            .limit(DELETED_AT_ONCE)
            .$asTuple('user_id', 'key'),
        ),
      )
      .executeTakeFirst());
  } while (deleted === BigInt(DELETED_AT_ONCE));
}
