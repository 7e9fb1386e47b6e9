import { useSyncExternalStore } from 'react';

// Whether the stream of events is there, or has been gone for so long that the app says so.
let isLive = true;
let isConnected = false;
const listeners = new Set<() => void>();

/** Records whether other people's changes are shown at once; false only after some patience. */
export function recordStream(now: boolean): void {
  if (now === isLive) return;
  isLive = now;
  for (const listener of listeners) listener();
}

/** Records whether the stream is connected now. */
export function recordConnected(now: boolean): void {
  if (now === isConnected) return;
  isConnected = now;
  for (const listener of listeners) listener();
}

export const isStreamLive = (): boolean => isLive;

export function onStreamChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let firstEventId = Infinity;

/** Records the newest event that the server knew of when it began to answer. */
export function recordEventId(id: string | null): void {
  if (id !== null) firstEventId = Math.min(firstEventId, Number(id));
}

/** Returns an event since which nothing is missing that this page has read; undefined if none is known. */
export const readSince = (): string | undefined => (firstEventId === Infinity ? undefined : String(firstEventId));

const RELOAD_MS = 60_000;
/** For what the stream doesn't tell: hours grow while a session runs, and months end. */
const RELOAD_BESIDE_STREAM_MS = 300_000;

/** Returns how often to read again what others change: the stream of events tells it while it is connected. */
export const useReloadInterval = (): number =>
  useSyncExternalStore(onStreamChange, () => (isConnected ? RELOAD_BESIDE_STREAM_MS : RELOAD_MS));
