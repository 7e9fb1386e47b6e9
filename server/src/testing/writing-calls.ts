import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { MeterWithToken } from '@hourshare/contract/meters';
import type { NewPasskeyOptions } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { AssetToClaim } from '@hourshare/contract/shares';
import { codeAt } from '../platform/one-time-codes.ts';
import { addAdministrator } from './administrators.ts';
import { TEST_PASSWORD, type CallOptions, type TestApi } from './api.ts';
import { createPasskey } from './authenticator.ts';
import { kept } from './kept.ts';
import { browserHeaders, plantIdentity } from './providers.ts';
import { recordSessions } from './records.ts';
import { NOTICE_TARGET, PUSH_SUBSCRIPTION } from './successes.ts';
import { makeKey } from './two-step.ts';

export type Call = [method: string, path: string, options: CallOptions];

type Household = Awaited<ReturnType<typeof openHousehold>>;
const households = new WeakMap<TestApi, () => Promise<Household>>();

/** Returns every writing call with a valid body, in a household of one owner and one member. */
export function writingCalls(api: TestApi): Promise<Household> {
  const open =
    households.get(api) ??
    kept(
      () => api,
      () => openHousehold(api),
    );
  households.set(api, open);
  return open();
}

async function openHousehold(api: TestApi) {
  const owner = await api.register('mira');
  const member = await api.register('ben');
  await api.register('zoe');
  const newcomer = await api.register('ida');
  const key = await makeKey(api, member);
  const asset = await api.addAsset(owner);
  const { id, terms } = await api.share(owner, asset, member);
  const invited = await api.invite(owner, asset);
  const meterOf = async (per_member: boolean) =>
    (
      await api.call<MeterWithToken>('POST', `/api/assets/${asset.id}/meters/`, {
        as: owner,
        body: { name: 'Stove', per_member },
      })
    ).body;
  const [meter, ownMeter] = [await meterOf(false), await meterOf(true)];
  const agreed = { as: member, body: { agreed: true } };
  await api.call('POST', `/api/shared-assets/${id}/meters/${ownMeter.meter.id}/`, agreed);
  const addCost = async (as: SignedIn, path: string) =>
    (await api.call<{ id: number }>('POST', `${path}costs/`, { as, body: { text: 'Fuel', amount: 5 } })).body.id;
  const costs = `/api/assets/${asset.id}/costs/`;
  const ownCosts = `/api/shared-assets/${id}/costs/`;
  const cost = await addCost(owner, `/api/assets/${asset.id}/`);
  const ownCost = await addCost(member, `/api/shared-assets/${id}/`);
  const billed = await api.billedAsset(owner, member, '2026-02');
  const send = async () => {
    const body = { username: 'mira', lines: [(await api.billedAsset(owner, member, '2026-02')).lineId] };
    return (await api.call<{ id: number }>('POST', '/api/settlements/', { as: member, body })).body.id;
  };
  const deposits = `/api/assets/${asset.id}/deposits/`;
  const deposit = async () =>
    (await api.call<{ id: number }>('POST', deposits, { as: owner, body: { username: 'ben', amount: 50 } })).body.id;
  const held = await deposit();
  await api.call('POST', `/api/deposits/${held}/confirm/`, { as: member });
  const { body: withPerson } = await api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, {
    as: owner,
    body: { name: 'Grandma', monthly_hours_allocated: 5 },
  });
  const person = `/api/assets/${asset.id}/share/${withPerson.shared_with.find(({ person }) => person)?.id}/`;
  const ended = await api.share(owner, await api.addAsset(owner, { name: 'Car' }), member);
  for (const action of ['start', 'end'])
    await api.call('POST', `/api/shared-assets/${ended.id}/${action}/`, { as: member });
  const session = await api.deps.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  const ownSession = `/api/shared-assets/${ended.id}/logs/${session.id}/`;
  const edited = {
    share_id: ended.id,
    started_at: new Date('2026-03-10T08:00:00Z'),
    ended_at: new Date('2026-03-10T08:00:01Z'),
    ends_by: new Date('2026-03-11T08:00:00Z'),
    was_started_at: new Date('2026-03-10T08:00:00Z'),
    was_ended_at: new Date('2026-03-10T09:00:00Z'),
    edited_at: new Date('2026-03-10T10:00:00Z'),
  };
  await api.deps.db
    .updateTable('shares')
    .set({ created_at: edited.started_at, accepted_at: edited.started_at })
    .where('accepted_at', 'is not', null)
    .execute();
  const recording = { start_time: '2026-03-10T08:00:00Z', end_time: '2026-03-10T09:00:00Z' };
  const { body: recorded } = await api.call<{ id: number }>('POST', `${person}sessions/`, {
    as: owner,
    body: recording,
  });
  const { body: claimable } = await api.call<AssetToClaim>('POST', `${person}claim/`, { as: owner });
  const [editedId, objectedId] = await recordSessions(api.deps.db, [
    edited,
    {
      ...edited,
      started_at: edited.was_ended_at,
      was_started_at: edited.was_ended_at,
      ended_at: edited.edited_at,
      was_ended_at: edited.edited_at,
    },
  ]);
  const objected = { share_id: ended.id, session_id: Number(objectedId), objected_at: api.clock.now };
  await api.deps.db.insertInto('objections').values(objected).execute();
  const renewsOn = new Date(api.clock.now.getTime() + 10 * 86_400_000).toISOString().slice(0, 10);
  const cycle = { every: 1, unit: 'year', anchor: renewsOn };
  const yearly = await api.addAsset(owner, { name: 'Museum', subscription_cost: 120, cycle });
  const yearlyShare = await api.share(owner, yearly, member);
  const { passkey, added } = await api.addPasskey(owner);
  const { created } = createPasskey(
    (await api.call<NewPasskeyOptions>('POST', '/api/me/passkeys/options/', { as: owner })).body,
  );
  const keyed = await api.register('kim');
  const proof = (await api.addPasskey(keyed)).passkey.use(await api.passkeyOptions(keyed));
  await api.call('POST', '/api/me/check/passkey/', { as: keyed, body: { passkey: proof } });
  const objection = (id: number | undefined) => `/api/assets/${ended.asset.id}/sessions/${id}/objection/`;
  const ownObjection = `/api/shared-assets/${ended.id}/logs/${objectedId}/objection/`;
  const offer = async (name: string) => (await api.offer(owner, await api.addAsset(owner, { name }), member)).id;
  const handedOver = async (name: string) => {
    const share = await api.share(owner, await api.addAsset(owner, { name }), member);
    return {
      path: `/api/shared-assets/${share.id}/handover/`,
      ...(await api.offerHandover(owner, share.asset.id, member)),
    };
  };
  const handing = await api.share(owner, await api.addAsset(owner, { name: 'Yacht' }), member);
  const [toAccept, toDecline] = [await handedOver('Attic'), await handedOver('Cabin')];
  await api.call('POST', '/api/trusted-owners/', { as: member, body: { username: 'zoe', offers: 'refuse' } });
  const open = await api.openAsset(owner, member, '2026-02');
  const hours = [1, 2, 3].map((hour) => new Date(`2026-02-10T0${hour}:00:00Z`));
  const requested = await recordSessions(
    api.deps.db,
    hours.map((hour) => {
      const end = new Date(hour.getTime() + 60_000);
      return { share_id: open.shareId, started_at: hour, ended_at: end, ends_by: end };
    }),
  );
  const requests = requested.map((id) => ({ session_id: id, share_id: open.shareId, month: '2026-02-01' }));
  await api.deps.db
    .insertInto('edit_requests')
    .values(requests.map((row) => ({ ...row, requested_at: api.clock.now })))
    .execute();
  const request = (id: number | undefined) => `/api/assets/${open.assetId}/sessions/${id}/request/`;
  const signIn = await api.deps.db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', owner.user.id)
    .executeTakeFirstOrThrow();
  const { body: accessToken } = await api.call<{ id: number }>('POST', '/api/me/access-tokens/', {
    as: member,
    body: { name: 'Doorbell' },
  });
  await api.call('POST', '/api/me/calendar/', { as: member });
  const identity = await plantIdentity(api.deps, owner.user.id, 'mira-there');
  const { body: subscription } = await api.call<{ id: number }>('POST', '/api/push/subscriptions/', {
    as: member,
    body: { ...PUSH_SUBSCRIPTION, endpoint: 'https://push.example.org/b' },
  });
  const targets = '/api/notifications/targets/';
  const { body: target } = await api.call<{ id: number }>('POST', targets, { as: member, body: NOTICE_TARGET });
  const administrator = await addAdministrator(api, 'ada');
  const account = `/api/administration/accounts/${newcomer.user.id}/`;
  const calls: Record<string, Call> = {
    chooseRegistration: ['PATCH', '/api/administration/', { as: administrator, body: { registration: 'invited' } }],
    inviteToServer: ['POST', '/api/administration/invitations/', { as: administrator, body: {} }],
    tryMail: ['POST', '/api/administration/test-mail/', { as: administrator, body: {} }],
    makeBackup: ['POST', '/api/administration/backups/', { as: administrator, body: {} }],
    disable: ['PATCH', account, { as: administrator, body: { disabled: true } }],
    makeResetLink: ['POST', `${account}reset-link/`, { as: administrator, body: {} }],
    register: [
      'POST',
      '/api/register/',
      {
        body: {
          username: 'kim',
          email: 'kim@example.org',
          password: TEST_PASSWORD,
          time_zone: 'UTC',
          invitation: invited.token,
        },
      },
    ],
    login: ['POST', '/api/login/', { body: { username: 'mira', password: TEST_PASSWORD } }],
    refresh: ['POST', '/api/token/refresh/', { body: { refresh: owner.refresh } }],
    logout: ['POST', '/api/logout/', { body: { refresh_token: owner.refresh } }],
    create: [
      'POST',
      '/api/assets/',
      { as: owner, body: { name: 'Gym', description: 'x', subscription_cost: 5, time_zone: 'UTC', currency: 'EUR' } },
    ],
    update: ['PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { name: 'Renamed', description: 'y' } }],
    manage: [
      'PATCH',
      `/api/assets/${asset.id}/`,
      { as: owner, body: { subscription_cost: 7, max_session_hours: 5, time_zone: 'Asia/Tokyo', archived: false } },
    ],
    remove: ['DELETE', `/api/assets/${asset.id}/`, { as: owner, body: {} }],
    changeShare: ['PATCH', `/api/assets/${asset.id}/share/${id}/`, { as: owner, body: { monthly_hours_allocated: 9 } }],
    endShare: ['DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: owner, body: {} }],
    changeMe: [
      'PATCH',
      '/api/me/',
      {
        as: owner,
        body: {
          email: 'new@example.org',
          time_zone: 'UTC',
          email_notifications: false,
          usage_reminders: false,
          payment_details: {
            text: 'Cash',
            methods: [{ kind: 'iban', value: 'DE89 3704 0044 0532 0130 00', holder: 'Mira' }],
          },
        },
      },
    ],
    changePassword: [
      'POST',
      '/api/me/password/',
      { as: owner, body: { current_password: TEST_PASSWORD, new_password: 'another long password' } },
    ],
    askForReset: ['POST', '/api/password-reset/', { body: { email: 'mira@example.org' } }],
    resetPassword: [
      'POST',
      '/api/password-reset/confirm/',
      { body: { token: 'any token', password: 'another long password' } },
    ],
    confirmEmail: ['POST', '/api/me/email-change/confirm/', { body: { token: 'any token' } }],
    cancelEmailChange: ['DELETE', '/api/me/email-change/', { as: owner, body: {} }],
    startRegistration: [
      'POST',
      '/api/register/passkey/options/',
      { body: { username: 'kay', email: 'kay@example.org' } },
    ],
    startPasskeyLogin: ['POST', '/api/login/passkey/options/', { body: {} }],
    passkeyLogin: ['POST', '/api/login/passkey/', { body: { passkey: passkey.use(await api.passkeyOptions()) } }],
    startPasskeyCheck: ['POST', '/api/me/check/passkey/options/', { as: owner, body: {} }],
    passkeyCheck: [
      'POST',
      '/api/me/check/passkey/',
      { as: owner, body: { passkey: passkey.use(await api.passkeyOptions(owner)) } },
    ],
    removePassword: ['DELETE', '/api/me/password/', { as: keyed, body: {} }],
    startPasskey: ['POST', '/api/me/passkeys/options/', { as: owner, body: {} }],
    addPasskey: ['POST', '/api/me/passkeys/', { as: owner, body: { name: 'Key ring', passkey: created } }],
    namePasskey: ['PATCH', `/api/me/passkeys/${added.id}/`, { as: owner, body: { name: 'Phone' } }],
    removePasskey: ['DELETE', `/api/me/passkeys/${added.id}/`, { as: owner, body: {} }],
    nameSignIn: ['PATCH', `/api/me/sign-ins/${signIn.id}/`, { as: owner, body: { name: 'Laptop' } }],
    endSignIn: ['DELETE', `/api/me/sign-ins/${signIn.id}/`, { as: owner, body: {} }],
    createToken: [
      'POST',
      '/api/me/access-tokens/',
      { as: member, body: { name: 'Button', share_id: id, expires_in_days: 5 } },
    ],
    revokeToken: ['DELETE', `/api/me/access-tokens/${accessToken.id}/`, { as: member, body: {} }],
    makeCalendarAddress: ['POST', '/api/me/calendar/', { as: owner, body: {} }],
    removeCalendarAddress: ['DELETE', '/api/me/calendar/', { as: member, body: {} }],
    endOtherSignIns: ['DELETE', '/api/me/sign-ins/', { as: owner, body: {} }],
    checkPassword: ['POST', '/api/me/check/', { as: owner, body: { current_password: TEST_PASSWORD } }],
    makeKey: ['POST', '/api/me/two-step/', { as: owner, body: {} }],
    confirmKey: ['POST', '/api/me/two-step/confirm/', { as: member, body: { code: codeAt(key, api.clock.now) } }],
    renewRecoveryCodes: ['POST', '/api/me/two-step/recovery-codes/', { as: owner, body: {} }],
    endTwoStep: ['DELETE', '/api/me/two-step/', { as: owner, body: {} }],
    startProvider: ['POST', '/api/providers/start/', { body: { provider: 'google', purpose: 'sign-in' } }],
    finishProvider: [
      'POST',
      '/api/providers/finish/',
      { body: { provider: 'google', answer: 'code=mira&state=x' }, headers: browserHeaders },
    ],
    signInWithTicket: [
      'POST',
      '/api/providers/sign-in/',
      { body: { ticket: 'any', code: '123456' }, headers: browserHeaders },
    ],
    registerWithProvider: [
      'POST',
      '/api/providers/register/',
      { body: { ticket: 'any', username: 'kim', email: 'kim@example.org' }, headers: browserHeaders },
    ],
    connectProvider: ['POST', '/api/me/identities/', { as: owner, body: { ticket: 'any' }, headers: browserHeaders }],
    disconnectProvider: ['DELETE', `/api/me/identities/${identity}/`, { as: owner, body: {} }],
    checkWithProvider: [
      'POST',
      '/api/me/check/provider/',
      { as: owner, body: { ticket: 'any' }, headers: browserHeaders },
    ],
    deleteMe: ['DELETE', '/api/me/', { as: newcomer, body: { current_password: TEST_PASSWORD, keep_name: false } }],
    share: [
      'POST',
      `/api/assets/${asset.id}/share/`,
      { as: owner, body: { username: 'zoe', monthly_hours_allocated: 3 } },
    ],
    invite: ['POST', `/api/assets/${asset.id}/invitations/`, { as: owner, body: { monthly_hours_allocated: 3 } }],
    revoke: ['DELETE', `/api/assets/${asset.id}/invitations/${invited.id}/`, { as: owner, body: {} }],
    acceptInvitation: [
      'POST',
      `/api/invitations/${invited.token}/`,
      {
        as: newcomer,
        body: { monthly_hours_allocated: 20, price: 22.99, split_method: 'usage', base_percent: 0, owner_hours: 0 },
      },
    ],
    changeSplit: [
      'PATCH',
      `/api/assets/${asset.id}/`,
      { as: owner, body: { split_method: 'equal', base_percent: 5, owner_hours: 5 } },
    ],
    correct: [
      'PATCH',
      ownSession,
      { as: member, body: { start_time: '2026-03-10T12:00:00Z', end_time: '2026-03-10T12:00:00Z' } },
    ],
    removeSession: ['DELETE', ownSession, { as: member, body: {} }],
    acceptRequest: ['POST', `${request(requested[0])}accept/`, { as: owner, body: {} }],
    declineRequest: ['POST', `${request(requested[1])}decline/`, { as: owner, body: {} }],
    withdrawRequest: [
      'DELETE',
      `/api/shared-assets/${open.shareId}/logs/${requested[2]}/request/`,
      { as: member, body: {} },
    ],
    object: ['POST', objection(editedId), { as: owner, body: { text: 'It ran' } }],
    replyAsOwner: ['POST', `${objection(objectedId)}replies/`, { as: owner, body: { text: 'It ran' } }],
    replyAsMember: ['POST', `${ownObjection}replies/`, { as: member, body: { text: 'It did not' } }],
    agree: ['POST', `${ownObjection}agree/`, { as: member, body: {} }],
    withdraw: ['DELETE', objection(objectedId), { as: owner, body: {} }],
    vote: [
      'POST',
      `/api/shared-assets/${yearlyShare.id}/vote/`,
      { as: member, body: { renews_on: renewsOn, choice: 'cancel', line: 'Too expensive' } },
    ],
    decideRenewal: [
      'POST',
      `/api/assets/${yearly.id}/renewal/`,
      { as: owner, body: { renews_on: renewsOn, decision: 'canceled' } },
    ],
    setPrice: [
      'POST',
      `/api/assets/${asset.id}/prices/`,
      { as: owner, body: { from_month: '2026-05', subscription_cost: 7 } },
    ],
    closeMonth: ['POST', `/api/assets/${billed.assetId}/statements/2026-02/close/`, { as: owner, body: {} }],
    replay: ['POST', `/api/assets/${asset.id}/replay/`, { as: owner, body: { price: 9 } }],
    replayShare: ['POST', `/api/shared-assets/${id}/replay/`, { as: member, body: { price: 9 } }],
    previewSplit: [
      'POST',
      `/api/assets/${asset.id}/split-preview/`,
      { as: owner, body: { split_method: 'equal', base_percent: 5, owner_hours: 5, allocations: { ben: 5 } } },
    ],
    mark: ['POST', `/api/statement-lines/${billed.lineId}/mark/`, { as: owner, body: { status: 'paid' } }],
    settle: [
      'POST',
      '/api/settlements/',
      { as: owner, body: { username: 'ben', currency: 'USD', lines: [billed.lineId], amount: 1 } },
    ],
    confirmPayment: ['POST', `/api/settlements/${await send()}/confirm/`, { as: owner, body: {} }],
    rejectPayment: ['POST', `/api/settlements/${await send()}/reject/`, { as: owner, body: {} }],
    undoPayment: ['POST', `/api/settlements/${await send()}/undo/`, { as: member, body: {} }],
    withdrawUndo: ['DELETE', `/api/settlements/${await send()}/undo/`, { as: member, body: {} }],
    recordHeldDeposit: ['POST', deposits, { as: owner, body: { username: 'ben', amount: 50 } }],
    recordDeposit: ['POST', `/api/shared-assets/${id}/deposits/`, { as: member, body: { amount: 50 } }],
    confirmDeposit: ['POST', `/api/deposits/${await deposit()}/confirm/`, { as: member, body: {} }],
    giveDepositBack: ['POST', `/api/deposits/${held}/return/`, { as: member, body: {} }],
    withdrawDeposit: ['DELETE', `/api/deposits/${await deposit()}/`, { as: member, body: {} }],
    acceptOffer: [
      'POST',
      `/api/shared-assets/${await offer('Gym')}/accept/`,
      {
        as: member,
        body: { monthly_hours_allocated: 20, price: 22.99, split_method: 'usage', base_percent: 0, owner_hours: 0 },
      },
    ],
    agreeToTerms: ['POST', `/api/shared-assets/${id}/agree/`, { as: member, body: { terms } }],
    confirmShare: ['POST', `/api/assets/${asset.id}/share/${id}/confirm/`, { as: owner, body: {} }],
    declineOffer: ['POST', `/api/shared-assets/${await offer('Pool')}/decline/`, { as: member, body: {} }],
    leave: ['POST', `/api/shared-assets/${await offer('Bike')}/leave/`, { as: member, body: {} }],
    offerHandover: ['POST', `/api/assets/${handing.asset.id}/handover/`, { as: owner, body: { username: 'ben' } }],
    withdrawHandover: ['DELETE', `/api/assets/${handing.asset.id}/handover/`, { as: owner, body: {} }],
    acceptHandover: ['POST', `${toAccept.path}accept/`, { as: member, body: { version: toAccept.version } }],
    declineHandover: ['POST', `${toDecline.path}decline/`, { as: member, body: {} }],
    trust: [
      'POST',
      '/api/trusted-owners/',
      { as: member, body: { username: 'mira', monthly_amount: 1000, currency: 'USD' } },
    ],
    distrust: ['DELETE', '/api/trusted-owners/zoe/', { as: member, body: {} }],
    confirmMonth: ['POST', `/api/assets/${open.assetId}/statements/2026-02/confirm/`, { as: member, body: {} }],
    start: ['POST', `/api/shared-assets/${id}/start/`, { as: member, body: {} }],
    lateStart: [
      'POST',
      `/api/shared-assets/${id}/late-start/`,
      { as: member, body: { at: '2026-03-10T11:00:00Z', client_time: '2026-03-10T12:00:00Z' } },
    ],
    lateEnd: [
      'POST',
      `/api/shared-assets/${ended.id}/late-end/`,
      { as: member, body: { at: '2026-03-10T12:00:00Z', client_time: '2026-03-10T12:00:00Z' } },
    ],
    addSession: [
      'POST',
      `/api/shared-assets/${id}/logs/`,
      { as: member, body: { start_time: '2026-03-10T09:00:00Z', end_time: '2026-03-10T10:00:00Z' } },
    ],
    addCost: ['POST', costs, { as: owner, body: { text: 'Tires', amount: 40 } }],
    changeCost: ['PATCH', `${costs}${cost}/`, { as: owner, body: { amount: 4 } }],
    removeCost: ['DELETE', `${costs}${cost}/`, { as: owner, body: {} }],
    countCost: ['POST', `${costs}${ownCost}/answer/`, { as: owner, body: { answer: 'count' } }],
    addOwnCost: ['POST', ownCosts, { as: member, body: { text: 'Oil', amount: 9 } }],
    changeOwnCost: ['PATCH', `${ownCosts}${ownCost}/`, { as: member, body: { amount: 4 } }],
    removeOwnCost: ['DELETE', `${ownCosts}${ownCost}/`, { as: member, body: {} }],
    agreeToCost: ['POST', `${ownCosts}${cost}/answer/`, { as: member, body: { answer: 'yes' } }],
    addMeter: ['POST', `/api/assets/${asset.id}/meters/`, { as: owner, body: { name: 'TV' } }],
    changeMeter: ['PATCH', `/api/assets/${asset.id}/meters/${meter.meter.id}/`, { as: owner, body: { name: 'Telly' } }],
    replaceMeterToken: ['POST', `/api/assets/${asset.id}/meters/${meter.meter.id}/token/`, { as: owner, body: {} }],
    matchNames: [
      'PUT',
      `/api/assets/${asset.id}/meters/${meter.meter.id}/names/`,
      { as: owner, body: { names: [{ external_name: 'Ben', share_id: id }] } },
    ],
    answerMeter: ['POST', `/api/shared-assets/${id}/meters/${meter.meter.id}/`, { as: member, body: { agreed: true } }],
    makeMeterToken: ['POST', `/api/shared-assets/${id}/meters/${ownMeter.meter.id}/token/`, { as: member, body: {} }],
    sendEvents: [
      'POST',
      '/api/meters/events/',
      {
        token: meter.token ?? '',
        body: { events: [{ id: '1', name: 'Ben', type: 'beat', at: '2026-03-10T11:59:00Z' }] },
      },
    ],
    importRows: [
      'POST',
      `/api/assets/${asset.id}/meters/${meter.meter.id}/imports/`,
      {
        as: owner,
        body: { rows: [{ name: 'Ben', start: '2026-03-10T07:00:00Z', end: '2026-03-10T08:00:00Z' }] },
      },
    ],
    removeMeter: ['DELETE', `/api/assets/${asset.id}/meters/${ownMeter.meter.id}/`, { as: owner, body: {} }],
    readNotices: ['POST', '/api/notifications/read/', { as: member, body: { ids: [1] } }],
    chooseNotices: [
      'PATCH',
      '/api/notifications/choices/',
      { as: member, body: { choices: [{ kind: 'sign_in', mail: false }] } },
    ],
    pushHere: ['POST', '/api/push/subscriptions/', { as: member, body: PUSH_SUBSCRIPTION }],
    stopPush: ['DELETE', `/api/push/subscriptions/${subscription.id}/`, { as: member, body: {} }],
    addTarget: ['POST', targets, { as: member, body: NOTICE_TARGET }],
    changeTarget: ['PATCH', `${targets}${target.id}/`, { as: member, body: { amounts: true } }],
    removeTarget: ['DELETE', `${targets}${target.id}/`, { as: member, body: {} }],
    addPerson: [
      'POST',
      `/api/assets/${asset.id}/people/`,
      { as: owner, body: { name: 'Grandpa', monthly_hours_allocated: 5 } },
    ],
    record: [
      'POST',
      `${person}sessions/`,
      { as: owner, body: { start_time: '2026-03-10T09:00:00Z', end_time: '2026-03-10T10:00:00Z' } },
    ],
    editRecorded: ['PATCH', `${person}sessions/${recorded.id}/`, { as: owner, body: recording }],
    removeRecorded: ['DELETE', `${person}sessions/${recorded.id}/`, { as: owner, body: {} }],
    makeClaim: ['POST', `${person}claim/`, { as: owner, body: {} }],
    revokeClaim: ['DELETE', `${person}claim/`, { as: owner, body: {} }],
    acceptClaim: [
      'POST',
      `/api/claims/${claimable.claim.link.replace(/^.*\//, '')}/`,
      { as: newcomer, body: { charges: 'accept' } },
    ],
  };
  return { owner, member, asset, calls };
}
