import { PAYMENT_METHODS_MAX } from '@hourshare/contract/limits';
import { sentence } from '@hourshare/contract/sentences';
import { failField, type Failure } from '../../platform/result.ts';

/** The email address is a way back into the account, so changing it requires the password. */
export const passwordRequired = (): Failure => failField('current_password', sentence('current_password_for_email'));

export const paymentMethodsFull = (): Failure =>
  failField('payment_details', sentence('payment_methods_full', { max: PAYMENT_METHODS_MAX }));
