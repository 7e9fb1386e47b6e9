import type { TestApi } from './api.ts';

/**
 * Returns a function that has what `make` makes as it was at first: it makes that once, in an empty database, and restores it
 * after something was written.
 */
export function kept<T>(api: () => TestApi, make: () => Promise<T>): () => Promise<T> {
  let first: { made: T; now: Date; restore: () => Promise<void> } | undefined;
  return async () => {
    if (first) {
      await first.restore();
    } else {
      await api().reset();
      const made = await make();
      first = { made, now: api().clock.now, restore: await api().database.save() };
    }
    api().clock.now = first.now;
    return first.made;
  };
}
