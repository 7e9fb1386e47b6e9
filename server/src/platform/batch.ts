/** A lookup that hangs delays only some of the later ones. */
const AT_ONCE = 2;

/**
 * Returns a function that looks up one key at a time. All keys requested in the same turn of the event loop, or while two lookups are
 * running, share one lookup, which starts after the requests, so no value is older than its request.
 */
export function batched<Key, Value>(lookUp: (keys: Key[]) => Promise<Value[]>): (key: Key) => Promise<Value> {
  let next: { keys: Key[]; values: Promise<Value[]>; start: () => void } | undefined;
  let running = 0;
  const startNext = () => {
    if (running < AT_ONCE) next?.start();
  };
  const run = async (keys: Key[]) => {
    next = undefined;
    running += 1;
    try {
      return await lookUp(keys);
    } finally {
      running -= 1;
      startNext();
    }
  };
  return async (key) => {
    if (!next) {
      const keys: Key[] = [];
      let start = () => {};
      const values = new Promise<void>((resolve) => (start = resolve)).then(() => run(keys));
      next = { keys, values, start };
      setImmediate(startNext);
    }
    const place = next.keys.push(key) - 1;
    const values = await next.values;
    if (!(place in values)) throw new Error('A batch answered fewer values than it has keys.');
    // oxlint-disable-next-line no-unsafe-type-assertion -- the element exists, and undefined may be a valid value
    return values[place] as Value;
  };
}
