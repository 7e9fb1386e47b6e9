import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { NoticeChoices, NoticeList } from '@hourshare/contract/notifications';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { dispatcherOf, event } from '../../../testing/events.ts';
import { dispatchAll } from '../dispatch/service.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const dispatch = (...events: Parameters<ReturnType<typeof dispatcherOf>>) => dispatcherOf(api)(...events);

async function bell(user: SignedIn, query = ''): Promise<NoticeList> {
  const { status, body } = await api.call<NoticeList>('GET', `/api/notifications/${query}`, { as: user });
  expect(status).toBe(200);
  return body;
}
const told = async (user: SignedIn, query?: string) =>
  (await bell(user, query)).results.map(({ kind, text, detail, path }) => [kind, text, detail, path]);

it('tells members of what owners do, and owners of what members do', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const asset = await api.addAsset(ana);
  const share = await api.share(ana, asset, ben, 10);
  const about = { asset: asset.id, share: share.id };
  await dispatch(
    event('share.offered', { hours: 10, accepted: false }, { ...about, actor: ana }),
    event('share.accepted', { by_use: false }, { ...about, actor: ben }),
    event('share.changed', { from_hours: 10, to_hours: 12 }, { ...about, actor: ana }),
    event(
      'price.changed',
      { month: '2026-04', from: 2299, to: 2499, currency: 'USD', from_cycle: null, to_cycle: null },
      { asset: asset.id, actor: ana },
    ),
    event('share.ended', {}, { ...about, actor: ben }),
  );
  expect(await told(ben)).toEqual([
    [
      'price_changed',
      'Netflix Premium costs $24.99 starting April 2026',
      'Before: $22.99. Now: $24.99.',
      `/shared?share=${share.id}&tab=costs`,
    ],
    [
      'access_changed',
      'ana changed your hours of Netflix Premium',
      'Before: 10 hours. Now: 12 hours.',
      `/shared?share=${share.id}&tab=usage`,
    ],
    [
      'access_offered',
      'ana shared Netflix Premium with you',
      '10 hours a month',
      `/shared?share=${share.id}&tab=usage`,
    ],
  ]);
  expect(await told(ana)).toEqual([
    ['access_ended', 'ben left Netflix Premium', '', `/assets?asset=${asset.id}&tab=share`],
    ['access_accepted', 'ben accepted Netflix Premium', '', `/assets?asset=${asset.id}&tab=share`],
  ]);
});

it('tells of no offer that was withdrawn before it was seen, and of no end of what was never accepted', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const asset = await api.addAsset(ana);
  const about = { asset: asset.id, share: (await api.offer(ana, asset, ben, 10)).id, actor: ana };
  const offered = event('share.offered', { hours: 10, accepted: false }, about);
  const ended = event('share.ended', {}, about);
  const setEnd = (at: Date | null) => api.deps.db.updateTable('shares').set({ ended_at: at }).execute();
  await dispatch(offered);
  expect(await told(ben)).toHaveLength(1);
  await api.deps.db.deleteFrom('outbox').execute();
  await setEnd(api.clock.now);
  await dispatch(ended);
  expect(await bell(ben)).toMatchObject({ results: [], unread: 0 });
  // The bell must change on all devices.
  const { data } = await api.deps.db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', '=', 'notices.changed')
    .executeTakeFirstOrThrow();
  expect(data).toEqual({});

  await dispatch(offered, ended);
  expect(await told(ben)).toEqual([]);
  // What was seen stays, without more.
  await setEnd(null);
  await dispatch(offered);
  await api.call('POST', '/api/notifications/read/', { as: ben });
  await setEnd(api.clock.now);
  await dispatch(ended);
  expect((await told(ben)).map(([kind]) => kind)).toEqual(['access_offered']);
  // Leaving what is only offered is declining it.
  await dispatch(event('share.ended', {}, { ...about, actor: ben }));
  expect((await told(ana)).map(([kind]) => kind)).toEqual(['access_declined']);
});

