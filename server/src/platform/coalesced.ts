/**
 * Returns a function that runs work, never twice at once: calls during a run share one more run after it, which therefore sees
 * what was there when they were made. It begins a pause after the first ended: a burst of calls takes few runs, and a single call
 * doesn't wait.
 */
export function coalesced(work: () => Promise<void>, pauseMilliseconds = 0): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const run = work();
    running = run
      .catch(() => undefined)
      .then(() => (pauseMilliseconds > 0 ? new Promise<void>((end) => setTimeout(end, pauseMilliseconds)) : undefined))
      .finally(() => {
        running = undefined;
      });
    return run;
  };
  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}
