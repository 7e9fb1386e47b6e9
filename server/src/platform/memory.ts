/** What a process remembers between requests: each feature has a part of it, which no other needs to know. */
export interface Memory {
  /** Replaced to forget everything. */
  parts: object;
}

export const createMemory = (): Memory => ({ parts: {} });

/** Has a process forget everything, because it has other data now. */
export function forgetAll(memory: Memory): void {
  memory.parts = {};
}

/** Returns a function that returns a feature's part of a process's memory, at first as `create` makes it. */
export function inMemory<Part extends object>(create: () => Part): (deps: { memory: Memory }) => Part {
  const all = new WeakMap<object, Part>();
  return ({ memory: { parts } }) => {
    const known = all.get(parts);
    if (known) return known;
    const created = create();
    all.set(parts, created);
    return created;
  };
}
