import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { LIVE_EVENTS, NoticeKind, type LiveEventName, type NoticeList } from '@hourshare/contract/notifications';
import type { AssetToClaim, SharedAsset } from '@hourshare/contract/shares';
import { updateAccess } from './features/shares/starts/service.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MeterWithToken } from '@hourshare/contract/meters';
import type { Causes } from './causes.ts';
import { disableAccount, resetPassword } from './features/accounts/administration/service.ts';
import { dispatchWaiting } from './features/notifications/dispatch/service.ts';
import { sendDueToTargets } from './features/notifications/targets/service.ts';
import { tellOfMonthsAndBalances, tellOfRunningSessions } from './features/notifications/timed-notices/service.ts';
import type { MessageKind } from './features/outbox/rules.ts';
import { endExpiredSessions } from './features/sessions/presses/service.ts';
import { closeDuePeriods } from './features/statements/closing/service.ts';
import { kept } from './testing/kept.ts';
import { openTestApi, TEST_PASSWORD, type CallOptions, type TestApi } from './testing/api.ts';

// Produces each kind of event as people and time do: by a call or by a job that is due. A kind without a row fails.

const HOUR = 3_600_000;
const BILLED_MONTH = '2026-02';

let api: TestApi;
/** Mira owns the asset, max co-manages it, ben and zoe use it, and kim has no access. */
let mira: SignedIn;
let max: SignedIn;
let ben: SignedIn;
let zoe: SignedIn;
let kim: SignedIn;
let asset: OwnedAsset;
let share: SharedAsset;

beforeAll(async () => {
  api = await openTestApi();
});
const household = kept(
  () => api,
  async () => {
    mira = await api.register('mira');
    max = await api.register('max');
    ben = await api.register('ben');
    zoe = await api.register('zoe');
    kim = await api.register('kim');
    asset = await api.addAsset(mira);
    const managing = await api.share(mira, asset, max);
    await call('PATCH', path(`share/${managing.id}/`), { as: mira, body: { manager: true } });
    share = await api.share(mira, asset, ben);
    await api.share(mira, asset, zoe);
    await passOn();
    for (const table of ['live_updates', 'notices'] as const) await api.deps.db.deleteFrom(table).execute();
  },
);
beforeEach(household);
afterAll(() => api.close());

/** Makes a call that must succeed, and returns its answer. */
async function call<T = unknown>(method: string, address: string, options: CallOptions = {}): Promise<T> {
  const { status, body, text } = await api.call<T>(method, address, options);
  if (status >= 300) throw new Error(`${method} ${address} was answered with ${status}: ${text}`);
  return body;
}

const path = (rest = '') => `/api/assets/${asset.id}/${rest}`;
const ownPath = (rest: string) => `/api/shared-assets/${share.id}/${rest}`;
const at = (instant: string) => api.clock.advance(Date.parse(instant) - api.clock.now.getTime());

/** Passes on what waits, and what comes of that. */
async function passOn(): Promise<void> {
  for (const _ of ['events', 'notices']) await dispatchWaiting(api.deps);
}

const namesOf = (ids: Iterable<number>) =>
  [...ids].map((id) => [mira, max, ben, zoe, kim].find(({ user }) => user.id === id)?.user.username);

const start = () => call<{ id: number }>('POST', ownPath('start/'), { as: ben });
/** Has ben use the asset for some hours. Returns the session's path. */
async function recordUse(hours = 2): Promise<string> {
  const { id } = await start();
  api.clock.advance(hours * HOUR);
  await call('POST', ownPath('end/'), { as: ben });
  return ownPath(`logs/${id}/`);
}
async function edit(): Promise<string> {
  const session = await recordUse();
  const end = new Date(api.clock.now.getTime() - 1.9 * HOUR);
  await call('PATCH', session, { as: ben, body: { end_time: end.toISOString() } });
  return session;
}
async function object(): Promise<void> {
  const id = /(\d+)\/$/.exec(await edit())?.[1];
  await call('POST', path(`sessions/${id}/objection/`), { as: mira, body: { text: 'It ran' } });
}
async function request(): Promise<void> {
  const session = await recordUse();
  at('2026-04-01T12:00:00Z');
  await call('DELETE', session, { as: ben });
}
const addMeter = () => call<MeterWithToken>('POST', path('meters/'), { as: mira, body: { name: 'TV' } });
async function hearOfName(): Promise<void> {
  const { token } = await addMeter();
  const event = { id: '1', name: 'Ben', type: 'beat', at: api.clock.now.toISOString() };
  await call('POST', '/api/meters/events/', { token: token ?? '', body: { events: [event] } });
}
async function answerMeter(): Promise<void> {
  const { meter } = await addMeter();
  await call('POST', ownPath(`meters/${meter.id}/`), { as: ben, body: { agreed: false } });
}
const offer = () => api.offer(mira, asset, kim);
const answer = async (verb: 'accept' | 'decline') =>
  call('POST', `/api/shared-assets/${(await offer()).id}/${verb}/`, { as: kim });
