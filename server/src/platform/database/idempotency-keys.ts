import type { Database } from './database.ts';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

export interface EarlierAnswer {
  requestHash: string;
  status: number;
  body: string;
}

/**
 * Claims a user's key, or gives back what it was answered with. Two requests with one key meet at the primary key: the
 * second waits for the first one's transaction and then finds its answer. A key older than a day is claimed anew.
 */
export async function claimKey(
  trx: Database,
  claim: { userId: number; key: string; requestHash: string; now: Date },
): Promise<EarlierAnswer | undefined> {
  const claimed = await trx
    .insertInto('idempotency_keys')
    .values({
      user_id: claim.userId,
      key: claim.key,
      request_hash: claim.requestHash,
      status: 0,
      body: '',
      created_at: claim.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ request_hash: claim.requestHash, status: 0, body: '', created_at: claim.now })
        .where('idempotency_keys.created_at', '<=', new Date(claim.now.getTime() - KEPT_MILLISECONDS)),
    )
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows === 1n) return undefined;
  return trx
    .selectFrom('idempotency_keys')
    .select(['request_hash as requestHash', 'status', 'body'])
    .where('user_id', '=', claim.userId)
    .where('key', '=', claim.key)
    .executeTakeFirstOrThrow();
}

export async function fulfilKey(
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
