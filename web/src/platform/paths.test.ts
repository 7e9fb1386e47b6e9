import { expect, it } from 'vitest';
import { addressIn, claimTokenIn, pathOfAddress, tokenIn } from './paths.ts';

it.each([
  ['en', '/', '/'],
  ['de', '/', '/de'],
  ['pt-BR', '/about', '/pt-BR/about'],
] as const)('in %s the page %s is at %s', (language, path, address) => {
  expect(addressIn(language, path)).toBe(address);
  expect(pathOfAddress(address)).toBe(path);
});

it.each(['/login', '/dashboard', '/costs/1/2026-11'])('%s has one address in all languages', (path) => {
  expect(addressIn('de', path)).toBe(path);
});

it.each(['/de/dashboard', '/en', '/en/about', '/DE/about', '/demo', '/fr/nothing', '/sv/about'])(
  '%s is no address of a public page',
  (address) => {
    expect(pathOfAddress(address)).toBe(address);
  },
);

it('/de/ is the landing page too', () => {
  expect(pathOfAddress('/de/')).toBe('/');
});

it.each(['', '/', '\u200b', '.', '?fbclid=1', ' is the link'])(
  'the token of a link is found before %j, which is often copied along',
  (rest) => {
    expect(tokenIn(`https://hours.example/invite/a_b-C1${rest}`)).toBe('a_b-C1');
    expect(claimTokenIn(` https://hours.example/claim/a_b-C1${rest}`)).toBe('a_b-C1');
    expect(tokenIn(`https://hours.example/claim/a_b-C1${rest}`)).toBeUndefined();
  },
);
