import { afterEach, beforeEach, expect, it } from 'vitest';
import page from '../../index.html?raw';
import { chooseTheme, startTheme } from './theme.ts';

const inForce = () =>
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

it("the browser's bars follow the system until the viewer chooses", () => {
  const asBuilt = [
    ['light', '(prefers-color-scheme: light)'],
    ['dark', '(prefers-color-scheme: dark)'],
  ];
  expect(inForce()).toEqual(asBuilt);
  chooseTheme('dark');
  chooseTheme('system');
  expect(inForce()).toEqual(asBuilt);
});

it.each([
  ['light', 'all', 'not all'],
  ['dark', 'not all', 'all'],
] as const)("the browser's bars take the %s theme when it is chosen", (choice, light, dark) => {
  chooseTheme(choice);
  expect(inForce()).toEqual([
    ['light', light],
    ['dark', dark],
  ]);
});
