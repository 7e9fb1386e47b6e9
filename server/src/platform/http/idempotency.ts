import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '@hourshare/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { undoableTransaction } from '../database/transaction.ts';
import { fail, ok, type Result } from '../result.ts';

export interface StoredAnswer {
  status: number;
  body: string;
}

export interface KeyedRequest {
  userId: number;
  key: string;
  /** Everything that identifies the request. */
  request: unknown;
}

export interface EarlierAnswer extends StoredAnswer {
  requestHash: string;
}

/** Stores responses by user and key. */
export interface AnswerStore {
  /** Claims a key, or returns the response stored for it; `gone` when the user doesn't exist. */
  claim: (
    trx: Database,
    claim: { userId: number; key: string; requestHash: string; now: Date },
  ) => Promise<EarlierAnswer | 'gone' | undefined>;
  fulfill: (trx: Database, answer: StoredAnswer & { userId: number; key: string }) => Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    answers: AnswerStore;
  }
}

export function keepAnswers(app: FastifyInstance, answers: AnswerStore): void {
  app.decorate('answers', answers);
}

/**
 * Runs the work once per user and key, and answers every repetition with the same bytes. The work's own transaction
 * stores the key, so a client that lost the response can't make it happen twice, and a failure frees the key for
 * another attempt.
 */
export async function once(
  { db, clock, answers }: { db: Database; clock: Clock; answers: AnswerStore },
  { userId, key, request }: KeyedRequest,
  work: (db: Database) => Promise<Result<StoredAnswer>>,
): Promise<Result<StoredAnswer>> {
  if (key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX_LENGTH)
    return fail('validation_failed', {
      sentence: { english: `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} characters long` },
    });
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return undoableTransaction({ db }, async ({ db: trx }) => {
    const earlier = await answers.claim(trx, { userId, key, requestHash, now: clock() });
    if (earlier === 'gone') return fail('not_signed_in');
    if (earlier) {
      if (earlier.requestHash !== requestHash) return fail('idempotency_key_reused');
      return ok({ status: earlier.status, body: earlier.body });
    }
    const result = await work(trx);
    if (result.ok) await answers.fulfill(trx, { userId, key, ...result.value });
    return result;
  });
}
