import type { Analytics } from '@hourshare/contract/analytics';
import { formatHours } from '../../lib/formatting.ts';
import { formattingLocale } from '../../lib/language.ts';
import { t } from '../../lib/messages.ts';
import { dateText, daysInMonth } from '../../lib/months.ts';
import { joinSentences } from '../../lib/sentences.ts';

/** Whose figures are shown: the reader's own, one member's, or those of all members together. */
export type AnalyzedUser = 'you' | 'members' | { username: string };

/** Returns the projection for the current month in a sentence or two; empty when there is none. */
export function paceText(
  {
    pace,
    month,
    total_usage: used,
    total_allocation: allowance,
    remaining_hours: remaining,
  }: Pick<Analytics, 'pace' | 'month' | 'total_usage' | 'total_allocation' | 'remaining_hours'>,
  user: AnalyzedUser,
): string {
  if (!pace || used === 0) return '';
  const end = `${month}-${daysInMonth(month)}`;
  const projection = projectionText(user, { hours: formatHours(pace.projected_hours), day: dateText(end) });
  const hours = formatHours(allowance);
  if (allowance > 0 && remaining === 0) return joinSentences(usedUpText(user, hours), projection);
  if (pace.runs_out_on === null) return projection;
  return joinSentences(
    projection,
    pace.runs_out_on === end
      ? endsThatDayText(user, hours)
      : endsOnText(user, { hours, day: dateText(pace.runs_out_on) }),
  );
}

function projectionText(user: AnalyzedUser, values: { hours: string; day: string }): string {
  if (user === 'you') return t("At this pace you'll use {hours} by {day}.", values);
  if (user === 'members') return t('At this pace members will use {hours} by {day}.', values);
  return t('At this pace {name} will use {hours} by {day}.', { name: user.username, ...values });
}

function usedUpText(user: AnalyzedUser, hours: string): string {
  if (user === 'you') return t("You've used all {hours}.", { hours });
  if (user === 'members') return t('Members have used all {hours}.', { hours });
  return t('{name} has used all {hours}.', { name: user.username, hours });
}

const endsThatDayText = (user: AnalyzedUser, hours: string): string =>
  user === 'you' ? t('Your {hours} run out that day.', { hours }) : t('Their {hours} run out that day.', { hours });

const endsOnText = (user: AnalyzedUser, values: { hours: string; day: string }): string =>
  user === 'you' ? t('Your {hours} run out on {day}.', values) : t('Their {hours} run out on {day}.', values);

export interface Series {
  labels: string[];
  values: number[];
}

export const weeklySeries = (analytics: Pick<Analytics, 'weekly_usage'>): Series => ({
  labels: analytics.weekly_usage.map(({ week }) => t('Week {number, number}', { number: week })),
  values: analytics.weekly_usage.map(({ hours }) => hours),
});

/**
 * Returns hours by date, ascending. Dates are days in the asset's time zone, so they are formatted in UTC to stay the
 * same day everywhere.
 */
export function dailySeries(analytics: Pick<Analytics, 'daily_usage'>, locale = formattingLocale()): Series {
  const days = Object.entries(analytics.daily_usage).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return {
    labels: days.map(([day]) => format.format(new Date(`${day}T00:00:00Z`))),
    values: days.map(([, hours]) => hours),
  };
}

/** Returns used and remaining hours, or null when both are zero. */
export function utilizationSeries(analytics: Pick<Analytics, 'total_usage' | 'remaining_hours'>): Series | null {
  const values = [analytics.total_usage, analytics.remaining_hours];
  return values.some((hours) => hours > 0) ? { labels: [t('Used'), t('Remaining')], values } : null;
}
