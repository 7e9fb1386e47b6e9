import type { ErrorCode } from '@hourshare/contract/errors';
import { knownText } from './field-texts.ts';
import { ApiError, NoConnection } from '../http/errors.ts';
import { currentLanguage } from './language.ts';
import { t } from './messages.ts';

const texts: Record<ErrorCode, () => string> = {
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
  provider_untimed: () => t("This provider can't confirm that it's you. Sign out and in again instead."),
  provider_replaced: () => t('Another account of this provider is connected. Disconnect it first.'),
  second_step_required: () => t('Enter the code from your authenticator app.'),
  second_step_wrong: () => t('That code is wrong or was already used'),
  identity_taken: () => t('This is already connected to another account.'),
  provider_unavailable: () => t("Can't reach the provider right now. Try again later, or sign in another way."),
  token_scope: () => t("This access token doesn't allow this."),
  too_many_assets: () => t('You have too many assets. Delete one first.'),
  too_many_tokens: () => t('You have too many access tokens. Revoke one first.'),
  too_many_managers: () => t('This asset has too many co-managers. Remove one of them first.'),
  manager_unfit: () => t('Only a member with an account who has accepted can be a co-manager.'),
  session_already_ended: () => t('This session has already ended. Edit it to change its end.'),
  handover_open: () => t('This asset is already being handed over. Call that off first.'),
  handover_ended: () => t('This handover was called off or has expired.'),
  no_member_to_hand_to: () => t('Only a member with an account who has accepted can take this over.'),
  malformed_request: () => t("The request couldn't be read."),
  validation_failed: () => t('Check the highlighted fields.'),
  username_taken: () => t('This username is already taken'),
  email_taken: () => t('This email address is already in use'),
  password_too_weak: () => t('Choose a stronger password'),
  share_with_self: () => t("You can't share an asset with yourself."),
  already_shared: () => t('This asset is already shared with this user.'),
  offers_refused: () => t("This person doesn't accept offers from you."),
  too_many_offers_today: () =>
    t('This person already has 3 new offers from you today. Try again once they accept one, or tomorrow.'),
  too_many_offers: () => t('This user has too many open offers. Try again once some are answered.'),
  offer_accepted: () => t("You've already accepted this. You can leave it instead."),
  offer_changed: () => t('This offer just changed. Review it and try again.'),
  too_many_invitations: () => t('This asset has too many open invitations. Revoke one, or wait until one is used.'),
  too_many_people: () => t("You share with too many people who don't have an account. Remove someone's access first."),
  claim_changed: () => t('What this link offers just changed. Review it and try again.'),
  claim_overlap: () =>
    t(
      "You already had access to one of these assets in the same month, so what was recorded can't become yours. Object to it to join.",
    ),
  session_already_running: () => t('A session is already running for this asset.'),
  no_active_session: () => t('No session is running for this asset.'),
  session_active: () => t('End the session before editing it.'),
  session_overlap: () => t('This overlaps another of your sessions.'),
  session_not_edited: () => t("This session wasn't edited."),
  too_many_replies: () => t("You can't write any more in this objection."),
  asset_archived: () => t('This asset is archived. Restore it first.'),
  month_closed: () => t("This month is closed and can't be changed."),
  members_may_edit: () => t('This month can be closed early once every member has said there is nothing to edit.'),
  price_only_lowered: () => t('This month has ended, so its price can only be lowered.'),
  proposal_ended: () => t('This proposal has changed or ended.'),
  month_not_ended: () => t("This month hasn't ended yet."),
  mark_final: () => t("This was marked as paid more than 72 hours ago and can't be changed."),
  mark_not_allowed: () => t('Only the person who marked this can undo it.'),
  line_settled: () => t("This charge is settled and can't be changed."),
  charges_marked_sent: () =>
    t('A charge to you is marked as sent. Mark it as paid first, or settle your own charges without it.'),
  nothing_to_settle: () => t("There's nothing to settle."),
  payment_not_yours: () => t('Only the person who is paid can do this.'),
  payment_confirmed: () => t('This payment is already confirmed. Undo it instead.'),
  payment_undone: () => t('This payment no longer counts.'),
  undo_not_allowed: () => t("If you didn't receive this payment, mark it as not received."),
  payment_changed: () => t('This payment just changed. Review it and try again.'),
  lines_changed: () => t('Balances just changed. Review and try again.'),
  wrong_password: () => t('Your current password is incorrect'),
  not_signed_in: () => t('Please sign in.'),
  invalid_credentials: () => t('Wrong username or password.'),
  invalid_refresh_token: () => t("You've been signed out. Please sign in again."),
  account_disabled: () => t('This account is disabled. Contact the administrator of this server.'),
  invitation_required: () => t('You need an invitation link to create an account on this server.'),
  owner_only: () => t('Only the owner of this asset can do that.'),
  registration_closed: () => t("This server doesn't accept new accounts."),
  check_required: () => t("Confirm that it's you, then try again."),
  not_found: () => t('Not found.'),
  user_not_found: () => t('User not found'),
  invitation_not_found: () => t('This invitation is no longer valid. Ask for a new link.'),
  confirm_signed_out: () => t('Sign in to this account first, then open the link again.'),
  link_invalid: () => t('This link is no longer valid. Ask for a new one.'),
  claim_not_found: () => t('This link is no longer valid. Ask for a new one.'),
  request_timeout: () => t('The request timed out.'),
  already_objected: () => t("You've already objected to this edit."),
  objection_ended: () => t('This objection has just ended.'),
  objections_open: () => t('This month can be closed early once no objection to an edit is open.'),
  body_too_large: () => t('The request is too large.'),
  unsupported_media_type: () => t('Send JSON with the content type application/json.'),
  expectation_failed: () => t('The Expect header only supports 100-continue.'),
  idempotency_key_reused: () => t('This Idempotency-Key was already used for a different request.'),
  rate_limited: () => t('Too many attempts. Please wait a moment and try again.'),
  headers_too_large: () => t('The request headers are too large.'),
  internal: () => t('Something went wrong on the server.'),
  unavailable: () => t('The server is temporarily unavailable. Please try again in a moment.'),
};

const isErrorCode = (code: string | null): code is keyof typeof texts => code !== null && Object.hasOwn(texts, code);

/**
 * Returns the message of a failed call in the current language, or an empty string if there is none. People can quote
 * the request's id to the server's administrator, if the log has more under it.
 */
export function errorText(error: unknown): string {
  if (error instanceof NoConnection) return t("Can't reach the server. Check your connection and try again.");
  if (!(error instanceof ApiError)) return '';
  const { requestId } = error;
  return requestId === null ? sentenceOf(error) : `${sentenceOf(error)} ${t('Request ID: {id}', { id: requestId })}`;
}

/** The server's own sentence may be more exact than its code, so a translation of the sentence comes first. */
function sentenceOf({ message, code }: ApiError): string {
  if (currentLanguage() === 'en' || message === '') return message;
  return knownText(message) ?? (isErrorCode(code) ? texts[code]() : undefined) ?? message;
}

/** Returns why only an asset's owner can do something, for a co-manager; undefined for any other failure. */
export const ownerOnlyText = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'owner_only' ? errorText(error) : undefined;
