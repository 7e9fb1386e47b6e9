import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from './metrics.ts';

export interface JobDeps {
  log: FastifyBaseLogger;
  metrics: Metrics;
}

/**
 * Runs work at once and then repeatedly, with a pause after each run, so that it never overlaps itself. A failure is
 * logged, counted, and doesn't end the repetition; the returned function stops it and waits for the run in progress.
 */
export function repeat(
  name: string,
  everyMilliseconds: number,
  work: () => Promise<void>,
  { log, metrics }: JobDeps,
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const startRun = metrics.job(name, everyMilliseconds);
  let running = run();
  async function run(): Promise<void> {
    const ended = startRun();
    try {
      await work();
      ended();
    } catch (error) {
      ended(error);
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
