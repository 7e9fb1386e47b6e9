import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './jobs.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function startJob(work: () => Promise<void>) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  return { stop: repeat('tidy', 1000, work, log), lines };
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

it('a failed job is logged and tried again', async () => {
  const work = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new Error('no database'))
    .mockResolvedValue(undefined);
  const { stop, lines } = startJob(work);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('no database');
  await stop();
});
