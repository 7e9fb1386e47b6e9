/**
 * Never runs work twice at once. Calls during a run, or in the pause after it, share the next run; a call at any other time runs at
 * once.
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
