import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { HourStrip } from './progress.tsx';
import { hueOf } from './hue.ts';

afterEach(cleanup);

type Strip = Partial<Parameters<typeof HourStrip>[0]>;

function show(hours: number[], strip: Strip = {}) {
  const segments = hours.map((hours, index) => ({ key: index, hours, tone: hueOf(index) }));
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

  it('marks today, unless more was used than allowed', () => {
    const marks = ({ bar }: ReturnType<typeof show>) => bar.querySelectorAll('[style*="inset-inline-start"]').length;
    expect(marks(show([5], { today: 0.5 }))).toBe(1);
    cleanup();
    expect(marks(show([25], { today: 0.5 }))).toBe(0);
  });

  it('grows beyond the allowance, and says how much is over', () => {
    const { bar, said, widths } = show([10, 30], { today: 0.5 });
    // A quarter of the first member, a quarter of the second up to the allowance, and half over it.
    expect(widths).toEqual(['100%', '25%', '25%', '50%']);
    expect(bar.querySelectorAll('.pattern-hatch')).toHaveLength(1);
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

  it('has eight hues before one repeats', () => {
    expect(new Set(Array.from({ length: 8 }, (_, index) => hueOf(index))).size).toBe(8);
    expect(hueOf(8)).toBe(hueOf(0));
  });
});
