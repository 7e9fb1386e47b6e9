import { SENTENCES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const invalidCredentials = (): Failure => fail('invalid_credentials');
export const invalidRefreshToken = (): Failure => fail('invalid_refresh_token');
export const registrationClosed = (): Failure => fail('registration_closed');
export const invitationRequired = (): Failure => fail('invitation_required');
export const notSignedIn = (): Failure => fail('not_signed_in');

/** `field` is the one the new password was sent in. */
export const passwordTooWeak = (problem: string, field: 'password' | 'new_password' = 'password'): Failure =>
  fail('password_too_weak', { message: problem, fields: { [field]: [problem] } });

export const wrongPassword = (): Failure =>
  fail('wrong_password', { fields: { current_password: [SENTENCES.currentPasswordWrong] } });

/** The email address is a way back into the account, so changing it requires the password. */
export const passwordRequired = (): Failure =>
  fail('validation_failed', {
    message: SENTENCES.currentPasswordForEmail,
    fields: { current_password: [SENTENCES.currentPasswordForEmail] },
  });

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
