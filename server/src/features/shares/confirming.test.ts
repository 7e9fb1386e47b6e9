import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Notice } from '@hourshare/contract/notifications';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { amounts, billingCalls } from '../../testing/bills.ts';
import { dispatchAll } from '../notifications/dispatch/service.ts';

let api: TestApi;
let mira: SignedIn;
let max: SignedIn;
let ana: SignedIn;
let asset: OwnedAsset;
let anas: { id: number };

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  setClock('2026-03-01T00:00:00Z');
  [mira, max, ana] = [await api.register('mira'), await api.register('max'), await api.register('ana')];
  asset = await api.addAsset(mira, { subscription_cost: 20 });
  const maxs = await api.share(mira, asset, max, 10);
  anas = await api.share(mira, asset, ana, 10);
  await send('PATCH', `${path()}share/${maxs.id}/`, { as: mira, body: { manager: true } });
});
afterAll(() => api.close());

const { setClock, get, send, record, statementOf } = billingCalls(() => api);

const path = () => `/api/assets/${asset.id}/`;
const owned = () => get<OwnedAsset>(path(), mira);
const entryOf = async (username: string) =>
  (await owned()).shared_with.find((entry) => entry.shared_with_username === username);
const raise = (hours: number, as = max) =>
  api.call('PATCH', `${path()}share/${anas.id}/`, { as, body: { monthly_hours_allocated: hours } });
const confirm = (as: SignedIn, id = anas.id) => api.call('POST', `${path()}share/${id}/confirm/`, { as });
const toConfirm = async (as = mira) => {
  await dispatchAll(api.deps);
  const { results } = await get<{ results: Notice[] }>('/api/notifications/', as);
  return results.filter(({ kind }) => kind === 'access_unconfirmed');
};

describe('what a co-manager adds', () => {
  it('counts in the split once the owner confirms it', async () => {
    await record({ id: anas.id } as never, '2026-03-01T00:00:00Z', 10);
    await raise(30);
    expect(await owned()).toMatchObject({ total_hours: 20 });
    expect(await entryOf('ana')).toMatchObject({ monthly_hours_allocated: 30, unconfirmed: true });
    setClock('2026-03-02T00:00:00Z');
    expect(amounts(await statementOf(asset, '2026-03', mira))).toMatchObject({ ana: 10 });
    expect(await confirm(mira)).toMatchObject({ status: 200, body: { total_hours: 40 } });
    expect(await entryOf('ana')).toMatchObject({ unconfirmed: false });
    expect(amounts(await statementOf(asset, '2026-03', mira))).toMatchObject({ ana: 5 });
  });

  it('is a place in the split once the owner confirms it', async () => {
    const { id } = await api.share(max, asset, await api.register('ben'), 10);
    expect(await owned()).toMatchObject({ places: 3, total_hours: 20 });
    expect(await confirm(mira, id)).toMatchObject({ status: 200, body: { places: 4, total_hours: 30 } });
  });

  it('is confirmed only by the owner', async () => {
    await raise(30);
    expect(await confirm(max)).toMatchObject({ status: 403, body: { code: 'owner_only' } });
    expect(await confirm(ana)).toMatchObject({ status: 404 });
    expect(await entryOf('ana')).toMatchObject({ unconfirmed: true });
    expect(await confirm(mira, 0)).toMatchObject({ status: 404 });
    for (const _ of [1, 2]) expect(await confirm(mira)).toMatchObject({ status: 200 });
  });

  it('needs no yes if the owner adds it, or if it lowers hours', async () => {
    await raise(30, mira);
    await raise(5);
    await api.offer(mira, asset, await api.register('zoe'));
    expect((await owned()).shared_with.filter(({ unconfirmed }) => unconfirmed)).toEqual([]);
    expect(await toConfirm()).toEqual([]);
  });

  it('is confirmed along with hours that the owner changes', async () => {
    await raise(30);
    await raise(25, mira);
    expect(await entryOf('ana')).toMatchObject({ unconfirmed: false });
  });
});

describe('the owner', () => {
  it('is asked to confirm hours, a member, and an invitation that was accepted', async () => {
    await raise(30);
    await api.offer(max, asset, await api.register('zoe'), 7);
    const { token } = await api.invite(max, asset, 7);
    await send('POST', `/api/invitations/${token}/`, { as: await api.register('kim'), body: {} });
    expect(await toConfirm()).toMatchObject([
      { text: "kim accepted a co-manager's invitation to Netflix Premium: please confirm", actor: 'kim' },
      { text: 'max added a member to Netflix Premium: please confirm', actor: 'max' },
      {
        text: "max raised a member's hours of Netflix Premium: please confirm",
        detail: 'It counts in the split once you confirm it.',
        path: `/assets?asset=${asset.id}&tab=share`,
      },
    ]);
    expect(await toConfirm(max)).toEqual([]);
    expect(await toConfirm(ana)).toEqual([]);
  });

  it('is no longer asked once that is confirmed, withdrawn, or was before they could hear of it', async () => {
    await raise(30);
    expect(await toConfirm()).toHaveLength(1);
    await confirm(mira);
    expect(await toConfirm()).toEqual([]);
    await raise(40);
    await confirm(mira);
    expect(await toConfirm()).toEqual([]);
    for (const end of [
      () => raise(40),
      () => raise(45, mira),
      () => send('DELETE', `${path()}share/${anas.id}/`, { as: max }),
    ]) {
      await raise(50);
      expect(await toConfirm()).toHaveLength(1);
      await end();
      expect(await toConfirm()).toEqual([]);
    }
  });
});

describe('at the same time', () => {
  it('confirming and raising hours leave what the owner confirmed', async () => {
    await raise(30);
    const answers = await Promise.all([confirm(mira), raise(40), confirm(mira), raise(50), confirm(mira)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const rows = await api.deps.db.selectFrom('allowances').selectAll().where('share_id', '=', anas.id).execute();
    const last = rows.toSorted((one, other) => one.since.getTime() - other.since.getTime()).at(-1);
    expect(last?.monthly_hours).toBe((await entryOf('ana'))?.monthly_hours_allocated);
    expect((await entryOf('ana'))?.unconfirmed).toBe((last?.counted_hours ?? 0) < (last?.monthly_hours ?? 0));
    await confirm(mira);
    expect(await entryOf('ana')).toMatchObject({ unconfirmed: false });
  });

  it('confirming and cutting hours leave what was cut', async () => {
    for (const _ of Array.from({ length: 10 })) {
      await raise(30);
      api.clock.advance(1000);
      const answers = await Promise.all([raise(12), confirm(mira)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await confirm(mira);
      expect(await entryOf('ana')).toMatchObject({ monthly_hours_allocated: 12, unconfirmed: false });
    }
  });

  it('a member who leaves is not confirmed', async () => {
    await raise(30);
    const [left, confirmed] = await Promise.all([
      api.call('POST', `/api/shared-assets/${anas.id}/leave/`, { as: ana }),
      confirm(mira),
    ]);
    expect(left.status).toBe(204);
    expect([200, 404]).toContain(confirmed.status);
    expect(await entryOf('ana')).toBeUndefined();
    expect((await confirm(mira)).status).toBe(404);
  });
});
