// @vitest-environment happy-dom
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser, storeTestSignIn } from '../../testing/fake-server.ts';
import { clearSignIn, currentSignIn, followOtherTabs, restoreSignIn, storeSignIn } from '../auth/sign-in.ts';
import { NoConnection } from '../http/errors.ts';
import { followErasing } from './erasing.ts';
import { startOffline } from './offline.ts';
import { enqueue, queue, type Press } from './queue.ts';
import { storedQueries, storedQueue } from './storage.ts';

const press: Press = { shareId: 7, asset: 'Figma', verb: 'start', at: 0 };
const outcome = { ...press, id: 'a', at: '2026-11-20T12:00:00Z', result: null };

const unsubscribe = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
const close = vi.fn<() => void>();
let stops: (() => void)[] = [];

/** Stores something in both databases, and leaves them open. */
async function fillDatabases(): Promise<void> {
  await storedQueries(1).update(() => ({ build: 'a', queries: ['mine'] }));
  await storedQueue(1).update(() => ({ presses: [press], outcomes: [outcome] }));
}
const databases = async () => (await indexedDB.databases()).map(({ name }) => name);

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('indexedDB', new IDBFactory());
  const registration = {
    getNotifications: () => Promise.resolve([{ close }]),
    pushManager: { getSubscription: () => Promise.resolve({ unsubscribe }) },
  };
  const serviceWorker = { getRegistration: () => Promise.resolve(registration) };
  vi.stubGlobal('navigator', { onLine: true, serviceWorker });
  localStorage.clear();
  sessionStorage.clear();
  storeTestSignIn('a', 'r');
  restoreSignIn();
  stops = [followErasing(), followOtherTabs(() => undefined)];
});
afterEach(() => stops.forEach((stop) => stop()));

it('nothing of a user survives their sign-out, in the same tab and with open databases', async () => {
  localStorage.setItem('hourshare_push', '7');
  localStorage.setItem('hourshare_events_1', '7 1');
  localStorage.setItem('hourshare_own_price_3', '15.99');
  localStorage.setItem('hourshare_theme', 'dark');
  sessionStorage.setItem('hourshare_seen_notice', '7');
  // Imported while a user is signed in, as in the app.
  const { queryClient } = await import('../http/query-client.ts');
  const offline = startOffline({
    client: queryClient,
    userId: 1,
    send: () => Promise.reject(new NoConnection()),
    onSent: () => Promise.resolve(),
    onOutcomes: () => undefined,
  });
  const hide = () => document.dispatchEvent(new Event('visibilitychange'));
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await queryClient.fetchQuery({ queryKey: ['GET /api/assets/', {}], queryFn: () => ({ results: ['mine'] }) });
  hide();
  expect(await enqueue(press)).toBe(true);
  await vi.waitFor(async () => expect(await storedQueries(1).get()).toMatchObject({ queries: [{}] }));
  expect(await storedQueue(1).get()).toMatchObject({ presses: [press] });

  const late = enqueue({ ...press, verb: 'end' });
  clearSignIn('logout');
  hide();
  await late;
  offline.stop();

  await vi.waitFor(async () => expect(await databases()).toEqual([]));
  expect(Object.entries(localStorage)).toEqual([['hourshare_theme', 'dark']]);
  expect(Object.entries(sessionStorage)).toEqual([]);
  expect([queryClient.getQueryCache().getAll(), queue.get(), currentSignIn()]).toEqual([[], [], null]);
  await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalledTimes(1));
  expect(close).toHaveBeenCalledTimes(1);
});

describe('what is stored of a user', () => {
  beforeEach(fillDatabases);

  it('keeps only presses that wait, for whom the server signed out', async () => {
    clearSignIn('expired');
    await vi.waitFor(async () => expect(await databases()).toEqual(['hourshare-presses']));
    await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalledTimes(1));
    storeTestSignIn('a', 'r');
    restoreSignIn();
    expect(await storedQueue(1).get()).toEqual({ presses: [press], outcomes: [] });
  });

  it('erases in a tab what another tab signed out of', async () => {
    sessionStorage.setItem('hourshare_seen_notice', '7');
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(sessionStorage).toHaveLength(0);
    await vi.waitFor(async () => expect(await databases()).not.toContain('hourshare-state'));
  });

  it('erases what another user has left when someone signs in', async () => {
    storeSignIn({ access: 'b', refresh: 's', user: { ...aUser, id: 2 } });
    await vi.waitFor(async () => expect(await databases()).not.toContain('hourshare-state'));
    expect(unsubscribe).not.toHaveBeenCalled();
  });
});

it('signs out where the browser refuses all of this', () => {
  vi.stubGlobal('indexedDB', undefined);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('sessionStorage', undefined);
  clearSignIn('logout');
  expect(localStorage).toHaveLength(0);
});
