import { z } from 'zod';

/** All errors by code, with their status and the default message for people. */
export const errorCatalogue = {
  malformed_request: { status: 400, message: 'The request could not be read.' },
  validation_failed: { status: 400, message: 'Please check the marked fields.' },
  username_taken: { status: 400, message: 'This username is already taken' },
  email_taken: { status: 400, message: 'This email address is already in use' },
  password_too_weak: { status: 400, message: 'Choose another password' },
  share_with_self: { status: 400, message: 'You cannot share an asset with yourself.' },
  already_shared: { status: 400, message: 'This asset is already shared with this user.' },
  session_already_running: { status: 400, message: 'A session is already running for this asset.' },
  no_active_session: { status: 400, message: 'No session is running for this asset.' },
  session_active: { status: 400, message: 'End the session first, then correct it.' },
  session_overlap: { status: 400, message: 'Another session of yours overlaps this time.' },
  asset_archived: { status: 400, message: 'This asset is archived. Restore it first.' },
  month_closed: { status: 400, message: 'This month is closed and can no longer be changed.' },
  month_not_ended: { status: 400, message: 'This month is not over yet.' },
  mark_not_allowed: { status: 400, message: 'Only whoever marked this can take it back.' },
  line_settled: { status: 400, message: 'This has been settled and can no longer be changed.' },
  nothing_to_settle: { status: 400, message: 'There is nothing to settle.' },
  lines_changed: { status: 400, message: 'What is open has changed meanwhile. Please look at it again.' },
  wrong_password: { status: 400, message: 'This is not your current password' },
  not_signed_in: { status: 401, message: 'Please sign in.' },
  invalid_credentials: { status: 401, message: 'Wrong username or password.' },
  invalid_refresh_token: { status: 401, message: 'Your session has expired. Please sign in again.' },
  not_found: { status: 404, message: 'Not found.' },
  user_not_found: { status: 404, message: 'User not found' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  body_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send JSON with the content type application/json.' },
  expectation_failed: { status: 417, message: 'The only supported value of Expect is 100-continue.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used for another request.' },
  rate_limited: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal: { status: 500, message: 'Something went wrong on the server.' },
  unavailable: { status: 503, message: 'The server cannot answer right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The body of every error: a message for people, a code for programs, and messages by field for invalid fields. */
export const ErrorAnswer = z
  .object({
    error: z.string(),
    // oxlint-disable-next-line no-unsafe-type-assertion -- the catalogue is not empty, and has no other keys
    code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
    fields: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: 'Error' });
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
