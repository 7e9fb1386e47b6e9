import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { oncePerMinuteAndSource, oncePerSecond } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a throttle', () => {
  it('reports the first event at once, and later ones together as the latest and their number', () => {
    const reports: [number, number][] = [];
    const take = oncePerSecond<number>((latest, count) => reports.push([latest, count]));
    for (const event of [1, 2, 3]) take(event);
    expect(reports).toEqual([[1, 1]]);
    vi.advanceTimersByTime(1000);
    expect(reports.slice(1)).toEqual([[3, 2]]);
    take(4);
    vi.advanceTimersByTime(999);
    expect(reports.slice(2)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reports.slice(2)).toEqual([[4, 1]]);
    vi.advanceTimersByTime(1000);
    take(5);
    expect(reports.slice(3)).toEqual([[5, 1]]);
  });

  it('reports each kind and source separately', () => {
    const reports: string[] = [];
    const take = oncePerMinuteAndSource<string>((latest, count) => reports.push(`${latest} ${count}`));
    take('a', 'kind', 'one');
    take('b', 'kind', 'two');
    take('c', 'other kind', 'one');
    take('d', 'kind', 'one');
    expect(reports).toEqual(['a 1', 'b 1', 'c 1']);
    vi.advanceTimersByTime(60_000);
    expect(reports.slice(3)).toEqual(['d 1']);
  });

  it('reports a flood from more than 1000 sources together, and tells them apart again later', () => {
    const reports: [number, number][] = [];
    const take = oncePerMinuteAndSource<number>((latest, count) => reports.push([latest, count]));
    for (let n = 0; n < 5000; n++) take(n, 'kind', String(n));
    expect(reports).toHaveLength(1001);
    vi.advanceTimersByTime(60_000);
    expect(reports.slice(1001)).toEqual([[4999, 3999]]);
    vi.advanceTimersByTime(60_000);
    for (const source of ['one', 'two']) take(0, 'kind', source);
    expect(reports.slice(1002)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(vi.getTimerCount()).toBe(2);
  });
});
