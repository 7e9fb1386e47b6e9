import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTestApi, type Answer, type TestApi } from '../../testing/api.ts';
import { raceRounds } from '../../testing/thorough.ts';
import { removeAllDeletedAssets } from '../assets/service.ts';
import { listShares } from './service.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('mira');
  member = await api.register('ben');
});
afterAll(() => api.close());

const ROUNDS = raceRounds(40);
const distinctOutcomes = (answers: Answer[]) => [
  ...new Set(answers.map(({ status, text }) => (status < 400 ? `${status}` : `${status} ${text}`))),
];
const countRows = async (table: 'assets' | 'periods' | 'shares' | 'sessions') =>
  (await api.deps.db.selectFrom(table).selectAll().execute()).length;

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Calls `work` for each asset and deletes the asset meanwhile, a little later each time. Returns the distinct outcomes
 * of the calls.
 */
async function callWhileDeleting(work: (asset: number) => Promise<Answer>, assets: number[]): Promise<string[]> {
  const answers: Answer[] = [];
  for (const [round, id] of assets.entries()) {
    const done = work(id);
    for (let waited = 0; waited < ROUNDS[round]!; waited++) await nextTick();
    const deleted = await api.call('DELETE', `/api/assets/${id}/`, { as: owner });
    expect(deleted.status).toBe(204);
    answers.push(await done);
  }
  return distinctOutcomes(answers);
}

const addAssets = () => Promise.all(ROUNDS.map(() => api.addAsset(owner)));

describe('an asset deleted during the request', () => {
  it.each([{}, { 'idempotency-key': 'one' }])('is either shared or not found, with %j', async (headers) => {
    const ids = (await addAssets()).map(({ id }) => id);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    const keyOptions = (id: number) =>
      'idempotency-key' in headers ? { headers: { 'idempotency-key': `${id}` } } : {};
    const answers = await callWhileDeleting(
      (id) => api.call('POST', `/api/assets/${id}/share/`, { as: owner, body, ...keyOptions(id) }),
      ids,
    );
    expect(answers.filter((answer) => !/^(?:201|404 )/.test(answer))).toEqual([]);
    // Until a day after an offer, it counts among those of a day.
    api.clock.advance(24 * 3_600_000);
    await removeAllDeletedAssets(api.deps);
    expect([await countRows('assets'), await countRows('shares')]).toEqual([0, 0]);
  });

  it('either gets its new price or is not found', async () => {
    const ids = (await addAssets()).map(({ id }) => id);
    const answers = await callWhileDeleting(
      (id) => api.call('PATCH', `/api/assets/${id}/`, { as: owner, body: { subscription_cost: 7 } }),
      ids,
    );
    expect(answers.filter((answer) => !/^(?:200|404 )/.test(answer))).toEqual([]);
    expect([await countRows('assets'), await countRows('periods')]).toEqual([0, 0]);
  });

  it('either starts a session or is not found', async () => {
    const assets = await addAssets();
    const shares = new Map<number, number>();
    for (const asset of assets) shares.set(asset.id, (await api.share(owner, asset, member)).id);
    const answers = await callWhileDeleting(
      (id) => api.call('POST', `/api/shared-assets/${shares.get(id)}/start/`, { as: member }),
      assets.map(({ id }) => id),
    );
    expect(answers.filter((answer) => !/^(?:201|404 )/.test(answer))).toEqual([]);
    expect([await countRows('shares'), await countRows('sessions')]).toEqual([0, 0]);
  });
});

