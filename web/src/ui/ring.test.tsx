import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Ring } from './ring.tsx';

afterEach(cleanup);

/** Returns the colors of the lines across the ring, with their position in degrees. */
function cuts(ring: Parameters<typeof Ring>[0]) {
  const lines = render(<Ring {...ring} />).container.querySelectorAll('g line');
  return Array.from(lines, (line) => [
    line.getAttribute('stroke'),
    Number(/rotate\(([\d.]+)/.exec(line.getAttribute('transform') ?? '')?.[1]),
  ]);
}

it('a ring sets the running part apart from what was used before, and ends it with an edge', () => {
  expect(cuts({ part: 0.75, running: 0.25 })).toEqual([
    ['var(--surface)', 180],
    ['var(--live-text)', 270],
  ]);
  cleanup();
  expect(cuts({ part: 0.25, running: 0.25 })).toEqual([['var(--live-text)', 90]]);
});

it('a ring beyond the allowance has a notch there', () => {
  expect(cuts({ part: 2, running: 0.25 })).toEqual([['var(--over-text)', 180]]);
});
