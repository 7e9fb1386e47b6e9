import { useEffect, useRef, useState, type RefObject } from 'react';

/** How much of a section must be visible before it fades in. */
export const REVEAL_AT = 0.2;

/**
 * Returns a ref and whether its element waits to be revealed. It starts visible and stays so without scripts or
 * observers, with reduced motion, and if it is on screen from the start.
 */
export function useReveal<E extends Element>(): [ref: RefObject<E | null>, isWaiting: boolean] {
  const ref = useRef<E>(null);
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!ref.current || typeof IntersectionObserver === 'undefined') return undefined;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    let isFirst = true;
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.at(-1)?.intersectionRatio ?? 0;
        const stays = isFirst ? seen > 0 : seen >= REVEAL_AT;
        isFirst = false;
        setWaiting(!stays);
        if (stays) observer.disconnect();
      },
      { threshold: REVEAL_AT },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, isWaiting];
}
