import { expect, it } from 'vitest';
import { readResults } from './lists.ts';

it.each([
  ['a plain array', [1, 2], [1, 2]],
  ['an object with results', { results: [1, 2], next: null }, [1, 2]],
  ['an object without results', { count: 2 }, []],
  ['results that are no list', { results: 2 }, []],
  ['null', null, []],
  ['nothing', undefined, []],
])('readResults returns the items in %s, or an empty list', (_, answer, items) => {
  expect(readResults(answer as Parameters<typeof readResults<number>>[0])).toEqual(items);
});
