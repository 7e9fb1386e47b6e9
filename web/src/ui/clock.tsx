import { clockText } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';

/** Time since an instant, ticking. Not announced: a screen reader that read every second would say nothing else. */
export function Clock({ since, className = '' }: { since: string; className?: string }) {
  const now = useNow();
  return (
    <time role="timer" aria-live="off" className={`figures ${className}`}>
      {clockText(now - Date.parse(since))}
    </time>
  );
}
