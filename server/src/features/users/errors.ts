import { SENTENCES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const notSignedIn = (): Failure => fail('not_signed_in');

export const unknownTimeZone = (): Failure =>
  fail('validation_failed', { message: SENTENCES.timeZoneUnknown, fields: { time_zone: [SENTENCES.timeZoneUnknown] } });

/** Reports both conflicts at once, so that fixing one doesn't just reveal the other. */
export function usernameOrEmailTaken({ username, email }: { username: boolean; email: boolean }): Failure {
  const code = username ? 'username_taken' : 'email_taken';
  return fail(code, {
    fields: {
      ...(username ? { username: [SENTENCES.usernameTaken] } : {}),
      ...(email ? { email: [SENTENCES.emailTaken] } : {}),
    },
  });
}
