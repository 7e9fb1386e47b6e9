// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aUser, storeTestSignIn } from '../../testing/fake-server.ts';
import { followErasing } from './erasing.ts';
import { clearSignIn, followOtherTabs, restoreSignIn, storeSignIn } from '../auth/sign-in.ts';

const unsubscribe = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
const close = vi.fn<() => void>();
const deleteDatabase = vi.fn<(name: string) => void>();
const deleted = () => deleteDatabase.mock.calls.flat();
let stops: (() => void)[] = [];

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('indexedDB', { deleteDatabase });
  const registration = {
    getNotifications: () => Promise.resolve([{ close }]),
    pushManager: { getSubscription: () => Promise.resolve({ unsubscribe }) },
  };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  localStorage.clear();
  storeTestSignIn('a', 'r');
  restoreSignIn();
  stops = [followErasing(), followOtherTabs(() => undefined)];
});
afterEach(() => stops.forEach((stop) => stop()));

it('erases everything of a user who signs out, and keeps the choices of the device', async () => {
  localStorage.setItem('hourshare_push', '7');
  localStorage.setItem('hourshare_events_1', '7 1');
  localStorage.setItem('hourshare_theme', 'dark');
  sessionStorage.setItem('hourshare_seen_notice', '7');
  clearSignIn('logout');
  expect([Object.entries(localStorage), Object.entries(sessionStorage)]).toEqual([[['hourshare_theme', 'dark']], []]);
  expect(deleted()).toEqual(['hourshare-state', 'hourshare-presses']);
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalledTimes(1));
  expect(close).toHaveBeenCalledTimes(1);
});

it('keeps presses that wait for whom the server signed out', async () => {
  clearSignIn('expired');
  expect(deleted()).toEqual(['hourshare-state']);
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalledTimes(1));
});

it('erases in a tab what another tab signed out of', async () => {
  sessionStorage.setItem('hourshare_seen_notice', '7');
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  expect([deleted(), sessionStorage.length]).toEqual([['hourshare-state'], 0]);
});

it('erases what another user has left when someone signs in', () => {
  storeSignIn({ access: 'b', refresh: 's', user: { ...aUser, id: 2 } });
  expect(deleted()).toEqual(['hourshare-state']);
  expect(unsubscribe).not.toHaveBeenCalled();
});

it('signs out where the browser refuses all of this', () => {
  vi.stubGlobal('indexedDB', undefined);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('sessionStorage', undefined);
  clearSignIn('logout');
  expect(localStorage).toHaveLength(0);
});
