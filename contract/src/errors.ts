import { z } from 'zod';
import { SENTENCES } from './sentences.ts';

/** All errors by code, with their status and the default message for people. */
export const errorCatalog = {
  malformed_request: { status: 400, message: "The request couldn't be read." },
  validation_failed: { status: 400, message: 'Check the highlighted fields.' },
  username_taken: { status: 400, message: SENTENCES.usernameTaken },
  email_taken: { status: 400, message: SENTENCES.emailTaken },
  password_too_weak: { status: 400, message: 'Choose a stronger password' },
  share_with_self: { status: 400, message: "You can't share an asset with yourself." },
  already_shared: { status: 400, message: 'This asset is already shared with this user.' },
  offers_refused: { status: 400, message: "This person doesn't accept offers from you." },
  too_many_offers_today: {
    status: 400,
    message: 'This person already has 3 new offers from you today. Try again once they accept one, or tomorrow.',
  },
  too_many_offers: { status: 400, message: 'This user has too many open offers. Try again once some are answered.' },
  offer_accepted: { status: 400, message: "You've already accepted this. You can leave it instead." },
  offer_changed: { status: 400, message: 'This offer just changed. Review it and try again.' },
  too_many_invitations: {
    status: 400,
    message: 'This asset has too many open invitations. Revoke one, or wait until one is used.',
  },
  too_many_people: {
    status: 400,
    message: "You share with too many people who don't have an account. Remove someone's access first.",
  },
  too_many_assets: { status: 400, message: 'You have too many assets. Delete one first.' },
  too_many_tokens: { status: 400, message: 'You have too many access tokens. Revoke one first.' },
  too_many_managers: {
    status: 400,
    message: 'This asset has too many co-managers. Remove one of them first.',
  },
  manager_unfit: { status: 400, message: 'Only a member with an account who has accepted can be a co-manager.' },
  claim_changed: { status: 400, message: 'What this link offers just changed. Review it and try again.' },
  claim_overlap: {
    status: 400,
    message:
      "You already had access to one of these assets in the same month, so what was recorded can't become yours. Object to it to join.",
  },
  session_already_running: { status: 400, message: 'A session is already running for this asset.' },
  no_active_session: { status: 400, message: 'No session is running for this asset.' },
  session_already_ended: { status: 400, message: 'This session has already ended. Edit it to change its end.' },
  session_active: { status: 400, message: 'End the session before editing it.' },
  session_overlap: { status: 400, message: 'This overlaps another of your sessions.' },
  session_not_edited: { status: 400, message: "This session wasn't edited." },
  too_many_replies: { status: 400, message: "You can't write any more in this objection." },
  asset_archived: { status: 400, message: 'This asset is archived. Restore it first.' },
  month_closed: { status: 400, message: "This month is closed and can't be changed." },
  members_may_edit: {
    status: 400,
    message: 'This month can be closed early once every member has said there is nothing to edit.',
  },
  price_only_lowered: { status: 400, message: SENTENCES.priceOnlyLowered },
  handover_open: { status: 400, message: 'This asset is already being handed over. Call that off first.' },
  handover_ended: { status: 400, message: 'This handover was called off or has expired.' },
  no_member_to_hand_to: { status: 400, message: 'Only a member with an account who has accepted can take this over.' },
  proposal_ended: { status: 400, message: 'This proposal has changed or ended.' },
  month_not_ended: { status: 400, message: "This month hasn't ended yet." },
  mark_final: {
    status: 400,
    message: "This was marked as paid more than 72 hours ago and can't be changed.",
  },
  mark_not_allowed: { status: 400, message: 'Only the person who marked this can undo it.' },
  line_settled: { status: 400, message: "This charge is settled and can't be changed." },
  charges_marked_sent: {
    status: 400,
    message: 'A charge to you is marked as sent. Mark it as paid first, or settle your own charges without it.',
  },
  nothing_to_settle: { status: 400, message: "There's nothing to settle." },
  payment_not_yours: { status: 400, message: 'Only the person who is paid can do this.' },
  payment_confirmed: { status: 400, message: 'This payment is already confirmed. Undo it instead.' },
  payment_undone: { status: 400, message: 'This payment no longer counts.' },
  undo_not_allowed: { status: 400, message: "If you didn't receive this payment, mark it as not received." },
  payment_changed: { status: 400, message: 'This payment just changed. Review it and try again.' },
  lines_changed: { status: 400, message: 'Balances just changed. Review and try again.' },
  confirm_signed_out: { status: 400, message: 'Sign in to this account first, then open the link again.' },
  link_invalid: { status: 400, message: 'This link is no longer valid. Ask for a new one.' },
  wrong_password: { status: 400, message: SENTENCES.currentPasswordWrong },
  wrong_code: { status: 400, message: SENTENCES.codeWrong },
  two_step_on: { status: 400, message: 'Two-step sign-in is already on.' },
  two_step_off: { status: 400, message: 'Two-step sign-in is off.' },
  passkey_invalid: { status: 400, message: "This passkey couldn't be used. Try again." },
  too_many_passkeys: { status: 400, message: 'You have too many passkeys. Remove one first.' },
  only_way_to_sign_in: {
    status: 400,
    message: 'This is your only way to sign in. Set a password, add a passkey, or connect a provider first.',
  },
  passkeys_unavailable: { status: 400, message: 'Passkeys need a server with a domain name and HTTPS.' },
  provider_expired: {
    status: 400,
    message: 'This took too long or was started in another browser. Please start again.',
  },
  provider_denied: { status: 400, message: 'Sign-in was canceled.' },
  provider_failed: { status: 400, message: "Something was wrong with the provider's answer. Please start again." },
  provider_untimed: {
    status: 400,
    message: "This provider can't confirm that it's you. Sign out and in again instead.",
  },
  provider_replaced: {
    status: 400,
    message: 'Another account of this provider is connected. Disconnect it first.',
  },
  not_signed_in: { status: 401, message: 'Please sign in.' },
  invalid_credentials: { status: 401, message: 'Wrong username or password.' },
  passkey_refused: { status: 401, message: "This passkey doesn't work here. Sign in another way." },
  second_step_required: { status: 401, message: 'Enter the code from your authenticator app.' },
  second_step_wrong: { status: 401, message: SENTENCES.codeWrong },
  invalid_refresh_token: { status: 401, message: "You've been signed out. Please sign in again." },
  account_disabled: { status: 403, message: 'This account is disabled. Contact the administrator of this server.' },
  invitation_required: { status: 403, message: 'You need an invitation link to create an account on this server.' },
  owner_only: { status: 403, message: 'Only the owner of this asset can do that.' },
  registration_closed: { status: 403, message: "This server doesn't accept new accounts." },
  check_required: { status: 403, message: "Confirm that it's you, then try again." },
  token_scope: { status: 403, message: "This access token doesn't allow this." },
  not_found: { status: 404, message: 'Not found.' },
  user_not_found: { status: 404, message: 'User not found' },
  invitation_not_found: { status: 404, message: 'This invitation is no longer valid. Ask for a new link.' },
  claim_not_found: { status: 404, message: 'This link is no longer valid. Ask for a new one.' },
  request_timeout: { status: 408, message: 'The request timed out.' },
  already_objected: { status: 409, message: "You've already objected to this edit." },
  identity_taken: { status: 409, message: 'This is already connected to another account.' },
  objection_ended: { status: 409, message: 'This objection has just ended.' },
  objections_open: {
    status: 409,
    message: 'This month can be closed early once no objection to an edit is open.',
  },
  body_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send JSON with the content type application/json.' },
  expectation_failed: { status: 417, message: 'The Expect header only supports 100-continue.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was already used for a different request.' },
  rate_limited: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal: { status: 500, message: 'Something went wrong on the server.' },
  provider_unavailable: {
    status: 503,
    message: "Can't reach the provider right now. Try again later, or sign in another way.",
  },
  unavailable: { status: 503, message: 'The server is temporarily unavailable. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalog;

/**
 * The body of every error: a message for people, a code for programs, messages by field for invalid fields, and the
 * request's id in the server's log if something went wrong there.
 */
export const ErrorAnswer = z
  .object({
    error: z.string(),
    // oxlint-disable-next-line no-unsafe-type-assertion -- the catalog is not empty, and has no other keys
    code: z.enum(Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]]),
    fields: z.record(z.string(), z.array(z.string())).optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: 'Error' });
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
