import { sentence, type Sentence } from '@hourshare/contract/sentences';
import { fail, failField, type Failure } from '../../platform/result.ts';

export const invalidCredentials = (): Failure => fail('invalid_credentials');

/** Only returned to someone who has passed the first step: the password, a passkey, or a provider. */
export const accountDisabled = (): Failure => fail('account_disabled');

/** The same for a passkey that is unknown, removed, or fails verification. */
export const passkeyRefused = (): Failure => fail('passkey_refused');

export const passkeyInvalid = (): Failure => fail('passkey_invalid');

export const passkeyNotFound = (): Failure => fail('not_found');

export const passkeysUnavailable = (): Failure => fail('passkeys_unavailable');

export const tooManyPasskeys = (): Failure => fail('too_many_passkeys');

export const onlyWayToSignIn = (): Failure => fail('only_way_to_sign_in');

export const checkRequired = (): Failure => fail('check_required');

export const invalidRefreshToken = (): Failure => fail('invalid_refresh_token');

export const registrationClosed = (): Failure => fail('registration_closed');

export const invitationRequired = (): Failure => fail('invitation_required');

/** For a link that proves the address of an account to which its user isn't signed in. */
export const confirmSignedOut = (): Failure => fail('confirm_signed_out');

export const linkInvalid = (): Failure => fail('link_invalid');

/** `field` is the one the new password was sent in. */
export const passwordTooWeak = (problem: Sentence, field: 'password' | 'new_password' = 'password'): Failure =>
  failField(field, problem, 'password_too_weak');

export const wrongPassword = (): Failure => failField('current_password', sentence('wrong_password'), 'wrong_password');

export const currentPasswordRequired = (): Failure =>
  failField('current_password', sentence('current_password_required'));

/** Only returned after the first step, like the next error. */
export const secondStepRequired = (): Failure => fail('second_step_required');

export const secondStepWrong = (): Failure => failField('code', sentence('second_step_wrong'), 'second_step_wrong');

export const wrongCode = (): Failure => failField('code', sentence('wrong_code'), 'wrong_code');

/** Only returned to someone who has proved the first step. */
export const codeRequired = (): Failure => failField('code', sentence('code_required'));

export const twoStepOn = (): Failure => fail('two_step_on');

export const twoStepOff = (): Failure => fail('two_step_off');

export const providerExpired = (): Failure => fail('provider_expired');

export const providerReplaced = (): Failure => fail('provider_replaced');

export const identityTaken = (): Failure => fail('identity_taken');

export const identityNotFound = (): Failure => fail('not_found');

/** The web app offers only providers that the server has. */
export const providerNotSetUp = (): Failure =>
  failField('provider', { english: "Provider isn't set up on this server" });

/** The provider doesn't vouch for an address, so the account needs one from the user. */
export const emailRequired = (): Failure => failField('email', sentence('email_required'));

export const signInNotFound = (): Failure => fail('not_found');