async function acceptInvitation(): Promise<void> {
  const { token } = await api.invite(mira, asset);
  await call('POST', `/api/invitations/${token}/`, { as: kim, body: { price: 22.99 } });
}
async function beginLater(): Promise<void> {
  const body = { username: 'kim', monthly_hours_allocated: 5, starts_on: '2026-04-01' };
  await call('POST', path('share/'), { as: mira, body });
  const { results } = await call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: kim });
  await call('POST', `/api/shared-assets/${results[0]?.id}/accept/`, { as: kim });
  at('2026-04-01T00:00:00Z');
  await updateAccess(api.deps);
}
const changeHours = () => call('PATCH', path(`share/${share.id}/`), { as: mira, body: { monthly_hours_allocated: 5 } });
const leave = () => call('POST', ownPath('leave/'), { as: ben });
async function addPerson(): Promise<string> {
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  const { shared_with: entries } = await call<OwnedAsset>('POST', path('people/'), { as: mira, body });
  return path(`share/${entries.find(({ person }) => person)?.id}/`);
}
const change = (body: object) => call<OwnedAsset>('PATCH', path(), { as: mira, body });
async function payYearly(): Promise<string> {
  const anchor = new Date(api.clock.now.getTime() + 240 * HOUR).toISOString().slice(0, 10);
  await change({ cycle: { every: 1, unit: 'year', anchor }, subscription_cost: 120 });
  return anchor;
}
async function endMonth(): Promise<void> {
  at('2026-04-05T12:00:00Z');
  await closeDuePeriods(api.deps);
}
const propose = () => call('POST', ownPath('costs/'), { as: ben, body: { text: 'Fuel', amount: 5 } });
const billed = async () => (await api.billedAsset(mira, ben, BILLED_MONTH)).lineId;
async function pay(): Promise<{ id: number }> {
  await billed();
  return call('POST', '/api/settlements/', { as: ben, body: { username: 'mira' } });
}
const signIn = () =>
  call('POST', '/api/login/', {
    body: { username: 'ben', password: TEST_PASSWORD },
    // Another device than the one that registered.
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  });
const changePassword = () =>
  call('POST', '/api/me/password/', {
    as: ben,
    body: { current_password: TEST_PASSWORD, new_password: 'a longer battery of horses' },
  });
const changeEmail = () =>
  call('PATCH', '/api/me/', {
    as: ben,
    body: { email: 'new@example.org', current_password: TEST_PASSWORD },
  });
const deleteAccount = () =>
  call('DELETE', '/api/me/', { as: ben, body: { current_password: TEST_PASSWORD, keep_name: true } });

type Kind = Exclude<LiveEventName, 'ready' | 'reset'>;

