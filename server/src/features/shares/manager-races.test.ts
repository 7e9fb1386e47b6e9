import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { MANAGERS_MAX } from '@hourshare/contract/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type Answer, type TestApi } from '../../testing/api.ts';
import { raceRounds } from '../../testing/thorough.ts';

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

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Adds an asset that the member co-manages. Returns the paths of the asset and the share. */
async function addManaged(): Promise<{ asset: OwnedAsset; path: string; share: string }> {
  const asset = await api.addAsset(owner);
  const { id } = await api.share(owner, asset, member);
  const path = `/api/assets/${asset.id}/`;
  const share = `${path}share/${id}/`;
  await api.call('PATCH', share, { as: owner, body: { manager: true } });
  return { asset, path, share };
}

const outcomes = (answers: Answer[]) => new Set(answers.map(({ status }) => status));

describe('a co-manager who changes something while the owner ends the role', () => {
  const edits: [name: string, method: string, rest: string, body: object, table: string][] = [
    ['the name', 'PATCH', '', { name: 'Films' }, "assets where name = 'Films'"],
    [
      'the terms',
      'PATCH',
      '',
      { split_method: 'equal' },
      "periods where split_method = 'equal' and month = '2026-04-01'",
    ],
    [
      'a price',
      'POST',
      'prices/',
      { from_month: '2026-04', subscription_cost: 30 },
      'periods where price_since = month and price_cents = 3000',
    ],
    ['an invitation', 'POST', 'invitations/', { monthly_hours_allocated: 5 }, 'invitations'],
    ['the archive', 'PATCH', '', { archived: true }, 'assets where archived_at is not null'],
  ];

  it.each(edits)('either succeeds or gets a 404: %s', async (_, method, rest, body, table) => {
    const answers: Answer[] = [];
    for (const ticks of raceRounds(25)) {
      const { path, share } = await addManaged();
      const done = api.call(method, `${path}${rest}`, { as: member, body });
      for (let waited = 0; waited < ticks; waited++) await nextTick();
      const back = await api.call('PATCH', share, { as: owner, body: { manager: false } });
      expect(back.status).toBe(200);
      answers.push(await done);
      expect((await api.call(method, `${path}${rest}`, { as: member, body })).status).toBe(404);
    }
    expect([...outcomes(answers)].filter((status) => ![200, 201, 404].includes(status))).toEqual([]);
    const changed = answers.filter(({ status }) => status < 300).length;
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(table)}`.execute(
      api.deps.db,
    );
    expect(rows[0]?.count).toBe(changed);
    const traces = await api.deps.db.selectFrom('manager_changes').select('id').execute();
    expect(traces).toHaveLength(changed);
  });

  it('has lost the role after waiting for the owner’s change', async () => {
    const { asset, path, share } = await addManaged();
    const [back, ...late] = await Promise.all([
      api.call('PATCH', share, { as: owner, body: { manager: false } }),
      ...Array.from({ length: 10 }, () => api.call('PATCH', path, { as: member, body: { name: 'Films' } })),
    ]);
    expect(back.status).toBe(200);
    expect([...outcomes(late)].filter((status) => ![200, 404].includes(status))).toEqual([]);
    const { name } = await api.deps.db
      .selectFrom('assets')
      .select('name')
      .where('id', '=', asset.id)
      .executeTakeFirstOrThrow();
    expect(name).toBe(late.some(({ status }) => status === 200) ? 'Films' : asset.name);
  });
});

describe('co-managers named at the same time', () => {
  it('are never more than the maximum', async () => {
    const asset = await api.addAsset(owner);
    const shares: number[] = [];
    for (let count = 0; count < MANAGERS_MAX + 4; count++)
      shares.push((await api.share(owner, asset, await api.register(`user${count}`))).id);
    const answers = await Promise.all(
      shares.map((id) =>
        api.call('PATCH', `/api/assets/${asset.id}/share/${id}/`, { as: owner, body: { manager: true } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MANAGERS_MAX);
    expect(outcomes(answers)).toEqual(new Set([200, 400]));
    const named = await api.deps.db.selectFrom('shares').select('id').where('manager_since', 'is not', null).execute();
    expect(named).toHaveLength(MANAGERS_MAX);
  });

  it('do not get the role if they leave at the same time', async () => {
    const answers: Answer[] = [];
    for (const ticks of raceRounds(25)) {
      const asset = await api.addAsset(owner);
      const { id } = await api.share(owner, asset, member);
      const path = `/api/assets/${asset.id}/`;
      const named = api.call('PATCH', `${path}share/${id}/`, { as: owner, body: { manager: true } });
      for (let waited = 0; waited < ticks; waited++) await nextTick();
      expect((await api.call('POST', `/api/shared-assets/${id}/leave/`, { as: member })).status).toBe(204);
      answers.push(await named);
      expect((await api.call('GET', path, { as: member })).status).toBe(404);
    }
    expect([...outcomes(answers)].filter((status) => ![200, 404].includes(status))).toEqual([]);
  });
});
