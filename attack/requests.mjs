import fc from 'fast-check';
import { exportOf, OTLP_CALL, POINT, withNested } from './otlp.mjs';
import {
  BODIES,
  bytes,
  HEADERS,
  IDEMPOTENCY_KEYS,
  METHODS,
  NUMBERS,
  ODD_IDS,
  TARGETS,
  TEXTS,
  VERSIONS,
} from './values.mjs';

// Plans hostile requests from an OpenAPI document: every caller on every resource, then hostile values everywhere.
// The same seed plans the same requests. fast-check generates; what it generates is defined here, because
// schema-based generators produce valid values and OpenAPI fuzzers know neither callers nor owners.
//
// Requests are planned before any data exists: `<<asset.ours>>` becomes that asset's id, and `"<<#line.ours>>"` in a
// body becomes a number. Requests are bytes, one character each.

/** @typedef {'public' | 'signed in' | 'holder' | 'owner' | 'manager' | 'member' | 'participant' | 'past member' | 'party' | 'administrator'} Who */
/** @typedef {{ who: Who, by?: string, body?: Record<string, unknown>, toBody?: (part: Record<string, unknown>) => object, spoils?: true, endsCaller?: true, missing?: string }} Operation */

/** Belongs to no account. Real ones need a device, and a server with a host name. */
const PASSKEY_PROOF = {
  id: 'no-one-has-it',
  rawId: 'no-one-has-it',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
};

