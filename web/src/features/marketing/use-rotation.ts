import { useEffect, useState, useSyncExternalStore } from 'react';

export const ROTATE_EVERY_MS = 5000;

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const reducedMotionQuery = () => window.matchMedia('(prefers-reduced-motion: reduce)');

function onMotionChange(listener: () => void): () => void {
  const query = reducedMotionQuery();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

interface Rotation {
  current: number;
  show: (position: number) => void;
  /** The viewer's choice; initially stopped with reduced motion. */
  isStopped: boolean;
  setStopped: (isStopped: boolean) => void;
  isRotating: boolean;
}

/** Advances through `count` positions every five seconds, unless stopped, paused, or in a hidden tab. */
export function useRotation(count: number, isHeld: boolean): Rotation {
  const [current, show] = useState(0);
  const [choice, setStopped] = useState<boolean | null>(null);
  const isHidden = useSyncExternalStore(
    onVisibility,
    () => document.hidden,
    () => false,
  );
  const prefersReducedMotion = useSyncExternalStore(
    onMotionChange,
    () => reducedMotionQuery().matches,
    () => false,
  );
  const isStopped = choice ?? prefersReducedMotion;
  const isRotating = !isStopped && !isHeld && !isHidden;
  useEffect(() => {
    if (!isRotating) return undefined;
    // Restarts for each position, so that a slide selected by hand gets its full time.
    const timer = setTimeout(() => show((current + 1) % count), ROTATE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isRotating, current, count]);
  return { current, show, isStopped, setStopped, isRotating };
}
