import { DEPOSITS_MAX } from '@hourshare/contract/limits';
import { sentence, type Sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const depositNotFound = (): Failure => fail('not_found');
export const depositChanged = (): Failure => fail('deposit_changed');
export const badAmount = (problem: Sentence): Failure => failField('amount', problem);
export const tooManyDeposits = (): Failure => failField('amount', sentence('too_many_deposits', { max: DEPOSITS_MAX }));