it('tells of an offer with its last hours, once, and without any of what is not measured', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const { id } = await api.addAsset(ana);
  const asOwner = (method: string, path: string, body: object) =>
    api.call<OwnedAsset>(method, `/api/assets/${path}`, { as: ana, body });
  const { body } = await asOwner('POST', `${id}/share/`, { username: 'ben', monthly_hours_allocated: 5 });
  for (const monthly_hours_allocated of [6, 7])
    await asOwner('PATCH', `${id}/share/${body.shared_with[0]?.id}/`, { monthly_hours_allocated });
  const plain = await api.addAsset(ana, { name: 'Music', measured: false });
  await asOwner('POST', `${plain.id}/share/`, { username: 'ben' });
  await dispatchAll(api.deps);
  expect((await told(ben)).map(([, ...texts]) => texts.slice(0, 2))).toEqual([
    ['ana offers you Music', ''],
    ['ana offers you Netflix Premium', '7 hours a month'],
  ]);
});

it('tells what differs between terms, without hours of what is not measured', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const asset = await api.addAsset(ana);
  await api.share(ana, asset, ben, 10);
  const changes = [
    { split_method: 'share_of_use', max_price_per_hour: 3, owner_takes_part: true },
    { max_price_per_hour: 4 },
    { owner_takes_part: false, owner_hours: 5 },
    { measured: false, max_session_hours: 9 },
    { measured: true },
  ];
  for (const body of changes) {
    expect((await api.call('PATCH', `/api/assets/${asset.id}/`, { as: ana, body })).status).toBe(200);
    api.clock.advance(1000);
  }
  await dispatchAll(api.deps);
  expect((await told(ben)).slice(0, changes.length).map(([, , detail]) => detail)).toEqual([
    'Use is measured.',
    'Use is no longer measured. Split: by share of use, now evenly.',
    'Reserved for the owner: 0 hours, now 5 hours. The owner no longer has sessions.',
    'An hour costs at most $4.00.',
    'Split: by use, now by share of use. An hour costs at most $3.00. The owner has sessions, too.',
  ]);
});

