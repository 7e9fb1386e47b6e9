import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Tile } from './tile.tsx';

const tile = (...props: Parameters<typeof Tile>) => {
  const shown = render(<Tile {...props[0]} />).container.firstElementChild;
  if (!(shown instanceof HTMLElement)) throw new Error('Nothing was drawn');
  return shown;
};

it('a tile with a service name shows its mark instead of an initial', () => {
  const shown = tile({ name: 'Netflix Premium' });
  expect(shown.querySelector('.mark-netflix')).not.toBeNull();
  expect(shown.textContent).toBe('');
});

it('a tile with any other name shows its initial in the same box', () => {
  const shown = tile({ name: 'Car share' });
  expect(shown.textContent).toBe('C');
  expect(shown.className).toBe(tile({ name: 'Netflix Premium' }).className);
});

it('a disc for a person named like a service shows the initial', () => {
  expect(tile({ name: 'pandora', shape: 'disc' }).textContent).toBe('P');
});

it('a tile is hidden from screen readers', () => {
  expect(tile({ name: 'Netflix Premium' }).getAttribute('aria-hidden')).toBe('true');
});
