import { afterEach, describe, expect, it, vi } from 'vitest';
import { holdPress, holdWith } from './queue.ts';

const press = { shareId: 1, asset: 'Films', verb: 'start' as const, at: 0 };

let stop: () => void = () => undefined;
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('a press without a connection', () => {
  it('waits for what keeps it, if the page has only just loaded', async () => {
    vi.stubGlobal('indexedDB', {});
    const held = holdPress(press);
    const kept: unknown[] = [];
    stop = holdWith(async (each) => {
      kept.push(each);
      return true;
    });
    expect(await held).toBe(true);
    expect(kept).toEqual([press]);
  });

  it('fails if nothing keeps it within three seconds', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('indexedDB', {});
    const held = holdPress(press);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await held).toBe(false);
  });

  it('fails at once where nothing can be kept', async () => {
    vi.stubGlobal('indexedDB', undefined);
    // @ts-expect-error -- as in a browser without storage
    delete globalThis.indexedDB;
    expect(await holdPress(press)).toBe(false);
  });
});
