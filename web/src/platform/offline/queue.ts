import { createAtom, useSelector } from '@tanstack/react-store';

// Starts and ends that were pressed without a connection and wait to be sent. The code that stores and sends them (offline.ts) is
// loaded once the page is usable.

/** A press by the clock of the device, in milliseconds. */
export interface Press {
  shareId: number;
  asset: string;
  verb: 'start' | 'end';
  at: number;
}

/** The outcome of a press that was sent. */
export interface Outcome<Result> {
  id: string;
  shareId: number;
  asset: string;
  verb: Press['verb'];
  /** When it was pressed, as an instant. */
  at: string;
  /** Null if the server refused it. */
  result: Result | null;
  /** Why it was refused, in the language of the page then. */
  reason?: string;
}

/** Returns whether the press is stored. */
type Store = (press: Press) => Promise<boolean>;

/** How long a press waits for the code that stores it. */
const STORE_WITHIN_MS = 3_000;

const storage = createAtom<{ store: Store } | null>(null);

/** The presses that wait, oldest first. */
export const queue = createAtom<readonly Press[]>([]);

/** Sets what stores presses. Returns a function that unsets it. */
export function storeWith(store: Store): () => void {
  storage.set({ store });
  return () => storage.set(null);
}

/** Resolves once presses can be stored, or that took too long. */
const storageComes = () =>
  new Promise<void>((resolve) => {
    const done = () => {
      unsubscribe();
      clearTimeout(timer);
      resolve();
    };
    const { unsubscribe } = storage.subscribe(done);
    const timer = setTimeout(done, STORE_WITHIN_MS);
  });

/** Stores a press until it can be sent; false if it can't be stored. */
export async function enqueue(press: Press): Promise<boolean> {
  // Nothing can be stored without it.
  if (!storage.get() && 'indexedDB' in globalThis) await storageComes();
  return (await storage.get()?.store(press)) ?? false;
}

/** Returns whether a press of a share waits to be sent. */
export const useIsQueued = (shareId: number): boolean =>
  useSelector(queue, (presses) => presses.some((press) => press.shareId === shareId));

type Ask = (proceed: () => void) => void;
let ask: Ask | undefined;

/** Sets who asks before presses are lost. Returns a function that unsets it. */
export function askBeforeLosing(next: Ask): () => void {
  ask = next;
  return () => void (ask = undefined);
}

/** Does something that loses presses that wait, such as a sign-out; asks first if there are any. */
export const losePresses = (proceed: () => void): void => (queue.get().length > 0 && ask ? ask(proceed) : proceed());
