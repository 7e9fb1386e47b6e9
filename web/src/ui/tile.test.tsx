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

it.each([
  ['Car share', 'lucide-car', 'bg-move'],
  ['Sprachkurs', 'lucide-languages', 'bg-learn'],
  ['Cloud backup', 'lucide-cloud', 'bg-store'],
  ['家族の車', 'lucide-car', 'bg-move'],
  ['Familienauto', 'lucide-car', 'bg-move'],
  ['Autodesk', 'lucide-briefcase', 'bg-work'],
  ['Oscar', 'lucide-box', ''],
])('a tile named %s has a glyph instead of a letter', (name, glyph, tint) => {
  const shown = tile({ name });
  expect(shown.textContent).toBe('');
  expect(shown.querySelector(`.${glyph}`)).not.toBeNull();
  expect(shown.className).toContain(tint);
});

it('a tile is hidden from screen readers', () => {
  expect(tile({ name: 'Netflix Premium' }).getAttribute('aria-hidden')).toBe('true');
});
