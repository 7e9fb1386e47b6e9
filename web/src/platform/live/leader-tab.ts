import { followEvents, type ServerEvent } from './event-stream.ts';
import { EVENTS } from '../auth/sign-in.ts';
import { isStreamConnected, isStreamLive, readSince } from './stream-state.ts';

/** Beyond this, the stream isn't merely connecting again, and the app says so. */
const PATIENCE_MS = 6_000;
/** A visible tab that hears nothing for this long takes the stream over: the browser may have frozen the tab that has it. */
const SILENCE_MS = 60_000;

const ALIVE_EVERY_MS = 20_000;

/** The last event that this browser has received. */
interface LastEvent {
  id: string;
  /** In milliseconds since 1970. */
  receivedAt: number;
}

/** What the tab with the stream tells the others. */
type Told =
  | { type: 'event'; event: ServerEvent }
  | { type: 'life' }
  | { type: 'connected'; isConnected: boolean; last: LastEvent | undefined }
  /** Asks for the last of these, because a tab has just opened. */
  | { type: 'hello' };

interface Follower {
  onEvent: (event: ServerEvent) => void;
  /** Delays the first stream until it resolves. */
  begin?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Follows the server's events with one stream for all tabs of the browser: the tab that has the lock reads them and passes them
 * on, and when it closes, another one resumes. Returns a function that stops it and forgets what was read last.
 */
export function followSharedEvents(userId: number, { onEvent, begin = () => Promise.resolve() }: Follower): () => void {
  const name = `${EVENTS}${userId}`;
  const stopped = new AbortController();
  const channel = new BroadcastChannel(name);
  // Another tab may have been closed since this browser last heard of something.
  let last = recall(name);
  const beginning = begin(stopped.signal);
  let holding: AbortController | undefined;
  let isConnected = false;
  let isInStep = false;
  let heardAt = Date.now();
  let patience: ReturnType<typeof setTimeout> | undefined;

  const tell = (told: Told) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
    if (!stopped.signal.aborted) channel.postMessage(told);
  };

  const setConnected = (now: boolean) => {
    isConnected = now;
    if (stopped.signal.aborted) return;
    isStreamConnected.set(now);
    if (now) {
      clearTimeout(patience);
      patience = undefined;
      isStreamLive.set(true);
    } else patience ??= setTimeout(() => isStreamLive.set(false), PATIENCE_MS);
  };
  // performance.timeOrigin doesn't follow a clock that was set since the browser started.
  const pageBeganAt = Date.now() - performance.now();
  // What this tab has read may be older than the last event, unless the browser received that before the page began to load.
  const mayHaveMissed = () => !isInStep && (last === undefined || last.receivedAt >= pageBeganAt);
  // A request that is under way when something changes may still answer with what was there before.
  const pass = (event: ServerEvent) =>
    void beginning.then(() => {
      if (!stopped.signal.aborted) onEvent(event);
    });
  const take = (event: ServerEvent) => {
    // A tab that takes the stream over may read again what another one has passed on.
    if (event.id !== undefined && last !== undefined && event.name !== 'reset' && Number(event.id) < Number(last.id))
      return;
    const isLate = event.name === 'ready' && mayHaveMissed();
    if (event.name === 'ready') isInStep = true;
    if (event.id !== undefined) last = { id: event.id, receivedAt: Date.now() };
    pass(isLate ? { ...event, name: 'reset' } : event);
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    heardAt = Date.now();
    if (data.type === 'hello') {
      if (holding) tell({ type: 'connected', isConnected, last });
    } else if (data.type === 'connected') {
      setConnected(data.isConnected);
      if (!data.last) return;
      // A tab that was frozen knows of an earlier one.
      if (last === undefined || Number(data.last.id) >= Number(last.id)) last = data.last;
      if (mayHaveMissed()) pass({ id: last.id, name: 'reset', data: '{}' });
      isInStep = true;
    } else if (data.type === 'event') take(data.event);
  });

  const hold = async (): Promise<void> => {
    if (stopped.signal.aborted) return;
    const own = (holding = new AbortController());
    await beginning;
    if (own.signal.aborted) return;
    const since = readSince();
    if (last === undefined && since !== undefined) last = { id: since, receivedAt: 0 };
    // Also while it waits before it connects again, as long as the server asks: only a frozen tab is silent.
    const alive = setInterval(() => tell({ type: 'life' }), ALIVE_EVERY_MS);
    await followEvents({
      after: () => last?.id,
      onEvent: (event) => {
        tell({ type: 'event', event });
        take(event);
        if (last !== undefined) remember(name, last);
      },
      onConnected: (now) => {
        // Another tab has the stream now.
        if (own.signal.aborted) return;
        setConnected(now);
        tell({ type: 'connected', isConnected: now, last });
      },
      signal: own.signal,
    }).finally(() => clearInterval(alive));
    if (holding === own) holding = undefined;
  };

  const locks = (navigator as Partial<Navigator>).locks;
  const release = locks
    ? electHolder(locks, { name, hold, drop: () => holding?.abort(), heardAt: () => heardAt, signal: stopped.signal })
    : holdWhileShown(hold, () => holding?.abort());

  void beginning.then(() => {
    if (!isConnected) setConnected(false);
  });
  tell({ type: 'hello' });
  return () => {
    stopped.abort();
    holding?.abort();
    release();
    clearTimeout(patience);
    isStreamLive.set(true);
    isStreamConnected.set(false);
    channel.close();
    remember(name, undefined);
  };
}

/** Keeps what was read last, for when all tabs were closed meanwhile. Without storage, those read everything again. */
function remember(name: string, last: LastEvent | undefined): void {
  try {
    if (last === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, `${last.id} ${last.receivedAt}`);
  } catch {
    // Storage is full or turned off.
  }
}

function recall(name: string): LastEvent | undefined {
  const [id, receivedAt] = localStorage.getItem(name)?.split(' ') ?? [];
  return id && receivedAt ? { id, receivedAt: Number(receivedAt) } : undefined;
}

interface Election {
  name: string;
  hold: () => Promise<void>;
  drop: () => void;
  heardAt: () => number;
  signal: AbortSignal;
}

function electHolder(locks: LockManager, { name, hold, drop, heardAt, signal }: Election): () => void {
  let isHolder = false;
  let release = () => {};
  const take = async () => {
    isHolder = true;
    await hold();
    isHolder = false;
  };
  const queue = (): Promise<void> =>
    locks.request(name, { signal }, take).catch(() => {
      if (signal.aborted) return;
      // Another tab took the lock over; without having had it, the browser refuses locks.
      if (isHolder) {
        isHolder = false;
        drop();
        void queue();
      } else {
        clearInterval(timer);
        release = holdWhileShown(hold, drop);
      }
    });
  const timer = setInterval(() => {
    if (isHolder || document.hidden || Date.now() - heardAt() < SILENCE_MS) return;
    void locks.request(name, { steal: true }, take).catch(() => {
      isHolder = false;
      drop();
    });
  }, 10_000);
  void queue();
  return () => {
    clearInterval(timer);
    release();
  };
}

/** Browsers have locks only in secure contexts. Elsewhere, only a tab that is in sight has a stream. */
function holdWhileShown(hold: () => Promise<void>, drop: () => void): () => void {
  const follow = () => {
    if (document.hidden) drop();
    else void hold();
  };
  document.addEventListener('visibilitychange', follow);
  if (!document.hidden) void hold();
  return () => document.removeEventListener('visibilitychange', follow);
}
