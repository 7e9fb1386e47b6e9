import { afterEach, describe, expect, it, vi } from 'vitest';
import { enqueue, storeWith } from './queue.ts';

const press = { shareId: 1, asset: 'Films', verb: 'start' as const, at: 0 };

let stop: () => void = () => undefined;
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('a press without a connection', () => {
  it('waits for what stores it, if the page has only just loaded', async () => {
    vi.stubGlobal('indexedDB', {});
    const stored = enqueue(press);
    const presses: unknown[] = [];
    stop = storeWith(async (each) => {
      presses.push(each);
      return true;
    });
    expect(await stored).toBe(true);
    expect(presses).toEqual([press]);
  });

  it('fails if nothing stores it within three seconds', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('indexedDB', {});
    const stored = enqueue(press);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await stored).toBe(false);
  });

  it('fails at once where nothing can be stored', async () => {
    vi.stubGlobal('indexedDB', undefined);
    // @ts-expect-error -- as in a browser without storage
    delete globalThis.indexedDB;
    expect(await enqueue(press)).toBe(false);
  });
});
