// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announceChange, type Change } from '../../platform/live/changes.ts';
import { restoreSignIn } from '../../platform/auth/sign-in.ts';
import { fakeServer, storeTestSignIn } from '../../testing/fake-server.ts';
import { recordEventId } from '../../platform/live/stream-state.ts';
import { restoreQueries } from '../../platform/offline/query-persistence.ts';
import { eventApplier } from './apply-events.ts';

let client: QueryClient;

/** Shows data that the given changes make stale. Returns how it is read. */
async function show(...staleAfter: Change[]) {
  const read = vi.fn<() => Promise<number>>(() => Promise.resolve(1));
  const observer = new QueryObserver(client, { queryKey: staleAfter, queryFn: read, meta: { staleAfter } });
  observer.subscribe(() => {});
  await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true));
  return read;
}

const event = (name: string, id = '1') => ({ id, name, data: '{}' });

beforeEach(() => {
  client = new QueryClient();
  fakeServer(() => ({ status: 404 }));
  localStorage.clear();
  storeTestSignIn('a', 'r');
  restoreSignIn();
});
afterEach(() => client.clear());

it('reads once what a burst of events changes, and nothing else', async () => {
  const sessions = await show('sessions');
  const marks = await show('marks');
  const { take, stop } = eventApplier(client);
  for (let count = 0; count < 100; count += 1) take(event('session.started'));
  await vi.waitFor(() => expect(sessions).toHaveBeenCalledTimes(2));
  expect(marks).toHaveBeenCalledTimes(1);
  stop();
});

it('reads everything when what was missed is not known', async () => {
  const sessions = await show('sessions');
  const marks = await show('marks');
  const { take, stop } = eventApplier(client);
  take(event('reset'));
  await vi.waitFor(() => expect([sessions.mock.calls.length, marks.mock.calls.length]).toEqual([2, 2]));
  stop();
});

it('reads balances again after a mark of someone else', async () => {
  const balances = await show('settlements');
  const { take, stop } = eventApplier(client);
  take(event('lines.marked'));
  await vi.waitFor(() => expect(balances).toHaveBeenCalledTimes(2));
  stop();
});

it("keeps balances after the user's own mark, so that it can be undone", async () => {
  const balances = await show('settlements');
  const statements = await show('marks');
  await announceChange(client, 'marks');
  const { take, stop } = eventApplier(client);
  take(event('lines.marked'));
  await vi.waitFor(() => expect(statements).toHaveBeenCalledTimes(3));
  expect(balances).toHaveBeenCalledTimes(1);
  take(event('settlement.changed'));
  await vi.waitFor(() => expect(balances).toHaveBeenCalledTimes(2));
  stop();
});

it('catches up when a hidden page is shown', async () => {
  const sessions = await show('sessions');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const { take, stop } = eventApplier(client);
  take(event('session.ended'));
  expect(sessions).toHaveBeenCalledTimes(1);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(sessions).toHaveBeenCalledTimes(2));
  stop();
});

// The last ones, because a page forgets no id that it has read.
it('reads nothing again that the page has read since it happened, until the database is another one', async () => {
  recordEventId('7');
  const sessions = await show('sessions');
  const { take, stop } = eventApplier(client);
  vi.useFakeTimers();
  take(event('reset', '7'));
  take(event('ready', '7'));
  take(event('session.started', '6'));
  take(event('asset.added', '8'));
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  expect(sessions).toHaveBeenCalledTimes(1);
  take(event('session.ended', '9'));
  await vi.waitFor(() => expect(sessions).toHaveBeenCalledTimes(2));
  take(event('reset', '3'));
  await vi.waitFor(() => expect(sessions).toHaveBeenCalledTimes(3));
  take(event('session.started', '4'));
  await vi.waitFor(() => expect(sessions).toHaveBeenCalledTimes(4));
  stop();
});

it('reads again what was restored, also after events that the page has read other lists since', async () => {
  recordEventId('7');
  const balances = await show('settlements');
  const { take, stop } = eventApplier(client);
  take(event('ready', '7'));
  const dataUpdatedAt = Date.now() + 1;
  const query = { queryKey: ['settlements'], queryHash: '["settlements"]', meta: undefined, data: 0, dataUpdatedAt };
  const state = { build: 'a', queries: [query] };
  const none = () => Promise.resolve();
  const stored = { get: () => Promise.resolve(state), update: none, remove: none };
  expect(await restoreQueries({ client, stored, build: 'a' })).toHaveLength(1);
  take(event('settlement.changed', '6'));
  await vi.waitFor(() => expect(balances).toHaveBeenCalledTimes(2));
  stop();
});
