import type { SignedIn } from '@hourshare/contract/accounts';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disableAccount } from '../../accounts/administration/service.ts';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { amounts, billingCalls } from '../../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, statementOf, household } = billingCalls(() => api);

const BY_USE = { mira: 13.98, ana: 6, ben: 0.02 };
const EVENLY = { mira: 6.66, ana: 6.67, ben: 6.67 };

const patch = (as: SignedIn, asset: { id: number }, body: object) =>
  send<OwnedAsset>('PATCH', `/api/assets/${asset.id}/`, { as, body });
const readAsset = (as: SignedIn, { id }: { id: number }) => get<OwnedAsset>(`/api/assets/${id}/`, as);
const readShare = (as: SignedIn, { id }: { id: number }) => get<SharedAsset>(`/api/shared-assets/${id}/`, as);
const answer = (as: SignedIn, { id }: { id: number }, proposal: number | undefined, agreed = true) =>
  api.call('POST', `/api/shared-assets/${id}/terms/`, { as, body: { proposal, agreed } });

/** A household whose owner proposes to split the running month evenly. */
async function proposingHousehold() {
  const home = await household();
  const { proposed_terms: proposed } = await patch(home.mira, home.asset, {
    split_method: 'equal',
    terms_from: 'now',
  });
  const amountsOf = async () => amounts(await statementOf(home.asset, '2026-02', home.mira));
  return { ...home, proposal: proposed?.id, amountsOf };
}

describe('terms changed while others use the asset', () => {
  // The owner chose an even split a second before the month ended: $0.33 became $10.
  it('apply from the next month', async () => {
    const { mira, ana, asset, shareOfAna } = await household();
    setClock('2026-02-28T23:59:59Z');
    const body = { split_method: 'equal', base_percent: 50, owner_hours: 700 };
    const next = { from_month: '2026-03', ...body, max_session_hours: 24 };
    expect(await patch(mira, asset, body)).toMatchObject({ split_method: 'usage', owner_hours: 0, next_terms: next });
    expect((await readShare(ana, shareOfAna)).next_terms).toEqual(next);
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual(BY_USE);
    setClock('2026-03-01T00:00:00Z');
    expect(amounts(await statementOf(asset, '2026-02', mira))).toEqual(BY_USE);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal', owner_hours: 700, next_terms: null });
    expect(await statementOf(asset, '2026-03', mira)).toMatchObject(body);
  });

  it('also do if the only members left this month', async () => {
    const { mira, asset, shareOfAna, shareOfBen } = await household();
    for (const { id } of [shareOfAna, shareOfBen])
      await send('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: mira });
    await patch(mira, asset, { split_method: 'equal' });
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'usage' });
    setClock('2026-03-02T00:00:00Z');
    expect(await patch(mira, asset, { split_method: 'allocation' })).toMatchObject({ split_method: 'allocation' });
  });

  it('apply at once while access is only offered', async () => {
    const [mira, ana] = [await api.register('mira'), await api.register('ana')];
    const asset = await api.addAsset(mira);
    await api.offer(mira, asset, ana);
    expect(await patch(mira, asset, { split_method: 'equal' })).toMatchObject({ split_method: 'equal' });
  });

  it('can be withdrawn before the next month', async () => {
    const { mira, asset } = await household();
    await patch(mira, asset, { split_method: 'equal' });
    expect(await patch(mira, asset, { split_method: 'usage' })).toMatchObject({ next_terms: null });
  });
});

