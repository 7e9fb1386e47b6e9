/** How long later keys wait for the running lookup, to share the next one. After that, they don't, because it may hang. */
const PATIENCE_MILLISECONDS = 10;
/** More wouldn't help a database that hangs, and would take its connections. */
const AT_ONCE = 2;

/**
 * Returns a function that looks up one key at a time. All keys requested in the same turn of the event loop, or while a lookup is
 * running, share one lookup, which starts after the requests, so no value is older than its request.
 */
export function batched<Key, Value>(lookUp: (keys: Key[]) => Promise<Value[]>): (key: Key) => Promise<Value> {
  let next: { keys: Key[]; values: Promise<Value[]>; start: () => void } | undefined;
  let running = 0;
  const startNext = () => next?.start();
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
  const collect = () => {
    const keys: Key[] = [];
    let start = () => {};
    const started = new Promise<void>((resolve) => (start = resolve));
    const timer = setTimeout(() => running < AT_ONCE && start(), PATIENCE_MILLISECONDS);
    setImmediate(() => running === 0 && start());
    const values = started.then(() => {
      clearTimeout(timer);
      return run(keys);
    });
    return { keys, values, start };
  };
  return async (key) => {
    next ??= collect();
    const place = next.keys.push(key) - 1;
    const values = await next.values;
    if (!(place in values)) throw new Error('A batch answered fewer values than it has keys.');
    // oxlint-disable-next-line no-unsafe-type-assertion -- the element exists, and undefined may be a valid value
    return values[place] as Value;
  };
}
