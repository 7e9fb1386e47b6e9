import { clockText } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';

/** A ticking time since an instant. Not announced, because a screen reader would read every second. */
export function Clock({ since, className = '' }: { since: string; className?: string }) {
  const now = useNow();
  return (
    <time role="timer" aria-live="off" className={`figures ${className}`}>
      {clockText(now - Date.parse(since))}
    </time>
  );
}
