import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './jobs.ts';
import { createMetrics } from './metrics.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function startJob(work: () => Promise<void>) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const metrics = createMetrics({ clock: () => new Date(1_700_000_000_000), uptime: () => Date.now() });
  return { stop: repeat('tidy', 1000, work, { log, metrics }), lines, metrics };
}

it('a job runs at once, and again after each pause', async () => {
  const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const { stop } = startJob(work);
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(work).toHaveBeenCalledTimes(3);
  await stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(3);
});

it('a job never overlaps itself, and stopping waits for the run in progress', async () => {
  let finish = () => {};
  const work = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (finish = resolve)));
  const { stop } = startJob(work);
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
  let stopped = false;
  const stopping = stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(5000);
  expect(stopped).toBe(false);
  finish();
  await stopping;
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

it('a failed job is logged, counted, and tried again', async () => {
  const work = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new Error('no database'))
    .mockResolvedValue(undefined);
  const { stop, lines, metrics } = startJob(work);
  await vi.advanceTimersByTimeAsync(0);
  expect(await metrics.render()).toContain('hourshare_job_last_success_timestamp_seconds{job_name="tidy"} 0\n');
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  const figures = await metrics.render();
  expect(figures).toContain('hourshare_job_last_success_timestamp_seconds{job_name="tidy"} 1700000000\n');
  expect(figures).toContain('hourshare_job_failures_total{job_name="tidy"} 1\n');
  expect(figures).toContain('hourshare_job_duration_seconds_count{job_name="tidy"} 2\n');
  expect(figures).toContain('hourshare_job_interval_seconds{job_name="tidy"} 1\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('no database');
  await stop();
});
