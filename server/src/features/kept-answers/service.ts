import type { Deps } from '../../deps.ts';
import type { AnswerStore } from '../../platform/http/idempotency.ts';
import * as store from './store.ts';

/** Stores answers to calls with an idempotency key for a day. */
export const keptAnswers: AnswerStore = { claim: store.claim, fulfill: store.fulfill };

/** Deletes keys that have certainly expired; run by the schedule. */
export async function deleteOldKeys({ db, confirmedTime }: Deps): Promise<void> {
  await store.deleteOldKeys(db, await confirmedTime(db));
}
