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
  /** What the viewer chose; whoever wants no motion starts with it stopped. */
  isStopped: boolean;
  setStopped: (isStopped: boolean) => void;
  /** Whether the next one will come by itself. */
  isTurning: boolean;
}

/** Goes round `count` positions, one every five seconds, unless it is stopped, held or in a hidden tab. */
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
    // Each position gets its full time, also the one that a dot has just set.
    const timer = setTimeout(() => show((current + 1) % count), ROTATE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isTurning, current, count]);
  return { current, show, isStopped, setStopped, isTurning };
}
