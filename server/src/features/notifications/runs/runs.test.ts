import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../../../platform/database/testing/processes.ts';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { repeatOnOneServer } from './service.ts';
import { claimRun } from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const claim = () => claimRun(api.deps.db, 'job', 60_000);
const move = (seconds: number) =>
  sql`update job_runs set started_at = started_at + make_interval(secs => ${seconds}::int)`.execute(api.deps.db);

const jobs = async () =>
  (await api.deps.db.selectFrom('job_runs').select('job').orderBy('job').execute()).map(({ job }) => job);

it('starts on one of several servers, and again once the interval is over', async () => {
  expect((await Promise.all([claim(), claim(), claim()])).filter(Boolean)).toHaveLength(1);
  expect(await claimRun(api.deps.db, 'another job', 60_000)).toBe(true);
  await move(-50);
  expect(await claim()).toBe(false);
  await move(-10);
  expect(await claim()).toBe(true);
  expect(await claim()).toBe(false);
});

it('starts after the clock of the database was set back', async () => {
  expect(await claim()).toBe(true);
  await move(30);
  expect(await claim()).toBe(false);
  await move(60);
  expect(await claim()).toBe(true);
});

it('is repeated on one server after each pause, also after it has failed', async () => {
  let runs = 0;
  const work = async () => {
    runs += 1;
    throw new Error('failed');
  };
  const stop = repeatOnOneServer('job', 30, work, api.deps);
  const stopOther = repeatOnOneServer('another job', 3_600_000, work, api.deps);
  const stopSame = repeatOnOneServer('another job', 3_600_000, work, api.deps);
  await until(async () => runs >= 4, 'three runs and one');
  await Promise.all([stop(), stopOther(), stopSame()]);
  expect(await jobs()).toEqual(['another job', 'job']);
});
