// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { chooseSingleKeys, findShortcut } from './keys.ts';

afterEach(() => localStorage.clear());

const press = (key: string, rest: KeyboardEventInit = {}) =>
  findShortcut(new KeyboardEvent('keydown', { key, ...rest }));

test('Ctrl or Cmd and K open the palette, also on keyboards without Latin letters', () => {
  expect(press('k', { ctrlKey: true })).toBe('palette');
  expect(press('k', { metaKey: true })).toBe('palette');
  expect(press('ن', { ctrlKey: true, code: 'KeyK' })).toBe('palette');
});

test('single characters open the filter and the list of keys', () => {
  expect([press('/'), press('?', { shiftKey: true })]).toEqual(['filter', 'keys']);
  // With Shift on a German keyboard.
  expect(press('/', { shiftKey: true })).toBe('filter');
});

test('other keys are left to the browser', () => {
  expect(press('k')).toBeNull();
  expect(press('K', { ctrlKey: true, shiftKey: true })).toBeNull();
  expect(press('k', { ctrlKey: true, metaKey: true })).toBeNull();
  expect(press('t', { ctrlKey: true, code: 'KeyK' })).toBeNull();
  expect(press('/', { ctrlKey: true })).toBeNull();
  expect(press('/', { isComposing: true })).toBeNull();
});

test('single characters can be turned off, and are typed in fields', () => {
  const typed = (type: string) => {
    const field = document.body.appendChild(Object.assign(document.createElement('input'), { type }));
    let found: unknown;
    field.addEventListener('keydown', (event) => (found = findShortcut(event)));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
    field.remove();
    return found;
  };
  expect([typed('text'), typed('radio')]).toEqual([null, 'filter']);
  chooseSingleKeys(false);
  expect(press('/')).toBeNull();
  expect(press('k', { ctrlKey: true })).toBe('palette');
  chooseSingleKeys(true);
  expect(press('/')).toBe('filter');
});