it('drops questions and warnings that were settled elsewhere', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  const asset = await api.addAsset(ana);
  const share = await api.share(ana, asset, ben, 10);
  await api.offerHandover(ana, asset.id, ben);
  const about = { asset: asset.id, share: share.id };
  const kinds = async (user: SignedIn) => (await told(user)).map(([kind]) => kind);
  await dispatch(event('handover.changed', { change: 'offered' }, { ...about, actor: ana }));
  expect(await kinds(ben)).toEqual(['access_offered']);
  await api.call('DELETE', `/api/assets/${asset.id}/handover/`, { as: ana });
  await dispatch(event('handover.changed', { change: 'withdrawn' }, { ...about, actor: ana }));
  expect(await kinds(ben)).toEqual(['access_changed']);

  const { id } = await api.deps.db
    .insertInto('settlements')
    .values({
      payer_id: ben.user.id,
      payer_name: 'ben',
      payee_id: ana.user.id,
      payee_name: 'ana',
      recorded_by: 'ben',
      amount_cents: 500,
      currency: 'USD',
      status: 'undone',
      status_since: api.clock.now,
      settled_at: api.clock.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const paid = { settlement_id: id, amount: 500, currency: 'USD', payer_id: ben.user.id };
  const both = { actor: ben, users: [ana, ben] };
  await dispatch(event('settlement.changed', { ...paid, change: 'sent' }, both));
  expect(await kinds(ana)).toEqual(['payment_sent']);
  api.clock.now = new Date(api.clock.now.getTime() + 1000);
  await dispatch(event('settlement.changed', { ...paid, change: 'undone' }, both));
  expect(await kinds(ana)).toEqual(['payment_undone']);

  const notices = api.deps.db.updateTable('notices').where('user_id', '=', ben.user.id);
  for (const { kind, data, cause = '' } of [
    { kind: 'month_closing', data: { month: '2026-02', closes_at: '' } },
    { kind: 'session_long', data: { start: '', ends_by: '' }, cause: 'session:1:half' },
    { kind: 'session_objection', data: { change: 'made', session_id: 1, own: true } },
    { kind: 'access_unconfirmed', data: { change: 'shared' } },
  ] as const) {
    await notices.set({ kind, data: JSON.stringify(data), cause, read_at: null }).execute();
    await dispatch(event('asset.changed', {}, { asset: asset.id, actor: ana }));
    expect(await kinds(ben)).toEqual([]);
    await dispatch(event('manager.changed', { change: 'added' }, { ...about, actor: ana }));
  }
});

it('marks notices as read, and tells other devices', async () => {
  const ana = await api.register('ana');
  await dispatch(
    event('account.password_changed', {}, { actor: ana, users: [ana] }),
    event('account.email_changed', {}, { actor: ana, users: [ana] }),
    event(
      'account.signed_in',
      { browser: 'Firefox', system: 'Linux', known_device: true },
      { actor: ana, users: [ana] },
    ),
    event(
      'account.signed_in',
      { browser: 'Firefox', system: 'Linux', known_device: false },
      { actor: ana, users: [ana] },
    ),
  );
  await api.deps.db.deleteFrom('outbox').execute();
  const { results, unread } = await bell(ana);
  expect(unread).toBe(3);
  expect(results[0]).toMatchObject({ text: 'New sign-in to your account', detail: 'Firefox on Linux', read: false });
  const ids = [results[0]?.id];
  expect((await api.call('POST', '/api/notifications/read/', { as: ana, body: { ids } })).status).toBe(204);
  expect((await bell(ana)).unread).toBe(2);
  expect((await api.call('POST', '/api/notifications/read/', { as: ana })).status).toBe(204);
  expect((await bell(ana)).unread).toBe(0);
  await api.call('POST', '/api/notifications/read/', { as: ana });
  const events = await api.deps.db.selectFrom('outbox').select(['kind', 'user_ids']).execute();
  expect(events).toEqual([
    { kind: 'notices.changed', user_ids: [ana.user.id] },
    { kind: 'notices.changed', user_ids: [ana.user.id] },
  ]);
});

it('writes in the language that is asked for, or else that of the account, and in its time zone', async () => {
  const [ana, ben] = [await api.register('ana'), await api.register('ben')];
  await api.call('PATCH', '/api/me/', { as: ana, body: { language: 'de', time_zone: 'Asia/Tokyo' } });
  const asset = await api.addAsset(ana);
  const share = await api.share(ana, asset, ben);
  const before = { start: '2026-03-08T20:00:00.000Z', end: '2026-03-08T22:00:00.000Z' };
  await dispatch(event('session.removed', { session_id: 1, before, recorded: false }, { share: share.id, actor: ben }));
  const path = `/assets?asset=${asset.id}&tab=sessions`;
  expect(await told(ana)).toEqual([
    [
      'session_removed',
      'ben hat eine Sitzung bei Netflix Premium entfernt',
      expect.stringMatching(/9\. März, 05:00.*07:00/),
      path,
    ],
  ]);
  expect(await told(ana, '?language=ja')).toEqual([
    ['session_removed', 'benさんがNetflix Premiumのセッションを削除しました', expect.stringMatching(/月.*5.*7/), path],
  ]);
});

it('lets users choose how they hear of each kind', async () => {
  const ana = await api.register('ana');
  const choices = async (body?: object) =>
    api.call<NoticeChoices>(body ? 'PATCH' : 'GET', '/api/notifications/choices/', { as: ana, ...(body && { body }) });
  const changed = await choices({ choices: [{ kind: 'sign_in', bell: false, mail: false, push: false }] });
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual((await choices()).body);
  expect(changed.body.results.find(({ kind }) => kind === 'sign_in')).toEqual({
    kind: 'sign_in',
    bell: false,
    mail: false,
    push: false,
    mail_always: false,
  });
  expect((await choices({ choices: [{ kind: 'password_changed', mail: false }] })).status).toBe(400);
  await dispatch(
    event('account.signed_in', { browser: null, system: null, known_device: false }, { actor: ana, users: [ana] }),
  );
  expect(await told(ana)).toEqual([]);
});
