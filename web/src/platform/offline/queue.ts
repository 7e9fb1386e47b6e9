import { useSyncExternalStore } from 'react';

// Starts and ends that were pressed without a connection and wait to be sent. The code that keeps and sends them is loaded once
// the page is usable (features/sessions/offline-presses.ts).

/** A press by the clock of the device, in milliseconds. */
export interface HeldPress {
  shareId: number;
  asset: string;
  verb: 'start' | 'end';
  at: number;
}

type Holder = (press: HeldPress) => Promise<boolean>;

/** How long a press waits for the code that stores it. */
const HOLDER_WITHIN_MS = 3_000;

let holder: Holder | undefined;
const waiting = new Set<() => void>();
let held: readonly HeldPress[] = [];
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Sets what stores presses. Returns a function that unsets it. */
export function holdWith(next: Holder): () => void {
  holder = next;
  for (const resume of waiting) resume();
  return () => void (holder = undefined);
}

/** Resolves once there is a holder, or none came in time. */
const holderComes = () =>
  new Promise<void>((resolve) => {
    const resume = () => {
      waiting.delete(resume);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(resume, HOLDER_WITHIN_MS);
    waiting.add(resume);
  });

/** Stores a press until it can be sent; false if it can't be stored. */
export async function holdPress(press: HeldPress): Promise<boolean> {
  // Nothing can be kept without it.
  if (!holder && 'indexedDB' in globalThis) await holderComes();
  return (await holder?.(press)) ?? false;
}

export const heldPresses = (): readonly HeldPress[] => held;

export function setHeldPresses(next: readonly HeldPress[]): void {
  held = next;
  for (const listener of listeners) listener();
}

/** Returns whether a press of a share waits to be sent. */
export const useHeld = (shareId: number): boolean =>
  useSyncExternalStore(subscribe, () => held.some((press) => press.shareId === shareId));

type Ask = (proceed: () => void) => void;
let ask: Ask | undefined;

/** Sets who asks before presses are lost. Returns a function that unsets it. */
export function askBeforeLosing(next: Ask): () => void {
  ask = next;
  return () => void (ask = undefined);
}

/** Does something that loses presses that wait, such as a sign-out; asks first if there are any. */
export const losePresses = (proceed: () => void): void => (held.length > 0 && ask ? ask(proceed) : proceed());
