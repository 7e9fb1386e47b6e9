import { expect, it } from 'vitest';
import { parallel } from './parallel.ts';

it('calls with each item, a few at once, and keeps the order', async () => {
  let running = 0;
  let most = 0;
  const finish: (() => void)[] = [];
  const doubled = parallel(2, [1, 2, 3], async (item) => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
    return item * 2;
  });
  // The second before the first.
  finish[1]?.();
  await expect.poll(() => finish).toHaveLength(3);
  finish[0]?.();
  finish[2]?.();
  expect(await doubled).toEqual([2, 4, 6]);
  expect(most).toBe(2);
});

it('rejects when a call does', async () => {
  const failing = parallel(2, ['here', 'missing'], async (item) => {
    if (item === 'missing') throw new Error('404');
  });
  await expect(failing).rejects.toThrow('404');
});
