import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { deleteOldKeys } from '../kept-answers/service.ts';
import { deleteOldEvents } from '../security-events/service.ts';
import { deleteExpiredChanges } from '../sign-ins/email-changes/service.ts';
import { deleteExpiredChallenges } from '../sign-ins/passkeys/service.ts';
import { deleteExpiredFlows } from '../sign-ins/providers/service.ts';
import { deleteExpiredResets } from '../sign-ins/recovery/service.ts';
import { deleteExpiredLinks } from '../sign-ins/registration/service.ts';

const INTERVAL_MILLISECONDS = 60 * 60_000;

/** Deletes old idempotency keys, expired links, used challenges, and old security events every hour while the server runs. Returns a function that stops it. */
export const scheduleCleanup = (deps: Deps) =>
  repeat(
    'delete old keys and links',
    INTERVAL_MILLISECONDS,
    async () => {
      await deleteOldKeys(deps);
      await deleteExpiredResets(deps);
      await deleteExpiredLinks(deps);
      await deleteExpiredChanges(deps);
      await deleteExpiredChallenges(deps);
      await deleteExpiredFlows(deps);
      await deleteOldEvents(deps);
    },
    deps,
  );
