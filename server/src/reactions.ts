import type { Causes, React } from './causes.ts';
import type { Deps } from './deps.ts';
import { deleteAssetsOfAccount } from './features/assets/service.ts';
import {
  addPeriods,
  archivePeriods,
  changePeriods,
  moveOwnedPeriods,
  restorePeriods,
  settleRunningPeriod,
} from './features/periods/service.ts';
import { moveObjections } from './features/sessions/objections/service.ts';
import {
  endSessionsOfAsset,
  endSessionsOfMember,
  endSessionsOfShares,
  forgetEdits,
} from './features/sessions/service.ts';
import { hideNameInPayments, moveCharges } from './features/settlements/service.ts';
import { revokeTokens } from './features/shares/access-tokens/service.ts';
import { endHandovers } from './features/shares/handovers/service.ts';
import { acceptInvitationOfAccount, requireInvitation } from './features/shares/invitations/service.ts';
import { acceptClaimOfAccount } from './features/shares/people/service.ts';
import { endLinksOfAccount, endSharesOfAccount, endSharesOfAsset } from './features/shares/service.ts';
import { endRunningPeriod, hideNameOnStatements } from './features/statements/service.ts';
import { rebuildDays } from './features/usage/service.ts';

type Reaction<Cause extends keyof Causes> = (deps: Deps, facts: Causes[Cause]) => Promise<void>;

/**
 * What follows from what, in this order, in the transaction of its cause. All state changes that no one feature can make
 * alone are here; what people are told goes through the outbox.
 */
const reactions: { [Cause in keyof Causes]: readonly Reaction<Cause>[] } = {
  registering: [
    requireInvitation, // an unusable link is refused before the name is compared, so that it reveals no names
  ],
  userRegistered: [
    acceptInvitationOfAccount, // who registers with an invitation has access at once, or gets no account
    acceptClaimOfAccount, // the same for a claim, which ends an offer that an invitation may have made
  ],
  passwordReset: [
    (deps, facts) => revokeTokens(deps, facts, 'password_reset'), // someone else may have created them
  ],
  accountDisabled: [
    (deps, { userId }) => revokeTokens(deps, { userId, by: 'administrator' }, 'disabled'), // scripts stop, too
    endSessionsOfMember, // no one else could end them before their limit
    endLinksOfAccount, // their links give no one access, and no one waits for their answers
  ],
  accountDeleting: [
    moveObjections, // before their assets and shares, with which they would go
    deleteAssetsOfAccount, // ends other people's access, so that `seenBy` has them
    moveOwnedPeriods, // open months stay until they close, and name the stand-in
    endSharesOfAccount, // after the assets, which no longer count as shared with anyone
    hideNameOnStatements, // closed months never change, apart from this name
    hideNameInPayments,
  ],
  personClaimed: [
    forgetEdits, // what they accept is theirs as it is, while it is still known whose it was
    moveCharges,
  ],
  assetAdded: [addPeriods],
  assetChanging: [changePeriods],
  periodsMoved: [rebuildDays],
  assetArchived: [
    archivePeriods, // notes the month before it loses its last use
    endHandovers, // no one takes over what isn't shared
    endSessionsOfAsset, // members don't see the asset, so they couldn't end them
  ],
  assetRestoring: [restorePeriods],
  assetDeleted: [
    settleRunningPeriod, // says whether the running month is billed
    endSharesOfAsset, // and with them sessions and handovers, before the month ends
    endRunningPeriod, // last, because with nothing left to close the asset's rows are removed
  ],
  sharesEnded: [
    endHandovers, // only members take over
    endSessionsOfShares,
  ],
};

/** Runs the consequences of a cause one after another. */
export const react: React<Deps> = async (deps, cause, facts) => {
  for (const reaction of reactions[cause]) await reaction(deps, facts);
};
