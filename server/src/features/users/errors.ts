import { sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const notSignedIn = (): Failure => fail('not_signed_in');

export const unknownTimeZone = (): Failure => failField('time_zone', sentence('time_zone_unknown'));

/** Reports both conflicts at once, so that fixing one doesn't just reveal the other. */
export function usernameOrEmailTaken({ username, email }: { username: boolean; email: boolean }): Failure {
  const code = username ? 'username_taken' : 'email_taken';
  return fail(code, {
    fields: {
      ...(username ? { username: [sentence('username_taken')] } : {}),
      ...(email ? { email: [sentence('email_taken')] } : {}),
    },
  });
}
