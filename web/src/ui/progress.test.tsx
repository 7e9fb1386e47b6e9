import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { HourStrip } from './progress.tsx';

afterEach(cleanup);

it.each([
  [0, '0', undefined],
  [0.25, '25', '25%'],
  [1, '100', '100%'],
  [1.25, '100', '100%'],
])('a bar with the part %d is capped at 100 percent', (part, percent, width) => {
  render(<HourStrip label="Hours used" valueText="in words" segments={[{ key: 'used', part, tone: 'accent' }]} />);
  const bar = screen.getByRole('progressbar', { name: 'Hours used' });
  expect(bar.getAttribute('aria-valuenow')).toBe(percent);
  expect(bar.querySelector<HTMLElement>('[style]')?.style.width).toBe(width);
});
