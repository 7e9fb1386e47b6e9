import { SENTENCES } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

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
export const passwordTooWeak = (problem: string, field: 'password' | 'new_password' = 'password'): Failure =>
  fail('password_too_weak', { message: problem, fields: { [field]: [problem] } });

export const wrongPassword = (): Failure =>
  fail('wrong_password', { fields: { current_password: [SENTENCES.currentPasswordWrong] } });

export const currentPasswordRequired = (): Failure =>
  fail('validation_failed', {
    message: SENTENCES.currentPasswordRequired,
    fields: { current_password: [SENTENCES.currentPasswordRequired] },
  });

/** Only returned after the first step, like the next error. */
export const secondStepRequired = (): Failure => fail('second_step_required');

export const secondStepWrong = (): Failure => fail('second_step_wrong', { fields: { code: [SENTENCES.codeWrong] } });

export const wrongCode = (): Failure => fail('wrong_code', { fields: { code: [SENTENCES.codeWrong] } });

/** Only returned to someone who has proved the first step. */
export const codeRequired = (): Failure =>
  fail('validation_failed', { message: SENTENCES.codeRequired, fields: { code: [SENTENCES.codeRequired] } });

export const twoStepOn = (): Failure => fail('two_step_on');

export const twoStepOff = (): Failure => fail('two_step_off');

export const providerExpired = (): Failure => fail('provider_expired');

export const providerReplaced = (): Failure => fail('provider_replaced');

export const identityTaken = (): Failure => fail('identity_taken');

export const identityNotFound = (): Failure => fail('not_found');

const PROVIDER_NOT_SET_UP = "Provider isn't set up on this server";

/** The web app offers only providers that the server has. */
export const providerNotSetUp = (): Failure =>
  fail('validation_failed', { message: PROVIDER_NOT_SET_UP, fields: { provider: [PROVIDER_NOT_SET_UP] } });

/** The provider doesn't vouch for an address, so the account needs one from the user. */
export const emailRequired = (): Failure =>
  fail('validation_failed', { message: SENTENCES.emailRequired, fields: { email: [SENTENCES.emailRequired] } });

export const signInNotFound = (): Failure => fail('not_found');
