import { sql } from 'kysely';
import type { NewPasskeyOptions } from '@hourshare/contract/sign-ins';
import type { EndpointKey, StreamKey } from '@hourshare/contract/endpoints';
import { requireSameSecret } from '../features/installation/service.ts';
import { hashToken } from '../platform/tokens.ts';
import { codeAt } from '../platform/one-time-codes.ts';
import { browserHeaders, GOOGLE, plantFlow, plantIdentity } from './providers.ts';
import { addAdministrator } from './administrators.ts';
import { TEST_PASSWORD, TEST_SECRET, type CallOptions, type TestApi } from './api.ts';
import { dispatcherOf, event } from './events.ts';
import { createTokens } from '../platform/tokens.ts';
import { createPasskey } from './authenticator.ts';
import { recordSessions } from './records.ts';
import { makeKey, switchTwoStepOn } from './two-step.ts';

/** The month before the one in which tests start. */
export const BILLED_MONTH = '2026-02';

/** The ids of sessions in an ended month: of three, an edit is requested; the removal of the last one becomes a request. */
const REQUESTED = { withdraw: 1_000_001, accept: 1_000_002, decline: 1_000_003, remove: 1_000_004 };

/** The share of the third session created after a reset. */
const CORRECTED_SHARE = 5;

/**
 * Returns the id of the session in a call: the third one created after a reset, the fourth, to which the owner objects, the fifth,
 * which is edited, or one of those in an ended month.
 */
function sessionOf(call: string, id: unknown): number {
  if (call.endsWith('/request/accept/')) return REQUESTED.accept;
  if (call.endsWith('/request/decline/')) return REQUESTED.decline;
  if (call.endsWith('/request/')) return REQUESTED.withdraw;
  if (call.startsWith('DELETE ') && typeof id === 'number' && id > CORRECTED_SHARE) return REQUESTED.remove;
  return call.startsWith('POST ') && call.endsWith('/objection/') ? 5 : call.includes('/objection/') ? 4 : 3;
}

/** The id of the share in calls that name both an asset and a share: the first one created after a reset. */
const SHARE = 1;

/** As above, for a person without an account: the second share and the sixth session. */
const GUEST_SHARE = 2;
const GUEST_SESSION = 6;

/** Returns a path with the ids of the share and the session that it names, for an id of an asset or a share. */
export function nameShareAndSession(call: string, path: string, id?: unknown): string {
  const isOfGuest = /\/share\/\{share_id\}\/(?:claim|sessions)\//.test(path);
  return path
    .replace('{share_id}', String(isOfGuest ? GUEST_SHARE : SHARE))
    .replace('{session_id}', String(isOfGuest ? GUEST_SESSION : sessionOf(call, id)))
    .replace('{cost_id}', String(costOf(call)))
    .replace(
      '{meter_id}',
      String(call.includes('/token/') && call.includes(' /api/shared-assets/') ? OWN_METER : METER),
    );
}

/** Costs of the asset: of the owner, and of the member, of which one waits for the owner. */
const [OWNED_COST, PROPOSED_COST] = [1, 2];

/** The one that a call names. The member answers the owner's. */
const costOf = (call: string) =>
  call.includes(' /api/shared-assets/') !== call.includes('/answer/') ? PROPOSED_COST : OWNED_COST;

/** A meter of the asset, and one with a token for each member. */
const METER = 1;
const OWN_METER = 2;
const METER_TOKEN = `hm_${'m'.repeat(43)}`;

/** The token and the id of the invitation, and the token of the claim, in calls that name one. */
export const INVITATION_TOKEN = 'a token that only tests know';