/** By kind, who may see it and what produces it. */
const live: Record<Kind, [audience: string[], happen: () => Promise<unknown>]> & Record<MessageKind, unknown> = {
  'session.started': [['mira', 'max', 'ben'], start],
  'session.ended': [['mira', 'max', 'ben'], recordUse],
  'session.edited': [['mira', 'max', 'ben'], edit],
  'session.removed': [['mira', 'max', 'ben'], async () => call('DELETE', await recordUse(), { as: ben })],
  'session.recorded': [
    ['mira', 'max'],
    async () => {
      const body = { start_time: '2026-03-10T12:10:00Z', end_time: '2026-03-10T12:20:00Z' };
      const person = await addPerson();
      api.clock.advance(HOUR);
      await call('POST', `${person}sessions/`, { as: mira, body });
    },
  ],
  'objection.changed': [['mira', 'max', 'ben'], object],
  'request.changed': [['mira', 'max', 'ben'], request],
  'share.offered': [['mira', 'max', 'kim'], offer],
  'share.accepted': [['mira', 'max', 'kim'], () => answer('accept')],
  'share.declined': [['mira', 'max', 'kim'], () => answer('decline')],
  'share.agreed': [
    ['mira', 'max', 'ben'],
    () => call('POST', ownPath('agree/'), { as: ben, body: { terms: share.terms } }),
  ],
  'share.confirmed': [['mira', 'max', 'ben'], () => call('POST', path(`share/${share.id}/confirm/`), { as: mira })],
  'meter.changed': [
    ['mira', 'max', 'ben', 'zoe'],
    () => call('POST', path('meters/'), { as: mira, body: { name: 'TV' } }),
  ],
  'meter.heard': [['mira', 'max'], hearOfName],
  'meter.answered': [['mira', 'max', 'ben'], answerMeter],
  'share.begun': [['mira', 'max', 'kim'], beginLater],
  'share.changed': [['mira', 'max', 'ben'], changeHours],
  'share.ended': [['mira', 'max', 'ben'], leave],
  'invitation.changed': [['mira', 'max'], () => api.invite(mira, asset)],
  'invitation.accepted': [['mira', 'max', 'kim'], acceptInvitation],
  'handover.changed': [['mira', 'max', 'ben'], () => api.offerHandover(mira, asset.id, ben)],
  'manager.changed': [
    ['mira', 'max', 'ben'],
    () => call('PATCH', path(`share/${share.id}/`), { as: mira, body: { manager: true } }),
  ],
  'person.changed': [['mira', 'max'], addPerson],
  'asset.added': [['kim'], () => api.addAsset(kim)],
  'asset.changed': [['mira', 'max', 'ben', 'zoe'], () => change({ name: 'Films' })],
  'asset.deleted': [['mira', 'max', 'ben', 'zoe'], () => call('DELETE', path(), { as: mira })],
  'price.changed': [['mira', 'max', 'ben', 'zoe'], () => change({ subscription_cost: 25 })],
  'renewal.changed': [
    ['mira', 'max', 'ben', 'zoe'],
    async () => {
      const renews_on = await payYearly();
      await call('POST', ownPath('vote/'), { as: ben, body: { renews_on, choice: 'keep' } });
    },
  ],
  'terms.changed': [['mira', 'max', 'ben', 'zoe'], () => change({ split_method: 'equal' })],
  // Of one dated when they had access, everyone who has hears, too.
  'cost.changed': [['mira', 'max', 'ben', 'zoe'], propose],
  'period.confirmed': [
    ['mira', 'max', 'ben'],
    async () => {
      at('2026-04-01T12:00:00Z');
      await call('POST', path('statements/2026-03/confirm/'), { as: ben });
    },
  ],
  'period.closed': [['mira', 'max', 'ben', 'zoe'], endMonth],
  'lines.marked': [
    ['mira', 'ben'],
    async () => call('POST', `/api/statement-lines/${await billed()}/mark/`, { as: ben, body: { status: 'sent' } }),
  ],
  'settlement.changed': [['mira', 'ben'], pay],
  'deposit.changed': [['mira', 'ben'], () => call('POST', ownPath('deposits/'), { as: ben, body: { amount: 50 } })],
  'account.changed': [['ben'], () => call('PATCH', '/api/me/', { as: ben, body: { time_zone: 'Europe/Berlin' } })],
  'account.signed_in': [['ben'], signIn],
  'account.password_changed': [['ben'], changePassword],
  'account.email_changed': [['ben'], changeEmail],
  'account.deleted': [
    ['mira'],
    async () => {
      await billed();
      await deleteAccount();
    },
  ],
  'tokens.revoked': [
    ['ben'],
    async () => {
      const { id } = await call<{ id: number }>('POST', '/api/me/access-tokens/', {
        as: ben,
        body: { name: 'Button' },
      });
      await call('DELETE', `/api/me/access-tokens/${id}/`, { as: ben });
    },
  ],
  'sign_ins.ended': [['ben'], () => call('POST', '/api/logout/', { body: { refresh_token: ben.refresh } })],
  'notices.changed': [['kim'], offer],
};

/** Returns who may see each event of a kind. */
async function audiencesOf(kind: string) {
  const events = await api.deps.db.selectFrom('live_updates').select(['kind', 'user_ids']).orderBy('id').execute();
  return events.filter((event) => event.kind === kind).map(({ user_ids: ids }) => namesOf(ids));
}

const liveKinds = LIVE_EVENTS.filter((kind) => kind !== 'ready' && kind !== 'reset');

