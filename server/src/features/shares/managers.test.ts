import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { ManagerChange, OwnedAsset } from '@hourshare/contract/assets';
import { MANAGERS_MAX } from '@hourshare/contract/limits';
import type { LoggedSession } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../testing/api.ts';
import { disableAccount } from '../accounts/administration/service.ts';
import { amounts, billingCalls, type Household } from '../../testing/bills.ts';

let api: TestApi;
let home: Household;
/** Not invited to anything. */
let zoe: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
/** Ana co-manages Mira's asset; Ben is a member. It is February 20. */
beforeEach(async () => {
  await api.reset();
  home = await household();
  zoe = await api.register('zoe');
  await send('PATCH', pathOf(`share/${home.shareOfAna.id}/`), { as: home.mira, body: { manager: true } });
});
afterAll(() => api.close());

const { setClock, get, send, record, statementOf, household } = billingCalls(() => api);

const pathOf = (rest = '') => `/api/assets/${home.asset.id}/${rest}`;
const call = <T = OwnedAsset>(as: SignedIn, method: string, rest = '', body?: object): Promise<Answer<T>> =>
  api.call<T>(method, pathOf(rest), { as, ...(body && { body }) });
const name = (as: SignedIn, { id }: { id: number }, manager = true) => call(as, 'PATCH', `share/${id}/`, { manager });
const hours = (as: SignedIn, id: number, monthly_hours_allocated: number) =>
  call(as, 'PATCH', `share/${id}/`, { monthly_hours_allocated });
const sharesOf = (as: SignedIn) => get<{ results: SharedAsset[] }>('/api/shared-assets/', as);
const managersSeenBy = async (as: SignedIn) =>
  (await get<OwnedAsset>(pathOf(), as)).shared_with
    .filter(({ manager }) => manager)
    .map(({ shared_with_username: username }) => username);

const NOT_FOUND = { status: 404, body: { code: 'not_found' } };
const OWNER_ONLY = { status: 403, body: { code: 'owner_only' } };
const TERMS = { split_method: 'equal' };

/** Adds a person without an account. Returns their share. */
async function addPerson(): Promise<number> {
  const body = { name: 'Grandma', monthly_hours_allocated: 5 };
  const asset = await send<OwnedAsset>('POST', pathOf('people/'), { as: home.mira, body });
  return asset.shared_with.find(({ person }) => person)?.id ?? 0;
}

/** Ana shortens her session from 30 h, and Ben his from 6 min. */
async function editSessions(): Promise<{ ofAna: number; ofBen: number }> {
  const ids = [];
  for (const [as, share, end_time] of [
    [home.ana, home.shareOfAna, '2026-02-03T08:00:10Z'],
    [home.ben, home.shareOfBen, '2026-02-04T08:00:10Z'],
  ] as const) {
    const logs = await get<{ results: { id: number }[] }>(`/api/shared-assets/${share.id}/logs/`, as);
    const id = logs.results[0]?.id ?? 0;
    await send('PATCH', `/api/shared-assets/${share.id}/logs/${id}/`, { as, body: { end_time } });
    ids.push(id);
  }
  return { ofAna: ids[0] ?? 0, ofBen: ids[1] ?? 0 };
}

