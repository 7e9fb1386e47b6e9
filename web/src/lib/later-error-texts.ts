import { addErrorTexts } from './error-texts.ts';
import { t } from './messages.ts';

// Errors about ways to sign in, access tokens, co-managers, handovers, and late presses. The code that can get them imports this.

addErrorTexts({
  wrong_code: () => t('That code is wrong or was already used'),
  two_step_on: () => t('Two-step sign-in is already on.'),
  two_step_off: () => t('Two-step sign-in is off.'),
  passkey_invalid: () => t("This passkey couldn't be used. Try again."),
  too_many_passkeys: () => t('You have too many passkeys. Remove one first.'),
  only_way_to_sign_in: () =>
    t('This is your only way to sign in. Set a password, add a passkey, or connect a provider first.'),
  passkeys_unavailable: () => t('Passkeys need a server with a domain name and HTTPS.'),
  passkey_refused: () => t("This passkey doesn't work here. Sign in another way."),
  provider_expired: () => t('This took too long or was started in another browser. Please start again.'),
  provider_denied: () => t('Sign-in was canceled.'),
  provider_failed: () => t("Something was wrong with the provider's answer. Please start again."),
  provider_replaced: () => t('Another account of this provider is connected. Disconnect it first.'),
  second_step_required: () => t('Enter the code from your authenticator app.'),
  second_step_wrong: () => t('That code is wrong or was already used'),
  identity_taken: () => t('This is already connected to another account.'),
  provider_unavailable: () => t("Can't reach the provider right now. Try again later, or sign in another way."),
  token_scope: () => t("This access token doesn't allow this."),
  too_many_tokens: () => t('You have too many access tokens. Revoke one first.'),
  too_many_managers: () => t('This asset has too many co-managers. Remove one of them first.'),
  manager_unfit: () => t('Only a member with an account who has accepted can be a co-manager.'),
  session_already_ended: () => t('This session has already ended. Edit it to change its end.'),
  handover_open: () => t('This asset is already being handed over. Call that off first.'),
  handover_ended: () => t('This handover was called off or has expired.'),
  no_member_to_hand_to: () => t('Only a member with an account who has accepted can take this over.'),
});
