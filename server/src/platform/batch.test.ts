import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { batched } from './batch.ts';

function doubling() {
  const asked: number[][] = [];
  const double = batched(async (keys: number[]) => {
    asked.push(keys);
    return keys.map((key) => key * 2);
  });
  return { double, asked };
}

test('looks up all keys of one event loop turn together and returns each caller its value', async () => {
  const { double, asked } = doubling();
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2]);
  expect(asked).toEqual([[1, 2, 1]]);
});

test('collects further keys while a lookup is running, and starts a second one beside one that hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked: number[][] = [];
  const release: (() => void)[] = [];
  const slow = batched(async (keys: number[]) => {
    asked.push(keys);
    await new Promise<void>((resolve) => release.push(resolve));
    return keys;
  });
  const found: Promise<number>[] = [];
  const look = async (...keys: number[]) => {
    for (const key of keys) {
      found.push(slow(key));
      await nextTurn();
    }
  };
  await look(1, 2, 3);
  expect(asked).toEqual([[1]]);
  release[0]?.();
  expect(await found[0]).toBe(1);
  expect(asked).toEqual([[1], [2, 3]]);
  await look(4);
  await vi.advanceTimersByTimeAsync(9);
  expect(asked).toEqual([[1], [2, 3]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual([[1], [2, 3], [4]]);
  await look(5);
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toEqual([[1], [2, 3], [4]]);
  // Whichever is done first, the next one starts.
  release[2]?.();
  expect(await found[3]).toBe(4);
  expect(asked).toEqual([[1], [2, 3], [4], [5]]);
  for (const end of release) end();
  expect(await Promise.all(found)).toEqual([1, 2, 3, 4, 5]);
});

test('goes on after a failure while others wait', async () => {
  let fail = () => {};
  let isFirst = true;
  const look = batched(async (keys: number[]) => {
    if (isFirst) await new Promise<void>((_, reject) => (fail = () => reject(new Error('away'))));
    return keys;
  });
  const first = Promise.allSettled([look(1)]);
  await nextTurn();
  isFirst = false;
  const second = look(2);
  fail();
  expect((await first)[0]?.status).toBe('rejected');
  expect(await second).toBe(2);
});

test('fails every request of a failed batch and no other', async () => {
  let fails = true;
  const look = batched(async (keys: number[]) => {
    if (fails) throw new Error('away');
    return keys;
  });
  const failed = await Promise.allSettled([look(1), look(2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await look(3)).toBe(3);
});

test('throws when a lookup returns too few values', async () => {
  const forgetful = batched(async () => []);
  await expect(forgetful('key')).rejects.toThrow('A batch answered fewer values than it has keys.');
});
