import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@hourshare/contract/limits';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { ConfirmedTime } from '../confirmed-time.ts';
import { claimKey, deleteOldKeys, fulfilKey } from '../database/idempotency-keys.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { repeat } from '../jobs.ts';
import { fail, ok, type Failure, type Result } from '../result.ts';

export interface StoredAnswer {
  status: number;
  body: string;
}

export interface KeyedRequest {
  userId: number;
  key: string;
  /** Everything that makes it this request and no other. */
  request: unknown;
}

class Undone extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super('undone');
    this.failure = failure;
  }
}

/**
 * Does the work once for a user's key and answers every repetition with the same bytes. The key is kept by the very
 * transaction that does the work, so a client that lost the answer can never make it happen twice; a failure undoes
 * both, so that it may be tried again.
 */
export async function once(
  { db, clock }: { db: Database; clock: Clock },
  { userId, key, request }: KeyedRequest,
  work: (db: Database) => Promise<Result<StoredAnswer>>,
): Promise<Result<StoredAnswer>> {
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX_LENGTH)
    return fail('validation_failed', {
      message: `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} characters long`,
    });
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  try {
    return await inTransaction(db, async (trx) => {
      const earlier = await claimKey(trx, { userId, key, requestHash, now: clock() });
      if (earlier) {
        if (earlier.requestHash !== requestHash) return fail('idempotency_key_reused');
        return ok({ status: earlier.status, body: earlier.body });
      }
      const result = await work(trx);
      if (!result.ok) throw new Undone(result);
      await fulfilKey(trx, { userId, key, ...result.value });
      return result;
    });
  } catch (error) {
    if (error instanceof Undone) return error.failure;
    throw error;
  }
}

const FORGET_EVERY_MILLISECONDS = 60 * 60_000;

/** Deletes old keys every hour, as long as the server runs; the function it gives stops that. */
export const forgetOldKeys = ({
  db,
  confirmedTime,
  log,
}: {
  db: Database;
  confirmedTime: ConfirmedTime;
  log: FastifyBaseLogger;
}): (() => Promise<void>) =>
  repeat(
    'forget idempotency keys',
    FORGET_EVERY_MILLISECONDS,
    async () => deleteOldKeys(db, await confirmedTime(db)),
    log,
  );
