import { describe, expect, test } from 'vitest';
import { markMatches, rank, type Searchable } from './ranking.ts';

const entry = (group: string, text: string, rest: Partial<Searchable> = {}): Searchable => ({ group, text, ...rest });

const found = (entries: Searchable[], query: string) =>
  rank(entries, query).map(({ group, items }) => [group, ...items.map(({ text }) => text)]);

describe('rank', () => {
  test('puts the first word before a later one, and that before a detail', () => {
    const entries = [
      entry('Statements', 'Films, October 2026', { detail: 'Statement' }),
      entry('Go to', 'Usage Statistics'),
      entry('Actions', 'Start Session on Figma'),
    ];
    expect(found(entries, 'sta')).toEqual([
      ['Actions', 'Start Session on Figma'],
      ['Go to', 'Usage Statistics'],
      ['Statements', 'Films, October 2026'],
    ]);
  });

  test('puts what is named exactly so before what only begins with it', () => {
    const entries = [entry('Statements', 'Films, October 2026'), entry('Assets', 'Films')];
    expect(found(entries, 'films')).toEqual([
      ['Assets', 'Films'],
      ['Statements', 'Films, October 2026'],
    ]);
  });

  test('needs all words, in any order, and finds keywords', () => {
    const entries = [entry('People', 'Settle up with dora'), entry('Go to', 'Costs', { keywords: 'bill money' })];
    expect(found(entries, 'dora settle')).toEqual([['People', 'Settle up with dora']]);
    expect(found(entries, 'BILL')).toEqual([['Go to', 'Costs']]);
    expect(found(entries, 'settle bill')).toEqual([]);
  });

  test('ignores accents and finds text inside of words', () => {
    expect(found([entry('Assets', 'Café Noir')], 'cafe')).toEqual([['Assets', 'Café Noir']]);
    expect(found([entry('Assets', '映画クラブ')], 'クラブ')).toEqual([['Assets', '映画クラブ']]);
  });

  test('shows seven, at most three of a group while others match', () => {
    const many = (group: string, count: number) =>
      Array.from({ length: count }, (_, index) => entry(group, `${group} ${index}`));
    const counts = (entries: Searchable[]) => rank(entries, '').map(({ group, items }) => [group, items.length]);
    expect(counts([...many('a', 9), ...many('b', 2), ...many('c', 9)])).toEqual([
      ['a', 3],
      ['b', 2],
      ['c', 2],
    ]);
    expect(counts([...many('a', 9), ...many('b', 1)])).toEqual([
      ['a', 6],
      ['b', 1],
    ]);
  });
});

test('marks the beginnings of words that match', () => {
  const marked = (text: string, query: string) =>
    markMatches(text, query)
      .map(({ part, marked: isMarked }) => (isMarked ? `[${part}]` : part))
      .join('');
  expect(marked('Start Session on Stadium', 'sta')).toBe('[Sta]rt Session on [Sta]dium');
  expect(marked('Café Noir', 'cafe n')).toBe('[Café] [N]oir');
  expect(marked('Costs', '')).toBe('Costs');
  // A syllable, also one of which only the beginning is typed.
  expect(marked('한국 넷플릭스', '넷')).toBe('한국 [넷]플릭스');
  expect(marked('한국 넷플릭스', '네')).toBe('한국 [넷]플릭스');
});