describe('terms proposed for the running month', () => {
  it('apply to it once every member agrees', async () => {
    const { mira, ana, ben, asset, shareOfAna, shareOfBen, proposal, amountsOf } = await proposingHousehold();
    const answers = (ofAna: boolean | null, ofBen: boolean | null) => ({
      proposed_terms: {
        month: '2026-02',
        split_method: 'equal',
        members: [
          { username: 'ana', agreed: ofAna },
          { username: 'ben', agreed: ofBen },
        ],
      },
    });
    expect(await readAsset(mira, asset)).toMatchObject(answers(null, null));
    expect((await answer(ana, shareOfAna, proposal)).status).toBe(204);
    expect((await answer(ben, shareOfBen, proposal, false)).status).toBe(204);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'usage', ...answers(true, false) });
    expect(await amountsOf()).toEqual(BY_USE);
    expect((await answer(ben, shareOfBen, proposal)).status).toBe(204);
    expect(await readAsset(mira, asset)).toMatchObject({
      split_method: 'equal',
      next_terms: null,
      proposed_terms: null,
    });
    expect(await amountsOf()).toEqual(EVENLY);
    expect(await answer(ana, shareOfAna, proposal)).toMatchObject({ status: 400, body: { code: 'proposal_ended' } });
  });

  it('tell members nothing of other members', async () => {
    const { ana, ben, shareOfAna, shareOfBen, proposal } = await proposingHousehold();
    await answer(ben, shareOfBen, proposal);
    expect((await readShare(ana, shareOfAna)).proposed_terms?.members).toEqual([{ username: 'ana', agreed: null }]);
    expect((await readShare(ben, shareOfBen)).proposed_terms?.members).toEqual([{ username: 'ben', agreed: true }]);
  });

  it('need the agreement of members who have left since', async () => {
    const { mira, ana, ben, asset, shareOfAna, shareOfBen, proposal, amountsOf } = await proposingHousehold();
    await send('POST', `/api/shared-assets/${shareOfBen.id}/leave/`, { as: ben });
    await answer(ana, shareOfAna, proposal);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'usage' });
    await answer(ben, shareOfBen, proposal);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal' });
    expect(Object.keys(await amountsOf())).toEqual(['mira', 'ana', 'ben']);
  });

  it('need the agreement of members who have joined since', async () => {
    const { mira, ana, ben, asset, shareOfAna, shareOfBen, proposal } = await proposingHousehold();
    const cem = await api.register('cem');
    const shareOfCem = await api.share(mira, asset, cem);
    await answer(ana, shareOfAna, proposal);
    await answer(ben, shareOfBen, proposal);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'usage' });
    await answer(cem, shareOfCem, proposal);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal' });
  });

  it('need no agreement of a disabled account, whether or not the others agreed before', async () => {
    for (const isFirst of [true, false]) {
      await api.reset();
      const { mira, ana, ben, asset, shareOfAna, proposal } = await proposingHousehold();
      const acts = [() => answer(ana, shareOfAna, proposal), () => disableAccount(api.deps, ben.user.id)];
      for (const act of isFirst ? acts : acts.toReversed()) await act();
      expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal', proposed_terms: null });
    }
  });

  it('end with their month, and never change one that has ended', async () => {
    const { mira, ana, asset, shareOfAna, shareOfBen, ben, proposal, amountsOf } = await proposingHousehold();
    await answer(ben, shareOfBen, proposal);
    setClock('2026-03-01T00:00:00Z');
    expect(await answer(ana, shareOfAna, proposal)).toMatchObject({ status: 400, body: { code: 'proposal_ended' } });
    expect(await amountsOf()).toEqual(BY_USE);
    expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal', proposed_terms: null });
    const again = await patch(mira, asset, { split_method: 'allocation', terms_from: 'now' });
    expect(again.proposed_terms).toMatchObject({ month: '2026-03', split_method: 'allocation' });
  });

  it('are replaced by the next change, and an answer to the old ones does not count', async () => {
    const { mira, ana, asset, shareOfAna, shareOfBen, ben, proposal } = await proposingHousehold();
    await answer(ana, shareOfAna, proposal);
    const { proposed_terms: next } = await patch(mira, asset, { owner_hours: 100, terms_from: 'now' });
    expect(next).toMatchObject({ split_method: 'equal', owner_hours: 100, members: [{ agreed: null }, {}] });
    expect(await answer(ben, shareOfBen, proposal)).toMatchObject({ status: 400 });
    expect(await patch(mira, asset, { owner_hours: 0 })).toMatchObject({ proposed_terms: null });
  });

  it('can be withdrawn while they start next month', async () => {
    const { mira, ana, asset, shareOfAna, proposal } = await proposingHousehold();
    const same = { split_method: 'equal' };
    expect((await patch(mira, asset, same)).proposed_terms).not.toBeNull();
    expect(await patch(mira, asset, { ...same, terms_from: 'next_month' })).toMatchObject({
      proposed_terms: null,
      next_terms: { split_method: 'equal' },
    });
    expect(await answer(ana, shareOfAna, proposal)).toMatchObject({ status: 400 });
  });

  it('are not shown to someone who is only offered access', async () => {
    const { mira, asset } = await proposingHousehold();
    const cem = await api.register('cem');
    const offer = await api.offer(mira, asset, cem);
    expect(offer.proposed_terms).toBeNull();
  });

  it('can only be answered by members', async () => {
    const { mira, shareOfAna, proposal } = await proposingHousehold();
    const zoe = await api.register('zoe');
    expect((await answer(mira, shareOfAna, proposal)).status).toBe(404);
    expect((await answer(zoe, shareOfAna, proposal)).status).toBe(404);
  });

  it('apply once when everyone agrees at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      await api.reset();
      const { mira, ana, ben, asset, shareOfAna, shareOfBen, proposal } = await proposingHousehold();
      const answers = await Promise.all([answer(ana, shareOfAna, proposal), answer(ben, shareOfBen, proposal)]);
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      expect(await readAsset(mira, asset)).toMatchObject({ split_method: 'equal', proposed_terms: null });
    }
  });
});
