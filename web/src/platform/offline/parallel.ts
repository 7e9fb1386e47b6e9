/**
 * Calls a function with each item, at most `limit` at once, and resolves to what it resolves to, in order. Rejects when
 * a call does.
 *
 * Replaces the function of this name in `@serwist/utils`, which never settles then (serwist/serwist#367), so that a new
 * version with a missing file kept the browser installing it for five minutes.
 */
export async function parallel<T, R>(limit: number, items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const work = async () => {
    for (const [index, item] of rest) results[index] = await call(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
