import { clockText } from '../platform/format/time.ts';
import { useNow } from '../platform/use-now.ts';

/**
 * A ticking time since an instant. Screen readers don't read each change of a timer. Saying so in `aria-live` too would
 * keep dialogs from hiding the page around it.
 */
export function Clock({ since, className = '' }: { since: string; className?: string }) {
  const text = clockText(useNow() - Date.parse(since));
  return (
    <time role="timer" className={`figures ${className}`}>
      {text.slice(0, -SECONDS)}
      <span>{text.slice(-SECONDS)}</span>
    </time>
  );
}

/** The length of ":05", which matters least. */
const SECONDS = 3;
