import type { Language } from '@hourshare/contract/users';
import { t } from '../../messages/messages.ts';
import { writeCalendar, type CalendarEvent } from '../../platform/icalendar.ts';
import type { CalendarClosing, CalendarSession } from './store.ts';

/** How long calendar programs keep what they have read. */
export const CACHE_MINUTES = 15;

/** Returns what a calendar program reads. Events keep their ids, so that programs recognize them. */
export function toCalendar({
  sessions,
  closings,
  now,
  language,
  address,
}: {
  sessions: CalendarSession[];
  closings: CalendarClosing[];
  now: Date;
  language: Language;
  address: string;
}): string {
  const monthFormat = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const { host } = new URL(address);
  const events = [
    ...sessions.map(
      ({ id, share_id: shareId, asset_name: asset, started_at: start, ended_at: end, active }): CalendarEvent => ({
        uid: `session-${id}@${host}`,
        start,
        end,
        summary: active ? t(language, '{asset}: in use', { asset }) : asset,
        url: `${address}/shared?share=${shareId}&tab=sessions`,
      }),
    ),
    ...closings.map(({ asset_id: assetId, asset_name: asset, month, at }): CalendarEvent => ({
      uid: `closing-${assetId}-${month}@${host}`,
      start: at,
      end: at,
      summary: t(language, '{month} of {asset} closes', {
        month: monthFormat.format(new Date(`${month}-01T00:00:00Z`)),
        asset,
      }),
      url: `${address}/costs/${assetId}/${month}`,
    })),
  ];
  return writeCalendar({ name: 'HourShare', events, now, refreshMinutes: CACHE_MINUTES });
}
