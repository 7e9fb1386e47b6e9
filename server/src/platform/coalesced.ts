/**
 * Never runs work twice at once. Calls during a run, or in the pause after it, share the next run; a call at any other time runs at
 * once. `pauseAfter` returns how long to pause after a run that took some milliseconds.
 */
export function coalesced(
  work: () => Promise<void>,
  pauseAfter: (milliseconds: number) => number = () => 0,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const startedAt = performance.now();
    const run = work();
    running = run
      .catch(() => undefined)
      .then(() => {
        const pause = pauseAfter(performance.now() - startedAt);
        return pause > 0 ? new Promise<void>((end) => setTimeout(end, pause)) : undefined;
      })
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
