// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { fillGaps } from './browser-gaps.ts';

const real = new Map(
  ['localStorage', 'BroadcastChannel', 'PerformanceObserver', 'matchMedia'].map((name) => [
    name,
    Object.getOwnPropertyDescriptor(window, name),
  ]),
);
afterEach(() => {
  for (const [name, descriptor] of real)
    if (descriptor) Object.defineProperty(window, name, { ...descriptor, configurable: true });
});

const refuse = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
};

it('a storage that is refused lasts as long as the page', () => {
  Object.defineProperty(window, 'localStorage', { configurable: true, get: refuse });
  fillGaps();
  localStorage.setItem('user', 'mira');
  localStorage.setItem('access_token', 'a');
  expect([localStorage.getItem('user'), localStorage.getItem('none'), localStorage.getItem('getItem')]).toEqual([
    'mira',
    null,
    null,
  ]);
  expect([localStorage.length, Object.keys(localStorage), localStorage.key(1)]).toEqual([
    2,
    ['user', 'access_token'],
    'access_token',
  ]);
  localStorage.removeItem('user');
  expect(localStorage.getItem('user')).toBeNull();
  localStorage.clear();
  expect(localStorage).toHaveLength(0);
});

it('what a full storage contains can still be read', () => {
  const full = Object.assign(Object.create({ setItem: refuse, removeItem: () => {} }), { user: 'mira' });
  Object.defineProperty(window, 'localStorage', { configurable: true, value: full });
  fillGaps();
  localStorage.setItem('access_token', 'a');
  expect([localStorage.getItem('user'), localStorage.getItem('access_token')]).toEqual(['mira', 'a']);
});

it('what is missing or refused does nothing', () => {
  vi.stubGlobal('matchMedia', undefined);
  vi.stubGlobal('PerformanceObserver', undefined);
  vi.stubGlobal('BroadcastChannel', refuse);
  fillGaps();
  expect(window.matchMedia('print').matches).toBe(false);
  window.matchMedia('print').addEventListener('change', () => {});
  new PerformanceObserver(() => {}).observe({ type: 'resource' });
  const channel = new BroadcastChannel('a');
  channel.addEventListener('message', () => {});
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
  channel.postMessage('b');
  channel.close();
});
