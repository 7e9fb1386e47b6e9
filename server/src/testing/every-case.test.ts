import { expect, it } from 'vitest';
import { everyCase } from './every-case.ts';

it('checks every case and names each that fails', async () => {
  const checked: number[] = [];
  const check = everyCase(
    [1, 2, 3, 4],
    (each) => `case ${each}`,
    async (each) => {
      checked.push(each);
      expect({ odd: each % 2 }).toEqual({ odd: 1 });
    },
  );
  const error = await check.catch((reason: unknown) => reason as Error);
  expect((error as Error).message).toMatch(
    /^2 of 4 cases failed\.\ncase 2: .*\n {2}expected: \{ odd: 1 \}\n {2}received: \{ odd: 0 \}\ncase 4: /,
  );
  expect(checked).toEqual([1, 2, 3, 4]);
});

it('passes if no case fails, and fails without cases', async () => {
  await everyCase([1], String, (each) => expect(each).toBe(1));
  await expect(everyCase([], String, () => undefined)).rejects.toThrow('There are no cases.');
});
