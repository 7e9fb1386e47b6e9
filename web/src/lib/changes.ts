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

const invalidate = (client: QueryClient, change: Change): Promise<void> =>
  client.invalidateQueries({ predicate: ({ meta }) => meta?.staleAfter?.includes(change) ?? false });

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

/** Tells a user's other tabs about changes and hears of theirs. Returns a function that stops it. */
export function shareChanges(client: QueryClient, userId: number): () => void {
  const channel = new BroadcastChannel(`hourshare_changes_${userId}`);
  channel.addEventListener('message', ({ data }: MessageEvent<Change>) => void invalidate(client, data));
  otherTabs = channel;
  return () => {
    channel.close();
    otherTabs = undefined;
  };
}
