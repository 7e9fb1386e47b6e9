import { createParser } from 'eventsource-parser';
import { recordReachable } from '../http/connection.ts';
import { refreshAccess } from '../auth/refresh.ts';
import { storedAccess } from '../auth/sign-in.ts';

const PATH = '/api/events/';
/** The server sends something every 20 seconds; a stream that is silent for longer than two of these is dead. */
const SILENCE_MS = 45_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A connection that lasted this long was a good one, so the next attempt doesn't wait long. */
const LASTING_MS = 5_000;

/** What the server sends: an event's name, and the id to resume after. */
export interface ServerEvent {
  id: string | undefined;
  name: string;
  data: string;
}

interface Follow {
  /** The id of the last event that is known; undefined to start with what happens from now on. */
  after: () => string | undefined;
  onEvent: (event: ServerEvent) => void;
  onConnected: (isConnected: boolean) => void;
  signal: AbortSignal;
}

interface Ended {
  /** How long the server asks to wait, if it does. */
  waitMs?: number;
  isSignedOut?: true;
}

/**
 * Follows the server's events until it is aborted or the user is signed out. Connects again with growing, jittered delays, and
 * at once when the network is back or the page is shown again.
 */
export async function followEvents(follow: Follow): Promise<void> {
  let failures = 0;
  while (!follow.signal.aborted) {
    const openedAt = Date.now();
    const ended = await readOnce(follow);
    follow.onConnected(false);
    if (ended.isSignedOut || follow.signal.aborted) return;
    failures = Date.now() - openedAt > LASTING_MS ? 0 : failures + 1;
    const grown = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
    const jittered = grown * (0.5 + Math.random() / 2);
    await pause(Math.max(ended.waitMs ?? 0, jittered), follow.signal, ended.waitMs === undefined);
  }
}

/** Reads one response to its end. */
async function readOnce(follow: Follow): Promise<Ended> {
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  follow.signal.addEventListener('abort', abort);
  let timer = setTimeout(abort, SILENCE_MS);
  const live = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, SILENCE_MS);
  };
  try {
    const access = storedAccess();
    if (access === null) return { isSignedOut: true };
    const response = await request(access, follow.after(), attempt.signal);
    const type = response.headers.get('content-type') ?? '';
    // A proxy's own 401 says nothing about the sign-in.
    if (response.status === 401 && type.startsWith('application/json'))
      return (await refreshAccess(access)) === null ? { isSignedOut: true } : {};
    if (!response.body || !type.startsWith('text/event-stream')) {
      void response.body?.cancel();
      const seconds = Number(response.headers.get('retry-after') ?? 0);
      return seconds > 0 ? { waitMs: seconds * 1000 } : {};
    }
    recordReachable(true);
    follow.onConnected(true);
    const parser = createParser({
      onEvent: ({ id, event, data }) => follow.onEvent({ id, name: event ?? 'message', data }),
    });
    await readText(response.body, (text) => {
      live();
      parser.feed(text);
    });
    return {};
  } catch {
    // Other requests tell the user that the server can't be reached.
    return {};
  } finally {
    clearTimeout(timer);
    follow.signal.removeEventListener('abort', abort);
    attempt.abort();
  }
}

const request = (access: string, after: string | undefined, signal: AbortSignal): Promise<Response> =>
  fetch(PATH, {
    headers: {
      accept: 'text/event-stream',
      // oxlint-disable-next-line hourshare/text-in-catalog -- the name of an authentication scheme
      authorization: `Bearer ${access}`,
      ...(after !== undefined && { 'last-event-id': after }),
    },
    credentials: 'include',
    cache: 'no-store',
    signal,
  });

async function readText(body: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onText(decoder.decode(value, { stream: true }));
  }
}

/** Waits, but not longer than until it is aborted or, unless the server asked to wait, a reason to hope comes. */
function pause(milliseconds: number, signal: AbortSignal, isHopeful: boolean): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', go);
      window.removeEventListener('online', go);
      document.removeEventListener('visibilitychange', goIfShown);
      resolve();
    };
    const goIfShown = () => {
      if (!document.hidden) go();
    };
    const timer = setTimeout(go, milliseconds);
    signal.addEventListener('abort', go);
    if (!isHopeful) return;
    window.addEventListener('online', go);
    document.addEventListener('visibilitychange', goIfShown);
  });
}
