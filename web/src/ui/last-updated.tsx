import { useSyncExternalStore, type ReactNode } from 'react';
import { rich } from '../platform/i18n/messages.ts';
import { queryClient } from '../platform/http/query-client.ts';
import { durationText, momentText } from '../platform/format/time.ts';
import { useNow } from '../platform/use-now.ts';

const MINUTE_MS = 60_000;
/** Longer ago, the time says more than the age. */
const AGE_UP_TO_MINUTES = 12 * 60;

const cache = queryClient.getQueryCache();
const subscribe = (listener: () => void) => cache.subscribe(listener);

/** When the oldest of what is shown was read from the server, in milliseconds; 0 if nothing is. */
function readOldest(): number {
  const times = cache
    .findAll({ type: 'active' })
    .flatMap(({ state }) => (state.data === undefined ? [] : [state.dataUpdatedAt]));
  return times.length === 0 ? 0 : Math.min(...times);
}

const minutesSince = (at: number) => Math.floor((Date.now() - at) / MINUTE_MS);

// Not read again each minute.
const age = (text: ReactNode) => (
  <span aria-live="off" className="figures font-normal">
    {text}
  </span>
);

/** Says how old what is shown is, after what the connection is. */
export function LastUpdated({ state }: { state: string }) {
  const at = useSyncExternalStore(subscribe, readOldest);
  // Ticks; the times are by the clock of the device.
  useNow();
  if (at === 0) return state;
  const minutes = minutesSince(at);
  if (minutes < 1) return rich('{state}<age>, updated just now</age>', { state, age });
  return minutes <= AGE_UP_TO_MINUTES
    ? rich('{state}<age>, updated {duration} ago</age>', { state, duration: durationText(minutes), age })
    : rich('{state}<age>, updated {when}</age>', { state, when: momentText(new Date(at).toISOString()), age });
}
