import type { Database } from './tables.ts';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

export interface EarlierAnswer {
  requestHash: string;
  status: number;
  body: string;
}

/**
 * Claims a user's key, or gives back what it was answered with. Two requests with one key meet at the primary key: the
 * second waits for the first one's transaction and then finds its answer. Forgets the user's keys older than a day.
 */
export async function claimKey(
  trx: Database,
  claim: { userId: number; key: string; requestHash: string; now: Date },
): Promise<EarlierAnswer | undefined> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', claim.userId)
    .where('created_at', '<=', new Date(claim.now.getTime() - KEPT_MILLISECONDS))
    .execute();
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
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
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
