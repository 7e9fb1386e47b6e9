import type { Meter, MeterName } from '@hourshare/contract/meters';
import { formatHours } from '../../platform/format/numbers.ts';
import { momentText } from '../../platform/format/time.ts';
import { t } from '../../platform/i18n/messages.ts';

const SILENT_MS = 24 * 3_600_000;

/** Says when a meter was last heard of; after a day, that it is silent. Undefined if all of its names are from files. */
export function heardText({ last_event_at: last, names }: Pick<Meter, 'last_event_at' | 'names'>, now: number) {
  if (last === null) return names.length > 0 ? undefined : t('Nothing received yet');
  const when = momentText(last, now);
  return now - Date.parse(last) < SILENT_MS ? t('Last heard {when}', { when }) : t('Silent since {when}', { when });
}

/** Says what waits under a name, and for what; undefined if nothing does. */
export function waitingText({ share_id: id, waiting_events: count, waiting_hours: hours }: MeterName) {
  if (count === 0) return undefined;
  const values = { count, hours: formatHours(hours) };
  return id === null
    ? t('{count, plural, one {# event} other {# events}} waiting, {hours}', values)
    : t('Waiting for their yes: {count, plural, one {# event} other {# events}}, {hours}', values);
}
