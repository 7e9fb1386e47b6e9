import type { QueryClient } from '@tanstack/react-query';

// A mutation announces what it changed, and a query says after which changes it is stale. So a noun whose data others
// show does not have to know them, and no two `api.ts` need each other.

/** What mutations change. Each noun's `api.ts` adds its own. */
export interface Changes {}
export type Change = keyof Changes;

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { staleAfter?: readonly Change[] };
  }
}

/** Reads the queries on screen again that are stale after this change; the others when they are next needed. */
export const announceChange = (client: QueryClient, change: Change): Promise<void> =>
  client.invalidateQueries({ predicate: ({ meta }) => meta?.staleAfter?.includes(change) ?? false });
