import type { FastifyBaseLogger } from 'fastify';

/**
 * Does some work at once and then again and again, that long after the last time ended, so that it never overlaps
 * itself. A failure is logged and the next time comes. The function it gives stops that and waits for work under way.
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
