import { errorText } from '../../platform/i18n/error-texts.ts';
import { ApiError, NoConnection } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';

export function loginFailureText(error: unknown): string {
  // Browser errors, such as a full storage, are not worded for users.
  const standard = error instanceof ApiError || error instanceof NoConnection;
  if (!standard) return t('An unexpected error occurred. Please try again later.');
  return errorText(error) || t('Failed to login. Please check your credentials and try again.');
}

/** What the form can't help with; every other failure gets the same text. */
const REFUSALS = new Set<string>([
  'invitation_not_found',
  'invitation_required',
  'registration_closed',
  'asset_archived',
  'offer_changed',
  'claim_changed',
]);

/** Returns the banner text; null when the form shows the server's errors under its fields. */
export function registerFailureText(error: unknown, formFields: readonly string[]): string | null {
  if (error instanceof ApiError && error.code !== null && REFUSALS.has(error.code)) return errorText(error);
  const invalidFields = error instanceof ApiError ? Object.keys(error.fields) : [];
  return invalidFields.some((name) => formFields.includes(name))
    ? null
    : t('Failed to create account. Please try again.');
}

/**
 * Returns the message for a passkey that wasn't used or created; null if the user cancelled. With `ifAnswered`, only the
 * server's answers to a passkey count.
 */
export function passkeyFailureText(error: unknown, { ifAnswered = false } = {}): string | null {
  if (error instanceof ApiError) return ifAnswered && error.code !== 'passkey_refused' ? null : errorText(error);
  if (ifAnswered) return null;
  if (error instanceof NoConnection) return errorText(error);
  // The error's class is loaded together with the code that uses passkeys.
  const reason = error instanceof Error && 'reason' in error ? error.reason : 'failed';
  if (reason === 'cancelled') return null;
  if (reason === 'exists') return t('This device already has a passkey for your account.');
  if (reason === 'elsewhere') return t("Passkeys don't work at this address.");
  return t("The passkey couldn't be used. Please try again.");
}
