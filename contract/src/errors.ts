import { z } from 'zod';
import { SENTENCES, type SentenceCode } from './sentences.ts';

/** The status of every error, by code. */
export const errorStatus = {
  malformed_request: 400,
  validation_failed: 400,
  username_taken: 400,
  email_taken: 400,
  password_too_weak: 400,
  share_with_self: 400,
  already_shared: 400,
  offers_refused: 400,
  too_many_offers_today: 400,
  too_many_offers: 400,
  offer_accepted: 400,
  access_later: 400,
  not_measured: 400,
  too_many_invitations: 400,
  too_many_people: 400,
  too_many_assets: 400,
  too_many_tokens: 400,
  too_many_managers: 400,
  manager_unfit: 400,
  claim_changed: 400,
  claim_overlap: 400,
  session_already_running: 400,
  no_active_session: 400,
  session_already_ended: 400,
  session_active: 400,
  session_overlap: 400,
  session_not_edited: 400,
  objection_too_late: 400,
  too_many_replies: 400,
  asset_archived: 400,
  currency_fixed: 400,
  month_closed: 400,
  members_may_edit: 400,
  price_only_lowered: 400,
  handover_open: 400,
  handover_ended: 400,
  no_member_to_hand_to: 400,
  month_not_ended: 400,
  mark_final: 400,
  mark_not_allowed: 400,
  line_settled: 400,
  charges_marked_sent: 400,
  nothing_to_settle: 400,
  payment_not_yours: 400,
  payment_confirmed: 400,
  payment_undone: 400,
  undo_not_allowed: 400,
  payment_changed: 400,
  lines_changed: 400,
  confirm_signed_out: 400,
  link_invalid: 400,
  wrong_password: 400,
  wrong_code: 400,
  two_step_on: 400,
  two_step_off: 400,
  passkey_invalid: 400,
  too_many_passkeys: 400,
  only_way_to_sign_in: 400,
  passkeys_unavailable: 400,
  provider_expired: 400,
  provider_denied: 400,
  provider_failed: 400,
  provider_untimed: 400,
  provider_replaced: 400,
  not_signed_in: 401,
  invalid_credentials: 401,
  passkey_refused: 401,
  second_step_required: 401,
  second_step_wrong: 401,
  invalid_refresh_token: 401,
  account_disabled: 403,
  invitation_required: 403,
  owner_only: 403,
  registration_closed: 403,
  check_required: 403,
  token_scope: 403,
  not_found: 404,
  user_not_found: 404,
  invitation_not_found: 404,
  claim_not_found: 404,
  request_timeout: 408,
  already_objected: 409,
  offer_changed: 409,
  identity_taken: 409,
  objection_ended: 409,
  request_ended: 409,
  objections_open: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  provider_unavailable: 503,
  unavailable: 503,
} as const satisfies Partial<Record<SentenceCode, number>>;

export type ErrorCode = keyof typeof errorStatus;

// oxlint-disable no-unsafe-type-assertion -- the tables are not empty, and have no other keys
const ErrorCode = z.enum(Object.keys(errorStatus) as [ErrorCode]);
/** `english_only` is what only the author of another client reads. */
const SaidCode = z.enum(['english_only', ...(Object.keys(SENTENCES) as SentenceCode[])]).meta({ id: 'SentenceCode' });
// oxlint-enable no-unsafe-type-assertion
const params = z.record(z.string(), z.union([z.string(), z.number()])).optional();

/** The body of every error. */
export const ErrorAnswer = z
  .object({
    error: z.string().describe('What happened, for people, in English'),
    code: ErrorCode.describe('What happened, for programs'),
    detail: SaidCode.optional().describe('What `error` says, if that is more exact than `code`'),
    params: params.describe('The values in `error`'),
    fields: z.record(z.string(), z.array(z.string())).optional().describe('What is wrong with fields, in English'),
    field_codes: z
      .record(z.string(), z.array(z.object({ code: SaidCode, params })))
      .optional()
      .describe('The codes of the sentences in `fields`, and the values in them'),
    request_id: z.string().optional().describe("The id under which the server's log has more"),
  })
  .meta({ id: 'Error' });
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