describe('an asset deleted during the request, of which a month stays open', () => {
  const calls: [name: string, method: string, path: (asset: number, share: number) => string, body?: object][] = [
    ['shared', 'POST', (asset) => `/api/assets/${asset}/share/`, { username: 'zoe', monthly_hours_allocated: 5 }],
    ['invited to', 'POST', (asset) => `/api/assets/${asset}/invitations/`, { monthly_hours_allocated: 5 }],
    ['changed', 'PATCH', (asset) => `/api/assets/${asset}/`, { archived: true, bill: 'nothing' }],
    ['repriced', 'PATCH', (asset) => `/api/assets/${asset}/`, { subscription_cost: 7, split_method: 'equal' }],
    ['used', 'POST', (_, share) => `/api/shared-assets/${share}/start/`],
    ['left', 'POST', (_, share) => `/api/shared-assets/${share}/leave/`],
    ['closed', 'POST', (asset) => `/api/assets/${asset}/statements/2026-02/close/`],
  ];

  it.each(calls)('is %s or not found, and nothing in it stays active', async (_, method, path, body) => {
    await api.register('zoe');
    const shares = new Map<number, number>();
    for (const _ of ROUNDS) {
      const { assetId } = await api.openAsset(owner, member, '2026-02');
      const { id } = await api.deps.db
        .selectFrom('shares')
        .select('id')
        .where('asset_id', '=', assetId)
        .executeTakeFirstOrThrow();
      shares.set(assetId, id);
    }
    const as = path(1, 2).includes('shared-assets') ? member : owner;
    const answers = await callWhileDeleting(
      (asset) => api.call(method, path(asset, shares.get(asset) ?? 0), { as, ...(body && { body }) }),
      [...shares.keys()],
    );
    expect(answers.filter((answer) => !/^(?:20[014]|404 .*|400 .*members_may_edit.*)$/.test(answer))).toEqual([]);
    const { db } = api.deps;
    const open = (table: 'shares' | 'sessions') => db.selectFrom(table).select('id').where('ended_at', 'is', null);
    expect([await open('shares').execute(), await open('sessions').execute()]).toEqual([[], []]);
    expect(await db.selectFrom('invitations').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('assets').select('id').where('deleted_at', 'is', null).execute()).toEqual([]);
    expect(await countRows('assets')).toBe(ROUNDS.length);
  });
});

describe('a share ended during the request', () => {
  it('either starts a session that ends with it or is not found', async () => {
    const assets = await addAssets();
    const ended: Answer[] = [];
    const started: Answer[] = [];
    await Promise.all(
      assets.map(async (asset) => {
        const { id } = await api.share(owner, asset, member);
        const [end, start] = await Promise.all([
          api.call('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: owner }),
          api.call('POST', `/api/shared-assets/${id}/start/`, { as: member }),
        ]);
        ended.push(end);
        started.push(start);
      }),
    );
    expect(distinctOutcomes(ended)).toEqual(['200']);
    expect(distinctOutcomes(started).filter((answer) => !/^(?:201|404 )/.test(answer))).toEqual([]);
    const running = await api.deps.db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute();
    expect(running).toEqual([]);
  });

  it('can be replaced by at most one new share', async () => {
    const asset = await api.addAsset(owner);
    const { id } = await api.share(owner, asset, member);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n === 10
          ? api.call('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: owner })
          : api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body }),
      ),
    );
    expect(answers.filter(({ status }) => ![200, 201, 400].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    const open = await api.deps.db.selectFrom('shares').select('id').where('ended_at', 'is', null).execute();
    expect(open.length).toBe(answers.filter(({ status }) => status === 201).length);
  });
});

describe('a list that is read in two statements', () => {
  /** Lets something happen after the first one. */
  const listWhile = async (work: () => Promise<unknown>) => {
    const [memberId, db] = [member.user.id, api.deps.db];
    const executeQuery = db.executeQuery.bind(db);
    const once = vi.spyOn(db, 'executeQuery').mockImplementationOnce(async (query) => {
      const result = await executeQuery(query);
      await work();
      return result;
    });
    onTestFinished(() => once.mockRestore());
    const listed = await listShares(api.deps, memberId, { limit: 10 });
    return listed.ok ? listed.value.results : [];
  };

  it('shows an offer that is accepted meanwhile as the offer that it was', async () => {
    const asset = await api.addAsset(owner);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    await api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body });
    const before = await listWhile(() => Promise.resolve());
    const [offer] = before;
    expect(offer).toMatchObject({ status: 'offered', offer: { members: 0 }, terms: { places: 2 } });
    const accept = () => api.call('POST', `/api/shared-assets/${offer?.id}/accept/`, { as: member, body: {} });
    expect(await listWhile(accept)).toMatchObject([{ status: 'offered', offer: { meters: [] }, terms: { places: 2 } }]);
    const [accepted] = await listWhile(() => Promise.resolve());
    expect(accepted).toMatchObject({ status: 'accepted', offer: null });
  });

  it('leaves out an offer that is gone meanwhile', async () => {
    const asset = await api.addAsset(owner);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    await api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body });
    const remove = () => api.deps.db.deleteFrom('assets').where('id', '=', asset.id).execute();
    expect(await listWhile(remove)).toEqual([]);
  });
});