describe('a co-manager', () => {
  it('is named by the owner, and sees the asset in both roles', async () => {
    const { mira, ana, ben, asset } = home;
    expect(await managersSeenBy(mira)).toEqual(['ana']);
    expect(await get<OwnedAsset>(pathOf(), mira)).toMatchObject({ your_role: 'owner', owner: 'mira' });
    expect(await get<OwnedAsset>(pathOf(), ana)).toMatchObject({ id: asset.id, your_role: 'manager', owner: 'mira' });
    expect((await sharesOf(ana)).results).toMatchObject([{ manager_since: '2026-02-20T12:00:00.000Z' }]);
    expect((await sharesOf(ben)).results).toMatchObject([{ manager_since: null }]);
    expect((await get<{ results: unknown[] }>('/api/assets/', ana)).results).toEqual([]);
  });

  describe('who invites by link', () => {
    let token: string;
    beforeEach(async () => {
      ({ token } = await api.invite(home.ana, home.asset, 99));
    });
    const use = (as: SignedIn) => api.call('POST', `/api/invitations/${token}/`, { as, body: {} });
    const invitations = async () =>
      (await get<OwnedAsset>(pathOf(), home.mira)).shared_with.filter(({ invitation_id: id }) => id !== null).length;

    it("can't use that link, not even later", async () => {
      expect(await use(home.ana)).toMatchObject({ status: 400, body: { code: 'share_with_self' } });
      expect(await use(home.mira)).toMatchObject({ status: 400, body: { code: 'share_with_self' } });
      expect((await use(zoe)).status).toBe(201);
    });

    const path = () => `share/${home.shareOfAna.id}/`;
    it.each([
      ['the role ends', () => name(home.mira, home.shareOfAna, false)],
      ['their access ends', () => call(home.mira, 'DELETE', path())],
      ['they leave', () => api.call('POST', `/api/shared-assets/${home.shareOfAna.id}/leave/`, { as: home.ana })],
      ['the administrator disables them', () => disableAccount(api.deps, home.ana.user.id)],
    ])('takes the link along when %s', async (_, end) => {
      expect(await invitations()).toBe(1);
      await end();
      expect(await invitations()).toBe(0);
      expect(await use(zoe)).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } });
      // A disabled account is signed out, too.
      expect([401, 404]).toContain((await use(home.ana)).status);
      expect((await api.call('GET', `/api/invitations/${token}/`)).status).toBe(404);
    });

    // A removed co-manager came back, or came back with more hours.
    it('takes their own link along, for themselves, too', async () => {
      await name(home.mira, home.shareOfAna, false);
      expect((await use(home.ana)).status).toBe(404);
      await call(home.mira, 'DELETE', path());
      expect((await use(home.ana)).status).toBe(404);
      expect((await sharesOf(home.ana)).results).toEqual([]);
    });

    it("doesn't get an earlier link back with the role", async () => {
      await name(home.mira, home.shareOfAna, false);
      setClock('2026-02-21T12:00:00Z');
      await name(home.mira, home.shareOfAna);
      expect((await use(zoe)).status).toBe(404);
    });
  });

  it('keeps the date of the first time when named again', async () => {
    setClock('2026-02-21T12:00:00Z');
    expect((await name(home.mira, home.shareOfAna)).status).toBe(200);
    expect((await sharesOf(home.ana)).results).toMatchObject([{ manager_since: '2026-02-20T12:00:00.000Z' }]);
  });

  const everything: [call: string, method: string, rest: () => string, body?: object][] = [
    ['reads the asset', 'GET', () => ''],
    ['renames it', 'PATCH', () => '', { name: 'Films', description: 'For all', time_zone: 'Europe/Berlin' }],
    ['raises its price', 'PATCH', () => '', { subscription_cost: 25 }],
    ['changes its terms', 'PATCH', () => '', { ...TERMS, max_session_hours: 12 }],
    ['archives it', 'PATCH', () => '', { archived: true, bill: 'until_today' }],
    ['shares it', 'POST', () => 'share/', { username: 'zoe', monthly_hours_allocated: 3 }],
    ['changes hours', 'PATCH', () => `share/${home.shareOfBen.id}/`, { monthly_hours_allocated: 7 }],
    ['ends access', 'DELETE', () => `share/${home.shareOfBen.id}/`],
    ['invites by link', 'POST', () => 'invitations/', { monthly_hours_allocated: 3 }],
    ['reads sessions', 'GET', () => 'sessions/'],
    ['reads analytics', 'GET', () => 'analytics/'],
    ['reads the history', 'GET', () => 'history/'],
    ['reads prices', 'GET', () => 'prices/'],
    ['plans a higher price', 'POST', () => 'prices/', { from_month: '2026-03', subscription_cost: 30 }],
    ['reads statements', 'GET', () => 'statements/'],
    ['reads a statement', 'GET', () => 'statements/2026-02/'],
    ['tries other terms', 'POST', () => 'split-preview/', TERMS],
  ];

  it.each(everything)('%s, until the owner ends the role', async (_, method, rest, body) => {
    const path = rest();
    const answer = await call(home.ana, method, path, body);
    expect([answer.status, answer.text]).toEqual([expect.toBeOneOf([200, 201]), expect.any(String)]);
    const back = await name(home.mira, home.shareOfAna, false);
    expect(back.body.shared_with.map(({ manager }) => manager)).not.toContain(true);
    if (path.startsWith('statements/')) return;
    expect(await call(home.ana, method, path, body)).toMatchObject(NOT_FOUND);
  });

  it('revokes invitations, and sees every line of a statement, of which a member sees their own', async () => {
    const { ana, mira } = home;
    const { id } = await api.invite(mira, home.asset);
    expect((await call(ana, 'DELETE', `invitations/${id}/`)).status).toBe(200);
    const whole = await get<Statement>(pathOf('statements/2026-02/'), mira);
    expect(whole.lines).toHaveLength(3);
    expect(await get<Statement>(pathOf('statements/2026-02/'), ana)).toEqual(whole);
    expect(await get(pathOf('statements/'), ana)).toEqual(await get(pathOf('statements/'), mira));
    expect(await get('/api/statements/', ana)).toEqual(await get('/api/statements/', mira));
    await name(mira, home.shareOfAna, false);
    expect((await get<Statement>(pathOf('statements/2026-02/'), ana)).lines.map((line) => line.username)).toEqual([
      'ana',
    ]);
    const { results } = await get<{ results: Statement[] }>('/api/statements/', ana);
    expect(results.map(({ lines }) => lines.length)).toEqual([1]);
  });

  it('does not change who owes whom', async () => {
    const { mira, ana, ben } = home;
    setClock('2026-03-01T12:00:00Z');
    for (const as of [ana, ben]) await call(as, 'POST', 'statements/2026-02/confirm/');
    const { lines } = (await call<Statement>(mira, 'POST', 'statements/2026-02/close/')).body;
    const balances = async (as: SignedIn) =>
      (await get<{ results: { username: string; net: number }[] }>('/api/balances/', as)).results.map(
        ({ username, net }) => [username, net],
      );
    expect(await balances(ana)).toEqual([['mira', -6]]);
    expect(await balances(mira)).toEqual([
      ['ana', 6],
      ['ben', 0.02],
    ]);
    // Only the owner, who is owed the charge, can say that Ben has paid.
    const mark = `/api/statement-lines/${lines.find(({ username }) => username === 'ben')?.id}/mark/`;
    expect(await api.call('POST', mark, { as: ana, body: { status: 'paid' } })).toMatchObject(NOT_FOUND);
  });

  it('can neither delete the asset nor name others', async () => {
    const { ana, shareOfBen, shareOfAna } = home;
    expect(await call(ana, 'DELETE')).toMatchObject(OWNER_ONLY);
    expect(await name(ana, shareOfBen)).toMatchObject(OWNER_ONLY);
    expect(await name(ana, shareOfAna)).toMatchObject(OWNER_ONLY);
    expect(await managersSeenBy(ana)).toEqual(['ana']);
  });

  it('can give up the role', async () => {
    const { ana, ben, mira, shareOfAna, shareOfBen } = home;
    await name(mira, shareOfBen);
    expect(await name(ana, shareOfBen, false)).toMatchObject(OWNER_ONLY);
    const answer = await name(ana, shareOfAna, false);
    expect(answer).toMatchObject({ status: 200, body: { your_role: 'manager' } });
    expect(answer.body.shared_with.map(({ manager }) => manager)).toEqual([false, true]);
    expect(await call(ana, 'GET')).toMatchObject(NOT_FOUND);
    expect(await managersSeenBy(ben)).toEqual(['ben']);
  });

  it('loses the role by leaving, even if invited again', async () => {
    const { ana, mira, asset, shareOfAna } = home;
    await send('POST', `/api/shared-assets/${shareOfAna.id}/leave/`, { as: ana });
    expect(await call(ana, 'GET')).toMatchObject(NOT_FOUND);
    await api.share(mira, asset, ana);
    expect(await call(ana, 'GET')).toMatchObject(NOT_FOUND);
    expect(await managersSeenBy(mira)).toEqual([]);
  });

  it('loses the role when the owner ends the access or the account is deleted', async () => {
    const { ana, ben, mira, shareOfAna, shareOfBen } = home;
    expect((await call(mira, 'DELETE', `share/${shareOfAna.id}/`)).status).toBe(200);
    expect(await call(ana, 'GET')).toMatchObject(NOT_FOUND);
    await name(mira, shareOfBen);
    const body = { current_password: TEST_PASSWORD, keep_name: true };
    await send('DELETE', '/api/me/', { as: ben, body });
    expect(await managersSeenBy(mira)).toEqual([]);
  });

  it('still manages an archived asset, and can restore it', async () => {
    const { ana } = home;
    await call(ana, 'PATCH', '', { archived: true });
    expect((await sharesOf(ana)).results).toEqual([]);
    expect((await call(ana, 'PATCH', '', { archived: false })).body).toMatchObject({ archived: false });
  });

  it('manages nothing of a deleted asset, whose open months only the owner closes', async () => {
    const { ana, mira } = home;
    await send('DELETE', pathOf(), { as: mira });
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', 'sessions/'],
      ['POST', 'statements/2026-02/close/'],
    ] as const)
      expect(await call(ana, method, rest)).toMatchObject(NOT_FOUND);
    expect((await call(mira, 'GET', 'sessions/')).status).toBe(200);
  });
});