describe('a live event', () => {
  it.each(liveKinds)('comes from a real call or job, for those whom it concerns: %s', async (kind) => {
    const [audience, happen] = live[kind];
    await happen();
    await passOn();
    expect(await audiencesOf(kind)).toEqual([audience]);
    // What else is to know of it takes a request.
    const { rows } = await sql<{ name: string }>`
      select distinct jsonb_object_keys(data) as name from live_updates where kind not in ('sign_ins.ended', 'tokens.revoked')`.execute(
      api.deps.db,
    );
    for (const { name } of rows) expect(name).toMatch(/^(?:(?:asset|share|session|settlement)_id|month)$/);
    expect(await api.deps.db.selectFrom('outbox').select('kind').execute()).toEqual([]);
  });
});

/** By kind, who is told and what produces it. */
const notices: Record<NoticeKind, [told: string[], happen: () => Promise<unknown>]> = {
  access_offered: [['kim'], offer],
  access_accepted: [['mira', 'max'], () => answer('accept')],
  access_declined: [['mira', 'max'], () => answer('decline')],
  access_changed: [['ben'], changeHours],
  access_ended: [['mira', 'max'], leave],
  access_unconfirmed: [
    ['mira'],
    async () => call('PATCH', path(`share/${share.id}/`), { as: max, body: { monthly_hours_allocated: 30 } }),
  ],
  invitation_accepted: [['mira', 'max'], acceptInvitation],
  allowance_nearly_used: [['ben'], () => recordUse(17)],
  allowance_used: [['ben'], () => recordUse(21)],
  session_long: [
    ['ben'],
    async () => {
      await start();
      api.clock.advance(13 * HOUR);
      await tellOfRunningSessions(api.deps);
    },
  ],
  session_limit: [
    ['ben'],
    async () => {
      await start();
      api.clock.advance(25 * HOUR);
      await endExpiredSessions(api.deps);
    },
  ],
  session_edited: [['mira', 'max'], edit],
  session_removed: [['mira', 'max'], async () => call('DELETE', await recordUse(), { as: ben })],
  session_objection: [['ben'], object],
  session_request: [['mira'], request],
  price_changed: [['max', 'ben', 'zoe'], () => change({ subscription_cost: 25 })],
  terms_changed: [['max', 'ben', 'zoe'], () => change({ split_method: 'equal' })],
  cost: [['mira'], propose],
  renewal: [
    ['mira', 'max', 'ben', 'zoe'],
    async () => {
      await payYearly();
      await tellOfMonthsAndBalances(api.deps);
    },
  ],
  month_closing: [
    ['mira', 'max', 'ben', 'zoe'],
    async () => {
      at('2026-04-03T12:00:00Z');
      await tellOfMonthsAndBalances(api.deps);
    },
  ],
  statement_ready: [['mira', 'max', 'ben', 'zoe'], endMonth],
  payment_sent: [['mira'], pay],
  payment_confirmed: [['ben'], async () => call('POST', `/api/settlements/${(await pay()).id}/confirm/`, { as: mira })],
  payment_undone: [['ben'], async () => call('POST', `/api/settlements/${(await pay()).id}/reject/`, { as: mira })],
  balance_old: [
    ['mira', 'ben'],
    async () => {
      await billed();
      api.clock.advance(40 * 24 * HOUR);
      await tellOfMonthsAndBalances(api.deps);
    },
  ],
  target_off: [
    ['ben'],
    async () => {
      const body = { format: 'slack', address: 'https://localhost:1/', kinds: ['sign_in'] };
      await call('POST', '/api/notifications/targets/', { as: ben, body });
      await signIn();
      await passOn();
      await sendDueToTargets(api.deps);
      api.clock.advance(73 * HOUR);
      await sendDueToTargets(api.deps);
    },
  ],
  sign_in: [['ben'], signIn],
  password_changed: [['ben'], changePassword],
  email_changed: [['ben'], changeEmail],
};

describe('a notice', () => {
  it.each(NoticeKind.options)('comes from a real call or job, for those to whom it is news: %s', async (kind) => {
    const [told, happen] = notices[kind];
    await happen();
    await passOn();
    const found = await api.deps.db
      .selectFrom('notices')
      .select('user_id')
      .where('kind', '=', kind)
      .orderBy('user_id')
      .execute();
    expect(namesOf(found.map(({ user_id: id }) => id))).toEqual(told);
  });
});

