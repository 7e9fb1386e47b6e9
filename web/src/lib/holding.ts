import { useSyncExternalStore } from 'react';

// Starts and ends that were pressed without a connection and wait to be sent. The code that keeps and sends them is loaded once
// the page is usable (features/sessions/held.ts).

/** A press by the clock of the device, in milliseconds. */
export interface HeldPress {
  shareId: number;
  asset: string;
  verb: 'start' | 'end';
  at: number;
}

type Holder = (press: HeldPress) => Promise<boolean>;

let holder: Holder | undefined;
let held: readonly HeldPress[] = [];
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Sets who keeps presses. Returns a function that unsets it. */
export function holdWith(next: Holder): () => void {
  holder = next;
  return () => void (holder = undefined);
}

/** Keeps a press until it can be sent; false if it can't be kept. */
export const holdPress = async (press: HeldPress): Promise<boolean> => (await holder?.(press)) ?? false;

export const heldPresses = (): readonly HeldPress[] => held;

export function setHeldPresses(next: readonly HeldPress[]): void {
  held = next;
  for (const listener of listeners) listener();
}

/** Returns whether a press of a share waits to be sent. */
export const useHeld = (shareId: number): boolean =>
  useSyncExternalStore(subscribe, () => held.some((press) => press.shareId === shareId));
