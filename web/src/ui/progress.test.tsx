import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { HourStrip } from './progress.tsx';
import { toneAt } from './swatch.tsx';

afterEach(cleanup);

type Strip = Partial<Parameters<typeof HourStrip>[0]>;

function show(hours: number[], strip: Strip = {}) {
  const segments = hours.map((hours, index) => ({ key: index, hours, tone: toneAt(index) }));
  render(<HourStrip label="Hours used" valueText="in words" segments={segments} allowance={20} {...strip} />);
  const bar = screen.getByRole('progressbar', { name: 'Hours used' });
  const widths = Array.from(bar.querySelectorAll<HTMLElement>('[style*="width"]'), ({ style }) => style.width);
  return { bar, widths, said: ['aria-valuenow', 'aria-valuetext'].map((name) => bar.getAttribute(name)) };
}

describe('a strip of hours', () => {
  it.each([
    [0, '0', '0%'],
    [5, '25', '25%'],
    [20, '100', '100%'],
    [25, '100', '100%'],
  ])('with %d of 20 hours is capped at 100 percent', (hours, percent, width) => {
    const { said, widths } = show([hours]);
    expect([said[0], widths[0]]).toEqual([percent, width]);
  });

  it('prints its end and marks today', () => {
    const { bar, said } = show([5], { today: 0.5 });
    expect(bar.textContent).toBe('today20 h');
    expect(said).toEqual(['25', 'in words']);
  });

  it('leaves out the word at the end of the month, and everything but the bar in a list', () => {
    expect(show([5], { today: 0.9 }).bar.textContent).toBe('20 h');
    cleanup();
    expect(show([5], { today: 0.5, bare: true }).bar.textContent).toBe('');
  });

  it('grows beyond the allowance, marks it, and says how much is over', () => {
    const { bar, said, widths } = show([10, 30], { today: 0.5 });
    // A quarter of the first member, a quarter of the second up to the allowance, and half over it.
    expect(widths).toEqual(['100%', '25%', '25%', '50%']);
    expect(bar.querySelectorAll('.pattern-hatch')).toHaveLength(1);
    expect(bar.textContent).toBe('20 h+20 h');
    expect(said).toEqual(['100', 'in words, 20 h over']);
  });

  it('ends a segment at the allowance without a sliver of the next one', () => {
    // 1.1 - 0.8 - 0.3 is not exactly zero.
    const { bar } = show([0.8, 0.3, 5], { allowance: 1.1 });
    expect(bar.querySelector('.bg-m2')).not.toBeNull();
    expect(bar.querySelector('.bg-m3')).toBeNull();
  });

  it('shows use without an allowance as full, not as over', () => {
    const { bar, widths } = show([3], { allowance: 0, today: 0.5 });
    expect([widths[0], bar.querySelectorAll('.pattern-hatch').length]).toEqual(['100%', 0]);
  });

  it('has eight colors before one repeats', () => {
    expect(new Set(Array.from({ length: 8 }, (_, index) => toneAt(index))).size).toBe(8);
    expect(toneAt(8)).toBe(toneAt(0));
  });
});
