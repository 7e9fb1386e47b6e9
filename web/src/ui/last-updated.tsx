import { useSyncExternalStore } from 'react';
import { t } from '../platform/i18n/messages.ts';
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

/** Says how old what is shown is. */
export function LastUpdated() {
  const at = useSyncExternalStore(subscribe, readOldest);
  // Ticks; the times are by the clock of the device.
  useNow();
  if (at === 0) return null;
  const minutes = minutesSince(at);
  // Not read again each minute.
  return (
    <span aria-live="off" className="figures font-normal">
      {' '}
      {minutes < 1
        ? t('Last updated less than a minute ago.')
        : minutes <= AGE_UP_TO_MINUTES
          ? t('Last updated {duration} ago.', { duration: durationText(minutes) })
          : t('Last updated {when}.', { when: momentText(new Date(at).toISOString()) })}
    </span>
  );
}
