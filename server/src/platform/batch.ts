/**
 * Returns a function that looks up one key at a time. All keys requested in the same turn of the event loop share one
 * lookup, which starts after the requests, so no value is older than its request.
 */
export function batched<Key, Value>(lookUp: (keys: Key[]) => Promise<Value[]>): (key: Key) => Promise<Value> {
  let next: { keys: Key[]; values: Promise<Value[]> } | undefined;
  return async (key) => {
    if (!next) {
      const keys: Key[] = [];
      const values = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        next = undefined;
        return lookUp(keys);
      });
      next = { keys, values };
    }
    const place = next.keys.push(key) - 1;
    const values = await next.values;
    if (!(place in values)) throw new Error('A batch answered fewer values than it has keys.');
    // oxlint-disable-next-line no-unsafe-type-assertion -- the element exists, and undefined may be a valid value
    return values[place] as Value;
  };
}
