import { fillTemplate, SENTENCES, TEMPLATES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const shareNotFound = (): Failure => fail('not_found', { message: SENTENCES.shareNotFound });

/** Repeats the name as typed; the specification fixes this sentence. */
export const userNotFound = (username: string): Failure =>
  fail('user_not_found', { message: fillTemplate(TEMPLATES.userNotFound, { username }) });

export const shareWithSelf = (): Failure => fail('share_with_self');
export const alreadyShared = (): Failure => fail('already_shared');

export const tooManyOffers = (): Failure => fail('too_many_offers');

export const offerAccepted = (): Failure => fail('offer_accepted');

export const offerChanged = (): Failure => fail('offer_changed');

export const trustSelf = (): Failure =>
  fail('validation_failed', { message: SENTENCES.trustSelf, fields: { username: [SENTENCES.trustSelf] } });

export const proposalEnded = (): Failure => fail('proposal_ended');
