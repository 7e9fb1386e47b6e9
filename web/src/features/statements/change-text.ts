import type { EditedSession } from '@hourshare/contract/statements';
import { exactDuration } from '../../platform/format/time.ts';
import { dateFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';

/** Says who changed which session, or asked to, and how. */
export function changeText({ kind, username: name, by_owner: byOwner, request, ...times }: EditedSession) {
  const recorded = timesText(times.recorded_start, times.recorded_end);
  if (kind === 'requested')
    return typeof request?.start_time === 'string' && typeof request.end_time === 'string'
      ? t('{name} asked to change {recorded} to {counted}', {
          name,
          recorded,
          counted: timesText(request.start_time, request.end_time),
        })
      : t('{name} asked to remove {recorded}', { name, recorded });
  if (kind === 'removed' || times.start_time === null || times.end_time === null)
    return byOwner
      ? t("The owner removed {name}'s {recorded}", { name, recorded })
      : t('{name} removed {recorded}', { name, recorded });
  if (kind === 'restored') return t('Recorded times of {name} restored: {recorded}', { name, recorded });
  const counted = timesText(times.start_time, times.end_time);
  return byOwner
    ? t("The owner changed {name}'s {recorded} to {counted}", { name, recorded, counted })
    : t('{name} changed {recorded} to {counted}', { name, recorded, counted });
}

/** "30 h (Feb 3, 2026, 8:00 AM – Feb 4, 2026, 2:00 PM)", in the viewer's time zone. */
function timesText(start: string, end: string): string {
  const [from, to] = [new Date(start), new Date(end)];
  const range = dateFormat({ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const seconds = Math.floor(to.getTime() / 1000) - Math.floor(from.getTime() / 1000);
  return t('{duration} ({times})', { duration: exactDuration(seconds), times: range.formatRange(from, to) });
}
