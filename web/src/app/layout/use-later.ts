import { startTransition, useEffect, useState } from 'react';

/**
 * Returns false at first, and true once that is on the screen. What it then adds renders in small steps, between which
 * the page responds. (`useDeferredValue` keeps re-rendering while React holds back a suspended tree.)
 */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => startTransition(() => setLater(true)), []);
  return isLater;
}
