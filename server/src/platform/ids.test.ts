import { expect, it } from 'vitest';
import { randomId } from './ids.ts';

it('a random id has 128 bits in URL-safe characters and is different each time', () => {
  const ids = Array.from({ length: 10_000 }, randomId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(Buffer.from(ids[0] ?? '', 'base64url')).toHaveLength(16);
  // Every bit is random: over this many ids, each is set about half of the time.
  const bitCounts = Array.from({ length: 128 }, () => 0);
  for (const bytes of ids.map((id) => Buffer.from(id, 'base64url')))
    for (let bit = 0; bit < 128; bit++) bitCounts[bit]! += ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1;
  expect(Math.min(...bitCounts)).toBeGreaterThan(4500);
  expect(Math.max(...bitCounts)).toBeLessThan(5500);
});
