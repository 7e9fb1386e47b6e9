// What people can read in an error, in English, in ICU syntax. A code and values travel to the web app, which has each
// sentence in every language. Web catalogs are made from this table, so a sentence without a translation fails its build.

export const SENTENCES = {
  // What an error says if nothing is more exact: the sentences of its codes.
  malformed_request: "The request couldn't be read.",
  validation_failed: 'Check the highlighted fields.',
  username_taken: 'This username is already taken',
  email_taken: 'This email address is already in use',
  password_too_weak: 'Choose a stronger password',
  share_with_self: "You can't share an asset with yourself.",
  already_shared: 'This asset is already shared with this user.',
  offers_refused: "This person doesn't accept offers from you.",
  too_many_offers_today:
    'This person already has 3 new offers from you today. Try again once they accept one, or tomorrow.',
  too_many_offers: 'This user has too many open offers. Try again once some are answered.',
  offer_accepted: "You've already accepted this. You can leave it instead.",
  offer_changed: 'This offer just changed. Review it and try again.',
  access_later: "Your access hasn't started yet.",
  too_many_invitations: 'This asset has too many open invitations. Revoke one, or wait until one is used.',
  too_many_people: "You share with too many people who don't have an account. Remove someone's access first.",
  too_many_assets: 'You have too many assets. Delete one first.',
  too_many_tokens: 'You have too many access tokens. Revoke one first.',
  too_many_managers: 'This asset has too many co-managers. Remove one of them first.',
  too_many_meters: 'This asset has too many meters. Delete one first.',
  meter_not_agreed: 'Let it record your use first.',
  meter_per_member: 'Each member makes a token of their own for this meter.',
  meter_not_per_member: 'This meter has one token, which its owner has.',
  manager_unfit: 'Only a member with an account who has accepted can be a co-manager.',
  claim_changed: 'What this link offers just changed. Review it and try again.',
  claim_overlap:
    "You already had access to one of these assets in the same month, so what was recorded can't become yours. Object to it to join.",
  session_already_running: 'A session is already running for this asset.',
  no_active_session: 'No session is running for this asset.',
  session_already_ended: 'This session has already ended. Edit it to change its end.',
  session_active: 'End the session before editing it.',
  session_overlap: 'This overlaps another of your sessions.',
  session_too_long: 'This is over the {hours}-hour session limit.',
  session_edited: 'You edited this session, so it stays as it is.',
  session_not_edited: "This session wasn't edited.",
  objection_too_late: 'You can object to edits until 24 hours before the month closes.',
  too_many_replies: "You can't write any more in this objection.",
  asset_archived: 'This asset is archived. Restore it first.',
  currency_fixed: "The currency can't change once someone else has accepted.",
  month_closed: "This month is closed and can't be changed.",
  members_may_edit: 'This month can be closed early once every member has said there is nothing to edit.',
  price_only_lowered: 'This month has ended, so its price can only be lowered.',
  handover_open: 'This asset is already being handed over. Call that off first.',
  handover_ended: 'This handover was called off or has expired.',
  no_member_to_hand_to: 'Only a member with an account who has accepted can take this over.',
  not_measured: "Sessions of this asset aren't measured. Its price is split evenly.",
  month_not_ended: "This month hasn't ended yet.",
  mark_final: "This was marked as paid more than 72 hours ago and can't be changed.",
  mark_not_allowed: 'Only the person who marked this can undo it.',
  line_settled: "This charge is settled and can't be changed.",
  charges_marked_sent:
    'A charge to you is marked as sent. Mark it as paid first, or settle your own charges without it.',
  nothing_to_settle: "There's nothing to settle.",
  payment_not_yours: 'Only the person who is paid can do this.',
  payment_confirmed: 'This payment is already confirmed. Undo it instead.',
  payment_undone: 'This payment no longer counts.',
  undo_not_allowed: "If you didn't receive this payment, mark it as not received.",
  payment_changed: 'This payment just changed. Review it and try again.',
  lines_changed: 'Balances just changed. Review and try again.',
  confirm_signed_out: 'Sign in to this account first, then open the link again.',
  link_invalid: 'This link is no longer valid. Ask for a new one.',
  wrong_password: 'Your current password is incorrect',
  wrong_code: 'That code is wrong or was already used',
  two_step_on: 'Two-step sign-in is already on.',
  two_step_off: 'Two-step sign-in is off.',
  passkey_invalid: "This passkey couldn't be used. Try again.",
  too_many_passkeys: 'You have too many passkeys. Remove one first.',
  only_way_to_sign_in: 'This is your only way to sign in. Set a password, add a passkey, or connect a provider first.',
  passkeys_unavailable: 'Passkeys need a server with a domain name and HTTPS.',
  provider_expired: 'This took too long or was started in another browser. Please start again.',
  provider_denied: 'Sign-in was canceled.',
  provider_failed: "Something was wrong with the provider's answer. Please start again.",
  provider_untimed: "This provider can't confirm that it's you. Sign out and in again instead.",
  provider_replaced: 'Another account of this provider is connected. Disconnect it first.',
  not_signed_in: 'Please sign in.',
  invalid_credentials: 'Wrong username or password.',
  passkey_refused: "This passkey doesn't work here. Sign in another way.",
  second_step_required: 'Enter the code from your authenticator app.',
  second_step_wrong: 'That code is wrong or was already used',
  invalid_refresh_token: "You've been signed out. Please sign in again.",
  account_disabled: 'This account is disabled. Contact the administrator of this server.',
  invitation_required: 'You need an invitation link to create an account on this server.',
  owner_only: 'Only the owner of this asset can do that.',
  registration_closed: "This server doesn't accept new accounts.",
  administrator_protected: "Accounts of administrators can be changed only on the server's command line.",
  registration_set: 'The setting REGISTRATION of this server decides who may create an account.',
  two_step_required: 'Turn on two-step sign-in first.',
  check_required: "Confirm that it's you, then try again.",
  token_scope: "This access token doesn't allow this.",
  not_found: 'Not found.',
  user_not_found: 'User "{username}" not found',
  invitation_not_found: 'This invitation is no longer valid. Ask for a new link.',
  claim_not_found: 'This link is no longer valid. Ask for a new one.',
  request_timeout: 'The request timed out.',
  already_objected: "You've already objected to this edit.",
  identity_taken: 'This is already connected to another account.',
  objection_ended: 'This objection has just ended.',
  request_ended: 'This request is already closed.',
  objections_open: 'You can close this month early once all objections and requests are resolved.',
  body_too_large: 'The request is too large.',
  unsupported_media_type: 'Send JSON with the content type application/json.',
  expectation_failed: 'The Expect header only supports 100-continue.',
  idempotency_key_reused: 'This Idempotency-Key was already used for a different request.',
  rate_limited: 'Too many attempts. Please wait a moment and try again.',
  headers_too_large: 'The request headers are too large.',
  internal: 'Something went wrong on the server.',
  provider_unavailable: "Can't reach the provider right now. Try again later, or sign in another way.",
  unavailable: 'The server is temporarily unavailable. Please try again in a moment.',

  username_required: 'Username is required',
  username_characters: "Username contains characters that aren't allowed",
  username_rule: 'Username must be {min} to {max} characters: letters, numbers, dots, underscores, or hyphens',
  username_too_long: 'Username is too long',
  email_required: 'Email address is required',
  email_characters: "Email address contains characters that aren't allowed",
  email_too_long: 'Email address must be at most {max} characters long',
  email_invalid: 'Enter a valid email address',
  password_required: 'Password is required',
  password_too_long: 'Password must be at most {max} characters long',
  password_too_short: 'Password must be at least {count} characters long',
  password_guessable: 'This password is too easy to guess. Choose a stronger one',
  password_is_name: "Password can't be your username or email address",
  current_password_required: 'Current password is required',
  current_password_for_email: 'Enter your current password to change your email address',
  code_required: 'Code is required',
  time_zone_unknown: 'Unknown time zone',
  iban_invalid: 'Enter a valid IBAN',
  payment_name_invalid: 'Enter a valid name, without spaces',
  upi_id_invalid: 'Enter a UPI ID, such as name@bank',
  pix_key_invalid: 'Enter a Pix key: CPF, CNPJ, phone number with +55, email address, or random key',
  phone_invalid: 'Enter a valid phone number',
  payment_methods_full: 'You can add up to {max} ways to get paid',
  payment_link_invalid: 'Enter a link that starts with https://',
  payment_link_too_long: 'Link must be at most {max} characters long',
  payment_text_characters: "Payment details can't contain invisible or control characters",
  payment_text_too_long: 'Payment details must be at most {max} characters long',

  name_required: 'Name is required',
  name_characters: "Name can't contain invisible or control characters",
  name_too_long: 'Name must be at most {max} characters long',
  description_characters: "Description can't contain invisible or control characters",
  description_too_long: 'Description must be at most {max} characters long',
  session_limit_rule: 'Session limit must be a whole number of hours from {min} to {max}',
  asset_not_found: 'Asset not found.',

  cost_required: 'Monthly subscription cost is required',
  cost_not_number: 'Monthly subscription cost must be a number',
  cost_negative: "Monthly subscription cost can't be negative",
  cost_too_high: 'Monthly subscription cost must be at most {max, number, ::.####}',
  cost_no_decimals: "Monthly subscription cost can't have decimals",
  cost_two_decimals: 'Monthly subscription cost must have at most two decimals',
  cost_three_decimals: 'Monthly subscription cost must have at most three decimals',
  cost_four_decimals: 'Monthly subscription cost must have at most four decimals',
  currency_rule: 'Currency must be an ISO 4217 code, such as USD',
  split_method_rule: 'Split method must be usage, allocation, equal, or share_of_use',
  max_price_rule: 'Maximum price per hour must be 0 or more',
  split_evenly_unmeasured: "If use isn't measured, the price is split evenly",
  owner_unmeasured: 'You can track your own use only if use is measured',
  other_price_unfit: "Another month has a price that {currency} doesn't allow. Change that price first.",
  base_share_rule: 'Base share must be a whole number from {min} to {max}',
  owner_hours_rule: 'Your own hours must be a whole number from {min} to {max}',
  month_rule: 'Enter the month as YYYY-MM',
  month_price_closed: "This month is closed, so its price can't change.",
  price_lowered_by_owner: 'Only the owner can lower the price.',
  unbilled_by_owner: 'Only the owner can choose not to bill this month.',
  terms_late_by_owner: 'In the last 72 hours of a month, only the owner can change the terms of the next one.',
  close_by_owner: 'Only the owner can close a month early.',
  manager_by_owner: 'Only the owner can change the access of a co-manager.',
  guest_by_owner: "Only the owner can do that for someone who doesn't have an account.",
  request_by_owner: 'Only the owner can answer this request.',
  manager_session_by_owner: "Only the owner can answer an edit of a co-manager's session.",
  month_before_asset: 'The asset was added after this month.',
  month_too_far: 'Choose a month within the next {years} years.',

  starts_on_rule: 'Access can start now or on the first day of the next month',
  username_and_hours_required: 'Username and monthly hours are required',
  monthly_hours_rule: 'Monthly hours must be a whole number from {min} to {max}',
  share_not_found: 'Shared asset not found.',
  no_such_invitation: 'Invitation not found.',
  invite_self: 'This is your own asset. Pass the link on to someone else.',
  already_member: 'You already have access to this asset.',
  invited_to_archived: 'This asset is archived. Ask its owner to restore it.',
  claim_own: 'You recorded this yourself. Pass the link on to the person it is about.',
  trust_self: 'Enter the username of someone else.',

  start_rule: 'Start must be a date and time with a UTC offset',
  end_rule: 'End must be a date and time with a UTC offset',
  end_in_future: "A session can't end in the future.",
  end_before_start: 'A session must end after it starts.',
  end_after_access: 'Your access to this asset had ended by then.',
  start_before_access: "You didn't have access to this asset yet.",
  asset_was_archived: 'This asset was archived at that time.',
  time_in_future: "This can't be in the future.",
  time_too_long_ago: 'This was more than {hours} hours ago.',
  their_end_after_access: 'Their access to this asset had ended by then.',
  their_start_before_access: "They didn't have access to this asset yet.",
  their_session_overlaps: 'This overlaps another of their sessions.',
  session_not_found: 'Session not found.',
  meter_not_found: 'Meter not found.',
  objection_text_required: 'Write something first',
  objection_text_characters: "Text can't contain invisible or control characters",
  objection_text_too_long: 'Text must be at most {max} characters long',

  statement_not_found: 'Statement not found.',
  not_a_member: "{username} didn't have access in any of these months.",
  charge_not_found: 'Charge not found.',
  payment_not_found: 'Payment not found.',
  amount_not_number: 'Amount must be a number',
  amount_too_low: 'Amount must be more than zero',
  amount_too_high: 'Amount must be at most {max, number, ::.####}',
  amount_no_decimals: "Amount can't have decimals",
  amount_two_decimals: 'Amount must have at most two decimals',
  amount_three_decimals: 'Amount must have at most three decimals',
  amount_four_decimals: 'Amount must have at most four decimals',
  currency_to_settle: 'Choose a currency to settle.',
  several_currencies: 'You owe each other in more than one currency. Settle one at a time.',
} as const;

