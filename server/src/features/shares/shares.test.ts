import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_START, type TestApi } from '../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const HOURS_RULE = 'Monthly hours must be a whole number from 1 to 744';
const REQUIRED = 'Username and monthly hours are required';

async function household() {
  const owner = await api.register('mira');
  const member = await api.register('Ben.K');
  const asset = await api.addAsset(owner);
  const share = (body: unknown, caller = owner, id = asset.id) =>
    api.call<OwnedAsset>('POST', `/api/assets/${id}/share/`, { as: caller, body });
  return {
    owner,
    member,
    asset,
    share,
    shareWith: (username: unknown, hours: unknown = 20) => share({ username, monthly_hours_allocated: hours }),
  };
}

const shares = () => api.deps.db.selectFrom('shares').selectAll().orderBy('id').execute();
const listSharedAssets = async (caller: SignedIn) =>
  (await api.call<{ results: SharedAsset[]; next: null }>('GET', '/api/shared-assets/', { as: caller })).body;
const sharedWith = async (owner: SignedIn, asset: OwnedAsset) =>
  (await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: owner })).body.shared_with;

describe('sharing an asset', () => {
  it('changes terms along with it, and nothing if it fails', async () => {
    const { owner, asset, share } = await household();
    const terms = { owner_hours: 20 };
    const path = `/api/assets/${asset.id}/`;
    const ownerHours = async () => (await api.call<OwnedAsset>('GET', path, { as: owner })).body.owner_hours;
    const person = { name: 'Grandma', monthly_hours_allocated: 20 };
    for (const [call, body] of [
      ['share', { username: 'Ben.K', monthly_hours_allocated: 20, starts_on: '2026-01-01', terms }],
      ['people', { ...person, starts_on: '2026-01-01', terms }],
      ['invitations', { monthly_hours_allocated: 20, starts_on: '2026-01-01', terms }],
    ] as const) {
      expect((await api.call('POST', `${path}${call}/`, { as: owner, body })).status).toBe(400);
      expect(await ownerHours()).toBe(0);
    }
    expect((await share({ username: 'Ben.K', monthly_hours_allocated: 20, terms })).body.owner_hours).toBe(20);
    const invitation = { monthly_hours_allocated: 30, terms: { owner_hours: 30 } };
    await api.call('POST', `${path}invitations/`, { as: owner, body: invitation });
    expect(await ownerHours()).toBe(30);
    await api.call('POST', `${path}people/`, { as: owner, body: { ...person, terms: { owner_hours: 40 } } });
    expect(await ownerHours()).toBe(40);
  });

  it('returns the whole asset with its members and shows it to the member', async () => {
    const { owner, member, asset, shareWith } = await household();
    const answer = await shareWith('Ben.K', 744);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...asset,
      shared_with: [
        {
          id: 1,
          pending: true,
          invitation_id: null,
          shared_with_username: 'Ben.K',
          hue: member.user.id % 8,
          person: false,
          manager: false,
          claim_expires_at: null,
          monthly_hours_allocated: 744,
          usage_this_month: 0,
          active_session: false,
          active_since: null,
          expires_at: '2026-03-24T12:00:00.000Z',
          accepted: false,
          starts_on: null,
          agreed: null,
          asked: false,
          unconfirmed: false,
        },
      ],
    });
    expect((await api.call('GET', `/api/assets/${asset.id}/`, { as: owner })).body).toEqual(answer.body);
    const expectedShare = {
      id: 1,
      asset_name: 'Netflix Premium',
      owner: 'mira',
      owner_hue: owner.user.id % 8,
      status: 'offered',
      accepted: false,
      starts_on: null,
      ends_on: null,
      manager_since: null,
      own: false,
      measured: true,
      terms: {
        split_method: 'usage',
        base_percent: 0,
        price: 22.99,
        currency: 'USD',
        total_hours: 744,
        places: 2,
        monthly_hours: 744,
        max_price_per_hour: null,
        extra_cost_limit: 0,
      },
      cost_of_all: 22.99,
      agreed: null,
      asked: false,
      offer: {
        price: 22.99,
        currency: 'USD',
        split_method: 'usage',
        base_percent: 0,
        owner_hours: 0,
        next_price: null,
        members: 0,
        expires_at: '2026-03-24T12:00:00.000Z',
        meters: [],
      },
      next_terms: null,
      shared_at: TEST_START,
      ended_at: null,
      monthly_hours_allocated: 744,
      current_usage: 0,
      usage_this_month: 0,
      active_session: false,
      active_since: null,
      last_used_at: null,
      handover: null,
      next_owner: null,
      recorded_by: null,
      asset: { id: asset.id, name: 'Netflix Premium', description: 'Living room', owner: 'mira' },
    };
    expect(await listSharedAssets(member)).toEqual({ results: [expectedShare], next: null });
    expect((await api.call('GET', '/api/shared-assets/1/', { as: member })).body).toEqual(expectedShare);
  });

  it.each(['Ben.K', 'ben.k', 'BEN.K', '  ben.k  ', '\u00a0Ben.K'])(
    'finds the member typed as "%s"',
    async (username) => {
      const { shareWith } = await household();
      const { status, body } = await shareWith(username);
      expect(status).toBe(201);
      expect(body.shared_with.map((entry) => entry.shared_with_username)).toEqual(['Ben.K']);
    },
  );

  it.each([
    'ben',
    'Ben.K@example.org',
    'a "quoted" name',
    `x' or '1'='1`,
    '%',
    '_____',
    'Ben_K',
    'бен',
    'Ben.K\u200b',
    'Ben.\u212a',
    '😀',
    '<img src=x onerror=alert(1)>',
    '__proto__',
    '{name}',
    '$&',
    '\\',
    'x'.repeat(200),
    'null',
  ])('returns 404 with the name as typed: %s', async (username) => {
    const { shareWith } = await household();
    const answer = await shareWith(username);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: `User "${username}" not found`,
      code: 'user_not_found',
      params: { username },
    });
    expect(await shares()).toEqual([]);
  });

  it.each(['mira', 'MIRA', ' Mira '])('with oneself, typed as "%s", is rejected', async (username) => {
    const { shareWith } = await household();
    expect(await shareWith(username)).toMatchObject({
      status: 400,
      body: { error: "You can't share an asset with yourself.", code: 'share_with_self' },
    });
    expect(await shares()).toEqual([]);
  });

  it.each(['Ben.K', 'bEN.k'])(
    'twice with the same member, typed as "%s", is rejected and changes nothing',
    async (username) => {
      const { owner, asset, shareWith } = await household();
      await shareWith('Ben.K', 20);
      expect(await shareWith(username, 30)).toMatchObject({
        status: 400,
        body: { error: 'This asset is already shared with this user.', code: 'already_shared' },
      });
      expect(await sharedWith(owner, asset)).toMatchObject([{ monthly_hours_allocated: 20 }]);
    },
  );

  it.each([0, -1, 745, 1.5, 1e9, 9_007_199_254_740_992, '5', '', null, true, [5], {}])(
    'with an allowance of %j hours is rejected',
    async (hours) => {
      const { shareWith } = await household();
      expect(await shareWith('Ben.K', hours)).toMatchObject({
        status: 400,
        body: { error: HOURS_RULE, code: 'validation_failed', fields: { monthly_hours_allocated: [HOURS_RULE] } },
      });
      expect(await shares()).toEqual([]);
    },
  );

  it.each([
    [{}, ['monthly_hours_allocated', 'username']],
    [{ username: 'Ben.K' }, ['monthly_hours_allocated']],
    [{ username: ' ', monthly_hours_allocated: 5 }, ['username']],
    [{ username: 'x'.repeat(201), monthly_hours_allocated: 5 }, ['username']],
    [{ username: 'Ben\n.K', monthly_hours_allocated: 5 }, ['username']],
    [{ username: 5, monthly_hours_allocated: 5 }, ['username']],
  ])('with %j is rejected and the errors are listed by field', async (body, fields) => {
    const { share } = await household();
    const answer = await share(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/\w/) as string, code: 'validation_failed' },
    });
    expect(Object.keys((answer.body as unknown as { fields: object }).fields).toSorted()).toEqual(fields);
    expect(await shares()).toEqual([]);
  });

  it('without hours or with a blank name asks for both', async () => {
    const { share } = await household();
    expect((await share({ username: 'Ben.K' })).body).toMatchObject({ error: REQUIRED });
    expect((await share({ username: ' ', monthly_hours_allocated: 5 })).body).toMatchObject({ error: REQUIRED });
  });

  it.each([1, 744])('with an allowance of %d hours succeeds', async (hours) => {
    const { shareWith } = await household();
    expect((await shareWith('Ben.K', hours)).body.shared_with).toMatchObject([{ monthly_hours_allocated: hours }]);
  });

  it('is rejected for anyone but its owner, including its members', async () => {
    const { member, asset, share } = await household();
    await share({ username: 'Ben.K', monthly_hours_allocated: 5 });
    const stranger = await api.register('zoe');
    const body = { username: 'zoe', monthly_hours_allocated: 5 };
    for (const caller of [member, stranger])
      for (const id of [asset.id, 999])
        expect(await share(body, caller, id)).toMatchObject({
          status: 404,
          body: { error: 'Asset not found.', code: 'not_found' },
        });
    // Ownership is checked first, so that strangers can't find out which usernames exist.
    expect((await share({ ...body, username: 'nobody' }, stranger)).body).toMatchObject({ code: 'not_found' });
    expect(await shares()).toHaveLength(1);
  });

  it('with one member by 50 concurrent requests succeeds exactly once', async () => {
    const { owner, asset, shareWith } = await household();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => shareWith(n % 2 ? 'Ben.K' : 'ben.k', n + 1)),
    );
    const outcomes = answers.map(
      ({ status, body }) => `${status} ${(body as unknown as { code?: string }).code ?? ''}`,
    );
    expect(outcomes.filter((outcome) => outcome === '201 ')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === '400 already_shared')).toHaveLength(49);
    const winner = answers.find(({ status }) => status === 201);
    expect(await sharedWith(owner, asset)).toEqual(winner?.body.shared_with);
    expect(await shares()).toHaveLength(1);
  });

  it('with 20 members concurrently succeeds for each of them', async () => {
    const { owner, asset, shareWith } = await household();
    const names = Array.from({ length: 20 }, (_, n) => `member${n}`);
    for (const name of names) await api.register(name);
    const answers = await Promise.all(names.map((name) => shareWith(name)));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const entries = await sharedWith(owner, asset);
    expect(entries.map((entry) => String(entry.shared_with_username)).toSorted()).toEqual(names.toSorted());
    expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  it('again after a share ended creates a new share', async () => {
    const { owner, member, asset, shareWith } = await household();
    await shareWith('Ben.K', 20);
    await api.deps.db.updateTable('shares').set({ ended_at: api.clock.now }).execute();
    expect(await sharedWith(owner, asset)).toEqual([]);
    expect((await shareWith('Ben.K', 30)).body.shared_with).toMatchObject([{ id: 2, monthly_hours_allocated: 30 }]);
    expect((await listSharedAssets(member)).results.map(({ id }) => id)).toEqual([2]);
  });
});
