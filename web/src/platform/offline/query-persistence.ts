import type { Query, QueryClient, QueryMeta } from '@tanstack/react-query';
import { NoConnection } from '../http/errors.ts';
import { recordEventId } from '../live/stream-state.ts';
import type { StoredValue } from './storage.ts';

// Stores what was last read from the server, and shows it where the server can't be reached (docs/decisions/0090-offline.md).

/** What main pages show. Nothing about sign-ins, devices, or tokens is stored, nor how to pay someone. */
const STORED = /^GET \/api\/(?:assets|shared-assets|statements|balances|settlements|findings)\//;

export const MAX_CHARACTERS = 1_000_000;
export const MAX_AGE_MS = 7 * 24 * 3_600_000;
const SAVE_AFTER_MS = 2_000;

const isStored = (queryKey: Query['queryKey']) => STORED.test(String(queryKey[0]));

interface StoredQuery {
  queryKey: Query['queryKey'];
  queryHash: string;
  meta: QueryMeta | undefined;
  data: unknown;
  dataUpdatedAt: number;
}

export interface StoredQueries {
  /** The version of the app that stored them: another one may expect other fields. */
  build: string;
  queries: StoredQuery[];
}

interface Options {
  client: QueryClient;
  stored: StoredValue<StoredQueries>;
  build: string;
}

/** Returns what the server answered, without how to pay people: other programs at this device can read what is stored. */
const withoutPaymentDetails = (data: unknown): unknown =>
  data === undefined
    ? undefined
    : JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'payment_details' ? null : value)));

/** Returns what to store: successful reads, newest first, up to a size. */
export function queriesToStore(client: QueryClient, now = Date.now()): StoredQuery[] {
  let size = 0;
  return client
    .getQueryCache()
    .getAll()
    .map(({ queryKey, queryHash, meta, state: { data, dataUpdatedAt } }) => ({
      queryKey,
      queryHash,
      meta,
      data,
      dataUpdatedAt,
    }))
    .filter(
      ({ queryKey, data, dataUpdatedAt }) =>
        data !== undefined && isStored(queryKey) && now - dataUpdatedAt < MAX_AGE_MS,
    )
    .toSorted((one, other) => other.dataUpdatedAt - one.dataUpdatedAt)
    .map(({ data, ...query }) => ({ ...query, data: withoutPaymentDetails(data) }))
    .filter(({ data }) => (size += JSON.stringify(data).length) <= MAX_CHARACTERS);
}

/** Puts back what was stored, where nothing newer was read since. Returns the hashes of these queries. */
export async function restoreQueries({ client, stored, build }: Options, now = Date.now()): Promise<string[]> {
  const state = await stored.get();
  const restored: string[] = [];
  if (!state) return restored;
  if (state.build !== build) {
    await stored.remove();
    return restored;
  }
  const cache = client.getQueryCache();
  for (const { queryKey, queryHash, meta, data, dataUpdatedAt } of state.queries) {
    if (now - dataUpdatedAt >= MAX_AGE_MS) continue;
    const query = cache.build(client, { queryKey, queryHash, gcTime: MAX_AGE_MS, ...(meta && { meta }) });
    if (query.state.dataUpdatedAt >= dataUpdatedAt) continue;
    restored.push(queryHash);
    query.setState({ data, dataUpdatedAt, status: 'success', error: null });
  }
  // Nothing tells which events it is older than.
  if (restored.length > 0) recordEventId('0');
  return restored;
}

const lacksConnection = ({ data, error }: { data: unknown; error: unknown }) =>
  data === undefined && error instanceof NoConnection;

/** Stores what is read, and puts it back when a read fails for want of a connection. Returns a function that stops it. */
export function persistQueries(options: Options): () => void {
  const { client, stored, build } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    // Without storage, nothing is stored.
    void stored.update(() => ({ build, queries: queriesToStore(client) })).catch(() => undefined);
  };
  const saveIfDue = () => {
    if (timer !== undefined && document.visibilityState === 'hidden') save();
  };
  /** What is shown only because it was stored. */
  const restored = new Set<string>();
  let restoring: Promise<void> | undefined;
  const restore = () => {
    restoring ??= restoreQueries(options)
      .then(
        (hashes) => hashes.forEach((hash) => restored.add(hash)),
        () => undefined,
      )
      .finally(() => {
        restoring = undefined;
      });
  };
  const cache = client.getQueryCache();
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== 'updated' || !isStored(event.query.queryKey)) return;
    const { query, action } = event;
    if (action.type === 'success') {
      timer ??= setTimeout(save, SAVE_AFTER_MS);
      if (!action.manual) restored.delete(query.queryHash);
    }
    if (action.type !== 'error' || !(action.error instanceof NoConnection)) return;
    if (query.state.data === undefined) restore();
    // The connection note already says that it is old, and how old.
    else if (restored.has(query.queryHash)) query.setState({ status: 'success', error: null });
  });
  if (
    cache
      .getAll()
      .some(({ state }) => lacksConnection({ data: state.data, error: state.error ?? state.fetchFailureReason }))
  )
    restore();
  else if (cache.getAll().some(({ state }) => state.data !== undefined)) timer = setTimeout(save, SAVE_AFTER_MS);
  document.addEventListener('visibilitychange', saveIfDue);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    document.removeEventListener('visibilitychange', saveIfDue);
  };
}
