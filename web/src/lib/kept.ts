import { createStore, del, get, update, type UseStore } from 'idb-keyval';
import { KEPT_STATE } from './query-client.ts';

// What this browser keeps of a user for times without a connection. The state of lists has its own database, which is deleted at
// sign-out; presses that weren't sent yet stay until they can be.

/** A value in this browser's storage, which all tabs share. */
export interface KeptValue<T> {
  get: () => Promise<T | undefined>;
  /** Changes it in one step, so that no change of another tab is lost. */
  update: (change: (value: T | undefined) => T) => Promise<void>;
  remove: () => Promise<void>;
}

const keptValue = <T>(store: UseStore, key: string): KeptValue<T> => ({
  get: () => get<T>(key, store),
  update: (change) => update<T>(key, change, store),
  remove: () => del(key, store),
});

export const keptPresses = <T>(userId: number): KeptValue<T> =>
  keptValue<T>(createStore('hourshare-presses', 'users'), String(userId));

export const keptState = <T>(userId: number): KeptValue<T> =>
  keptValue<T>(createStore(KEPT_STATE, 'users'), String(userId));
