// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import page from '../../index.html?raw';
import { watchTheme } from './theme-changes.ts';
import { chooseTheme, startTheme } from './theme.ts';

const themeColors = () =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map((meta) => [
    meta.dataset['theme'],
    meta.media,
  ]);

beforeEach(() => {
  localStorage.clear();
  const built = new DOMParser().parseFromString(page, 'text/html');
  document.head.replaceChildren(...built.querySelectorAll('meta[name="theme-color"]'));
  startTheme();
});
afterEach(() => {
  chooseTheme('system');
  document.head.replaceChildren();
});

it('the browser theme color follows the system until a theme is chosen', () => {
  const defaults = [
    ['light', '(prefers-color-scheme: light)'],
    ['dark', '(prefers-color-scheme: dark)'],
  ];
  expect(themeColors()).toEqual(defaults);
  chooseTheme('dark');
  chooseTheme('system');
  expect(themeColors()).toEqual(defaults);
});

it.each([
  ['light', 'all', 'not all'],
  ['dark', 'not all', 'all'],
] as const)('the browser theme color follows the chosen %s theme', (choice, light, dark) => {
  chooseTheme(choice);
  expect(themeColors()).toEqual([
    ['light', light],
    ['dark', dark],
  ]);
});

it('watchTheme reports system and print color changes until stopped', () => {
  const queries = new Map<string, EventTarget>();
  const matchMedia = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const target = queries.get(query) ?? new EventTarget();
    queries.set(query, target);
    return target as MediaQueryList;
  });
  const changed = vi.fn<() => void>();
  const stop = watchTheme(changed);
  for (const query of ['(prefers-color-scheme: dark)', 'print']) queries.get(query)?.dispatchEvent(new Event('change'));
  expect(changed).toHaveBeenCalledTimes(2);
  stop();
  queries.get('print')?.dispatchEvent(new Event('change'));
  expect(changed).toHaveBeenCalledTimes(2);
  matchMedia.mockRestore();
});
