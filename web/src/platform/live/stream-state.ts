import { createAtom, useSelector } from '@tanstack/react-store';

/** Whether other people's changes are shown at once; false once the stream of events has been gone for so long that the app says so. */
export const isStreamLive = createAtom(true);

/** Whether the stream is connected now. */
export const isStreamConnected = createAtom(false);

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
export const useReloadInterval = (): number => (useSelector(isStreamConnected) ? RELOAD_BESIDE_STREAM_MS : RELOAD_MS);
