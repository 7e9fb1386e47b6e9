import { describe, expect, it } from 'vitest';
import { aLine, aStatement, bensLine } from '../../testing/records.ts';
import { amountChange, changeText, closingText, paidText, usedTotal, waitingFor, waitingText } from './rules.ts';

describe('month status', () => {
  it('describes the closing date', () => {
    const closes_at = '2026-12-04T12:00:00.000Z';
    expect(closingText({ ended: false, closed: false, closes_at })).toBe('Closes on December 4');
    expect(closingText({ ended: true, closed: false, closes_at })).toBe('Open until December 4');
    expect(closingText({ ended: true, closed: true, closes_at })).toBe('');
  });

  it('names the members who may still edit, up to three', () => {
    const closing = { closes_at: '2026-12-04T12:00:00.000Z' };
    expect(waitingText(['ana', 'cem'], closing)).toBe(
      "Waiting for ana and cem to say there's nothing to edit. Closes by itself on December 4.",
    );
    expect(waitingText(['ana', 'ben', 'cem', 'dan', 'eve'], closing)).toMatch(
      /^Waiting for ana, ben, cem, and 2 others to/,
    );
  });

  it('waits for the members of open months that would be closed too, and for no one else', () => {
    const may = (username: string) => bensLine({ username });
    const ended = aStatement({ ended: true });
    const statements = [
      aStatement({ month: '2026-12', lines: [may('eve')] }),
      { ...ended, lines: [aLine(), may('ana'), bensLine({ confirmed_at: '2026-12-01T12:00:00.000Z' })] },
      { ...ended, month: '2026-10', lines: [may('ana'), may('cem')] },
      { ...ended, month: '2026-09', closed: true, lines: [may('dan')] },
    ];
    expect(waitingFor(statements, '2026-11')).toEqual(['ana', 'cem']);
    expect(waitingFor(statements, '2026-10')).toEqual(['ana', 'cem']);
    expect(waitingFor(statements, '2026-09')).toEqual([]);
    // No one without an account is asked.
    expect(waitingFor([{ ...ended, lines: [may('ana'), may('Grandma (ben)')] }], '2026-11')).toEqual(['ana']);
  });

  it('counts paid lines among members who owe something', () => {
    const line = (amount: number, status: 'due' | 'paid' | null) => ({
      role: status === null ? ('owner' as const) : ('member' as const),
      amount,
      status,
    });
    expect(paidText([line(9, null), line(1, 'paid'), line(2, 'due'), line(0, 'due')])).toBe('1 of 2 paid');
    expect(paidText([line(9, null), line(1, 'paid')])).toBe('All paid');
    expect(paidText([line(9, null), line(0, 'due')])).toBe('No one owes anything');
  });
});

it('the sum of hours is that of the hours shown', () => {
  expect(usedTotal([{ used_hours: 0.1 }, { used_hours: 0.2 }, { used_hours: 1.25 }])).toBe(1.55);
});

describe('a change of amount', () => {
  it('is exact to the cent and shows its sign', () => {
    expect([amountChange(0.1, 0.3, 'USD'), amountChange(2, 1.1, 'USD')]).toEqual([0.2, -0.9]);
    expect([1.2, -0.4, 0].map((change) => changeText(change, 'USD'))).toEqual(['+$1.20', '−$0.40', '–']);
  });
});
