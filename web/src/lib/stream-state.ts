// Whether the stream of events is there, or has been gone for so long that the app says so.
let isLive = true;
const listeners = new Set<() => void>();

/** Records whether other people's changes are shown at once; false only after some patience. */
export function recordStream(now: boolean): void {
  if (now === isLive) return;
  isLive = now;
  for (const listener of listeners) listener();
}

export const isStreamLive = (): boolean => isLive;

export function onStreamChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
