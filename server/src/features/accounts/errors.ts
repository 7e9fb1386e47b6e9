import { SENTENCES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

/** The email address is a way back into the account, so changing it requires the password. */
export const passwordRequired = (): Failure =>
  fail('validation_failed', {
    message: SENTENCES.currentPasswordForEmail,
    fields: { current_password: [SENTENCES.currentPasswordForEmail] },
  });