export type SentenceCode = keyof typeof SENTENCES;

export type Params = Record<string, string | number>;

/** A sentence by its code and the values in it, or one that only another client can cause, which stays in English. */
export type Sentence = { code: SentenceCode; params?: Params | undefined } | { english: string };

/** The names of the values in a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Value}}${infer Rest}`
  ? (Value extends `${infer Name},${string}` ? Name : Value) | NamesIn<Rest>
  : never;
type ParamsOf<Code extends SentenceCode> =
  NamesIn<(typeof SENTENCES)[Code]> extends never
    ? []
    : [params: Record<NamesIn<(typeof SENTENCES)[Code]>, string | number>];

/** Returns a sentence with its values: `sentence('email_too_long', { max: 254 })`. */
export const sentence = <Code extends SentenceCode>(code: Code, ...[params]: ParamsOf<Code>): Sentence =>
  params ? { code, params } : { code };

/** Returns a sentence in English. */
export const english = (said: Sentence): string =>
  'english' in said
    ? said.english
    : SENTENCES[said.code].replace(/\{(\w+)[^}]*\}/g, (_, name: string) => String(said.params?.[name]));

/** Returns a sentence as a message of a schema, which can only be text. */
export const issueOf = (said: Sentence): string => ('english' in said ? said.english : JSON.stringify(said));

/** Returns the message of a schema for people: `z.string(issue('email_required'))`. */
export const issue = <Code extends SentenceCode>(code: Code, ...params: ParamsOf<Code>): string =>
  issueOf(sentence(code, ...params));

/** Returns what a schema's message says. One that wasn't made by `issue` is for the authors of other clients. */
export const readIssue = (message: string): Sentence =>
  message.startsWith('{"code":') ? JSON.parse(message) : { english: message };
