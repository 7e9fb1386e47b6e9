import type { Sentence } from '@hourshare/contract/sentences';
import { sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const costNotFound = (): Failure => fail('not_found', { sentence: sentence('cost_not_found') });
export const tooManyCosts = (): Failure => fail('too_many_costs');
export const costOnlyLowered = (): Failure => fail('cost_only_lowered');
export const costNotYours = (): Failure => fail('owner_only', { sentence: sentence('cost_not_yours') });
export const costChanged = (): Failure => fail('cost_changed');
export const objectionTooLate = (): Failure => fail('objection_too_late');
export const costAnswered = (): Failure => fail('cost_answered');
export const badAmount = (problem: Sentence): Failure => failField('amount', problem);
export const badDate = (): Failure => failField('date', sentence('cost_date_rule'));
export const badPayer = (): Failure => failField('paid_by', sentence('cost_person_rule'));
export const badPerson = (): Failure => failField('person', sentence('cost_person_rule'));
