import { createStore, del, entries, get, set, update, type UseStore } from 'idb-keyval';
import { currentSignIn } from '../auth/sign-in.ts';
import { QUERIES_DATABASE, QUEUE_DATABASE } from './databases.ts';

// What this browser stores of a user for times without a connection. erasing.ts deletes it at sign-out.

/** A value in this browser's storage, which all tabs share. */
export interface StoredValue<T> {
  get: () => Promise<T | undefined>;
  /** Changes it in one step, so that no change of another tab is lost. */
  update: (change: (value: T | undefined) => T) => Promise<void>;
  remove: () => Promise<void>;
}

/** Lets go of the database when it is to be deleted, which waits for everyone who has it open. */
const releasing =
  (store: UseStore): UseStore =>
  (mode, work) =>
    store(mode, (objects) => {
      const { db } = objects.transaction;
      // A property, because it is set for each use.
      db.onversionchange = (event) => {
        db.close();
        // Makes idb-keyval open it again when it is needed.
        db.onclose?.(event);
      };
      return work(objects);
    });

const openStore = (name: string): UseStore => releasing(createStore(name, 'users'));

/** A value of the user who is signed in. What comes after they signed out is neither stored nor given to anyone. */
function storedValue<T>(database: string, userId: number): StoredValue<T> {
  const store = openStore(database);
  const key = String(userId);
  const isTheirs = () => currentSignIn()?.user.id === userId;
  return {
    get: async () => (isTheirs() ? get<T>(key, store) : undefined),
    update: async (change) => {
      if (isTheirs()) await update<T>(key, change, store);
    },
    remove: async () => {
      if (isTheirs()) await del(key, store);
    },
  };
}

export const storedQueue = <T>(userId: number): StoredValue<T> => storedValue(QUEUE_DATABASE, userId);

export const storedQueries = <T>(userId: number): StoredValue<T> => storedValue(QUERIES_DATABASE, userId);

/** Erases what became of presses, and keeps those that weren't sent. */
export async function eraseOutcomes(): Promise<void> {
  const store = openStore(QUEUE_DATABASE);
  for (const [key, { presses }] of await entries<string, { presses: unknown[] }>(store))
    await (presses.length === 0 ? del(key, store) : set(key, { presses, outcomes: [] }, store));
}
