import { useEffect, useState, useSyncExternalStore } from 'react';

export const ROTATE_EVERY_MS = 5000;

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

const calm = () => window.matchMedia('(prefers-reduced-motion: reduce)');

function onCalm(changed: () => void): () => void {
  const query = calm();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

interface Rotation {
  current: number;
  show: (position: number) => void;
  /** The viewer's choice; initially stopped with reduced motion. */
  isStopped: boolean;
  setStopped: (isStopped: boolean) => void;
  isTurning: boolean;
}

/** Advances through `count` positions every five seconds, unless stopped, held, or in a hidden tab. */
export function useRotation(count: number, isHeld: boolean): Rotation {
  const [current, show] = useState(0);
  const [choice, setStopped] = useState<boolean | null>(null);
  const isHidden = useSyncExternalStore(
    onVisibility,
    () => document.hidden,
    () => false,
  );
  const isCalm = useSyncExternalStore(
    onCalm,
    () => calm().matches,
    () => false,
  );
  const isStopped = choice ?? isCalm;
  const isTurning = !isStopped && !isHeld && !isHidden;
  useEffect(() => {
    if (!isTurning) return undefined;
    // Restarts for each position, so that a slide selected by hand gets its full time.
    const timer = setTimeout(() => show((current + 1) % count), ROTATE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isTurning, current, count]);
  return { current, show, isStopped, setStopped, isTurning };
}
