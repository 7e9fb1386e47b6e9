import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Ring } from './ring.tsx';

afterEach(cleanup);

const LENGTH = 2 * Math.PI * 44.5;

/** Returns the color of each arc on the ring, with where it begins and its length, as parts of a turn. */
function arcs(ring: Parameters<typeof Ring>[0]) {
  const circles = render(<Ring {...ring} />).container.querySelectorAll('circle[stroke-dasharray]');
  return Array.from(circles, (circle) => [
    circle.getAttribute('stroke')?.replace(/url\(.*\)/, 'hatch'),
    (Number(/rotate\((-?[\d.]+)/.exec(circle.getAttribute('transform') ?? '')?.[1]) + 90) / 360,
    Math.round((Number(circle.getAttribute('stroke-dasharray')?.split(' ')[0]) / LENGTH) * 100) / 100,
  ]);
}

it('a ring shows what runs after what was used before', () => {
  expect(arcs({ part: 0.75, running: 0.25 })).toEqual([
    ['var(--accent)', 0, 0.5],
    ['var(--live)', 0.5, 0.25],
  ]);
  cleanup();
  expect(arcs({ part: 0.25, running: 0.25 })).toEqual([['var(--live)', 0, 0.25]]);
});

it('a ring beyond the allowance is the use, with what is over hatched', () => {
  expect(arcs({ part: 2, running: 0.25 })).toEqual([
    ['var(--accent)', 0, 0.5],
    ['hatch', 0.5, 0.5],
  ]);
});
