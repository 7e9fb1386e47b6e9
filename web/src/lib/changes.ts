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

/** Refetches active queries that depend on the change and marks inactive ones as stale. */
export const announceChange = (client: QueryClient, change: Change): Promise<void> =>
  client.invalidateQueries({ predicate: ({ meta }) => meta?.staleAfter?.includes(change) ?? false });
