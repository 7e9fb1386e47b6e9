import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
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

test('starts a second lookup for later keys, and collects further ones until one of the two is done', async () => {
  const asked: number[][] = [];
  const release: (() => void)[] = [];
  const slow = batched(async (keys: number[]) => {
    asked.push(keys);
    await new Promise<void>((resolve) => release.push(resolve));
    return keys;
  });
  const found: Promise<number>[] = [];
  for (const key of [1, 2, 3, 4]) {
    found.push(slow(key));
    await nextTurn();
  }
  expect(asked).toEqual([[1], [2]]);
  release[1]?.();
  expect(await found[1]).toBe(2);
  expect(asked).toEqual([[1], [2], [3, 4]]);
  for (const end of release) end();
  expect(await Promise.all(found)).toEqual([1, 2, 3, 4]);
});

test('goes on after failures while others wait', async () => {
  const fail: (() => void)[] = [];
  const look = batched(async (keys: number[]) => {
    if (fail.length < 2) await new Promise<void>((_, reject) => fail.push(() => reject(new Error('away'))));
    return keys;
  });
  const found: Promise<PromiseSettledResult<number>[]>[] = [];
  for (const key of [1, 2, 3]) {
    found.push(Promise.allSettled([look(key)]));
    await nextTurn();
  }
  for (const each of fail) each();
  const [first, second, third] = await Promise.all(found);
  expect([first, second].map((each) => each?.[0]?.status)).toEqual(['rejected', 'rejected']);
  expect(third).toEqual([{ status: 'fulfilled', value: 3 }]);
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
