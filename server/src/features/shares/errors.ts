import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { sentence, type Sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const shareNotFound = (): Failure => fail('not_found', { sentence: sentence('share_not_found') });

/** Repeats the name as typed; the specification fixes this sentence. */
export const userNotFound = (username: string): Failure =>
  fail('user_not_found', { sentence: sentence('user_not_found', { username }) });

const badHours = (problem: Sentence): Failure => failField('monthly_hours_allocated', problem);

/** The specification fixes this sentence. */
export const hoursRequired = (): Failure => badHours(sentence('username_and_hours_required'));

/** For members who aren't named by a username. */
export const hoursMissing = (): Failure =>
  badHours(sentence('monthly_hours_rule', { min: ALLOCATION_MIN_HOURS, max: ALLOCATION_MAX_HOURS }));

export const shareWithSelf = (): Failure => fail('share_with_self');
export const alreadyShared = (): Failure => fail('already_shared');

/** For whoever accepts an invitation. */
export const memberAlready = (): Failure => fail('already_shared', { sentence: sentence('already_member') });

export const offersRefused = (): Failure => fail('offers_refused');

export const tooManyOffersToday = (): Failure => fail('too_many_offers_today');

export const tooManyOffers = (): Failure => fail('too_many_offers');

export const offerAccepted = (): Failure => fail('offer_accepted');

/** For a start before access begins. */
export const accessLater = (): Failure => fail('access_later');

export const offerChanged = (): Failure => fail('offer_changed');

/** For the owner of its asset. */
export const noSuchInvitation = (): Failure => fail('not_found', { sentence: sentence('no_such_invitation') });

/** Also the answer for invitations used, revoked, or expired, so that it doesn't reveal whether they existed. */
export const invitationNotFound = (): Failure => fail('invitation_not_found');

export const inviteSelf = (): Failure => fail('share_with_self', { sentence: sentence('invite_self') });

export const tooManyInvitations = (): Failure => fail('too_many_invitations');

export const invitedToArchived = (): Failure => fail('asset_archived', { sentence: sentence('invited_to_archived') });

export const tooManyManagers = (): Failure => fail('too_many_managers');
export const managerUnfit = (): Failure => fail('manager_unfit');

export const tooManyPeople = (): Failure => fail('too_many_people');

/** Also the answer for claims used, revoked, or expired, so that it doesn't reveal whether they existed. */
export const claimNotFound = (): Failure => fail('claim_not_found');

export const claimOwn = (): Failure => fail('share_with_self', { sentence: sentence('claim_own') });
export const claimChanged = (): Failure => fail('claim_changed');
export const claimOverlap = (): Failure => fail('claim_overlap');

export const trustSelf = (): Failure => failField('username', sentence('trust_self'));

export const handoverOpen = (): Failure => fail('handover_open');
export const handoverEnded = (): Failure => fail('handover_ended');
export const noMemberToHandTo = (): Failure => fail('no_member_to_hand_to');

export const tooManyTokens = (): Failure => fail('too_many_tokens');
export const noSuchToken = (): Failure => fail('not_found');
export const scriptTokenInvalid = (): Failure =>
  fail('not_signed_in', {
    sentence: { english: 'This access token is wrong, expired, or revoked. Create one in Settings, Access tokens.' },
  });
