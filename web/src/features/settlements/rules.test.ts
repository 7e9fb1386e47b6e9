import { describe, expect, it } from 'vitest';
import { findLargestDebt, findNextMark, markedStatus, openTotals, type Reader } from './rules.ts';

describe('openTotals', () => {
  it('nets amounts to the cent and skips paid lines', () => {
    const line = (amount: number, direction: 'they_owe' | 'you_owe', status: 'due' | 'sent' | 'paid' = 'due') => ({
      amount,
      direction,
      status,
    });
    expect(
      openTotals([line(0.1, 'they_owe'), line(0.2, 'they_owe', 'sent'), line(5, 'they_owe', 'paid')], 'USD'),
    ).toEqual({
      theyOwe: 0.3,
      youOwe: 0,
      net: 0.3,
    });
    expect(openTotals([line(1.1, 'they_owe'), line(3.3, 'you_owe')], 'USD')).toEqual({
      theyOwe: 1.1,
      youOwe: 3.3,
      net: -2.2,
    });
  });
});

describe('findNextMark', () => {
  const describeMark = (status: 'due' | 'sent' | 'paid' | null, reader: Reader, settled = false) => {
    const next = findNextMark({ status, settled }, reader);
    return next && `${next} → ${markedStatus(next)}`;
  };

  it('lets a member mark as sent, an owner mark as paid, and each undo their own', () => {
    expect((['due', 'sent', 'paid'] as const).map((status) => describeMark(status, 'self'))).toEqual([
      'sent → sent',
      'undo-sent → due',
      null,
    ]);
    expect((['due', 'sent', 'paid'] as const).map((status) => describeMark(status, 'owner'))).toEqual([
      'paid → paid',
      'paid → paid',
      'undo-paid → due',
    ]);
  });

  it('is null on an estimate and on a settled line', () => {
    expect([
      describeMark(null, 'owner'),
      describeMark('paid', 'owner', true),
      describeMark('paid', 'self', true),
    ]).toEqual([null, null, null]);
  });
});

describe('findLargestDebt', () => {
  const owe = (username: string, currency: string, amount: number) => ({
    username,
    they_owe: 0,
    you_owe: amount,
    net: -amount,
    currency,
    lines: [
      {
        id: 1,
        asset_id: 1,
        asset_name: 'Figma',
        month: '2026-10',
        amount,
        direction: 'you_owe' as const,
        status: 'due' as const,
        status_since: null,
      },
    ],
  });

  it('does not compare currencies and prefers the most frequent one', () => {
    const balances = [
      owe('ana', 'EUR', 20),
      owe('ben', 'JPY', 5000),
      owe('chen', 'USD', 49.99),
      owe('dora', 'USD', 60),
    ];
    expect(findLargestDebt(balances)?.username).toBe('dora');
    expect(findLargestDebt(balances.slice(0, 3))?.username).toBe('ana');
  });

  it('skips what was marked as paid since the last read', () => {
    const paid = owe('ana', 'USD', 20);
    expect(
      findLargestDebt([{ ...paid, lines: paid.lines.map((line) => ({ ...line, status: 'paid' })) }]),
    ).toBeUndefined();
  });
});
