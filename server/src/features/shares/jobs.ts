import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { deleteExpiredTokens } from './access-tokens/service.ts';
import { deleteExpiredHandovers } from './handovers/service.ts';
import { deleteExpiredInvitations } from './invitations/service.ts';
import { deleteExpiredClaims } from './people/service.ts';
import { endExpiredOffers } from './offers/service.ts';
import { removeStandIns } from './service.ts';
import { updateAccess } from './starts/service.ts';

const INTERVAL_MILLISECONDS = 60 * 60_000;

/**
 * Ends expired offers and deletes expired links, expired tokens, and unneeded stand-ins every hour while the server runs. Returns a
 * function that stops it.
 */
export const scheduleExpiry = (deps: Deps): (() => Promise<void>) =>
  repeat(
    'end expired offers and links',
    INTERVAL_MILLISECONDS,
    async () => {
      await endExpiredOffers(deps);
      await deleteExpiredInvitations(deps);
      await deleteExpiredClaims(deps);
      await deleteExpiredHandovers(deps);
      await removeStandIns(deps);
      await deleteExpiredTokens(deps);
    },
    deps,
  );

/** Requests do this work first; the schedule is for times without requests. */
const START_INTERVAL_MILLISECONDS = 60_000;

/** Changes access at the start of months while the server runs. Returns a function that stops it. */
export const scheduleStarts = (deps: Deps): (() => Promise<void>) =>
  repeat('begin access and handovers', START_INTERVAL_MILLISECONDS, async () => void (await updateAccess(deps)), deps);
