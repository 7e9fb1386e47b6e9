import { DEPOSITS_MAX } from '@hourshare/contract/limits';
import type { Sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const depositNotFound = (): Failure => fail('not_found');
export const depositChanged = (): Failure => fail('payment_changed');
export const badAmount = (problem: Sentence): Failure => failField('amount', problem);
export const tooManyDeposits = (): Failure =>
  failField('amount', { english: `${DEPOSITS_MAX} deposits between you two are open. Give one back first` });
