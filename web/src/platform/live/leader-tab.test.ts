// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeTestSignIn } from '../../testing/fake-server.ts';
import type { ServerEvent } from './event-stream.ts';
import { followSharedEvents } from './leader-tab.ts';
import { restoreSignIn } from '../auth/sign-in.ts';
import { isStreamLive, recordEventId } from './stream-state.ts';

interface Opened {
  after: string | null;
  access: string | null;
  send: (text: string) => void;
  end: () => void;
}

const stops: (() => void)[] = [];
let opened: Opened[];
/** What the server answers instead of a stream, in this order. */
let refusals: Response[];

/** Locks as a browser has them for all its tabs. */
function fakeLocks() {
  const queue: (() => void)[] = [];
  let isHeld = false;
  const next = () => {
    isHeld = false;
    queue.shift()?.();
  };
  return {
    request: (_: string, __: object, work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const take = () => {
          isHeld = true;
          void work().then(resolve, reject).finally(next);
        };
        if (isHeld) queue.push(take);
        else take();
      }),
  };
}

const follow = () => {
  const events: ServerEvent[] = [];
  const stop = followSharedEvents(1, { onEvent: (event) => events.push(event) });
  stops.push(stop);
  return { stop, ids: () => events.map(({ id, name }) => `${id} ${name}`) };
};

/** Opens a tab, and resolves once the tab with the stream has told it of the last event. */
async function openSecondTab() {
  const channel = new BroadcastChannel('hourshare_events_1');
  const isTold = new Promise<void>((resolve) =>
    channel.addEventListener('message', ({ data }) => data.type === 'connected' && resolve()),
  );
  const tab = follow();
  await isTold;
  channel.close();
  return tab;
}

