import type { Causes, React } from './causes.ts';
import type { Deps } from './deps.ts';
import { removeAddress } from './features/calendar/service.ts';
import { moveCostsOfAccount, moveCostsOfGuest } from './features/costs/service.ts';
import { hideNameInDeposits, moveDepositsOfGuest } from './features/deposits/service.ts';
import { deleteAssetsOfAccount } from './features/assets/service.ts';
import { agreeToMeters, forgetMember, forgetTokens as forgetMeterTokens } from './features/meters/service.ts';
import {
  addPeriods,
  archivePeriods,
  changePeriods,
  moveOwnedPeriods,
  restorePeriods,
  decideLastBill,
} from './features/periods/service.ts';
import { moveObjections } from './features/sessions/objections/service.ts';
import {
  countWithoutAccount,
  countWithoutDeleted,
  endSessionsOfAsset,
  endSessionsOfMember,
  endSessionsOfShares,
  endUnmeasuredSessions,
  forgetEdits,
} from './features/sessions/service.ts';
import { hideNameInPayments, moveCharges } from './features/settlements/service.ts';
import { forgetTokens, revokeTokens } from './features/shares/access-tokens/service.ts';
import { matchTerms } from './features/shares/own/service.ts';
import { endHandovers } from './features/shares/handovers/service.ts';
import { acceptInvitationOfAccount, requireInvitation } from './features/shares/invitations/service.ts';
import { acceptClaimOfAccount } from './features/shares/people/service.ts';
import { offerAgain } from './features/shares/offers/service.ts';
import { endLinksOfAccount, endSharesOfAccount, endSharesOfAsset } from './features/shares/service.ts';
import { removeTargets } from './features/notifications/targets/service.ts';
import { endRunningPeriod, hideNameOnStatements } from './features/statements/service.ts';
import { rebuildDays } from './features/usage/service.ts';

type Reaction<Cause extends keyof Causes> = (deps: Deps, facts: Causes[Cause]) => Promise<void>;

/**
 * What follows from what, in the transaction of its cause. All state changes that no one feature can make alone are here;
 * what people are told goes through the outbox. They happen in this order, but only that of a deleted asset matters.
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
    forgetMeterTokens, // what records use with one may be someone else's, too
    (deps, { userId, by }) => removeAddress(deps, userId, by), // or have read this one
    (deps, { userId, by }) => removeTargets(deps, userId, by), // or have added these
  ],
  accountDisabled: [
    (deps, { userId }) => revokeTokens(deps, { userId, by: 'administrator' }, 'disabled'), // scripts stop, too
    forgetMeterTokens, // and so does what records use with their tokens
    (deps, { userId }) => removeAddress(deps, userId, 'administrator'), // so do calendars
    endSessionsOfMember, // no one else could end them before their limit
    endLinksOfAccount, // their links give no one access
    countWithoutAccount, // no one waits for them
  ],
  accountDeleting: [
    forgetTokens, // while they can be found, to end their streams
    moveCostsOfAccount, // while months can still close
    moveObjections, // what they wrote as a co-manager stays with the edits that others made
    deleteAssetsOfAccount, // as if they had deleted each
    moveOwnedPeriods, // open months stay until they close, as the stand-in's
    forgetMember, // what meters call them may be their email address
    endSharesOfAccount, // their use stays, as the stand-in's
    countWithoutDeleted, // no one waits for a stand-in that isn't the owner
    hideNameOnStatements, // closed months never change, apart from this name
    hideNameInPayments,
    hideNameInDeposits,
  ],
  guestClaimed: [
    forgetEdits, // what they accept is theirs as it is now
    moveCostsOfGuest, // what they paid is theirs, if they accept the rest
    moveDepositsOfGuest, // and so is what the owner holds for them
    moveCharges, // or else objected to
  ],
  assetAdded: [
    addPeriods,
    matchTerms, // once the period says whether the owner takes part
  ],
  assetChanging: [changePeriods],
  termsChanged: [matchTerms], // the owner's own share begins or ends with taking part
  monthsStarted: [endUnmeasuredSessions],
  periodsMoved: [rebuildDays],
  assetArchived: [
    archivePeriods, // the running month is billed in part, or as the owner says
    endHandovers, // no one takes over what isn't shared
    endSessionsOfAsset, // members don't see the asset, so they couldn't end them
  ],
  assetRestoring: [
    restorePeriods,
    offerAgain, // a yes doesn't outlast a day in the archive
  ],
  assetDeleted: [
    decideLastBill, // while its month is still running
    endSharesOfAsset, // and with them sessions and handovers
    endRunningPeriod, // last, because with nothing left to close or count, the asset's rows are removed
  ],
  offerAccepted: [agreeToMeters], // an offer shows what will record its use
  sharesEnded: [
    endHandovers, // only members take over
    endSessionsOfShares,
  ],
};

/** Runs the consequences of a cause one after another. */
export const react: React<Deps> = async (deps, cause, facts) => {
  for (const reaction of reactions[cause]) await reaction(deps, facts);
};
