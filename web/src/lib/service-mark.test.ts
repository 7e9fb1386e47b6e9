import { describe, expect, it } from 'vitest';
import css from '../styles/marks.css?raw';
import { markedServices, serviceMarkOf } from './service-mark.ts';

describe('the service that a name speaks of', () => {
  it.each([
    ['Netflix', 'netflix'],
    ['Netflix family', 'netflix'],
    ['our NETFLIX', 'netflix'],
    ['Spotify, six seats', 'spotify'],
    ['1Password Families', '1password'],
    ['Bitwarden-Abo für alle', 'bitwarden'],
  ])('is found in %s', (name, mark) => {
    expect(serviceMarkOf(name)).toBe(mark);
  });

  it.each([
    ['YouTube Music', 'youtubemusic'],
    ['YouTube Premium', 'youtube'],
    ['Apple TV+', 'appletv'],
    ['Apple One', 'apple'],
    ['HBO Max', 'hbo'],
    ['Google Drive 2 TB', 'googledrive'],
    ['The New York Times', 'newyorktimes'],
  ])('is the one with the longest name that fits: %s', (name, mark) => {
    expect(serviceMarkOf(name)).toBe(mark);
  });

  it('is the same however its words are spaced and its plus is written', () => {
    expect(['Proton VPN', 'ProtonVPN', 'proton-vpn'].map(serviceMarkOf)).toEqual(Array(3).fill('protonvpn'));
    expect(['Paramount+', 'Paramount Plus'].map(serviceMarkOf)).toEqual(Array(2).fill('paramountplus'));
  });

  it('is the first of two whose names are equally long', () => {
    expect(serviceMarkOf('Netflix + Spotify')).toBe('netflix');
    expect(serviceMarkOf('Spotify + Netflix')).toBe('spotify');
  });

  it.each(['Pineapple', 'Netflixx', 'Steamer', 'Notional', 'Disney+', 'Car share', 'सदस्यता', '', '  ', '+'])(
    'is nobody for "%s"',
    (name) => {
      expect(serviceMarkOf(name)).toBeNull();
    },
  );
});

it('every service with a mark has its picture, and every picture its service', () => {
  const pictures = [...css.matchAll(/\.mark-(\w+) \{\s+--mark: url\('simple-icons\/icons\/(\w+)\.svg'\);/g)];
  expect(pictures.map(([, service]) => service)).toEqual(markedServices);
  expect(pictures.map(([, , file]) => file)).toEqual(markedServices);
});
