/**
 * Returns a function that looks up one thing at a time, and together with all others asked for in the same turn of the
 * event loop. A lookup begins after it was asked for, so its answer is never older than the question.
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
    // oxlint-disable-next-line no-unsafe-type-assertion -- it's there, if undefined may be a value
    return values[place] as Value;
  };
}