/** Longer than any first delay before a new attempt; the clock is moved meanwhile. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 5_000 });

const eventText = (id: number, name = 'session.started') => `event: ${name}\nid: ${id}\ndata: {}\n\n`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  localStorage.clear();
  storeTestSignIn('a', 'r');
  restoreSignIn();
  opened = [];
  refusals = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address === '/api/token/refresh/') return Response.json({ access: 'b', refresh: 's' });
    const headers = new Headers(init.headers);
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) });
    init.signal?.addEventListener('abort', () => controller?.error(init.signal?.reason));
    opened.push({
      after: headers.get('last-event-id'),
      access: headers.get('authorization'),
      send: (text) => controller?.enqueue(new TextEncoder().encode(text)),
      end: () => controller?.close(),
    });
    return refusals.shift() ?? new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('resumes after the last event when a stream ends, also in the middle of an event', async () => {
  const { ids } = follow();
  await until(() => expect(opened).toHaveLength(1));
  expect(opened[0]?.after).toBeNull();
  opened[0]?.send(`: still here\n\n${eventText(7)}event: session.ended\nid: 8\nda`);
  await until(() => expect(ids()).toEqual(['7 session.started']));
  opened[0]?.end();
  await until(() => expect(opened).toHaveLength(2));
  expect(opened[1]?.after).toBe('7');
  opened[1]?.send(eventText(8, 'session.ended'));
  await until(() => expect(ids()).toEqual(['7 session.started', '8 session.ended']));
});

it('has everything read again that was read before the first stream, and nothing when it resumes', async () => {
  const { ids } = follow();
  await until(() => expect(opened).toHaveLength(1));
  opened[0]?.send(eventText(6, 'ready'));
  await until(() => expect(ids()).toEqual(['6 reset']));
  opened[0]?.end();
  await until(() => expect(opened).toHaveLength(2));
  opened[1]?.send(eventText(6, 'ready'));
  await until(() => expect(ids()).toEqual(['6 reset', '6 ready']));
});

it('forgets what was read last once it is stopped', async () => {
  follow();
  await until(() => expect(opened).toHaveLength(1));
  opened[0]?.send(eventText(6, 'ready'));
  await until(() => expect(Object.keys(localStorage)).toContain('hourshare_events_1'));
  stops.pop()?.();
  expect(Object.keys(localStorage)).not.toContain('hourshare_events_1');
});

it('waits until it may begin', async () => {
  let begin = () => {};
  const beginning = new Promise<void>((resolve) => (begin = resolve));
  stops.push(followSharedEvents(1, { onEvent: () => {}, begin: () => beginning }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect([opened.length, isStreamLive.get()]).toEqual([0, true]);
  begin();
  await until(() => expect(opened).toHaveLength(1));
});

it('refreshes the sign-in when the server asks for it', async () => {
  refusals = [Response.json({ error: 'Please sign in.', code: 'not_signed_in' }, { status: 401 })];
  follow();
  await until(() => expect(opened.map(({ access }) => access)).toEqual(['Bearer a', 'Bearer b']));
});

it.each([200, 401])(
  'takes the page of something in between with %s neither for a stream nor for a signed-out user',
  async (status) => {
    const page = () => new Response('<h1>Sign in</h1>', { status, headers: { 'content-type': 'text/html' } });
    refusals = [page(), page(), page(), page(), page()];
    follow();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([isStreamLive.get(), localStorage.getItem('access_token')]).toEqual([false, 'a']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([isStreamLive.get(), refusals]).toEqual([true, []]);
  },
);

it('waits as long as the server asks, and says meanwhile that the stream is gone', async () => {
  refusals = [new Response(null, { status: 429, headers: { 'retry-after': '30' } })];
  follow();
  await until(() => expect(opened).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(29_000);
  expect([opened.length, isStreamLive.get()]).toEqual([1, false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([opened.length, isStreamLive.get()]).toEqual([2, true]);
});

it('has a stream of its own where the browser refuses locks', async () => {
  const request = vi.fn<() => Promise<void>>(() => Promise.reject(new DOMException('Refused', 'SecurityError')));
  vi.stubGlobal('navigator', { onLine: true, locks: { request } });
  const { ids } = follow();
  await until(() => expect(opened).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(40_000);
  opened[0]?.send(': still here\n\n');
  await vi.advanceTimersByTimeAsync(40_000);
  opened[0]?.send(eventText(7));
  await until(() => expect(ids()).toEqual(['7 session.started']));
  expect([opened.length, request.mock.calls.length]).toEqual([1, 1]);
});

it('shares one stream between tabs, and another tab resumes it when the first one closes', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  const first = follow();
  await until(() => expect(opened).toHaveLength(1));
  const second = await openSecondTab();
  opened[0]?.send(eventText(7));
  await until(() => expect([first.ids(), second.ids()]).toEqual([['7 session.started'], ['7 session.started']]));
  expect(opened).toHaveLength(1);
  first.stop();
  await until(() => expect(opened).toHaveLength(2));
  expect(opened[1]?.after).toBe('7');
  opened[1]?.send(eventText(8));
  await until(() => expect(second.ids()).toEqual(['7 session.started', '8 session.started']));
});

it('rereads everything in a tab that was loading when another one received an event', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  const first = follow();
  await until(() => expect(opened).toHaveLength(1));
  opened[0]?.send(eventText(6, 'ready'));
  opened[0]?.send(eventText(7));
  await until(() => expect(first.ids()).toEqual(['6 reset', '7 session.started']));
  const second = follow();
  await until(() => expect(second.ids()).toEqual(['7 reset']));
});

it('rereads everything when the last event was received by a closed tab after this page began to load', async () => {
  const first = follow();
  await until(() => expect(opened).toHaveLength(1));
  opened[0]?.send(eventText(7));
  await until(() => expect(first.ids()).toEqual(['7 session.started']));
  const kept = localStorage.getItem('hourshare_events_1');
  first.stop();
  // Closing a tab, unlike signing out, leaves it there.
  localStorage.setItem('hourshare_events_1', kept!);
  const second = follow();
  await until(() => expect(opened).toHaveLength(2));
  expect(opened[1]?.after).toBe('7');
  opened[1]?.send(eventText(7, 'ready'));
  await until(() => expect(second.ids()).toEqual(['7 reset']));
});

it('resumes after an event that was received before this page began to load', async () => {
  localStorage.setItem('hourshare_events_1', `7 ${Date.now() - 3_600_000_000}`);
  const { ids } = follow();
  await until(() => expect(opened).toHaveLength(1));
  expect(opened[0]?.after).toBe('7');
  opened[0]?.send(eventText(7, 'ready'));
  await until(() => expect(ids()).toEqual(['7 ready']));
});

it('holds back what another tab receives until this page has loaded', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  follow();
  await until(() => expect(opened).toHaveLength(1));
  let begin = () => {};
  const loaded = new Promise<void>((resolve) => (begin = resolve));
  const names: string[] = [];
  const heard = new BroadcastChannel('hourshare_events_1');
  const isHeard = new Promise((resolve) => heard.addEventListener('message', resolve));
  stops.push(followSharedEvents(1, { onEvent: ({ name }) => names.push(name), begin: () => loaded }));
  await isHeard;
  opened[0]?.send(eventText(7, 'ready'));
  await until(() => expect(localStorage.getItem('hourshare_events_1')).toMatch(/^7 /));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names).toEqual([]);
  begin();
  await until(() => expect(names).toEqual(['reset']));
  heard.close();
});

it('reads nothing again in a tab that opens after the last event', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  const first = follow();
  await until(() => expect(opened).toHaveLength(1));
  opened[0]?.send(eventText(7));
  await until(() => expect(first.ids()).toEqual(['7 session.started']));
  await vi.advanceTimersByTimeAsync(10);
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const second = await openSecondTab();
  opened[0]?.send(eventText(8));
  await until(() => expect(second.ids()).toEqual(['8 session.started']));
});

it('shows that a tab is alive while it waits as long as the server asks', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  refusals = [new Response(null, { status: 503, headers: { 'retry-after': '180' } })];
  const told: unknown[] = [];
  const channel = new BroadcastChannel('hourshare_events_1');
  channel.addEventListener('message', ({ data }) => told.push(data.type));
  follow();
  await until(() => expect(opened).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(59_000);
  await until(() => expect(told.filter((type) => type === 'life')).toHaveLength(2));
  expect(opened).toHaveLength(1);
  channel.close();
});

it('reads nothing again if the server said how far the page has read', async () => {
  recordEventId('12');
  recordEventId('11');
  const { ids } = follow();
  await until(() => expect(opened).toHaveLength(1));
  expect(opened[0]?.after).toBe('11');
  opened[0]?.send(eventText(11, 'ready'));
  opened[0]?.send(eventText(12));
  await until(() => expect(ids()).toEqual(['11 ready', '12 session.started']));
});
