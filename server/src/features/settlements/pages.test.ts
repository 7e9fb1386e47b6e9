import type { Settlement } from '@hourshare/contract/settlements';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { billingCalls, CLOSED } from '../../testing/bills.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const { get } = billingCalls(() => api);

describe('more settlements than fit one page', () => {
  it('are listed across pages and all together in one file', async () => {
    const [mira, ben] = [await api.register('mira'), await api.register('ben')];
    const settlement = (id: number) => ({
      payer_id: ben.user.id,
      payer_name: 'ben',
      payee_id: mira.user.id,
      payee_name: 'mira',
      recorded_by: 'mira',
      amount_cents: id,
      currency: 'USD',
      settled_at: new Date(CLOSED),
      status: 'paid' as const,
      status_since: new Date(CLOSED),
    });
    const settlements = Array.from({ length: 501 }, (_, index) => settlement(index + 1));
    const inserted = await api.deps.db.insertInto('settlements').values(settlements).returning('id').execute();
    const { id: statementId } = await api.deps.db
      .insertInto('statements')
      .values({
        asset_name: 'Films',
        month: '2026-02-01',
        owner_id: mira.user.id,
        owner_name: 'mira',
        price_cents: 501,
        currency: 'USD',
        split_method: 'equal',
        base_percent: 0,
        owner_hours: 0,
        owner_takes_part: false,
        measured: true,
        total_hours: 0,
        places: 1,
        ends_at: new Date('2026-03-01T00:00:00Z'),
        closes_at: new Date(CLOSED),
        closed_at: new Date(CLOSED),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const lines = await api.deps.db
      .insertInto('statement_lines')
      .values(
        inserted.map(() => ({
          statement_id: statementId,
          owner_id: mira.user.id,
          username: 'ben',
          role: 'member' as const,
          allocation_hours: 1,
          used_seconds: 0,
          days: 1,
          summed_hours: 1,
          base_cents: 0,
          odd_cents: 0,
          amount_cents: 1,
          settled_cents: 1,
        })),
      )
      .returning('id')
      .execute();
    const parts = inserted.map(({ id }, index) => ({
      settlement_id: id,
      line_id: lines[index]?.id ?? 0,
      amount_cents: 1,
    }));
    await api.deps.db.insertInto('settlement_parts').values(parts).execute();
    const steps = inserted.map(({ id }) => ({
      settlement_id: id,
      kind: 'paid' as const,
      by_payer: false,
      at: new Date(CLOSED),
    }));
    await api.deps.db.insertInto('payment_steps').values(steps).execute();
    const first = await get<{ results: Settlement[]; next: string }>('/api/settlements/', mira);
    const second = await get<{ results: Settlement[]; next: null }>(`/api/settlements/?cursor=${first.next}`, mira);
    expect([first.results.length, second.results.length, second.next]).toEqual([500, 1, null]);
    const file = await api.call('GET', '/api/settlements/?format=csv', { as: mira });
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(502);
    for (const query of ['cursor=x', 'cursor=0', 'format=csv&cursor=5'])
      expect((await api.call('GET', `/api/settlements/?${query}`, { as: mira })).status).toBe(400);
  });
});
