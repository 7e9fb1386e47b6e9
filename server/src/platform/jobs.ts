import type { FastifyBaseLogger } from 'fastify';

/**
 * Runs work at once and then repeatedly, with a pause after each run, so that it never overlaps itself. A failure is
 * logged and doesn't end the repetition; the returned function stops it and waits for the run in progress.
 */
export function repeat(
  name: string,
  everyMilliseconds: number,
  work: () => Promise<void>,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = run();
  async function run(): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ err: error, job: name }, 'a scheduled job failed');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, everyMilliseconds).unref();
  }
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