describe('what a co-manager did', () => {
  const changes = async (as: SignedIn) =>
    (await get<{ results: ManagerChange[] }>(pathOf('manager-changes/'), as)).results;

  it('is listed for the owner, without the changes of the owner', async () => {
    const { mira, ana, shareOfBen } = home;
    const { ofBen } = await editSessions();
    const { id } = await api.invite(mira, home.asset);
    const done: [method: string, rest: string, body?: object][] = [
      ['PATCH', '', { name: 'Films', subscription_cost: 25, split_method: 'equal' }],
      ['POST', 'prices/', { from_month: '2026-03', subscription_cost: 30 }],
      ['POST', 'share/', { username: 'zoe', monthly_hours_allocated: 3 }],
      ['POST', 'invitations/', { monthly_hours_allocated: 3 }],
      ['DELETE', `invitations/${id}/`],
      ['POST', `sessions/${ofBen}/objection/`, {}],
      ['POST', `sessions/${ofBen}/objection/replies/`, { text: 'It ran' }],
      ['DELETE', `sessions/${ofBen}/objection/`],
      ['PATCH', `share/${shareOfBen.id}/`, { monthly_hours_allocated: 7 }],
      ['DELETE', `share/${shareOfBen.id}/`],
      ['PATCH', '', { archived: true }],
      ['PATCH', '', { archived: false }],
    ];
    for (const [method, rest, body] of done) await send(method, pathOf(rest), { as: ana, ...(body && { body }) });
    await send('PATCH', pathOf(), { as: mira, body: { name: 'TV', subscription_cost: 9 } });
    const seen = (await changes(mira)).toReversed();
    expect(seen.map(({ kind, member }) => [kind, member])).toEqual([
      ['details', null],
      ['price', null],
      ['terms', null],
      ['price', null],
      ['shared', 'zoe'],
      ['invited', null],
      ['revoked', null],
      ['objected', 'ben'],
      ['replied', 'ben'],
      ['withdrawn', 'ben'],
      ['hours', 'ben'],
      ['removed', 'ben'],
      ['archived', null],
      ['restored', null],
    ]);
    expect(new Set(seen.map(({ username, at }) => `${username} ${at}`))).toEqual(
      new Set(['ana 2026-02-20T12:00:00.000Z']),
    );
    expect(await changes(ana)).toHaveLength(seen.length);
    expect((await call(zoe, 'GET', 'manager-changes/')).status).toBe(404);
  });

  it('is not recorded if it changed nothing', async () => {
    const { ana, mira, asset, shareOfBen } = home;
    const same = { name: asset.name, subscription_cost: 20, split_method: 'usage', archived: false };
    for (const [method, rest, body] of [
      ['PATCH', '', same],
      ['PATCH', `share/${shareOfBen.id}/`, { monthly_hours_allocated: 40 }],
      ['POST', 'prices/', { from_month: '2026-02', subscription_cost: 20 }],
    ] as const)
      await send(method, pathOf(rest), { as: ana, body });
    expect(await changes(mira)).toEqual([]);
  });

  it('is not recorded if it was refused', async () => {
    await call(home.ana, 'PATCH', '', { name: 'Films', currency: 'JPY' });
    await call(home.ana, 'PATCH', '', { name: 'Films', subscription_cost: 0 });
    await hours(home.ana, home.shareOfAna.id, 7);
    expect(await changes(home.mira)).toEqual([]);
  });

  it('is shown with their name in objections, also after the account is deleted', async () => {
    const { mira, ana, ben, shareOfBen } = home;
    const { ofBen } = await editSessions();
    await send('POST', pathOf(`sessions/${ofBen}/objection/`), { as: ana, body: { text: 'It ran' } });
    await send('POST', pathOf(`sessions/${ofBen}/objection/replies/`), { as: mira, body: { text: 'It did' } });
    const objection = async () =>
      (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${shareOfBen.id}/logs/`, ben)).results[0]?.objection;
    const by = (name: unknown) => ({
      username: name,
      messages: [
        { username: name, text: 'It ran' },
        { username: 'mira', text: 'It did' },
      ],
    });
    expect(await objection()).toMatchObject(by('ana'));
    await send('DELETE', '/api/me/', { as: ana, body: { current_password: TEST_PASSWORD, keep_name: false } });
    expect(await objection()).toMatchObject(by(expect.stringContaining('Deleted user')));
    expect((await changes(mira))[0]).toMatchObject({ kind: 'objected', username: expect.stringContaining('Deleted') });
  });
});

describe('naming a co-manager', () => {
  it('needs an accepted member with an account, of this asset', async () => {
    const { mira, ben, shareOfBen } = home;
    const person = await addPerson();
    const offer = await api.offer(mira, home.asset, zoe);
    const unfit = { status: 400, body: { code: 'manager_unfit' } };
    expect(await name(mira, { id: person })).toMatchObject(unfit);
    expect(await name(mira, offer)).toMatchObject(unfit);
    expect(await name(mira, { id: 9_999_999 })).toMatchObject(NOT_FOUND);
    const other = await api.addAsset(zoe);
    const path = `/api/assets/${other.id}/share/${shareOfBen.id}/`;
    expect(await api.call('PATCH', path, { as: zoe, body: { manager: true } })).toMatchObject(NOT_FOUND);
    for (const as of [ben, zoe]) expect(await name(as, shareOfBen)).toMatchObject(NOT_FOUND);
  });

  it('stops at a maximum, and one who leaves makes room for another', async () => {
    const { mira, asset, shareOfAna, shareOfBen } = home;
    for (let count = 1; count < MANAGERS_MAX; count++)
      await name(mira, await api.share(mira, asset, await api.register(`user${count}`)));
    expect(await name(mira, shareOfBen)).toMatchObject({ status: 400, body: { code: 'too_many_managers' } });
    expect((await name(mira, shareOfAna)).status).toBe(200);
    await send('POST', `/api/shared-assets/${shareOfAna.id}/leave/`, { as: home.ana });
    expect((await name(mira, shareOfBen)).status).toBe(200);
  });

  it('changes hours at the same time, or neither', async () => {
    const { mira, shareOfBen } = home;
    const body = { manager: true, monthly_hours_allocated: 7 };
    const entry = async () => (await get<OwnedAsset>(pathOf(), mira)).shared_with[1];
    await call(mira, 'PATCH', `share/${shareOfBen.id}/`, body);
    expect(await entry()).toMatchObject(body);
    const back = { manager: false, monthly_hours_allocated: 50 };
    expect((await call(home.ben, 'PATCH', `share/${shareOfBen.id}/`, back)).status).toBe(404);
    expect(await entry()).toMatchObject(body);
  });

  it.each([{}, { manager: 'yes' }, { manager: null }])('rejects %j', async (body) => {
    expect((await call(home.mira, 'PATCH', `share/${home.shareOfBen.id}/`, body)).status).toBe(400);
  });
});

describe('what a co-manager could profit from', () => {
  it('is refused: their own hours, and those of another co-manager', async () => {
    const { mira, ana, shareOfAna, shareOfBen } = home;
    await name(mira, shareOfBen);
    for (const { id } of [shareOfAna, shareOfBen]) {
      expect(await hours(ana, id, 744)).toMatchObject(OWNER_ONLY);
      expect(await call(ana, 'DELETE', `share/${id}/`)).toMatchObject(OWNER_ONLY);
    }
    const { shared_with } = await get<OwnedAsset>(pathOf(), mira);
    expect(shared_with.map((entry) => entry.monthly_hours_allocated)).toEqual([60, 40]);
  });

  // Otherwise set to 0 a second before the month ends, after which the owner could only lower it.
  it('is refused: a lower price', async () => {
    const { mira, ana } = home;
    setClock('2026-02-28T23:59:59Z');
    const price = { subscription_cost: 0 };
    expect(await call(ana, 'PATCH', '', price)).toMatchObject(OWNER_ONLY);
    for (const from_month of ['2026-02', '2026-03', '2027-01'])
      expect(await call(ana, 'POST', 'prices/', { from_month, ...price })).toMatchObject(OWNER_ONLY);
    setClock('2026-03-01T12:00:00Z');
    expect(await call(ana, 'POST', 'prices/', { from_month: '2026-02', ...price })).toMatchObject({
      ...OWNER_ONLY,
      body: { fields: { subscription_cost: [expect.any(String)] } },
    });
    expect(amounts(await statementOf(home.asset, '2026-02', mira))).toEqual({ mira: 13.98, ana: 6, ben: 0.02 });
    expect((await call(mira, 'POST', 'prices/', { from_month: '2026-02', ...price })).status).toBe(201);
  });

  it('is refused: a month that no one pays', async () => {
    const { ana, mira } = home;
    expect(await call(ana, 'PATCH', '', { archived: true, bill: 'nothing' })).toMatchObject(OWNER_ONLY);
    expect(await get(pathOf(), mira)).toMatchObject({ archived: false, unbilled: false });
  });

  it('is refused: hours reserved for the owner, and a lower limit of what an hour costs', async () => {
    const { ana, mira } = home;
    expect(await call(ana, 'PATCH', '', { owner_hours: 744 })).toMatchObject(OWNER_ONLY);
    // $20.00 ÷ 100 h is the usual limit.
    const byUse = (max_price_per_hour: number) => ({ split_method: 'share_of_use', max_price_per_hour });
    expect(await call(ana, 'PATCH', '', byUse(0.19))).toMatchObject(OWNER_ONLY);
    expect((await call(ana, 'PATCH', '', byUse(0.2))).body).toMatchObject({ next_terms: byUse(0.2) });
    await send('PATCH', pathOf(), { as: mira, body: { ...byUse(0.3), owner_hours: 20 } });
    for (const change of [{ max_price_per_hour: 0.29 }, { owner_hours: 21 }])
      expect(await call(ana, 'PATCH', '', change)).toMatchObject(OWNER_ONLY);
    expect((await call(ana, 'PATCH', '', { ...byUse(0.31), owner_hours: 19 })).body).toMatchObject({
      next_terms: { ...byUse(0.31), owner_hours: 19 },
    });
    await send('PATCH', pathOf(), { as: mira, body: { measured: false } });
    expect(await call(ana, 'PATCH', '', { ...byUse(0), measured: true })).toMatchObject(OWNER_ONLY);
  });

  it('is refused: terms too late for the owner to withdraw them', async () => {
    const { ana, mira } = home;
    const terms = { split_method: 'allocation', base_percent: 10 };
    setClock('2026-02-26T00:00:01Z');
    expect(await call(ana, 'PATCH', '', terms)).toMatchObject(OWNER_ONLY);
    // The same terms again change nothing, so forms can send them.
    expect((await call(ana, 'PATCH', '', { name: 'Films', split_method: 'usage' })).status).toBe(200);
    setClock('2026-02-26T00:00:00Z');
    expect((await call(ana, 'PATCH', '', terms)).body).toMatchObject({ next_terms: terms });
    setClock('2026-02-28T23:59:59Z');
    expect((await call(mira, 'PATCH', '', { split_method: 'usage', base_percent: 0 })).body).toMatchObject({
      next_terms: null,
    });
  });

  it('is refused: people without an account, for whom the owner vouches', async () => {
    const { ana, mira } = home;
    const person = await addPerson();
    setClock('2026-02-21T12:00:00Z');
    const before = await get(pathOf(), mira);
    const times = { start_time: '2026-02-21T10:00:00Z', end_time: '2026-02-21T11:00:00Z' };
    const recorded = await send<{ id: number }>('POST', pathOf(`share/${person}/sessions/`), { as: mira, body: times });
    const one = `share/${person}/sessions/${recorded.id}/`;
    for (const [method, rest, body] of [
      ['POST', 'people/', { name: 'Bob', monthly_hours_allocated: 700 }],
      ['PATCH', `share/${person}/`, { monthly_hours_allocated: 700 }],
      ['POST', `share/${person}/claim/`, undefined],
      ['DELETE', `share/${person}/claim/`, undefined],
      ['POST', `share/${person}/sessions/`, { start_time: '2026-02-20T12:00:00Z', end_time: '2026-02-20T20:00:00Z' }],
      ['PATCH', one, { start_time: '2026-02-21T10:30:00Z' }],
      ['DELETE', one, undefined],
    ] as const) {
      expect([method, rest, await call(ana, method, rest, body)]).toEqual([
        method,
        rest,
        expect.objectContaining({ status: 403 }),
      ]);
      expect((await call(home.ben, method, rest, body)).status).toBe(404);
    }
    expect((await get<OwnedAsset>(pathOf(), mira)).shared_with.length).toBe((before as OwnedAsset).shared_with.length);
  });

  it('is refused: their own edits and objections to them, unlike those of members', async () => {
    const { ana, mira } = home;
    const { ofAna, ofBen } = await editSessions();
    expect(await call(ana, 'POST', `sessions/${ofAna}/objection/`, {})).toMatchObject(OWNER_ONLY);
    await send('POST', pathOf(`sessions/${ofAna}/objection/`), { as: mira, body: {} });
    expect(await call(ana, 'DELETE', `sessions/${ofAna}/objection/`)).toMatchObject(OWNER_ONLY);
    const reply = `sessions/${ofAna}/objection/replies/`;
    expect(await call(ana, 'POST', reply, { text: 'Fine' })).toMatchObject(OWNER_ONLY);
    expect((await call(ana, 'POST', `sessions/${ofBen}/objection/`, {})).status).toBe(201);
    expect((await call(ana, 'DELETE', `sessions/${ofBen}/objection/`)).status).toBe(200);
    // Leaving and coming back makes no difference.
    await send('POST', `/api/shared-assets/${home.shareOfAna.id}/leave/`, { as: ana });
    await name(mira, await api.share(mira, home.asset, ana));
    expect(await call(ana, 'DELETE', `sessions/${ofAna}/objection/`)).toMatchObject(OWNER_ONLY);
  });

  // Otherwise, the owner's time to object would end as soon as it began.
  it('is refused: closing a month early', async () => {
    const { ana, ben, mira } = home;
    setClock('2026-03-01T12:00:00Z');
    for (const as of [ana, ben]) await call(as, 'POST', 'statements/2026-02/confirm/');
    expect(await call(ana, 'POST', 'statements/2026-02/close/')).toMatchObject(OWNER_ONLY);
    expect((await call(mira, 'POST', 'statements/2026-02/close/')).status).toBe(200);
  });

  it('is refused: access without consent, for people who trust the owner', async () => {
    const { ana, mira } = home;
    const trust = { username: 'mira', monthly_amount: 1000, currency: 'USD' };
    await send('POST', '/api/trusted-owners/', { as: zoe, body: trust });
    const body = { username: 'zoe', monthly_hours_allocated: 5 };
    expect((await call(ana, 'POST', 'share/', body)).status).toBe(201);
    const [offer] = (await sharesOf(zoe)).results;
    expect(offer).toMatchObject({ status: 'offered', owner: 'mira' });
    await send('POST', `/api/shared-assets/${offer?.id}/decline/`, { as: zoe });
    await call(mira, 'POST', 'share/', body);
    expect((await sharesOf(zoe)).results).toMatchObject([{ status: 'accepted' }]);
  });

  it('is refused: giving access to the owner or themselves', async () => {
    for (const username of ['mira', 'ana'])
      expect(await call(home.ana, 'POST', 'share/', { username, monthly_hours_allocated: 5 })).toMatchObject({
        status: 400,
        body: { code: 'already_shared' },
      });
  });

  it('does not include their own use, which counts as before', async () => {
    await record(home.shareOfAna, '2026-02-10T08:00:00Z', 10);
    expect(amounts(await statementOf(home.asset, '2026-02', home.ana))).toMatchObject({ ana: 8 });
  });
});
