import { describe, expect, it } from 'vitest';
import type { CostOnLine, EditedSession, StatementCost } from '@hourshare/contract/statements';
import {
  aBalance,
  aCost,
  anAsset,
  anEntry,
  aSettlement,
  aShare,
  aStatement,
  bensLine,
  someTerms,
} from '../../testing/records.ts';
import { closingMonth, findWaiting } from './waiting.ts';

const edit = (username: string, change: Partial<EditedSession>): EditedSession => ({
  session_id: 5,
  username,
  by_owner: false,
  kind: 'corrected',
  at: '2026-11-30T12:00:00.000Z',
  recorded_start: '2026-11-28T18:00:00.000Z',
  recorded_end: '2026-11-28T21:00:00.000Z',
  start_time: '2026-11-28T18:00:00.000Z',
  end_time: '2026-11-28T19:00:00.000Z',
  objection: null,
  objected_by: null,
  request: null,
  ...change,
});

const request = {
  status: 'open',
  requested_at: '2026-12-01T12:00:00.000Z',
  start_time: null,
  end_time: null,
  waits_for_you: true,
} as const;

describe('what waits for the user', () => {
  it('is what only they can answer, each once', () => {
    const share = aShare({ asked: true, terms: someTerms({ price: 30 }), agreed: someTerms() });
    const statement = aStatement({
      asset_id: 3,
      ended: true,
      closed: false,
      edited_sessions: [
        edit('ben', { kind: 'requested', request }),
        edit('ben', { session_id: 6, request: { ...request, status: 'declined', waits_for_you: false } }),
        edit('mira', { session_id: 7, kind: 'requested', request: { ...request, waits_for_you: false } }),
      ],
    });
    const waiting = findWaiting({
      username: 'mira',
      shares: [share],
      balances: [aBalance({ username: 'ben', hue: 4 })],
      settlements: [
        aSettlement({ id: 1, username: 'ben', can: { confirm: true, reject: true, undo: null, withdraw: false } }),
        aSettlement({ id: 2, can: { confirm: false, reject: false, undo: 'alone', withdraw: false } }),
      ],
      statements: [
        statement,
        aStatement({
          asset_id: share.asset.id,
          closed: false,
          edited_sessions: [edit('mira', { session_id: 8, objection: 'open', objected_by: 'zoe' })],
        }),
        // The list of the running month has the same at its end.
        statement,
        { ...statement, closed: true },
      ],
      assets: [anAsset({ shared_with: [{ ...anEntry(9, 'chen', 10), unconfirmed: true }] })],
    });
    expect(waiting.map(({ key, person, hue }) => [key, person, hue])).toEqual([
      ['terms-7', share.owner, share.owner_hue],
      ['payment-1', 'ben', 4],
      ['request-5', 'ben', 4],
      ['objection-8', 'zoe', null],
      ['added-9', 'chen', 1],
    ]);
  });

  it('is nothing of an asset that is co-managed, which its owner confirms', () => {
    const shared_with = [{ ...anEntry(9, 'chen', 10), unconfirmed: true }];
    expect(findWaiting({ username: 'mira', assets: [anAsset({ your_role: 'manager', shared_with })] })).toEqual([]);
  });
});

describe('a cost that waits', () => {
  const find = (...statements: ReturnType<typeof aStatement>[]) =>
    findWaiting({ username: 'mira', shares: [aShare()], statements }).map(({ kind, key, person, hue }) => [
      kind,
      key,
      person,
      hue,
    ]);
  const ofMira = (...costs: StatementCost[]) => aStatement({ costs, lines: [bensLine({ hue: 4 })] });

  it('is one that someone proposed to the owner, who may count it', () => {
    const proposed = ofMira(
      aCost({ id: 1 }),
      aCost({ id: 2, status: 'counted' }),
      // She entered it before she became the owner.
      aCost({ id: 3, author: 'mira' }),
      // Its author has left.
      aCost({ id: 4, author: null, paid_by: 'zoe' }),
      aCost({ id: 5, author: null, paid_by: null }),
    );
    const found = [
      ['proposal', 'cost-1', 'ben', 4],
      ['proposal', 'cost-4', 'zoe', null],
      ['proposal', 'cost-5', 'mira', null],
    ];
    expect(find(proposed)).toEqual(found);
    // At a month's end, both lists have it.
    expect(find({ ...proposed, ended: true }, proposed)).toEqual(found);
    expect(find({ ...proposed, closed: true })).toEqual([]);
    expect(find({ ...proposed, deleted_at: '2026-11-20T12:00:00.000Z' })).toEqual([]);
    expect(find({ ...proposed, asset_id: null })).toEqual([]);
    // A co-manager doesn't decide.
    expect(find({ ...proposed, owner: 'ida' })).toEqual([]);
  });

  it('is one of which a part above the limit is asked of a member', () => {
    const part = (change: Partial<CostOnLine>): CostOnLine => ({
      id: 1,
      amount: 0,
      split_amount: 18,
      standing: 'asked',
      explanation: [],
      ...change,
    });
    const shared = (change: Partial<CostOnLine>, asset = 1) =>
      aStatement({
        asset_id: asset,
        owner: 'ben',
        costs: [aCost({ status: 'counted' })],
        lines: [bensLine({ username: 'mira', costs: [part(change)] })],
      });
    expect(find(shared({}))).toEqual([['part', 'cost-1', 'ben', 3]]);
    expect(find({ ...shared({}), ended: true })).toHaveLength(1);
    for (const standing of ['charged', 'refused'] as const) expect(find(shared({ standing }))).toEqual([]);
    // A yes to less holds.
    expect(find(shared({ amount: 7 }))).toEqual([]);
    // No share with which to answer.
    expect(find(shared({}, 2))).toEqual([]);
    expect(find({ ...shared({}), closed: true })).toEqual([]);
  });
});

describe('the month that closes', () => {
  it.each([
    // It has ended in the Pacific's first zones.
    ['2026-11-30T11:00:00Z', '2026-11'],
    ['2026-12-04T11:59:00Z', '2026-11'],
    ['2026-12-05T00:00:00Z', undefined],
    ['2026-11-29T23:59:00Z', undefined],
    ['2026-02-28T12:00:00Z', '2026-02'],
  ])('at %s is %s', (now, month) => {
    expect(closingMonth(Date.parse(now))).toBe(month);
  });
});
