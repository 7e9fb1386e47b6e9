import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { deleteOldKeys } from './service.ts';

const INTERVAL_MILLISECONDS = 60 * 60_000;

/** Deletes old idempotency keys every hour while the server runs. Returns a function that stops it. */
export const forgetOldKeys = ({ db, confirmedTime, log }: Pick<Deps, 'db' | 'confirmedTime' | 'log'>) =>
  repeat('forget idempotency keys', INTERVAL_MILLISECONDS, async () => deleteOldKeys(db, await confirmedTime(db)), log);
