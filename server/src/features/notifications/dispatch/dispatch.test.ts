import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { coalesced } from '../../../platform/coalesced.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { deleteOldUpdates, dispatchAll } from './service.ts';
import * as store from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(() => api.reset());

const add = (kind: string, count: number, data = "jsonb_build_object('session_id', n)") =>
  sql`
  insert into outbox (kind, data, happened_at)
  select ${kind}, ${sql.raw(data)}, now() from generate_series(1, ${count}::int) n`.execute(api.database.db);

const passedOn = () =>
  api.database.db.selectFrom('live_updates').select(['kind', 'data', 'user_ids']).orderBy('id').execute();

test('two racing dispatchers, whose transactions sometimes break, pass on 1,000 messages exactly once', async () => {
  await add('session.started', 1000);
  // What a killed server leaves: a transaction that took the turn and never committed.
  const cutOff = () =>
    expect(
      transaction({ db: api.database.db }, async ({ db }) => {
        await store.lockDispatcher(db);
        await db.deleteFrom('outbox').where('id', '<=', 300).execute();
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
  await Promise.all([dispatchAll(api.deps), cutOff(), dispatchAll({ ...api.deps }), cutOff(), dispatchAll(api.deps)]);
  const ids = (await passedOn()).map(({ data }) => (data as { session_id: number }).session_id);
  expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  expect(await api.database.db.selectFrom('outbox').select('id').execute()).toEqual([]);
});

test("a message that can't be passed on is set aside and doesn't delay others", async () => {
  await add('session.started', 3);
  await add('of.a.newer.version', 1);
  await add('session.ended', 3);
  await dispatchAll(api.deps);
  expect((await passedOn()).map(({ kind }) => kind)).toEqual([
    ...Array<string>(3).fill('session.started'),
    ...Array<string>(3).fill('session.ended'),
  ]);
  const left = await api.database.db.selectFrom('outbox').select(['kind', 'failed_at']).execute();
  expect(left).toEqual([{ kind: 'of.a.newer.version', failed_at: api.clock.now }]);
});

test('a message that was set aside is deleted after 30 days', async () => {
  await add('of.a.newer.version', 1);
  await dispatchAll(api.deps);
  const left = async () => (await api.database.db.selectFrom('outbox').select('id').execute()).length;
  api.clock.advance(30 * 24 * 3_600_000 - 1);
  await deleteOldUpdates(api.deps);
  expect(await left()).toBe(1);
  api.clock.advance(1);
  await deleteOldUpdates(api.deps);
  expect(await left()).toBe(0);
});

test('an event is deleted after a day, unless it is the newest', async () => {
  const { db } = api.database;
  const add = (at: Date) =>
    db.insertInto('live_updates').values({ kind: 'asset.added', user_ids: [], data: '{}', happened_at: at });
  const [now, day] = [api.clock.now.getTime(), 24 * 3_600_000];
  for (const ago of [day + 1, day, 0]) await add(new Date(now - ago)).execute();
  const kept = async () => {
    await deleteOldUpdates(api.deps);
    return (await db.selectFrom('live_updates').select('happened_at').execute()).map(
      ({ happened_at: at }) => now - at.getTime(),
    );
  };
  expect(await kept()).toEqual([day, 0]);
  api.clock.advance(day + 1);
  expect(await kept()).toEqual([0]);
});

test('calls during a run share one more run', async () => {
  let runs = 0;
  const release: (() => void)[] = [];
  const run = coalesced(() => {
    runs += 1;
    return new Promise((resolve) => release.push(resolve));
  });
  const first = run();
  const rest = [run(), run(), run()];
  release.shift()?.();
  await first;
  await expect.poll(() => release.length).toBe(1);
  release.shift()?.();
  await Promise.all(rest);
  expect(runs).toBe(2);
});

test('a run after another waits for the pause, and the first of a burst begins at once', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const run = coalesced(
    async () => {
      runs += 1;
      if (runs === 1) throw new Error('failed');
    },
    () => 25,
  );
  const first = run();
  const second = run();
  await expect(first).rejects.toThrow('failed');
  await vi.advanceTimersByTimeAsync(24);
  expect(runs).toBe(1);
  expect(run()).toBe(second);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(25);
  await run();
  expect(runs).toBe(3);
});

test('the pause can depend on how long a run took', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const run = coalesced(
    () => {
      runs += 1;
      return new Promise((resolve) => setTimeout(resolve, 10));
    },
    (milliseconds) => 3 * milliseconds,
  );
  void run();
  void run();
  await vi.advanceTimersByTimeAsync(39);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
});