/** Of no browser; no notice is sent to it, because no push service answers there. */
export const PUSH_SUBSCRIPTION = {
  endpoint: 'https://push.invalid/a<<run.unique>>',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** Up to which amount offers are accepted. */
export const TRUST = { monthly_amount: 100, currency: 'USD' };

/** No one listens there. */
export const NOTICE_TARGET = { format: 'json', address: 'https://hooks.invalid/a', kinds: ['sign_in'] };

/**
 * Who may make each call, a valid body for it, and whether success uses up what the next request needs. With `by`, only
 * that caller sends it hostile values, so that the others keep their passwords; with `endsCaller`, no other caller with access sends it.
 * `missing` is the code for what doesn't exist, if it isn't `not_found`. With `toBody`, `body` and the document have a part of the body, which
 * it completes.
 *
 * @type {Record<string, Operation>}
 */
export const OPERATIONS = {
  'GET /api/about/': { who: 'public' },
  'POST /api/register/': {
    who: 'public',
    body: { username: 'n<<run.unique>>', email: 'n<<run.unique>>@example.org', password: '<<run.password>>' },
  },
  'POST /api/login/': {
    who: 'public',
    body: { username: '<<name.owner>>', password: '<<run.password>>' },
    spoils: true,
  },
  'POST /api/register/passkey/options/': {
    who: 'public',
    body: { username: 'n<<run.unique>>', email: 'n<<run.unique>>@example.org' },
  },
  'POST /api/login/passkey/options/': { who: 'public' },
  'POST /api/login/passkey/': { who: 'public', body: { passkey: PASSKEY_PROOF } },
  'POST /api/token/refresh/': { who: 'public', body: { refresh: '<<refresh.spare>>' }, spoils: true },
  'POST /api/logout/': { who: 'public', body: { refresh_token: '<<refresh.spare>>' }, spoils: true },
  // No caller is one: only a command on the server's machine makes an account one.
  'GET /api/administration/': { who: 'administrator' },
  'PATCH /api/administration/': { who: 'administrator', body: { registration: 'closed' } },
  'POST /api/administration/invitations/': { who: 'administrator' },
  'POST /api/administration/test-mail/': { who: 'administrator' },
  'POST /api/administration/backups/': { who: 'administrator' },
  'GET /api/administration/accounts/': { who: 'administrator' },
  'PATCH /api/administration/accounts/{id}/': { who: 'administrator', body: { disabled: true } },
  'POST /api/administration/accounts/{id}/reset-link/': { who: 'administrator' },
  'GET /api/me/': { who: 'signed in' },
  'PATCH /api/me/': { who: 'signed in', body: { time_zone: 'Europe/Berlin' } },
  'GET /api/me/check/': { who: 'signed in' },
  'POST /api/me/check/': { who: 'signed in', body: { current_password: '<<run.password>>' } },
  'GET /api/me/two-step/': { who: 'signed in' },
  'POST /api/me/two-step/': { who: 'signed in' },
  'POST /api/me/two-step/confirm/': { who: 'signed in', body: { code: 'no such code' } },
  'POST /api/me/two-step/recovery-codes/': { who: 'signed in' },
  'DELETE /api/me/two-step/': { who: 'signed in' },
  'POST /api/me/check/passkey/options/': { who: 'signed in' },
  'POST /api/me/check/passkey/': { who: 'signed in', body: { passkey: PASSKEY_PROOF } },
  'DELETE /api/me/password/': { who: 'signed in' },
  'GET /api/me/passkeys/': { who: 'signed in' },
  'POST /api/me/passkeys/options/': { who: 'signed in' },
  'POST /api/me/passkeys/': {
    who: 'signed in',
    body: {
      name: 'Key ring',
      passkey: {
        ...PASSKEY_PROOF,
        response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
      },
    },
  },
  'PATCH /api/me/passkeys/{id}/': { who: 'holder', body: { name: 'Phone' } },
  'DELETE /api/me/passkeys/{id}/': { who: 'holder', spoils: true },
  'POST /api/me/password/': {
    who: 'signed in',
    by: 'stranger',
    body: { current_password: '<<run.password>>', new_password: '<<run.password>>' },
    spoils: true,
  },
  'DELETE /api/me/email-change/': { who: 'signed in' },
  'POST /api/me/email-change/confirm/': { who: 'public', body: { token: 'no one has it' } },
  'POST /api/password-reset/': { who: 'public', body: { email: '<<name.owner>>@example.org' } },
  'POST /api/password-reset/confirm/': {
    who: 'public',
    body: { token: 'no one has it', password: '<<run.password>>' },
  },
  'POST /api/me/check/provider/': { who: 'signed in', body: { ticket: 'no one has it' } },
  'POST /api/providers/start/': { who: 'public', body: { provider: 'google', purpose: 'sign-in' } },
  'POST /api/providers/finish/': { who: 'public', body: { provider: 'google', answer: 'code=x&state=y' } },
  'POST /api/providers/sign-in/': { who: 'public', body: { ticket: 'no one has it', code: '123456' } },
  'POST /api/providers/register/': {
    who: 'public',
    body: { ticket: 'no one has it', username: 'n<<run.unique>>', email: 'n<<run.unique>>@example.org' },
  },
  'GET /api/me/identities/': { who: 'signed in' },
  'POST /api/me/identities/': { who: 'signed in', body: { ticket: 'no one has it' } },
  'DELETE /api/me/identities/{id}/': { who: 'holder', spoils: true },
  'GET /api/me/sign-ins/': { who: 'signed in' },
  'PATCH /api/me/sign-ins/{id}/': { who: 'holder', body: { name: 'Laptop' } },
  'DELETE /api/me/sign-ins/{id}/': { who: 'holder', spoils: true },
  'GET /api/me/security-events/': { who: 'signed in' },
  'GET /api/events/': { who: 'signed in' },
  'GET /api/notifications/': { who: 'signed in' },
  'POST /api/notifications/read/': { who: 'signed in', body: { ids: [1] } },
  'GET /api/notifications/choices/': { who: 'signed in' },
  'PATCH /api/notifications/choices/': { who: 'signed in', body: { choices: [{ kind: 'sign_in', mail: false }] } },
  'GET /api/notifications/targets/': { who: 'signed in' },
  'POST /api/notifications/targets/': { who: 'signed in', body: NOTICE_TARGET, spoils: true },
  'PATCH /api/notifications/targets/{id}/': { who: 'holder', body: { amounts: true } },
  'DELETE /api/notifications/targets/{id}/': { who: 'holder', spoils: true },
  'GET /api/push/': { who: 'signed in' },
  'POST /api/push/subscriptions/': { who: 'signed in', body: PUSH_SUBSCRIPTION, spoils: true },
  'DELETE /api/push/subscriptions/{id}/': { who: 'holder', spoils: true },
  'GET /api/unsubscribe/{token}/': { who: 'public' },
  'POST /api/unsubscribe/{token}/': { who: 'public' },
  'GET /api/me/calendar/': { who: 'signed in' },
  'POST /api/me/calendar/': { who: 'signed in', spoils: true },
  'DELETE /api/me/calendar/': { who: 'signed in', spoils: true },
  'GET /api/calendar/{token}.ics': { who: 'public' },
  'DELETE /api/me/sign-ins/': { who: 'signed in', by: 'stranger', spoils: true },
  'GET /api/me/access-tokens/': { who: 'signed in' },
  'POST /api/me/access-tokens/': { who: 'signed in', body: { name: 'Button' }, spoils: true },
  'DELETE /api/me/access-tokens/{id}/': { who: 'holder', spoils: true },
  'GET /api/me/export/': { who: 'signed in' },
  'GET /api/me/export/csv/': { who: 'signed in' },
  'DELETE /api/me/': {
    who: 'signed in',
    by: 'stranger',
    body: { current_password: '<<run.password>>', keep_name: false },
    spoils: true,
    endsCaller: true,
  },
  'GET /api/assets/': { who: 'signed in' },
  'POST /api/assets/': { who: 'signed in', body: { name: 'Gym', subscription_cost: 5 }, spoils: true },
  'GET /api/assets/{id}/': { who: 'manager' },
  'PATCH /api/assets/{id}/': { who: 'manager', body: { name: 'Renamed', subscription_cost: 12.34 }, spoils: true },
  'DELETE /api/assets/{id}/': { who: 'owner', spoils: true },
  'GET /api/assets/{id}/manager-changes/': { who: 'manager' },
  'GET /api/assets/{id}/meters/': { who: 'manager' },
  'POST /api/assets/{id}/meters/': { who: 'manager', body: { name: 'TV' }, spoils: true },
  'GET /api/assets/{id}/costs/': { who: 'manager' },
  'POST /api/assets/{id}/costs/': { who: 'manager', body: { text: 'Fuel', amount: 5 } },
  'PATCH /api/assets/{id}/costs/{cost_id}/': { who: 'owner', body: { text: 'Diesel' } },
  'DELETE /api/assets/{id}/costs/{cost_id}/': { who: 'owner', spoils: true },
  'POST /api/assets/{id}/costs/{cost_id}/answer/': { who: 'owner', body: { answer: 'count' } },
  'GET /api/shared-assets/{id}/costs/': { who: 'past member' },
  'POST /api/shared-assets/{id}/costs/': { who: 'member', body: { text: 'Fuel', amount: 5 } },
  'PATCH /api/shared-assets/{id}/costs/{cost_id}/': { who: 'member', body: { text: 'Diesel' } },
  'DELETE /api/shared-assets/{id}/costs/{cost_id}/': { who: 'member', spoils: true },
  'POST /api/shared-assets/{id}/costs/{cost_id}/answer/': { who: 'past member', body: { answer: 'yes' } },
  'PATCH /api/assets/{id}/meters/{meter_id}/': { who: 'manager', body: { name: 'TV' } },
  'DELETE /api/assets/{id}/meters/{meter_id}/': { who: 'manager', spoils: true },
  'POST /api/assets/{id}/meters/{meter_id}/token/': { who: 'manager', spoils: true },
  'PUT /api/assets/{id}/meters/{meter_id}/names/': {
    who: 'manager',
    body: { names: [{ external_name: 'Ben', share_id: null }] },
  },
  'POST /api/assets/{id}/meters/{meter_id}/imports/': {
    who: 'manager',
    body: { dry_run: false, rows: [{ name: 'Ben', start: '<<session.start>>', end: '<<session.start>>' }] },
  },
  'GET /api/shared-assets/{id}/meters/': { who: 'member' },
  'POST /api/shared-assets/{id}/meters/{meter_id}/': { who: 'member', body: { agreed: true } },
  'POST /api/shared-assets/{id}/meters/{meter_id}/token/': { who: 'member' },
  'POST /api/meters/events/': {
    who: 'public',
    by: 'meterToken',
    body: { events: [{ id: '1', name: 'Ben', type: 'beat', at: '<<session.start>>' }] },
  },
  [OTLP_CALL]: { who: 'public', by: 'counterToken', body: POINT, toBody: exportOf },
  'GET /api/assets/{id}/sessions/': { who: 'manager' },
  'GET /api/assets/{id}/analytics/': { who: 'manager' },
  'GET /api/assets/{id}/history/': { who: 'manager' },
  'GET /api/findings/': { who: 'signed in' },
  'POST /api/assets/{id}/share/': {
    who: 'manager',
    body: { username: '<<name.guest>>', monthly_hours_allocated: 5 },
    spoils: true,
  },
  // Also makes a member a co-manager.
  'PATCH /api/assets/{id}/share/{share_id}/': { who: 'manager', body: { monthly_hours_allocated: 7 }, spoils: true },
  'DELETE /api/assets/{id}/share/{share_id}/': { who: 'manager', spoils: true },
  'POST /api/assets/{id}/invitations/': { who: 'manager', body: { monthly_hours_allocated: 5 }, spoils: true },
  'DELETE /api/assets/{id}/invitations/{invitation_id}/': { who: 'manager', spoils: true },
  'POST /api/assets/{id}/people/': {
    who: 'owner',
    body: { name: 'Grandpa', monthly_hours_allocated: 5 },
    spoils: true,
  },
  'POST /api/assets/{id}/share/{share_id}/sessions/': {
    who: 'owner',
    body: { start_time: '<<recorded.start>>', end_time: '<<recorded.end>>' },
  },
  'PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/': {
    who: 'owner',
    body: { start_time: '<<recorded.start>>' },
  },
  'DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/': { who: 'owner', spoils: true },
  'POST /api/assets/{id}/share/{share_id}/claim/': { who: 'owner', spoils: true },
  'DELETE /api/assets/{id}/share/{share_id}/claim/': { who: 'owner', spoils: true },
  'GET /api/claims/{token}/': { who: 'public', missing: 'claim_not_found' },
  'GET /api/claims/{token}/estimate/': { who: 'public', missing: 'claim_not_found' },
  'POST /api/claims/{token}/': {
    who: 'signed in',
    by: 'stranger',
    body: { charges: 'accept' },
    spoils: true,
    missing: 'claim_not_found',
  },
  'GET /api/invitations/{token}/': { who: 'public', missing: 'invitation_not_found' },
  'POST /api/invitations/{token}/': {
    who: 'signed in',
    by: 'stranger',
    body: { price: 10 },
    spoils: true,
    missing: 'invitation_not_found',
  },
  'GET /api/shared-assets/': { who: 'signed in' },
  'GET /api/shared-assets/{id}/': { who: 'member' },
  'POST /api/shared-assets/{id}/agree/': {
    who: 'member',
    body: {
      terms: {
        split_method: 'usage',
        base_percent: 0,
        price: 1000,
        currency: 'USD',
        total_hours: 1,
        places: 2,
        monthly_hours: 744,
        max_price_per_hour: null,
        extra_cost_limit: 9_999_999,
      },
    },
  },
  'POST /api/shared-assets/{id}/accept/': { who: 'member', body: { monthly_hours_allocated: 10 }, spoils: true },
  'POST /api/shared-assets/{id}/decline/': { who: 'member', spoils: true },
  'POST /api/shared-assets/{id}/leave/': { who: 'member', spoils: true },
  'POST /api/assets/{id}/share/{share_id}/confirm/': { who: 'owner' },
  'POST /api/assets/{id}/handover/': { who: 'owner', body: { username: '<<name.guest>>' }, spoils: true },
  'DELETE /api/assets/{id}/handover/': { who: 'owner' },
  'POST /api/shared-assets/{id}/handover/accept/': { who: 'member', body: { version: 'seen' } },
  'POST /api/shared-assets/{id}/handover/decline/': { who: 'member' },
  'GET /api/trusted-owners/': { who: 'signed in' },
  // By someone whom no one offers anything, so that no offer is accepted at once.
  'POST /api/trusted-owners/': { who: 'signed in', by: 'owner', body: { username: '<<name.guest>>', ...TRUST } },
  'DELETE /api/trusted-owners/{username}/': { who: 'signed in', spoils: true },
  'POST /api/shared-assets/{id}/start/': { who: 'member' },
  'POST /api/shared-assets/{id}/end/': { who: 'member', body: {} },
  'POST /api/shared-assets/{id}/late-start/': {
    who: 'past member',
    body: { at: '<<session.start>>', client_time: '<<session.start>>' },
  },
  'POST /api/shared-assets/{id}/late-end/': {
    who: 'past member',
    body: { at: '<<session.start>>', client_time: '<<session.start>>' },
  },
  'POST /api/shared-assets/{id}/logs/': {
    who: 'past member',
    body: { start_time: '<<session.start>>', end_time: '<<session.start>>' },
  },
  'GET /api/shared-assets/{id}/logs/': { who: 'past member' },
  'PATCH /api/shared-assets/{id}/logs/{session_id}/': { who: 'member', body: { start_time: '<<session.start>>' } },
  'DELETE /api/shared-assets/{id}/logs/{session_id}/': { who: 'member', spoils: true },
  'POST /api/assets/{id}/sessions/{session_id}/request/accept/': { who: 'owner' },
  'POST /api/assets/{id}/sessions/{session_id}/request/decline/': { who: 'owner' },
  'DELETE /api/shared-assets/{id}/logs/{session_id}/request/': { who: 'member' },
  'POST /api/assets/{id}/sessions/{session_id}/objection/': { who: 'manager', body: { text: 'It ran' } },
  'DELETE /api/assets/{id}/sessions/{session_id}/objection/': { who: 'manager' },
  'POST /api/assets/{id}/sessions/{session_id}/objection/replies/': { who: 'manager', body: { text: 'It ran' } },
  'POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/': { who: 'member', body: { text: 'It did not' } },
  'POST /api/shared-assets/{id}/logs/{session_id}/objection/agree/': { who: 'member' },
  'GET /api/shared-assets/{id}/active-session/': { who: 'member' },
  'GET /api/shared-assets/{id}/analytics/': { who: 'member' },
  'GET /api/renewals/': { who: 'signed in' },
  'POST /api/shared-assets/{id}/vote/': {
    who: 'member',
    body: { renews_on: '2030-03-14', choice: 'keep', line: 'Daily' },
  },
  'POST /api/assets/{id}/renewal/': { who: 'owner', body: { renews_on: '2030-03-14', decision: 'renewed' } },
  'GET /api/assets/{id}/prices/': { who: 'manager' },
  'POST /api/assets/{id}/prices/': { who: 'manager', body: { from_month: '<<month.now>>', subscription_cost: 20 } },
  'GET /api/assets/{id}/statements/': { who: 'participant' },
  'GET /api/assets/{id}/statements/{month}/': { who: 'participant' },
  'POST /api/assets/{id}/statements/{month}/close/': { who: 'owner' },
  'POST /api/assets/{id}/statements/{month}/confirm/': { who: 'participant' },
  'POST /api/assets/{id}/replay/': { who: 'manager', body: { price: 9 } },
  'POST /api/shared-assets/{id}/replay/': { who: 'member', body: { price: 9 } },
  'POST /api/assets/{id}/split-preview/': { who: 'manager', body: { split_method: 'equal' } },
  'GET /api/statements/': { who: 'signed in' },
  'POST /api/statement-lines/{id}/mark/': { who: 'party', body: { status: 'sent' } },
  'GET /api/balances/': { who: 'signed in' },
  'GET /api/settlements/': { who: 'signed in' },
  'POST /api/settlements/': { who: 'signed in', body: { username: '<<name.member>>' } },
  'POST /api/settlements/{id}/confirm/': { who: 'party' },
  'POST /api/settlements/{id}/reject/': { who: 'party' },
  'POST /api/settlements/{id}/undo/': { who: 'party' },
  'DELETE /api/settlements/{id}/undo/': { who: 'party' },
  'GET /api/deposits/': { who: 'signed in' },
  'POST /api/assets/{id}/deposits/': { who: 'owner', body: { username: '<<name.member>>', amount: 5 } },
  'POST /api/shared-assets/{id}/deposits/': { who: 'member', body: { amount: 5 } },
  'POST /api/deposits/{id}/confirm/': { who: 'party' },
  'POST /api/deposits/{id}/return/': { who: 'party' },
  'DELETE /api/deposits/{id}/': { who: 'party', spoils: true },
};

/** The calls that access tokens for scripts may make, by the kind of token. @type {Record<'account' | 'share' | 'events', string[]>} */
const SCRIPT_CALLS = {
  account: [
    'GET /api/me/',
    'GET /api/events/',
    'GET /api/notifications/',
    'GET /api/assets/',
    'GET /api/assets/{id}/',
    'GET /api/assets/{id}/manager-changes/',
    'GET /api/assets/{id}/sessions/',
    'GET /api/assets/{id}/meters/',
    'GET /api/assets/{id}/costs/',
    'GET /api/assets/{id}/analytics/',
    'GET /api/assets/{id}/history/',
    'GET /api/renewals/',
    'GET /api/assets/{id}/prices/',
    'GET /api/assets/{id}/statements/',
    'GET /api/assets/{id}/statements/{month}/',
    'GET /api/findings/',
    'GET /api/shared-assets/',
    'GET /api/shared-assets/{id}/',
    'GET /api/shared-assets/{id}/logs/',
    'GET /api/shared-assets/{id}/active-session/',
    'GET /api/shared-assets/{id}/analytics/',
    'GET /api/shared-assets/{id}/costs/',
    'GET /api/trusted-owners/',
    'GET /api/statements/',
    'GET /api/balances/',
    'GET /api/settlements/',
    'GET /api/deposits/',
  ],
  share: [
    'GET /api/shared-assets/{id}/',
    'POST /api/shared-assets/{id}/start/',
    'POST /api/shared-assets/{id}/end/',
    'POST /api/shared-assets/{id}/logs/',
    'GET /api/shared-assets/{id}/logs/',
    'GET /api/shared-assets/{id}/active-session/',
    'GET /api/shared-assets/{id}/analytics/',
  ],
  events: ['GET /api/events/', 'GET /api/notifications/'],
};

/** Callers with an access token for scripts: whose it is, and its kind. @type {Record<string, { of: string, scope: 'account' | 'share' | 'events' }>} */
const SCRIPTS = {
  ownerScript: { of: 'owner', scope: 'account' },
  memberScript: { of: 'member', scope: 'account' },
  shareScript: { of: 'member', scope: 'share' },
  eventsScript: { of: 'owner', scope: 'events' },
};

/** @type {Record<string, Record<string, string[]>>} Former members can still read statements of months in which they had a share. */
const ALLOWED = {
  holder: { ours: ['owner'], theirs: ['otherOwner'] },
  owner: { ours: ['owner'], theirs: ['otherOwner'] },
  manager: { ours: ['owner', 'manager'], theirs: ['otherOwner'] },
  member: { ours: ['member'], theirs: ['otherMember'] },
  participant: { ours: ['owner', 'manager', 'member', 'former'], theirs: ['otherOwner', 'otherMember'] },
  // Access that has ended still lets its member read and edit sessions.
  'past member': { ours: ['member'], theirs: ['otherMember'], ended: ['former'] },
  party: { ours: ['owner', 'member'], theirs: ['otherOwner', 'otherMember'] },
};

/** @type {Record<Who, string>} who sends hostile values, so that these pass the authorization checks */
const USUAL = {
  public: 'anonymous',
  'signed in': 'owner',
  holder: 'owner',
  owner: 'owner',
  manager: 'owner',
  member: 'member',
  participant: 'member',
  'past member': 'member',
  party: 'member',
  administrator: 'owner',
};

/** Tokens of meters, of sessions and of totals, which can send events, and nothing else. */
export const METER_TOKENS = ['meterToken', 'counterToken'];
/** The calls that only these can make. */
export const METER_CALLS = ['POST /api/meters/events/', OTLP_CALL];

const SIGNED_IN = ['stranger', 'owner', 'manager', 'member', 'former', 'otherOwner', 'otherMember'];
const SIGNED_OUT = [
  'anonymous',
  'garbage',
  'unsigned',
  'wrongKey',
  'altered',
  'refreshToken',
  'expired',
  'ended',
  'revokedScript',
  ...METER_TOKENS,
];

const CALLERS = [...SIGNED_IN, ...Object.keys(SCRIPTS), ...SIGNED_OUT];

/** @type {Record<string, string[]>} */
const RESOURCES = {
  asset: ['ours', 'theirs', 'absent', 'deleted'],
  share: ['ours', 'theirs', 'absent', 'deleted', 'ended'],
  offer: ['ours', 'theirs', 'absent'],
  session: ['ours', 'theirs', 'absent'],
  meter: ['ours', 'theirs', 'absent'],
  cost: ['ours', 'theirs', 'absent'],
  ownCost: ['ours', 'theirs', 'absent'],
  person: ['ours', 'theirs', 'absent'],
  recorded: ['ours', 'theirs', 'absent'],
  claim: ['ours', 'theirs', 'absent'],
  invitation: ['ours', 'theirs', 'absent'],
  link: ['ours', 'theirs', 'absent'],
  signIn: ['ours', 'theirs', 'absent'],
  accessToken: ['ours', 'theirs', 'absent'],
  passkey: ['ours', 'theirs', 'absent'],
  identity: ['ours', 'theirs', 'absent'],
  noticeTarget: ['ours', 'theirs', 'absent'],
  pushSubscription: ['ours', 'theirs', 'absent'],
  unsubscribe: ['ours', 'theirs', 'absent'],
  calendar: ['ours', 'theirs', 'absent'],
  name: ['guest'],
  line: ['ours', 'theirs', 'absent'],
  payment: ['ours', 'theirs', 'absent'],
  deposit: ['ours', 'theirs', 'absent'],
  month: ['now'],
};

/** Matches the resources that a path names, and not times in a body. */
const NAMED = new RegExp(
  String.raw`<<(${Object.keys(RESOURCES)
    .filter((kind) => kind !== 'name' && kind !== 'month')
    .join('|')})\.(?!start|end\b)\w+>>`,
  'g',
);

/** Returns a path with every resource replaced by one that doesn't exist. @param {string} path */
export const absentPath = (path) => path.replaceAll(NAMED, '<<$1.absent>>');

/**
 * What a caller can expect: `allowed`; `outsider`, answered as if the resource didn't exist; `signed out`; `reserved`, for
 * co-managers, who are told that only the owner may do it; `out of scope`, for access tokens whose kind may not make the call,
 * whatever it names; and `refused`, for an impossible id.
 *
 * @typedef {'allowed' | 'outsider' | 'signed out' | 'reserved' | 'out of scope' | 'refused'} Standing
 *
 * @typedef {object} Request
 * @property {number} number
 * @property {string} operation
 * @property {Who} who
 * @property {string} caller
 * @property {Standing} standing
 * @property {'intact' | 'value' | 'wire'} kind a valid request, one with a hostile value, or one with hostile HTTP
 * @property {string} about
 * @property {string} method
 * @property {string} target
 * @property {string} version
 * @property {[name: string, value: string][]} headers without `host`, `connection` and `content-length`
 * @property {string} [body]
 * @property {string} [missing] the code for what doesn't exist, if it isn't `not_found`
 * @property {true} [isUnfinished] may announce more than it sends, and be cut off
 * @property {true} [isAbandoned] the sender disconnects before the response
 *
 * @typedef {(request: Request) => Partial<Request>} Change
 */

const pathOf = (/** @type {string} */ key) => key.slice(key.indexOf(' ') + 1);

/** @param {string} path @param {string} parameter */
function kindOf(path, parameter) {
  if (parameter === 'username') return 'name';
  // The tokens of callers are symbols too.
  if (path.includes('/unsubscribe/')) return 'unsubscribe';
  if (path.includes('/calendar/')) return 'calendar';
  if (parameter === 'token') return path.includes('/claims/') ? 'claim' : 'link';
  if (/\/share\/\{share_id\}\/(?:claim|sessions)\//.test(path) && parameter !== 'id')
    return parameter === 'share_id' ? 'person' : 'recorded';
  // Members change their own costs, and answer those of the owner.
  if (parameter === 'cost_id')
    return path.includes('/shared-assets/') && !path.endsWith('/answer/') ? 'ownCost' : 'cost';
  if (parameter !== 'id') return parameter.replace('_id', '');
  if (/\/api\/shared-assets\/\{id\}\/(?:accept|decline)\/$/.test(path)) return 'offer';
  if (path.includes('/sign-ins/')) return 'signIn';
  if (path.includes('/access-tokens/')) return 'accessToken';
  if (path.includes('/passkeys/')) return 'passkey';
  if (path.includes('/targets/')) return 'noticeTarget';
  if (path.includes('/push/')) return 'pushSubscription';
  if (path.includes('/identities/')) return 'identity';
  if (path.includes('/shared-assets/')) return 'share';
  if (path.includes('/settlements/')) return 'payment';
  if (path.includes(' /api/deposits/')) return 'deposit';
  return path.includes('/statement-lines/') ? 'line' : 'asset';
}

const parametersOf = (/** @type {string} */ key) =>
  [...key.matchAll(/\{(\w+)\}/g)].map(([placeholder, name = '']) => ({ placeholder, kind: kindOf(key, name) }));

/** Returns every combination of resources that a path can name. @param {string} key @returns {string[][]} */
const resourcesOf = (key) =>
  parametersOf(key).reduce(
    (/** @type {string[][]} */ combined, { kind }) =>
      combined.flatMap((before) => (RESOURCES[kind] ?? []).map((resource) => [...before, resource])),
    [[]],
  );

/** @param {string[]} resources */
const isOneHousehold = ([household, ...others]) =>
  others.every(
    (resource) =>
      resource === household ||
      resource === 'now' ||
      // Someone who has left still answers what was paid while they had access.
      (household === 'ended' && resource === 'ours'),
  );

/** @param {string} key @param {Who} who @param {string} caller @param {string[]} resources @returns {Standing} */
function standingOf(key, who, caller, resources) {
  if (who === 'public') return resources.includes('absent') ? 'outsider' : 'allowed';
  if (SIGNED_OUT.includes(caller)) return 'signed out';
  if (who === 'administrator') return 'outsider';
  const script = SCRIPTS[caller];
  if (script && !SCRIPT_CALLS[script.scope].includes(key)) return 'out of scope';
  if (who === 'signed in') return resources.includes('absent') ? 'outsider' : 'allowed';
  const [household = '', next = household] = resources;
  // The server checks whether the caller may edit a session before whether it exists.
  if (who === 'owner' && caller === 'manager' && household === 'ours' && ['ours', 'now'].includes(next))
    return 'reserved';
  return isOneHousehold(resources) && ALLOWED[who]?.[household]?.includes(script?.of ?? caller)
    ? 'allowed'
    : 'outsider';
}

/** @param {Record<string, unknown>} body */
const asIs = (body) => body;

/** @param {string} key @param {Operation} operation @param {string} caller @param {string[]} resources @returns {Request} */
function intactRequest(key, { who, body, toBody = asIs, missing }, caller, resources) {
  const parameters = parametersOf(key);
  const target = parameters.reduce(
    (path, { placeholder, kind }, index) => path.replace(placeholder, `<<${kind}.${resources[index]}>>`),
    pathOf(key),
  );
  /** @type {[string, string][]} */
  const headers = caller === 'anonymous' ? [] : [['authorization', `Bearer <<token.${caller}>>`]];
  if (body) headers.push(['content-type', 'application/json']);
  return {
    number: 0,
    operation: key,
    who,
    caller,
    standing: standingOf(key, who, caller, resources),
    kind: 'intact',
    about: resources.join(', '),
    method: key.slice(0, key.indexOf(' ')),
    target,
    version: 'HTTP/1.1',
    headers,
    ...(body ? { body: bytes(JSON.stringify(toBody(body))) } : {}),
    ...(missing === undefined ? {} : { missing }),
  };
}

/** The other household must stay unchanged, so its members only read there, as does anyone who has its links. @param {Request} request */
const leavesOthersAlone = ({ kind, method, caller, standing, target }) =>
  standing !== 'allowed' ||
  !(caller.startsWith('other') || target.includes('.theirs>>')) ||
  (method === 'GET' && kind !== 'wire');

/** Returns every caller on every resource, with valid bodies. @param {Record<string, Operation>} operations */
const matrix = (operations) =>
  Object.entries(operations)
    .flatMap(([key, operation]) =>
      resourcesOf(key).flatMap((resources) => {
        // Signed-out callers learn nothing, so a few combinations are enough.
        const callers = isOneHousehold(resources) ? CALLERS : CALLERS.filter((caller) => !SIGNED_OUT.includes(caller));
        return callers.map((caller) => intactRequest(key, operation, caller, resources));
      }),
    )
    .filter(leavesOthersAlone)
    .filter(({ operation, caller, standing }) => {
      const { by, endsCaller } = operations[operation] ?? {};
      return !endsCaller || standing !== 'allowed' || caller === by;
    });

/** Generates values on both sides of what a schema allows. @param {any} document @param {any} schema @returns {fc.Arbitrary<unknown>} */
function nearlyValid(document, schema) {
  if (schema.$ref) return nearlyValid(document, document.components.schemas[schema.$ref.split('/').at(-1)]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((/** @type {any} */ each) => nearlyValid(document, each)));
  if ('const' in schema) return fc.constantFrom(schema.const, `${schema.const} `);
  if (schema.enum) return fc.constantFrom(...schema.enum, `${schema.enum[0]} `, schema.enum[0].toUpperCase());
  const { minimum = 0, maximum = 100, multipleOf: step = 1, minLength = 0, maxLength = 30, maxItems = 5 } = schema;
  switch (schema.type) {
    case 'boolean':
      return fc.constantFrom(true, false, 'true', 1, null);
    case 'integer':
    case 'number':
      return fc.oneof(
        fc.constantFrom(minimum - step, minimum, maximum, maximum + step, minimum + step / 2, String(minimum)),
        fc.integer({ min: minimum, max: Math.floor(maximum) }).map((count) => Math.round(count * step * 100) / 100),
      );
    case 'array':
      return fc.oneof(
        fc.array(nearlyValid(document, schema.items), { maxLength: 4 }),
        fc.constant(Array(maxItems + 1).fill(1)),
      );
    case 'object': {
      const { properties = {}, additionalProperties } = schema;
      // What a strict object doesn't allow is tried, too.
      const others = fc.dictionary(fc.constantFrom(...TEXTS), nearlyValid(document, additionalProperties || {}), {
        maxKeys: 4,
      });
      const known = Object.entries(properties).map(([name, each]) => [name, nearlyValid(document, each)]);
      if (known.length === 0) return others;
      const fields = fc.record(Object.fromEntries(known), { requiredKeys: [] });
      return fc.oneof(
        { weight: 4, arbitrary: fields },
        fc.tuple(others, fields).map((both) => Object.assign({}, ...both)),
      );
    }
    case 'string': {
      const lengths = [minLength - 1, minLength, maxLength, maxLength + 1].filter((length) => length >= 0);
      const sized = fc.constantFrom(...lengths.map((length) => 'x'.repeat(length)));
      // fast-check knows neither Unicode properties, whose patterns are for control characters, which the lists
      // contain, nor conditions on what follows.
      if (!schema.pattern || /\\p\{|\(\?[=!<]/.test(schema.pattern)) return sized;
      return fc.oneof(fc.stringMatching(new RegExp(schema.pattern, 'u')), sized);
    }
    default:
      return JSON_VALUE;
  }
}

// Created once, because each builds a map of every character.
const NOISE = fc.string({ unit: 'binary', maxLength: 60 });
const JSON_VALUE = fc.jsonValue();

/** @param {any} document @param {any} schema */
const hostileValue = (document, schema) =>
  fc.oneof(
    { weight: 4, arbitrary: nearlyValid(document, schema) },
    { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 1, arbitrary: NOISE },
    { weight: 1, arbitrary: JSON_VALUE },
  );

/** @param {unknown} value */
const asText = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
/** Encodes a value for an address, keeping symbols. @param {unknown} value */
const percent = (value) =>
  encodeURIComponent(Buffer.from(asText(value)).toString()).replaceAll(
    /%3C%3C(?:%23)?\w+\..*?%3E%3E/g,
    decodeURIComponent,
  );

/** @param {string} about @param {string} body @returns {Change} */
const withBody = (about, body) => (request) => ({
  about,
  body,
  headers: [...request.headers.filter(([name]) => name !== 'content-type'), ['content-type', 'application/json']],
});

/** @param {any} document @param {any} described @param {Operation} operation @returns {fc.Arbitrary<Change>} */
function hostileBody(document, described, { body: valid = {}, toBody = asIs }) {
  const { $ref } = described.requestBody?.content['application/json'].schema ?? {};
  /** @type {Record<string, unknown>} */
  const properties = $ref ? document.components.schemas[$ref.split('/').at(-1)].properties : {};
  const names = Object.keys(properties);
  const values = Object.fromEntries(names.map((name) => [name, hostileValue(document, properties[name])]));
  /** @param {object} change */
  const sent = (change) => bytes(withNested(JSON.stringify(toBody({ ...valid, ...change }))));
  const junk = fc.constantFrom(...BODIES).map((body) => withBody('junk as body', body));
  const unknown = fc
    .tuple(fc.constantFrom(...TEXTS, 'id', 'owner', 'owner_id', 'is_admin'), JSON_VALUE)
    .map(([name, value]) => withBody('unknown field', sent({ [name]: value })));
  if (names.length === 0) return fc.oneof(junk, unknown);
  const one = fc
    .constantFrom(...names)
    .chain((name) =>
      (values[name] ?? fc.anything()).map((value) => withBody(`value of ${name}`, sent({ [name]: value }))),
    );
  const several = fc.record(values, { requiredKeys: [] }).map((change) => withBody('several values', sent(change)));
  const missing = fc.constantFrom(...names).map((name) => withBody(`no ${name}`, sent({ [name]: undefined })));
  const twice = one.map((change) => (/** @type {Request} */ request) => {
    const { body = '', ...rest } = change(request);
    return { ...rest, about: 'every field twice', body: `${sent({}).slice(0, -1)},${body.slice(1)}` };
  });
  return fc.oneof({ weight: 6, arbitrary: one }, { weight: 3, arbitrary: several }, junk, unknown, missing, twice);
}

/** @param {any} document @param {any[]} parameters @returns {fc.Arbitrary<Change>} */
function hostileQuery(document, parameters) {
  const known = parameters.map(({ name, schema }) => fc.tuple(fc.constant(name), hostileValue(document, schema)));
  const unknown = fc.tuple(fc.constantFrom(...TEXTS, 'limit', 'user_id', 'access_token'), fc.constantFrom(...TEXTS));
  return fc.array(fc.oneof(...known, ...known, unknown), { minLength: 1, maxLength: 3 }).map((pairs) => (request) => ({
    about: `query ${pairs.map(([name]) => asText(name).slice(0, 20)).join(', ')}`,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}${pairs.map(([name, value]) => `${percent(name)}=${percent(value)}`).join('&')}`,
  }));
}

/** @type {fc.Arbitrary<Change>} */
const oddId = fc.tuple(fc.constantFrom(...ODD_IDS), fc.nat()).map(([odd, which]) => (request) => {
  const symbols = request.target.match(NAMED) ?? [];
  const symbol = symbols[which % symbols.length];
  if (symbol === undefined) return {};
  return {
    about: `id ${odd}`,
    target: request.target.replace(symbol, () => odd.replaceAll('@', symbol)),
    standing: request.standing === 'signed out' ? 'signed out' : 'refused',
  };
});

/** @type {fc.Arbitrary<Change>} */
const oddMonth = fc
  .constantFrom(
    '<<month.past>>',
    '2199-12',
    '1900-01',
    '2026-13',
    '0000-00',
    '2026-1',
    '%00',
    '__proto__',
    '2026-01-01',
  )
  .map((month) => (request) => ({ about: `month ${month}`, target: request.target.replace('<<month.now>>', month) }));

/** @type {fc.Arbitrary<Change>} */
const oddKey = fc.constantFrom(...IDEMPOTENCY_KEYS).map((key) => (request) => ({
  about: `Idempotency-Key of ${key.length} bytes`,
  headers: [...request.headers, ['idempotency-key', key]],
}));

const FRAMING = new Set(['content-length', 'transfer-encoding']);

/** @type {fc.Arbitrary<Change>} */
const hostileHeader = fc
  .tuple(fc.constantFrom(...HEADERS), fc.boolean())
  .map(([[name, value], isAdded]) => (request) => ({
    kind: 'wire',
    about: `header ${name}: ${value.slice(0, 40)}`,
    headers: [...request.headers.filter((header) => isAdded || header[0] !== name), [name, value]],
    ...(FRAMING.has(name) ? { isUnfinished: true } : {}),
    // The server reads the first of two such headers, so an added one has no effect.
    ...(name === 'authorization' && !isAdded && request.who !== 'public' ? { standing: 'signed out' } : {}),
  }));

/** Returns whether a caller may read what they may not change. @param {Request} request */
const maySee = ({ operation, method, standing }) =>
  method === 'HEAD' &&
  !operation.startsWith('GET ') &&
  (['reserved', 'out of scope'].includes(standing) ||
    (standing === 'signed out' && OPERATIONS[`GET ${pathOf(operation)}`]?.who === 'public'));

/** Returns a request with changes, and what its caller can expect of it then. @param {Request} intact @param {Change[]} changes */
export function changed(intact, changes) {
  /** @type {Request} */
  const request = { ...intact, kind: 'value' };
  const abouts = [request.about];
  for (const change of changes) abouts.push(Object.assign(request, change(request)).about);
  if (maySee(request)) request.standing = 'allowed';
  return { ...request, about: abouts.filter(Boolean).join('; ') };
}

/** @type {fc.Arbitrary<Change>} */
const hostileLine = fc
  .oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...METHODS)
        .map((method) => () => ({ about: `method ${method.slice(0, 20)}`, method })),
    },
    {
      weight: 6,
      arbitrary: fc.constantFrom(...VERSIONS).map((version) => () => ({ about: `version ${version}`, version })),
    },
    {
      weight: 12,
      arbitrary: fc
        .constantFrom(...Object.entries(TARGETS))
        .map(([about, change]) => (/** @type {Request} */ { target }) => ({ about, target: change(target) })),
    },
    { weight: 1, arbitrary: fc.constant(() => ({ about: 'abandoned', isAbandoned: /** @type {const} */ (true) })) },
  )
  .map((change) => (request) => ({ ...change(request), kind: 'wire' }));

/** @param {any} document @param {string} key @param {Operation} operation @returns {fc.Arbitrary<Request>} */
function hostileRequest(document, key, operation) {
  const isRead = key.startsWith('GET ');
  const described = describedAs(document, key);
  const query = (described.parameters ?? []).filter((/** @type {any} */ parameter) => parameter.in === 'query');
  const [ours = [], ...others] = resourcesOf(key);

  const value = fc.oneof(
    { weight: isRead ? 0 : 6, arbitrary: hostileBody(document, described, operation) },
    { weight: query.length > 0 ? 6 : 1, arbitrary: hostileQuery(document, query) },
    { weight: others.length > 0 ? 3 : 0, arbitrary: oddId },
    { weight: key.includes('{month}') ? 3 : 0, arbitrary: oddMonth },
    { weight: isRead ? 0 : 1, arbitrary: oddKey },
  );
  const change = fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 3, arbitrary: fc.oneof(hostileHeader, hostileLine) },
  );
  const callers = fc.constantFrom(...(operation.by ? [...SIGNED_OUT, ...Object.keys(SCRIPTS)] : CALLERS));
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constant(operation.by ?? USUAL[operation.who]) }, callers),
      fc.oneof({ weight: 4, arbitrary: fc.constant(ours) }, fc.constantFrom(ours, ...others)),
      fc.array(change, { minLength: 1, maxLength: 2 }),
    )
    .map(([caller, resources, changes]) => changed(intactRequest(key, operation, caller, resources), changes))
    .filter(leavesOthersAlone);
}

/** @param {any} document @param {string} key */
const describedAs = (document, key) => document.paths[pathOf(key)]?.[key.slice(0, key.indexOf(' ')).toLowerCase()];

/**
 * Returns the first `count` requests of a seed, alternating between every caller on every resource and hostile values.
 * Throws when the operations and the document differ.
 *
 * @param {any} document
 * @param {{ seed: number, count: number, operations?: Record<string, Operation> }} options
 * @returns {Request[]}
 */
export function planRequests(document, { seed, count, operations = OPERATIONS }) {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const differing = [
    ...described.filter((key) => !operations[key]).map((key) => `${key} is missing: say who may make it`),
    ...Object.keys(operations)
      .filter((key) => !described.includes(key))
      .map((key) => `${key} is not described`),
  ];
  if (differing.length > 0) throw new Error(`The table of operations is not the document's:\n${differing.join('\n')}`);

  const intact = matrix(operations);
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(intact, { minLength: intact.length }), { seed, numRuns: 1 });
  const any = fc.oneof(
    ...Object.entries(operations).map(([key, operation]) => hostileRequest(document, key, operation)),
  );
  const tried = shuffled.slice(0, Math.ceil(count / 2));
  const hostile = count > tried.length ? fc.sample(any, { seed, numRuns: count - tried.length }) : [];
  const inTurns = hostile.flatMap((request, index) => [...tried.slice(index, index + 1), request]);
  return [...inTurns, ...tried.slice(hostile.length)].map((request, index) => ({ ...request, number: index + 1 }));
}
