import type { Language } from '@hourshare/contract/users';
import { t } from '../../messages/messages.ts';
import { writeCalendar, type CalendarEvent } from '../../platform/icalendar.ts';
import type { Renewal } from '@hourshare/contract/periods';
import type { CalendarClosing, CalendarSession } from './store.ts';

/** How long calendar programs keep what they have read. */
export const CACHE_MINUTES = 15;

const DAY_MILLISECONDS = 24 * 3_600_000;

/** Returns what a calendar program reads. Events keep their ids, so that programs recognize them. */
export function toCalendar({
  sessions,
  closings,
  renewals,
  now,
  language,
  address,
}: {
  sessions: CalendarSession[];
  closings: CalendarClosing[];
  renewals: Renewal[];
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
    ...renewals.flatMap((renewal) => renewalEvents(renewal, { language, address, host })),
  ];
  return writeCalendar({ name: 'HourShare', events, now, refreshMinutes: CACHE_MINUTES });
}

/** Returns the day of a renewal, and the last one to cancel it. */
function renewalEvents(
  { asset_id: assetId, asset_name: asset, kind, on, cancel_by: cancelBy, auto_renews: renews, decision }: Renewal,
  { language, address, host }: { language: Language; address: string; host: string },
): CalendarEvent[] {
  const summaries = {
    renewal:
      renews || decision === 'renewed'
        ? t(language, '{asset} renews', { asset })
        : t(language, '{asset} ends unless renewed', { asset }),
    trial: t(language, '{asset} is no longer free', { asset }),
    end: t(language, '{asset} ends', { asset }),
  };
  const dayOf = (name: string, date: string, summary: string): CalendarEvent => {
    const start = new Date(`${date}T00:00:00Z`);
    return {
      uid: `${name}-${assetId}-${on}@${host}`,
      start,
      end: new Date(start.getTime() + DAY_MILLISECONDS),
      allDay: true,
      summary,
      url: `${address}/renewals`,
    };
  };
  return [
    ...(cancelBy !== null && kind === 'renewal'
      ? [dayOf('cancel', cancelBy, t(language, 'Last day to cancel {asset}', { asset }))]
      : []),
    dayOf(kind, on, summaries[kind]),
  ];
}
