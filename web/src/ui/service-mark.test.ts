import { describe, expect, it } from 'vitest';
import css from '../styles/marks.css?raw';
import { markedServices, findServiceMark } from './service-mark.ts';

describe('findServiceMark', () => {
  it.each([
    ['Netflix', 'netflix'],
    ['Netflix family', 'netflix'],
    ['our NETFLIX', 'netflix'],
    ['Spotify, six seats', 'spotify'],
    ['1Password Families', '1password'],
    ['Bitwarden-Abo für alle', 'bitwarden'],
  ])('finds the service in %s', (name, mark) => {
    expect(findServiceMark(name)).toBe(mark);
  });

  it.each([
    ['YouTube Music', 'youtubemusic'],
    ['YouTube Premium', 'youtube'],
    ['Apple TV+', 'appletv'],
    ['Apple One', 'apple'],
    ['HBO Max', 'hbo'],
    ['Google Drive 2 TB', 'googledrive'],
    ['The New York Times', 'newyorktimes'],
  ])('prefers the longest matching name: %s', (name, mark) => {
    expect(findServiceMark(name)).toBe(mark);
  });

  it('ignores spacing and the spelling of plus', () => {
    expect(['Proton VPN', 'ProtonVPN', 'proton-vpn'].map(findServiceMark)).toEqual(Array(3).fill('protonvpn'));
    expect(['Paramount+', 'Paramount Plus'].map(findServiceMark)).toEqual(Array(2).fill('paramountplus'));
  });

  it('returns the first of two equally long matches', () => {
    expect(findServiceMark('Netflix + Spotify')).toBe('netflix');
    expect(findServiceMark('Spotify + Netflix')).toBe('spotify');
  });

  it.each(['Pineapple', 'Netflixx', 'Steamer', 'Notional', 'Disney+', 'Car share', 'सदस्यता', '', '  ', '+'])(
    'returns null for "%s"',
    (name) => {
      expect(findServiceMark(name)).toBeNull();
    },
  );
});

it('every marked service has its place among the marks, and every place a service', () => {
  const places = [...css.matchAll(/\.mark-(\w+) \{\s+--mark: (\d+);/g)];
  expect(places.map(([, service]) => service)).toEqual(markedServices);
  expect(places.map(([, , place]) => Number(place))).toEqual(markedServices.map((_, index) => index));
  const last = markedServices.length - 1;
  expect(css).toContain(`calc(var(--mark) / ${last} * 100%) / 100% calc(100% * ${last * 26 + 24} / 24)`);
});
