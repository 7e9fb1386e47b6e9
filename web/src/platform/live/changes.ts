import type { QueryClient } from '@tanstack/react-query';

// Mutations announce what they changed, and queries declare the changes that make them stale. This way no `api.ts`
// needs to know which others show its data.

/** The kinds of changes. Each feature's `api.ts` adds its own. */
export interface Changes {}
export type Change = keyof Changes;

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { staleAfter?: readonly Change[] };
  }
}

/** Refetches active queries that depend on one of the changes and marks inactive ones as stale, in this tab. */
export const applyChanges = (client: QueryClient, changes: ReadonlySet<Change>): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ meta }) => meta?.staleAfter?.some((change) => changes.has(change)) ?? false,
  });

/** When the user last made a change of each kind in this browser, in milliseconds. */
const madeAt = new Map<Change, number>();

/** Whether the user made such a change in this browser within the last seconds. */
export const hasJustMade = (change: Change, seconds: number): boolean =>
  Date.now() - (madeAt.get(change) ?? -Infinity) < seconds * 1000;

function invalidate(client: QueryClient, change: Change): Promise<void> {
  madeAt.set(change, Date.now());
  return applyChanges(client, new Set([change]));
}

/** The other tabs of this browser in which the same user is signed in. */
let otherTabs: BroadcastChannel | undefined;

/**
 * Refetches active queries that depend on the change and marks inactive ones as stale, here and in the user's other
 * tabs.
 */
export function announceChange(client: QueryClient, change: Change): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
  otherTabs?.postMessage(change);
  return invalidate(client, change);
}

/** Tells a user's other tabs about changes, and listens for theirs. Returns a function that stops it. */
export function shareChanges(client: QueryClient, userId: number): () => void {
  const channel = new BroadcastChannel(`hourshare_changes_${userId}`);
  channel.addEventListener('message', ({ data }: MessageEvent<Change>) => void invalidate(client, data));
  otherTabs = channel;
  return () => {
    channel.close();
    otherTabs = undefined;
  };
}
