import type { AnswerOf, EndpointKey } from '@hourshare/contract/endpoints';
import { queryOptions } from '@tanstack/react-query';
import type { Change } from '../live/changes.ts';
import { call, type CallInput } from './call.ts';
import { isListAnswer, NotAList, readResults } from './lists.ts';

type GetKey = Extract<EndpointKey, `GET ${string}`>;

/** Returns the query for a GET endpoint, stale after the given changes. */
export function endpointQuery<K extends GetKey>(key: K, input: CallInput<K>, staleAfter: readonly Change[] = []) {
  return queryOptions({
    queryKey: [key, input] as const,
    meta: { staleAfter },
    // A query function must not return undefined; null means 204.
    queryFn: async ({ signal }): Promise<NonNullable<AnswerOf<K>> | null> =>
      (await call(key, { ...input, signal })) ?? null,
  });
}

interface List<Item> {
  results: Item[];
  next: string | null;
}

type ItemOf<K extends EndpointKey> = AnswerOf<K> extends List<infer Item> ? Item : never;
type ListKey = { [K in GetKey]: AnswerOf<K> extends List<unknown> ? K : never }[GetKey];

/** Returns the query for a complete list; reads its pages one after another. */
export function listQuery<K extends ListKey>(
  key: K,
  input: CallInput<K> & { query?: object },
  staleAfter: readonly Change[] = [],
) {
  return queryOptions({
    queryKey: [key, input] as const,
    meta: { staleAfter },
    queryFn: async ({ signal }): Promise<List<ItemOf<K>>> => {
      const results: ItemOf<K>[] = [];
      let cursor: string | undefined;
      do {
        const answer: unknown = await call(key, { ...input, query: { ...input.query, cursor }, signal });
        // oxlint-disable-next-line no-unsafe-type-assertion -- what ListKey says of this call
        const page = answer as List<ItemOf<K>> | null | undefined;
        // Anything else isn't an empty list.
        if (!page || !isListAnswer(page)) throw new NotAList();
        results.push(...readResults(page));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      return { results, next: null };
    },
  });
}