/** Also told, by their texts: what is done to members as others do it, and what happens without anyone. */
const texts: [text: string, told: string[], happen: () => Promise<unknown>][] = [
  [
    'A session of Netflix Premium counts as recorded again',
    ['mira', 'max', 'ben'],
    async () => {
      await object();
      await endMonth();
    },
  ],
  ['mira archived Netflix Premium', ['max', 'ben', 'zoe'], () => change({ archived: true })],
  [
    'ben declined to take over Netflix Premium',
    ['mira', 'max'],
    async () => {
      await api.offerHandover(mira, asset.id, ben, null);
      await call('POST', ownPath('handover/decline/'), { as: ben });
    },
  ],
  [
    'mira restored Netflix Premium',
    ['max', 'ben', 'zoe'],
    async () => {
      await change({ archived: true });
      await change({ archived: false });
    },
  ],
  [
    'mira deleted Netflix Premium',
    ['max', 'ben', 'zoe'],
    async () => {
      await offer();
      await call('DELETE', `${path()}?bill=nothing`, { as: mira });
    },
  ],
  [
    'Netflix Premium was deleted',
    ['max', 'ben', 'zoe'],
    () => call('DELETE', '/api/me/', { as: mira, body: { current_password: TEST_PASSWORD, keep_name: true } }),
  ],
  [
    'The statement of Netflix Premium for March 2026 is ready',
    ['mira', 'max', 'ben', 'zoe'],
    async () => {
      api.clock.advance(HOUR);
      await call('DELETE', path(), { as: mira });
      at('2026-03-14T12:00:00Z');
      await closeDuePeriods(api.deps);
      expect(await api.deps.db.selectFrom('assets').select('id').execute()).toEqual([]);
    },
  ],
];

describe('a notice with the text', () => {
  it.each(texts)('%s', async (text, told, happen) => {
    await happen();
    await passOn();
    const readers = [];
    for (const as of [mira, max, ben, zoe, kim]) {
      const { status, body } = await api.call<NoticeList>('GET', '/api/notifications/', { as });
      const found = status === 200 ? body.results.filter((notice) => notice.text === text) : [];
      if (found.length > 0) readers.push(as.user.username);
    }
    expect(readers).toEqual(told);
  });
});

const registerWith = (body: object) =>
  call<SignedIn>('POST', '/api/register/', {
    body: { username: 'ida', email: 'ida@example.org', password: TEST_PASSWORD, ...body },
  });

/** What causes each of the reactions. */
const causes: Record<keyof Causes, () => Promise<unknown>> = {
  registering: async () => registerWith({ invitation: (await api.invite(mira, asset)).token }),
  userRegistered: () => registerWith({}),
  accountDisabled: () => disableAccount(api.deps, ben.user.id),
  accountDeleting: deleteAccount,
  passwordReset: async () => {
    const token = (await resetPassword(api.deps, ben.user.id))?.replace(/^.*#/, '');
    await call('POST', '/api/password-reset/confirm/', { body: { token, password: 'a walnut on the stairs' } });
  },
  guestClaimed: async () => {
    const { claim } = await call<AssetToClaim>('POST', `${await addPerson()}claim/`, { as: mira });
    const token = claim.link.replace(/^.*\//, '');
    await call('POST', `/api/claims/${token}/`, { as: kim, body: { charges: 'accept' } });
  },
  assetAdded: () => api.addAsset(kim),
  assetChanging: () => change({ name: 'Films' }),
  termsChanged: async () => {
    const { id } = await api.addAsset(kim);
    await call('PATCH', `/api/assets/${id}/`, { as: kim, body: { owner_takes_part: true } });
  },
  monthsStarted: async () => {
    api.clock.advance(HOUR);
    await call('GET', '/api/me/', { as: kim });
  },
  periodsMoved: () => change({ time_zone: 'Asia/Tokyo' }),
  assetArchived: () => change({ archived: true }),
  assetRestoring: async () => {
    await change({ archived: true });
    await change({ archived: false });
  },
  assetDeleted: () => call('DELETE', path(), { as: mira }),
  offerAccepted: async () =>
    call('POST', `/api/shared-assets/${(await offer()).id}/accept/`, { as: kim, body: { meters: [1] } }),
  sharesEnded: leave,
};

describe('a cause of reactions', () => {
  it.each(Object.entries(causes))('comes from a real call: %s', async (name, happen) => {
    const reacted = vi.spyOn(api.deps, 'react');
    onTestFinished(() => reacted.mockRestore());
    await happen();
    expect(reacted.mock.calls.filter(([, cause]) => cause === name)).toHaveLength(1);
  });
});
