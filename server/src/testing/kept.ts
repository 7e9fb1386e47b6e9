import { upkeepOf } from '../features/periods/upkeep/service.ts';
import type { TestApi } from './api.ts';

/**
 * Returns a function that has what `make` makes as it was at first: it makes that once, in an empty database, and restores it
 * after something was written.
 */
export function kept<T>(api: () => TestApi, make: () => Promise<T>): () => Promise<T> {
  let first: { made: T; now: Date; extendedAt: number; restore: () => Promise<void> } | undefined;
  return async () => {
    const opened = api();
    const { clock, database, deps } = opened;
    if (first) {
      await first.restore();
    } else {
      await opened.reset();
      const made = await make();
      const { extendedAt } = upkeepOf(deps);
      first = { made, now: clock.now, extendedAt, restore: await database.save() };
    }
    clock.now = first.now;
    // What the server remembers of the periods that were stored.
    upkeepOf(deps).extendedAt = first.extendedAt;
    return first.made;
  };
}
