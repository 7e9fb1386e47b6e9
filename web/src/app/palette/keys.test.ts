import { expect, test } from 'vitest';
import { opensPalette } from './keys.ts';

const press = (key: string, rest: KeyboardEventInit = {}) =>
  opensPalette(new KeyboardEvent('keydown', { key, ...rest }));

test('Ctrl or Cmd and K open the palette, also on keyboards without Latin letters', () => {
  expect(press('k', { ctrlKey: true })).toBe(true);
  expect(press('k', { metaKey: true })).toBe(true);
  expect(press('ن', { ctrlKey: true, code: 'KeyK' })).toBe(true);
});

test('other keys are left to the browser', () => {
  expect(press('k')).toBe(false);
  expect(press('/')).toBe(false);
  expect(press('K', { ctrlKey: true, shiftKey: true })).toBe(false);
  expect(press('k', { ctrlKey: true, metaKey: true })).toBe(false);
  expect(press('t', { ctrlKey: true, code: 'KeyK' })).toBe(false);
  expect(press('k', { ctrlKey: true, repeat: true })).toBe(false);
});
