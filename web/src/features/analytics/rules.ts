import type { Analytics } from '@hourshare/contract/analytics';
import { formatHours } from '../../platform/format/numbers.ts';
import { dateFormat, formattingLocale, numberFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { dateText, daysInMonth, thisMonth } from '../../platform/format/months.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';

/** Whose figures are shown: the reader's own, one member's, or those of all members together. */
export type AnalyzedUser = 'you' | 'members' | { username: string };

/** Returns the projection for the current month in a sentence or two; empty when there is none. */
export function paceText(
  analytics: Pick<Analytics, 'pace' | 'month' | 'total_usage' | 'total_allocation' | 'remaining_hours'>,
  user: AnalyzedUser,
): string {
  const { pace, month, total_usage: used, total_allocation: allowance, remaining_hours: remaining } = analytics;
  if (!pace || used === 0) return '';
  const end = `${month}-${daysInMonth(month)}`;
  const projection = projectionText(user, { hours: formatHours(pace.projected_hours), day: dateText(end) });
  const hours = formatHours(allowance);
  // A separate insight tells the reader by how much they are over.
  if (user === 'you' && overHours(analytics) > 0) return projection;
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

export interface MonthInsight {
  kind: 'over' | 'pace' | 'week';
  text: string;
}

/** Returns the insights into the reader's own month, the most urgent first. */
export function monthInsights(analytics: Analytics): MonthInsight[] {
  const over = overHours(analytics);
  const insights: MonthInsight[] = [
    { kind: 'over', text: over > 0 ? t("You're {hours} over your allowance.", { hours: formatHours(over) }) : '' },
    { kind: 'pace', text: paceText(analytics, 'you') },
    { kind: 'week', text: busiestWeekText(analytics) },
  ];
  return insights.filter(({ text }) => text !== '');
}

/** Names the week with the most use; empty with use in only one. */
function busiestWeekText({ weekly_usage: weeks, total_usage: total }: Analytics): string {
  const [busiest, second] = weeks.toSorted((one, other) => other.hours - one.hours);
  if (!busiest || !second || second.hours === 0 || second.hours === busiest.hours) return '';
  return t("Week {number, number} was your busiest: {hours}, {percent} of the month's hours.", {
    number: busiest.week,
    hours: formatHours(busiest.hours),
    percent: numberFormat({ style: 'percent' }).format(busiest.hours / total),
  });
}

export interface Series {
  labels: string[];
  values: number[];
}

export interface WeeklySeries extends Series {
  /** The days of each week, such as "8–14". */
  days: string[];
}

const DAYS_PER_WEEK = 7;

const dateIn = (month: string, day: number): Date => new Date(`${month}-${String(day).padStart(2, '0')}T00:00:00Z`);

/** Returns hours by week; empty without use. */
export function weeklySeries({ month, weekly_usage: weeks }: Pick<Analytics, 'month' | 'weekly_usage'>): WeeklySeries {
  const used = weeks.some(({ hours }) => hours > 0) ? weeks : [];
  const format = dateFormat({ day: 'numeric', timeZone: 'UTC' });
  return {
    labels: used.map(({ week }) => t('Week {number, number}', { number: week })),
    values: used.map(({ hours }) => hours),
    days: used.map(({ week }) =>
      format.formatRange(
        dateIn(month, (week - 1) * DAYS_PER_WEEK + 1),
        dateIn(month, Math.min(week * DAYS_PER_WEEK, daysInMonth(month))),
      ),
    ),
  };
}

export interface DailySeries extends Series {
  /** The position of the current day; null in a month that has ended. */
  today: number | null;
  /** The position of the day on which the allowance was used up; null if it isn't exceeded. */
  usedUp: number | null;
}

type DaysOfMonth = Pick<Analytics, 'month' | 'daily_usage' | 'weekly_usage'>;

/**
 * Returns hours by day, with zeros, up to today or the end of the month; empty without use. Labels cover the whole month.
 * Dates are days in the asset's time zone, so they are formatted in UTC to stay the same day everywhere.
 */
export function dailySeries(
  analytics: DaysOfMonth & Allowance,
  now = new Date(),
  locale = formattingLocale(),
): DailySeries {
  const { month, daily_usage: hours } = analytics;
  if (Object.keys(hours).length === 0) return { labels: [], values: [], today: null, usedUp: null };
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const days = Array.from({ length: daysInMonth(month) }, (_, index) => dateIn(month, index + 1));
  const { last, ended } = lastDay(analytics, now);
  const values = days.slice(0, last).map((day) => hours[day.toISOString().slice(0, 10)] ?? 0);
  const { within } = splitAtAllowance(values, analytics);
  const lastWithin = overHours(analytics) > 0 ? within.findLastIndex((hours) => hours > 0) : -1;
  return {
    labels: days.map((day) => format.format(day)),
    values,
    today: ended ? null : last - 1,
    usedUp: lastWithin === -1 ? null : lastWithin,
  };
}

/**
 * Returns the last day of the month so far. A member doesn't know the asset's time zone, so it is the viewer's date within
 * the week that has begun there, and no earlier than the last use.
 */
function lastDay({ month, daily_usage, weekly_usage }: DaysOfMonth, now: Date): { last: number; ended: boolean } {
  const end = daysInMonth(month);
  const lastUse = Math.max(...Object.keys(daily_usage).map((date) => Number(date.slice(8))));
  const latest = Math.max(lastUse, Math.min(end, weekly_usage.length * DAYS_PER_WEEK));
  const earliest = Math.max(lastUse, (weekly_usage.length - 1) * DAYS_PER_WEEK + 1);
  const viewersMonth = thisMonth(now);
  if (viewersMonth > month) return { last: latest, ended: latest === end };
  return { last: Math.min(latest, Math.max(earliest, viewersMonth === month ? now.getDate() : 0)), ended: false };
}

const round = (hours: number) => Math.round(hours * 100) / 100;

/**
 * Splits hours in order of time into those within the allowance and those over it. Each is rounded separately, so their
 * sum differs from the total; the hours over are counted from the end, so that they add up to what the total is over.
 */
export function splitAtAllowance(values: number[], analytics: Allowance): { within: number[]; over: number[] } {
  let left = overHours(analytics);
  const over = values
    .toReversed()
    .map((hours) => {
      const part = Math.min(hours, left);
      left = round(left - part);
      return part;
    })
    .toReversed();
  return { within: values.map((hours, index) => round(hours - (over[index] ?? 0))), over };
}

/** Returns used and remaining hours, and those over the allowance if any; null without hours. */
export function utilizationSeries(
  analytics: Pick<Analytics, 'total_usage' | 'remaining_hours'> & Allowance,
): Series | null {
  const { total_usage: used, remaining_hours: remaining } = analytics;
  if (used === 0 && remaining === 0) return null;
  const over = overHours(analytics);
  return {
    labels: [t('Used'), t('Remaining'), ...(over > 0 ? [t('Over [[allowance]]')] : [])],
    values: [used, remaining, ...(over > 0 ? [over] : [])],
  };
}

export type Allowance = Pick<Analytics, 'total_usage' | 'total_allocation'>;

/** Returns the hours used beyond the allowance. */
export const overHours = ({ total_usage: used, total_allocation: allowance }: Allowance): number =>
  allowance > 0 ? round(Math.max(0, used - allowance)) : 0;
