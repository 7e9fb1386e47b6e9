import type { MemberSession } from '@hourshare/contract/sessions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';

const MINUTE = 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

interface Page {
  results: MemberSession[];
  next: string | null;
}

describe('the owner’s list of sessions', () => {
  it('pages through every member’s sessions, newest first, without repeats', async () => {
    const owner = await api.register('mira');
    const asset = await api.addAsset(owner);
    const members = [await api.register('ana'), await api.register('ben'), await api.register('chen')];
    const shares = [];
    for (const member of members) shares.push(await api.share(owner, asset, member));
    for (let round = 0; round < 3; round++)
      for (const [index, member] of members.entries()) {
        const path = `/api/shared-assets/${shares[index]?.id}`;
        await api.call('POST', `${path}/start/`, { as: member });
        api.clock.advance(MINUTE);
        // The last session of the last round keeps running.
        if (round < 2 || index < 2) await api.call('POST', `${path}/end/`, { as: member });
      }

    const seen: MemberSession[] = [];
    let cursor = '';
    do {
      const path = `/api/assets/${asset.id}/sessions/?limit=4${cursor && `&cursor=${cursor}`}`;
      const page = await api.call<Page>('GET', path, { as: owner });
      expect(page.status).toBe(200);
      seen.push(...page.body.results);
      cursor = page.body.next ?? '';
    } while (cursor !== '');

    expect(seen.map(({ username }) => username)).toEqual([
      'chen',
      'ben',
      'ana',
      'chen',
      'ben',
      'ana',
      'chen',
      'ben',
      'ana',
    ]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(9);
    expect(seen[0]).toMatchObject({ end_time: null, duration: null, asset_name: asset.name });
    expect(seen[1]).toMatchObject({ duration: 1 });
  });

  it('is empty for an unused asset and not found for anyone but the owner', async () => {
    const owner = await api.register('mira');
    const member = await api.register('ben');
    const asset = await api.addAsset(owner);
    await api.share(owner, asset, member);
    const path = `/api/assets/${asset.id}/sessions/`;
    expect((await api.call('GET', path, { as: owner })).body).toEqual({ results: [], next: null });
    expect((await api.call('GET', path, { as: member })).status).toBe(404);
  });
});
