import type { Deps } from '../../deps.ts';
import { repeat } from '../../platform/jobs.ts';
import { deleteExpiredInvitations } from './invitations/service.ts';
import { deleteExpiredClaims } from './people/service.ts';
import { endExpiredOffers } from './service.ts';

const INTERVAL_MILLISECONDS = 60 * 60_000;

/** Ends expired offers and deletes expired invitations for as long as the server runs. Returns a function that stops it. */
export const scheduleOfferEnds = (deps: Deps): (() => Promise<void>) =>
  repeat(
    'end expired offers',
    INTERVAL_MILLISECONDS,
    async () => {
      await endExpiredOffers(deps);
      await deleteExpiredInvitations(deps);
      await deleteExpiredClaims(deps);
    },
    deps.log,
  );
