import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverNow } from '../../platform/http/server-clock.ts';
import { aBalance, aCharge, aSettlement } from '../../testing/records.ts';
import {
  byAsset,
  findLargestDebt,
  findNextMark,
  markedStatus,
  markReader,
  monthsText,
  openTotals,
  uncoveredDebts,
  undoKind,
  unsentLines,
  unsentTotals,
  type Reader,
} from './rules.ts';

describe('openTotals', () => {
  it('nets amounts to the cent and skips paid lines', () => {
    const line = (amount: number, direction: 'they_owe' | 'you_owe', status: 'due' | 'sent' | 'paid' = 'due') => ({
      open_amount: amount,
      sent_amount: 0,
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

describe('unsentTotals', () => {
  it('leaves out what payments cover that are not confirmed', () => {
    const lines = [
      aCharge({ amount: 10, open_amount: 7.5, sent_amount: 2.5 }),
      aCharge({ id: 2, amount: 4, sent_amount: 4, status: 'sent' }),
      aCharge({ id: 3, amount: 1.5, direction: 'you_owe' }),
    ];
    expect(openTotals(lines, 'USD').net).toBe(10);
    expect(unsentTotals(lines, 'USD')).toEqual({ theyOwe: 5, youOwe: 1.5, net: 3.5 });
    expect(unsentLines(lines).map(({ id }) => id)).toEqual([1, 3]);
  });
});

describe('byAsset', () => {
  it('groups charges by asset and direction, the largest first, and adds up what is open and what is not sent', () => {
    const lines = [
      aCharge({ amount: 2.1 }),
      aCharge({ id: 2, asset_id: 4, asset_name: 'Car', amount: 9, direction: 'you_owe' }),
      aCharge({ id: 3, amount: 3.2, sent_amount: 1 }),
      aCharge({ id: 4, amount: 1, direction: 'you_owe' }),
      aCharge({ id: 5, amount: 7, status: 'paid' }),
    ];
    expect(
      byAsset(lines, 'USD').map(({ lines, key: _key, ...group }) => [...lines.map(({ id }) => id), group]),
    ).toEqual([
      [1, 3, 5, { name: 'Films', direction: 'they_owe', open: 5.3, unsent: 4.3 }],
      [2, { name: 'Car', direction: 'you_owe', open: 9, unsent: 9 }],
      [4, { name: 'Films', direction: 'you_owe', open: 1, unsent: 1 }],
    ]);
  });

  it('keeps deleted assets apart by their names', () => {
    const deleted = (asset_name: string) => aCharge({ asset_id: null, asset_name });
    expect(byAsset(['Gym', 'Car', 'Gym'].map(deleted), 'USD').map(({ name, open }) => [name, open])).toEqual([
      ['Gym', 10],
      ['Car', 5],
    ]);
  });
});

describe('monthsText', () => {
  // Months of the same year are named without it.
  beforeEach(() => void vi.setSystemTime('2026-11-18T12:00:00.000Z'));
  afterEach(() => void vi.useRealTimers());

  it.each([
    [['2026-10'], 'October'],
    [['2026-10', '2026-10'], 'October'],
    [['2025-10'], 'October 2025'],
    [['2026-10', '2026-08', '2026-09'], '3 months, August to October'],
    [['2026-10', '2026-02'], '2 months, February to October'],
    [['2025-12', '2026-01'], '2 months, December 2025 to January'],
  ])('says %j as %s', (months, text) => {
    expect(monthsText(months.map((month) => ({ month })))).toBe(text);
  });
});

describe('undoKind', () => {
  it('tells undoing a confirmation from undoing a payment', () => {
    const event = { kind: 'confirmed', username: 'mira', at: '2026-11-06T12:00:00.000Z' } as const;
    expect(undoKind(aSettlement())).toBe('alone');
    expect(undoKind(aSettlement({ events: [{ ...event, kind: 'sent' }, event] }))).toBe('confirmation');
    expect(undoKind(aSettlement({ can: { ...aSettlement().can, undo: 'ask' } }))).toBe('ask');
  });
});

describe('findNextMark', () => {
  const describeMark = (
    status: 'due' | 'sent' | 'paid' | null,
    reader: Reader,
    settled = false,
    sent_amount: number | null = 0,
    open_amount = 10,
    hoursAgo = 72,
  ) => {
    const status_since = status === 'due' ? null : new Date(serverNow() - hoursAgo * 3_600_000 + 60_000).toISOString();
    const next = findNextMark({ status, status_since, settled, amount: 10, open_amount, sent_amount }, reader);
    return next && `${next} → ${markedStatus(next)}`;
  };

  it('lets an owner undo a mark as paid for 72 hours, and a member one as sent at any time', () => {
    expect(describeMark('paid', 'owner', false, 0, 10, 73)).toBeNull();
    expect(describeMark('sent', 'self', false, 0, 10, 73)).toBe('undo-sent → due');
  });

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

  it('is null while a payment covers part of the line, which shows its status', () => {
    expect([describeMark('due', 'self', false, 1), describeMark('sent', 'owner', false, 5)]).toEqual([null, null]);
  });

  it('can only be undone once part of the line is paid', () => {
    const marks = (['due', 'sent', 'paid'] as const).flatMap((status) =>
      (['self', 'owner'] as const).map((reader) => describeMark(status, reader, false, 0, status === 'paid' ? 0 : 6)),
    );
    expect(marks).toEqual([null, null, 'undo-sent → due', null, null, 'undo-paid → due']);
  });

  it('is null on an estimate and on a settled line', () => {
    expect([
      describeMark(null, 'owner'),
      describeMark('paid', 'owner', true),
      describeMark('paid', 'self', true),
    ]).toEqual([null, null, null]);
  });
});

describe('the marks of a negative line', () => {
  const line = {
    status: 'due' as const,
    status_since: null,
    settled: false,
    amount: -10,
    open_amount: 10,
    sent_amount: 0,
  };

  it('are those of the other side, unless there is no one to set them', () => {
    const readers = (change: Parameters<typeof markReader>[0]) => [
      markReader(change, 'owner'),
      markReader(change, 'self'),
    ];
    expect(readers({ amount: 10, username: 'ben', hue: 3 })).toEqual(['owner', 'self']);
    expect(readers({ amount: -10, username: 'ben', hue: 3 })).toEqual(['self', 'owner']);
    expect(markReader({ amount: -10, username: 'Oma (ana)', hue: 3 }, 'owner')).toBe('owner');
    expect(markReader({ amount: -10, username: 'ben', hue: null }, 'owner')).toBe('owner');
  });

  it('can only be undone once part of it is paid', () => {
    expect(findNextMark(line, 'owner')).toBe('paid');
    expect(findNextMark({ ...line, open_amount: 6 }, 'owner')).toBeNull();
  });
});

describe('findLargestDebt', () => {
  const owe = (username: string, currency: string, amount: number, sent_amount = 0) =>
    aBalance({ username, currency, lines: [aCharge({ amount, sent_amount, direction: 'you_owe' })] });

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

  it('skips what is sent and waits for being confirmed', () => {
    expect(findLargestDebt([owe('ana', 'USD', 20, 20), owe('ben', 'USD', 5, 1)])?.username).toBe('ben');
  });

  it('is the first of the debts; what others owe is none', () => {
    const owed = aBalance({ username: 'eve', lines: [aCharge({ amount: 90, direction: 'they_owe' })] });
    const balances = [owed, owe('ana', 'USD', 20), owe('ben', 'USD', 30)];
    expect(uncoveredDebts(balances).map(({ username }) => username)).toEqual(['ben', 'ana']);
    expect(findLargestDebt([owed])?.username).toBe('eve');
  });

  it('skips what was marked as paid since the last read', () => {
    const paid = owe('ana', 'USD', 20);
    expect(
      findLargestDebt([{ ...paid, lines: paid.lines.map((line) => ({ ...line, status: 'paid' })) }]),
    ).toBeUndefined();
  });
});