/** What a browser sends. */
export const PUSH_SUBSCRIPTION = {
  endpoint: 'https://push.example.org/a',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** A target that notices can be sent to, and where nothing is. */
export const NOTICE_TARGET = {
  format: 'json',
  address: 'https://hooks.invalid/a',
  kinds: ['sign_in', 'price_changed'],
};

/** Returns the token that is valid in the path of a call. */
export const tokenOf = (key: string): string =>
  key.includes('/unsubscribe/')
    ? createTokens(TEST_SECRET, () => new Date()).seal('unsubscribe email_notifications 1')
    : INVITATION_TOKEN;
export const INVITATION = 1_000_001;

/** Calls whose answer ends, unlike event streams, which have their own tests. */
export type EndingKey = Exclude<EndpointKey, StreamKey>;

/** Adds sessions to a share in the ended month, and requests to edit them. */
async function planRequests({ deps: { db } }: TestApi, shareId: number): Promise<void> {
  for (const [hour, id] of Object.values(REQUESTED).entries()) {
    const [start, end] = [`${BILLED_MONTH}-10T0${hour}:00:00Z`, `${BILLED_MONTH}-10T0${hour}:30:00Z`];
    await sql`
      insert into sessions (id, share_id, started_at, ended_at, ends_by) overriding system value
      values (${id}, ${shareId}, ${start}, ${end}, ${end})`.execute(db);
    if (id === REQUESTED.remove) continue;
    const times = { started_at: new Date(start), ended_at: new Date(`${BILLED_MONTH}-10T0${hour}:10:00Z`) };
    const request = { session_id: id, share_id: shareId, month: `${BILLED_MONTH}-01`, requested_at: new Date(end) };
    await db
      .insertInto('edit_requests')
      .values({ ...request, ...times })
      .execute();
  }
}

/** Returns one successful request for every call and status, except streams, which don't end. */
export async function successfulCalls(
  api: TestApi,
): Promise<Record<EndingKey, Record<number, [id: number, options: CallOptions]>>> {
  const owner = await api.register('mira');
  const member = await api.register('ben');
  const zoe = await api.register('zoe');
  const zoeKey = await makeKey(api, zoe);
  const sam = await api.register('sam');
  await switchTwoStepOn(api, sam);
  const tia = await api.register('tia');
  const { codes: codesOfTia } = await switchTwoStepOn(api, tia);
  await plantIdentity(api.deps, tia.user.id, 'tia-there');
  const tiaThere = { issuer: GOOGLE, subject: 'tia-there', email: null, name: null };
  await plantFlow(api.deps, { step: 'ticket', token: 'ticket of tia', purpose: 'sign-in', content: tiaThere });
  const asset = await api.addAsset(owner);
  const idle = await api.share(owner, asset, member);
  await api.call('POST', `/api/assets/${asset.id}/people/`, {
    as: owner,
    body: { name: 'Grandma', monthly_hours_allocated: 5 },
  });
  const busy = await api.share(owner, await api.addAsset(owner, { name: 'Spotify' }), member);
  const ending = await api.share(owner, await api.addAsset(owner, { name: 'Cloud' }), member);
  for (const { id } of [busy, ending]) await api.call('POST', `/api/shared-assets/${id}/start/`, { as: member });
  const corrected = await api.share(owner, await api.addAsset(owner, { name: 'Car' }), member);
  await api.deps.db
    .updateTable('shares')
    .set({ created_at: new Date('2026-03-01T00:00:00Z'), accepted_at: new Date('2026-03-01T00:00:00Z') })
    .execute();
  for (const action of ['start', 'end'])
    await api.call('POST', `/api/shared-assets/${corrected.id}/${action}/`, { as: member });
  const edited = (hour: number) => ({
    share_id: corrected.id,
    started_at: new Date(`2026-03-10T0${hour}:00:00Z`),
    ended_at: new Date(`2026-03-10T0${hour}:00:01Z`),
    ends_by: new Date('2026-03-11T00:00:00Z'),
    was_started_at: new Date(`2026-03-10T0${hour}:00:00Z`),
    was_ended_at: new Date(`2026-03-10T0${hour}:30:00Z`),
    edited_at: new Date('2026-03-10T10:00:00Z'),
  });
  await recordSessions(api.deps.db, [edited(1), edited(2)]);
  const objected = { session_id: 4, share_id: corrected.id, objected_at: api.clock.now };
  await api.deps.db.insertInto('objections').values(objected).execute();
  const offerOf = async (name: string) => (await api.offer(owner, await api.addAsset(owner, { name }), member)).id;
  await api.call('POST', '/api/trusted-owners/', { as: member, body: { username: 'zoe', offers: 'refuse' } });
  const handovers = await Promise.all(
    ['Attic', 'Cabin', 'Yacht'].map(async (name) => {
      const share = await api.share(owner, await api.addAsset(owner, { name }), member);
      return { share, version: (await api.offerHandover(owner, share.asset.id, member)).version };
    }),
  );
  const [withdrawn, accepted, declined] = handovers.map(({ share }) => share);
  const version = handovers[1]?.version;
  const open = await api.openAsset(owner, member, BILLED_MONTH);
  await planRequests(api, open.shareId);
  await api.deps.db
    .insertInto('invitations')
    .values({
      id: INVITATION,
      asset_id: asset.id,
      maker_id: owner.user.id,
      token_hash: hashToken(INVITATION_TOKEN),
      monthly_hours_allocated: 5,
      created_at: api.clock.now,
      expires_at: new Date(api.clock.now.getTime() + 3_600_000),
    })
    .execute();
  const boat = await api.addAsset(owner, { name: 'Pedalo' });
  await api.call('POST', `/api/assets/${boat.id}/people/`, {
    as: owner,
    body: { name: 'Aunt', monthly_hours_allocated: 5 },
  });
  const { member_id: guestId } = await api.deps.db
    .selectFrom('shares')
    .select('member_id')
    .where('asset_id', '=', boat.id)
    .executeTakeFirstOrThrow();
  await api.deps.db
    .insertInto('claims')
    .values({
      guest_id: guestId,
      token_hash: hashToken(INVITATION_TOKEN),
      created_at: api.clock.now,
      expires_at: new Date(api.clock.now.getTime() + 3_600_000),
    })
    .execute();
  await api.deps.db
    .insertInto('calendar_feeds')
    .values({ user_id: member.user.id, token_hash: hashToken(INVITATION_TOKEN), created_at: api.clock.now })
    .execute();
  const link = {
    user_id: owner.user.id,
    token_hash: hashToken(INVITATION_TOKEN),
    created_at: api.clock.now,
    expires_at: new Date(api.clock.now.getTime() + 3_600_000),
  };
  await api.deps.db
    .insertInto('password_resets')
    .values({ ...link, emailed: true })
    .execute();
  await api.deps.db
    .insertInto('email_changes')
    .values({ ...link, email: 'new@example.org' })
    .execute();
  const recorded = { start_time: '2026-03-09T10:00:00Z', end_time: '2026-03-09T11:00:00Z' };
  await api.call('POST', `/api/assets/${asset.id}/share/${GUEST_SHARE}/sessions/`, { as: owner, body: recorded });
  const use: [number, CallOptions] = [busy.id, { as: member }];
  const billed = await api.billedAsset(owner, member, BILLED_MONTH);
  const send = async (as: typeof owner) => {
    const lines = [(await api.billedAsset(owner, member, BILLED_MONTH)).lineId];
    const username = as === owner ? 'ben' : 'mira';
    return (await api.call<{ id: number }>('POST', '/api/settlements/', { as, body: { username, lines } })).body.id;
  };
  const deposit = async (as: typeof owner) => {
    const [path, body] =
      as === owner
        ? [`/api/assets/${asset.id}/deposits/`, { username: 'ben', amount: 50 }]
        : [`/api/shared-assets/${idle.id}/deposits/`, { amount: 50 }];
    return (await api.call<{ id: number }>('POST', path, { as, body })).body.id;
  };
  const heldDeposit = async () => {
    const id = await deposit(owner);
    await api.call('POST', `/api/deposits/${id}/confirm/`, { as: member });
    return id;
  };
  // Adds another sign-in to end, so that the caller stays signed in.
  await api.call('POST', '/api/login/', { body: { username: 'mira', password: TEST_PASSWORD } });
  const signIn = await api.deps.db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', owner.user.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const google = (subject: string) => ({ issuer: GOOGLE, subject, email: null, name: null });
  const connected = await plantIdentity(api.deps, owner.user.id, 'mira-there');
  for (const purpose of ['sign-in', 'link', 'check'] as const)
    await plantFlow(api.deps, {
      step: 'ticket',
      token: `ticket to ${purpose}`,
      purpose,
      content: google(purpose === 'check' ? 'mira-there' : `${purpose} there`),
    });
  await plantFlow(api.deps, { step: 'state', token: 'state', purpose: 'sign-in' });
  const leaver = await api.register('lou');
  await api.share(owner, await api.addAsset(owner, { name: 'Sauna' }), leaver);
  const { body: accessToken } = await api.call<{ id: number }>('POST', '/api/me/access-tokens/', {
    as: member,
    body: { name: 'Button', share_id: busy.id },
  });
  await dispatcherOf(api)(
    event('share.accepted', { by_use: false }, { share: busy.id, actor: member }),
    event('share.changed', { from_hours: 1, to_hours: 2 }, { share: busy.id, actor: owner }),
  );
  const key = await api.addPasskey(owner);
  const spare = await api.addPasskey(owner);
  const options = await api.call<NewPasskeyOptions>('POST', '/api/me/passkeys/options/', { as: owner });
  const { created } = createPasskey(options.body);
  const keyed = await api.register('kay');
  const proof = (await api.addPasskey(keyed)).passkey.use(await api.passkeyOptions(keyed));
  await api.call('POST', '/api/me/check/passkey/', { as: keyed, body: { passkey: proof } });
  const { body: subscription } = await api.call<{ id: number }>('POST', '/api/push/subscriptions/', {
    as: zoe,
    body: { ...PUSH_SUBSCRIPTION, endpoint: 'https://push.example.org/b' },
  });
  const { body: target } = await api.call<{ id: number }>('POST', '/api/notifications/targets/', {
    as: zoe,
    body: NOTICE_TARGET,
  });
  await api.call('POST', '/api/notifications/targets/', { as: member, body: NOTICE_TARGET });
  await requireSameSecret(api.deps.db, TEST_SECRET, undefined);
  const administrator = await addAdministrator(api, 'ada');
  // After the sessions whose ids the calls name.
  const late = await api.share(owner, await api.addAsset(owner, { name: 'Sled' }), member);
  const pressed = { at: api.clock.now.toISOString(), client_time: api.clock.now.toISOString() };
  await api.call('POST', `/api/shared-assets/${late.id}/start/`, { as: member });
  for (const [path, as] of [
    [`/api/assets/${asset.id}/costs/`, owner],
    [`/api/shared-assets/${idle.id}/costs/`, member],
  ] as const)
    await api.call('POST', path, { as, body: { text: 'Fuel', amount: 5 } });
  const hour = { start_time: '2026-03-09T08:00:00Z', end_time: '2026-03-09T09:00:00Z' };
  const added = { as: member, body: { ...hour, external_id: 'film' } };
  await api.call('POST', `/api/shared-assets/${idle.id}/logs/`, added);
  for (const per_member of [false, true])
    await api.call('POST', `/api/assets/${asset.id}/meters/`, { as: owner, body: { name: 'TV', per_member } });
  const hashes = api.deps.db.updateTable('meters').set({ token_hash: hashToken(METER_TOKEN) });
  await hashes.where('per_member', '=', false).execute();
  for (const [id, agreed] of [
    [METER, true],
    [OWN_METER, true],
    [OWN_METER, false],
    [OWN_METER, true],
  ])
    await api.call('POST', `/api/shared-assets/${idle.id}/meters/${id}/`, { as: member, body: { agreed } });
  const film = { id: 'film', name: 'Ben', type: 'session', start: '2026-03-09T13:00:00Z', end: '2026-03-09T14:00:00Z' };
  const paused = { id: 'song', name: 'Ben', type: 'beat', at: '2026-03-10T11:59:00Z' };
  await api.call('POST', '/api/meters/events/', { token: METER_TOKEN, body: { events: [film] } });
  const match = { names: [{ external_name: 'Ben', share_id: idle.id }] };
  const imported = { rows: [{ name: 'Ben', start: '2026-03-09T15:00:00Z', end: '2026-03-09T16:00:00Z' }] };
  const renewsOn = new Date(api.clock.now.getTime() + 10 * 86_400_000).toISOString().slice(0, 10);
  const cycle = { every: 1, unit: 'year', anchor: renewsOn };
  const yearly = await api.addAsset(owner, { name: 'Museum', subscription_cost: 120, cycle });
  const yearlyShare = await api.share(owner, yearly, member);
  return {
    'GET /api/about/': { 200: [0, {}] },
    'GET /api/administration/': { 200: [0, { as: administrator }] },
    'PATCH /api/administration/': { 200: [0, { as: administrator, body: { registration: 'invited' } }] },
    'POST /api/administration/invitations/': { 201: [0, { as: administrator }] },
    'POST /api/administration/test-mail/': { 200: [0, { as: administrator }] },
    'POST /api/administration/backups/': { 200: [0, { as: administrator }] },
    'GET /api/administration/accounts/': { 200: [0, { as: administrator }] },
    'PATCH /api/administration/accounts/{id}/': {
      200: [leaver.user.id, { as: administrator, body: { disabled: false } }],
    },
    'POST /api/administration/accounts/{id}/reset-link/': { 201: [leaver.user.id, { as: administrator }] },
    'POST /api/register/': {
      201: [0, { body: { username: 'kim', email: 'kim@example.org', password: TEST_PASSWORD } }],
    },
    'POST /api/login/': { 200: [0, { body: { username: 'mira', password: TEST_PASSWORD } }] },
    'POST /api/register/passkey/options/': { 200: [0, { body: { username: 'kim', email: 'kim@example.org' } }] },
    'POST /api/login/passkey/options/': { 200: [0, {}] },
    'POST /api/login/passkey/': { 200: [0, { body: { passkey: key.passkey.use(await api.passkeyOptions()) } }] },
    'POST /api/token/refresh/': { 200: [0, { body: { refresh: owner.refresh } }] },
    'POST /api/logout/': { 204: [0, { body: { refresh_token: member.refresh } }] },
    'GET /api/me/export/': { 200: [0, { as: member }] },
    'GET /api/me/export/csv/': { 200: [0, { as: owner }] },
    'GET /api/me/': { 200: [0, { as: owner }] },
    'DELETE /api/me/': {
      204: [0, { as: leaver, body: { current_password: TEST_PASSWORD, keep_name: true } }],
    },
    'PATCH /api/me/': { 200: [0, { as: owner, body: { time_zone: 'Europe/Berlin' } }] },
    'DELETE /api/me/email-change/': { 200: [0, { as: owner }] },
    'POST /api/me/email-change/confirm/': { 204: [0, { body: { token: INVITATION_TOKEN } }] },
    'POST /api/password-reset/': { 204: [0, { body: { email: 'mira@example.org' } }] },
    'POST /api/password-reset/confirm/': {
      204: [0, { body: { token: INVITATION_TOKEN, password: 'another long password' } }],
    },
    'GET /api/me/check/': { 200: [0, { as: owner }] },
    'POST /api/me/check/': { 200: [0, { as: owner, body: { current_password: TEST_PASSWORD } }] },
    'GET /api/me/two-step/': { 200: [0, { as: sam }] },
    'POST /api/me/two-step/': { 200: [0, { as: owner }] },
    'POST /api/me/two-step/confirm/': { 201: [0, { as: zoe, body: { code: codeAt(zoeKey, api.clock.now) } }] },
    'POST /api/me/two-step/recovery-codes/': { 200: [0, { as: sam }] },
    'DELETE /api/me/two-step/': { 204: [0, { as: sam }] },
    'POST /api/me/check/passkey/options/': { 200: [0, { as: owner }] },
    'POST /api/me/check/passkey/': {
      200: [0, { as: owner, body: { passkey: key.passkey.use(await api.passkeyOptions(owner)) } }],
    },
    'DELETE /api/me/password/': { 204: [0, { as: keyed }] },
    'GET /api/me/passkeys/': { 200: [0, { as: owner }] },
    'POST /api/me/passkeys/options/': { 200: [0, { as: owner }] },
    'POST /api/me/passkeys/': { 201: [0, { as: owner, body: { passkey: created, name: 'Key ring' } }] },
    'PATCH /api/me/passkeys/{id}/': { 200: [key.added.id, { as: owner, body: { name: 'Phone' } }] },
    'DELETE /api/me/passkeys/{id}/': { 204: [spare.added.id, { as: owner }] },
    'POST /api/me/check/provider/': {
      200: [0, { as: owner, body: { ticket: 'ticket to check' }, headers: browserHeaders }],
    },
    'POST /api/providers/start/': { 200: [0, { body: { provider: 'google', purpose: 'sign-in' } }] },
    'POST /api/providers/finish/': {
      200: [
        0,
        {
          body: { provider: 'google', answer: Buffer.from('code=mira-there&state=state').toString('base64url') },
          headers: browserHeaders,
        },
      ],
    },
    'POST /api/providers/sign-in/': {
      200: [0, { body: { ticket: 'ticket of tia', code: codesOfTia[0] }, headers: browserHeaders }],
    },
    'POST /api/providers/register/': {
      201: [
        0,
        {
          body: { ticket: 'ticket to sign-in', username: 'kim', email: 'kim@example.org' },
          headers: browserHeaders,
        },
      ],
    },
    'GET /api/me/identities/': { 200: [0, { as: owner }] },
    'POST /api/me/identities/': {
      201: [0, { as: member, body: { ticket: 'ticket to link' }, headers: browserHeaders }],
    },
    'DELETE /api/me/identities/{id}/': { 204: [connected, { as: owner }] },
    'POST /api/me/password/': {
      204: [0, { as: owner, body: { current_password: TEST_PASSWORD, new_password: 'another long password' } }],
    },
    'GET /api/me/sign-ins/': { 200: [0, { as: owner }] },
    'PATCH /api/me/sign-ins/{id}/': { 200: [signIn.id, { as: owner, body: { name: 'Laptop' } }] },
    'DELETE /api/me/sign-ins/{id}/': { 204: [signIn.id, { as: owner }] },
    'DELETE /api/me/sign-ins/': { 204: [0, { as: owner }] },
    'GET /api/me/security-events/': { 200: [0, { as: owner }] },
    'GET /api/notifications/': { 200: [0, { as: owner }] },
    'POST /api/notifications/read/': { 204: [0, { as: owner }] },
    'GET /api/notifications/choices/': { 200: [0, { as: owner }] },
    'PATCH /api/notifications/choices/': {
      200: [0, { as: owner, body: { choices: [{ kind: 'sign_in', mail: false }] } }],
    },
    'GET /api/notifications/targets/': { 200: [0, { as: zoe }] },
    'POST /api/notifications/targets/': { 201: [0, { as: owner, body: NOTICE_TARGET }] },
    'PATCH /api/notifications/targets/{id}/': { 200: [target.id, { as: zoe, body: { amounts: true } }] },
    'DELETE /api/notifications/targets/{id}/': { 204: [target.id, { as: zoe }] },
    'GET /api/push/': { 200: [0, { as: owner }] },
    'POST /api/push/subscriptions/': { 201: [0, { as: owner, body: PUSH_SUBSCRIPTION }] },
    'DELETE /api/push/subscriptions/{id}/': { 204: [subscription.id, { as: zoe }] },
    'GET /api/me/calendar/': { 200: [0, { as: member }] },
    'POST /api/me/calendar/': { 201: [0, { as: owner }] },
    'DELETE /api/me/calendar/': { 204: [0, { as: member }] },
    'GET /api/calendar/{token}.ics': { 200: [0, {}] },
    'GET /api/unsubscribe/{token}/': { 200: [0, {}] },
    'POST /api/unsubscribe/{token}/': { 204: [0, {}] },
    'GET /api/me/access-tokens/': { 200: [0, { as: member }] },
    'POST /api/me/access-tokens/': { 201: [0, { as: member, body: { name: 'Doorbell', share_id: busy.id } }] },
    'DELETE /api/me/access-tokens/{id}/': { 204: [accessToken.id, { as: member }] },
    'GET /api/assets/': { 200: [0, { as: owner }] },
    'POST /api/assets/': { 201: [0, { as: owner, body: { name: 'Gym', subscription_cost: 5 } }] },
    'GET /api/assets/{id}/': { 200: [asset.id, { as: owner }] },
    'PATCH /api/assets/{id}/': { 200: [asset.id, { as: owner, body: { name: 'Renamed' } }] },
    'DELETE /api/assets/{id}/': { 204: [(await api.addAsset(owner)).id, { as: owner }] },
    'GET /api/assets/{id}/manager-changes/': { 200: [asset.id, { as: owner }] },
    'POST /api/meters/events/': { 200: [0, { token: METER_TOKEN, body: { events: [film, paused] } }] },
    'GET /api/assets/{id}/costs/': { 200: [asset.id, { as: owner }] },
    'POST /api/assets/{id}/costs/': { 201: [asset.id, { as: owner, body: { text: 'Oil', amount: 5 } }] },
    'PATCH /api/assets/{id}/costs/{cost_id}/': { 200: [asset.id, { as: owner, body: { text: 'Diesel' } }] },
    'DELETE /api/assets/{id}/costs/{cost_id}/': { 204: [asset.id, { as: owner }] },
    'POST /api/assets/{id}/costs/{cost_id}/answer/': { 200: [asset.id, { as: owner, body: { answer: 'count' } }] },
    'GET /api/shared-assets/{id}/costs/': { 200: [idle.id, { as: member }] },
    'POST /api/shared-assets/{id}/costs/': { 201: [idle.id, { as: member, body: { text: 'Oil', amount: 5 } }] },
    'PATCH /api/shared-assets/{id}/costs/{cost_id}/': { 200: [idle.id, { as: member, body: { text: 'Diesel' } }] },
    'DELETE /api/shared-assets/{id}/costs/{cost_id}/': { 204: [idle.id, { as: member }] },
    'POST /api/shared-assets/{id}/costs/{cost_id}/answer/': { 200: [idle.id, { as: member, body: { answer: 'yes' } }] },
    'GET /api/assets/{id}/meters/': { 200: [asset.id, { as: owner }] },
    'POST /api/assets/{id}/meters/': { 201: [asset.id, { as: owner, body: { name: 'Oven' } }] },
    'PATCH /api/assets/{id}/meters/{meter_id}/': { 200: [asset.id, { as: owner, body: { name: 'Telly' } }] },
    'PUT /api/assets/{id}/meters/{meter_id}/names/': { 200: [asset.id, { as: owner, body: match }] },
    'POST /api/assets/{id}/meters/{meter_id}/imports/': { 200: [asset.id, { as: owner, body: imported }] },
    'POST /api/assets/{id}/meters/{meter_id}/token/': { 201: [asset.id, { as: owner }] },
    'DELETE /api/assets/{id}/meters/{meter_id}/': { 204: [asset.id, { as: owner }] },
    'GET /api/shared-assets/{id}/meters/': { 200: [idle.id, { as: member }] },
    'POST /api/shared-assets/{id}/meters/{meter_id}/': { 200: [idle.id, { as: member, body: { agreed: true } }] },
    'POST /api/shared-assets/{id}/meters/{meter_id}/token/': { 201: [idle.id, { as: member }] },
    'GET /api/assets/{id}/sessions/': { 200: [busy.asset.id, { as: owner }] },
    'POST /api/assets/{id}/sessions/{session_id}/objection/': {
      201: [corrected.asset.id, { as: owner, body: { text: 'It ran' } }],
    },
    'DELETE /api/assets/{id}/sessions/{session_id}/objection/': { 200: [corrected.asset.id, { as: owner }] },
    'POST /api/assets/{id}/sessions/{session_id}/request/accept/': { 200: [open.assetId, { as: owner }] },
    'POST /api/assets/{id}/sessions/{session_id}/request/decline/': { 200: [open.assetId, { as: owner }] },
    'DELETE /api/shared-assets/{id}/logs/{session_id}/request/': { 200: [open.shareId, { as: member }] },
    'POST /api/assets/{id}/sessions/{session_id}/objection/replies/': {
      201: [corrected.asset.id, { as: owner, body: { text: 'It ran' } }],
    },
    'GET /api/assets/{id}/analytics/': { 200: [busy.asset.id, { as: owner }] },
    'GET /api/assets/{id}/history/': { 200: [billed.assetId, { as: owner }] },
    'GET /api/findings/': { 200: [0, { as: owner }] },
    'GET /api/assets/{id}/prices/': { 200: [asset.id, { as: owner }] },
    'POST /api/assets/{id}/prices/': {
      201: [asset.id, { as: owner, body: { from_month: '2026-05', subscription_cost: 7 } }],
    },
    'GET /api/assets/{id}/statements/': { 200: [billed.assetId, { as: owner }] },
    'GET /api/assets/{id}/statements/{month}/': { 200: [billed.assetId, { as: member }] },
    'POST /api/assets/{id}/statements/{month}/close/': { 200: [billed.assetId, { as: owner }] },
    'POST /api/assets/{id}/statements/{month}/confirm/': { 200: [open.assetId, { as: member }] },
    'POST /api/assets/{id}/replay/': { 200: [asset.id, { as: owner, body: { price: 9, hours: 10 } }] },
    'POST /api/shared-assets/{id}/replay/': { 200: [idle.id, { as: member, body: { price: 9, hours: 10 } }] },
    'POST /api/assets/{id}/split-preview/': { 200: [billed.assetId, { as: owner, body: { split_method: 'usage' } }] },
    'GET /api/statements/': { 200: [0, { as: member }] },
    'POST /api/statement-lines/{id}/mark/': { 200: [billed.lineId, { as: member, body: { status: 'sent' } }] },
    'GET /api/balances/': { 200: [0, { as: owner }] },
    'GET /api/settlements/': { 200: [0, { as: owner }] },
    'POST /api/settlements/': { 201: [0, { as: owner, body: { username: 'ben' } }] },
    'POST /api/settlements/{id}/confirm/': { 200: [await send(member), { as: owner }] },
    'POST /api/settlements/{id}/reject/': { 200: [await send(member), { as: owner }] },
    'POST /api/settlements/{id}/undo/': { 200: [await send(owner), { as: owner }] },
    'DELETE /api/settlements/{id}/undo/': { 200: [await send(owner), { as: owner }] },
    'GET /api/deposits/': { 200: [0, { as: owner }] },
    'POST /api/assets/{id}/deposits/': { 201: [asset.id, { as: owner, body: { username: 'ben', amount: 50 } }] },
    'POST /api/shared-assets/{id}/deposits/': { 201: [idle.id, { as: member, body: { amount: 50 } }] },
    'POST /api/deposits/{id}/confirm/': { 200: [await deposit(owner), { as: member }] },
    'POST /api/deposits/{id}/return/': { 200: [await heldDeposit(), { as: member }] },
    'DELETE /api/deposits/{id}/': { 204: [await deposit(member), { as: owner }] },
    'PATCH /api/assets/{id}/share/{share_id}/': {
      200: [asset.id, { as: owner, body: { monthly_hours_allocated: 7 } }],
    },
    'DELETE /api/assets/{id}/share/{share_id}/': { 200: [asset.id, { as: owner }] },
    'POST /api/assets/{id}/share/': {
      201: [asset.id, { as: owner, body: { username: 'zoe', monthly_hours_allocated: 3 } }],
    },
    'POST /api/assets/{id}/invitations/': { 201: [asset.id, { as: owner, body: { monthly_hours_allocated: 3 } }] },
    'DELETE /api/assets/{id}/invitations/{invitation_id}/': { 200: [asset.id, { as: owner }] },
    'GET /api/invitations/{token}/': { 200: [0, {}] },
    'POST /api/invitations/{token}/': { 201: [0, { as: await api.register('ida'), body: { price: 22.99 } }] },
    'POST /api/assets/{id}/people/': {
      201: [asset.id, { as: owner, body: { name: 'Grandpa', monthly_hours_allocated: 3 } }],
    },
    'POST /api/assets/{id}/share/{share_id}/sessions/': {
      201: [asset.id, { as: owner, body: { start_time: '2026-03-08T10:00:00Z', end_time: '2026-03-08T11:00:00Z' } }],
    },
    'PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/': {
      200: [asset.id, { as: owner, body: { end_time: '2026-03-09T13:00:00+02:00' } }],
    },
    'DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/': { 204: [asset.id, { as: owner }] },
    'POST /api/assets/{id}/share/{share_id}/claim/': { 201: [asset.id, { as: owner }] },
    'DELETE /api/assets/{id}/share/{share_id}/claim/': { 200: [asset.id, { as: owner }] },
    'GET /api/claims/{token}/': { 200: [0, {}] },
    'GET /api/claims/{token}/estimate/': { 200: [0, {}] },
    'POST /api/claims/{token}/': { 201: [0, { as: await api.register('jon'), body: { charges: 'accept' } }] },
    'GET /api/shared-assets/': { 200: [0, { as: member }] },
    'GET /api/shared-assets/{id}/': { 200: use },
    'POST /api/shared-assets/{id}/accept/': { 200: [await offerOf('Gym'), { as: member }] },
    'GET /api/renewals/': { 200: [0, { as: owner }] },
    'POST /api/assets/{id}/renewal/': {
      200: [yearly.id, { as: owner, body: { renews_on: renewsOn, decision: 'renewed' } }],
    },
    'POST /api/shared-assets/{id}/vote/': {
      200: [yearlyShare.id, { as: member, body: { renews_on: renewsOn, choice: 'keep', line: 'Daily' } }],
    },
    'POST /api/shared-assets/{id}/agree/': { 200: [idle.id, { as: member, body: { terms: idle.terms } }] },
    'POST /api/assets/{id}/share/{share_id}/confirm/': { 200: [asset.id, { as: owner }] },
    'POST /api/shared-assets/{id}/decline/': { 204: [await offerOf('Pool'), { as: member }] },
    'POST /api/shared-assets/{id}/leave/': { 204: [await offerOf('Bike'), { as: member }] },
    'POST /api/assets/{id}/handover/': { 201: [asset.id, { as: owner, body: { username: 'ben' } }] },
    'DELETE /api/assets/{id}/handover/': { 200: [withdrawn?.asset.id ?? 0, { as: owner }] },
    'POST /api/shared-assets/{id}/handover/accept/': { 200: [accepted?.id ?? 0, { as: member, body: { version } }] },
    'POST /api/shared-assets/{id}/handover/decline/': { 200: [declined?.id ?? 0, { as: member }] },
    'GET /api/trusted-owners/': { 200: [0, { as: member }] },
    'POST /api/trusted-owners/': {
      201: [0, { as: member, body: { username: 'mira', monthly_amount: 1000, currency: 'USD' } }],
    },
    'DELETE /api/trusted-owners/{username}/': { 204: [0, { as: member }] },
    'POST /api/shared-assets/{id}/start/': { 201: [idle.id, { as: member }] },
    'POST /api/shared-assets/{id}/end/': { 200: [ending.id, { as: member }] },
    'POST /api/shared-assets/{id}/late-start/': { 201: [late.id, { as: member, body: pressed }] },
    'POST /api/shared-assets/{id}/late-end/': { 200: [late.id, { as: member, body: pressed }] },
    'POST /api/shared-assets/{id}/logs/': {
      200: [idle.id, added],
      201: [corrected.id, { as: member, body: { ...hour, external_id: 'film' } }],
    },
    'GET /api/shared-assets/{id}/logs/': { 200: use },
    'PATCH /api/shared-assets/{id}/logs/{session_id}/': {
      200: [corrected.id, { as: member, body: { start_time: '2026-03-10T10:00:00+02:00' } }],
    },
    'DELETE /api/shared-assets/{id}/logs/{session_id}/': {
      200: [open.shareId, { as: member }],
      204: [corrected.id, { as: member }],
    },
    'POST /api/shared-assets/{id}/logs/{session_id}/objection/replies/': {
      201: [corrected.id, { as: member, body: { text: 'It did not' } }],
    },
    'POST /api/shared-assets/{id}/logs/{session_id}/objection/agree/': { 200: [corrected.id, { as: member }] },
    'GET /api/shared-assets/{id}/active-session/': {
      200: use,
      204: [(await api.share(owner, await api.addAsset(owner), member)).id, { as: member }],
    },
    'GET /api/shared-assets/{id}/analytics/': { 200: use },
  };
}
