import { useEffect, useState } from 'react';

/** How long something that leaves a page takes for it; see ui/collapse.ts. */
const LEAVES_WITHIN_MS = 180;

/** Returns what has just left a list, so that it can be shown while it leaves. */
export function useLeft<T>(items: T[], idOf: (item: T) => string): T[] {
  const [before, setBefore] = useState(items);
  const [left, setLeft] = useState<T[]>([]);
  if (items.length !== before.length || items.some((item, index) => item !== before[index])) {
    setBefore(items);
    setLeft(before.filter((item) => !items.some((other) => idOf(other) === idOf(item))));
  }
  useEffect(() => {
    if (left.length === 0) return undefined;
    const timer = setTimeout(() => setLeft([]), LEAVES_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}
