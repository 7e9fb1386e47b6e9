import type { AnswerOf } from '@hourshare/contract/calls';
import type { EndpointKey } from '@hourshare/contract/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallInput } from './http.ts';

type GetKey = Extract<EndpointKey, `GET ${string}`>;

/**
 * A read of the contract's table as a query. Its cache key is the table's own key and its input, so that features
 * which must not import each other still speak of the same cached answer.
 */
export function endpointQuery<K extends GetKey>(key: K, input: CallInput<K>) {
  return queryOptions({
    queryKey: [key, input] as const,
    // A query must not answer undefined; null stands for 204.
    queryFn: async ({ signal }): Promise<NonNullable<AnswerOf<K>> | null> =>
      (await call(key, { ...input, signal })) ?? null,
  });
}
