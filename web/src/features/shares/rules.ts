import type { Invitation, SharedAsset } from '@hourshare/contract/shares';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { formatHours, percentText } from '../../platform/format/numbers.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { instantOf, instantsOf, type Which } from '../../platform/forms/local-times.ts';
import { t } from '../../platform/i18n/messages.ts';
import { placeCost } from '../periods/place-text.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { daysAgo, pastDayText } from '../../platform/format/time.ts';

export const usedHours = (share: Pick<SharedAsset, 'current_usage'> & Partial<SharedAsset>): number =>
  share.usage_this_month ?? share.current_usage;

/** Returns use as a fraction of the allowance, not capped at 1. */
export const usedPart = (share: SharedAsset): number =>
  share.monthly_hours_allocated > 0 ? usedHours(share) / share.monthly_hours_allocated : 0;

/**
 * Returns what a share that isn't measured costs a month, and of which price: by the terms agreed to, as long as higher ones await a
 * yes. Null for offers and past shares.
 */
export function plainCost({ status, terms, agreed, asked, cost_of_all: all }: SharedAsset) {
  if (status !== 'accepted' || terms === null || all === null) return null;
  if (asked && agreed?.split_method === 'equal') return { ...agreed, amount: placeCost(agreed) };
  return { ...terms, amount: all };
}

/** Returns how many hours of the allowance are left this month; negative for what is over. */
export const leftHours = (share: SharedAsset): number => share.monthly_hours_allocated - usedHours(share);

/** Returns "5.7 h left" or "16.8 h over". */
export function leftText(share: SharedAsset): string {
  const left = leftHours(share);
  const hours = formatHours(Math.abs(left));
  return left < 0 ? t('{hours} over', { hours }) : t('{hours} left', { hours });
}

/** Sorts the most-used allowances first. */
export const compareUse = (one: SharedAsset, other: SharedAsset): number => usedPart(other) - usedPart(one);

/** Returns the hours of this month's use that are of the running session, as of now. */
export function runningHours(share: SharedAsset, now = serverNow()): number {
  if (!share.active_session || share.active_since === null) return 0;
  const used = usedHours(share);
  const hours = Math.max(0, now - Date.parse(share.active_since)) / 3_600_000;
  // The server rounds to hundredths, so a smaller rest isn't use of other sessions.
  return used - hours < 0.01 ? used : hours;
}

/** Returns the running session's use as a fraction of the allowance. */
export const runningPart = (share: SharedAsset): number =>
  share.monthly_hours_allocated > 0 ? runningHours(share) / share.monthly_hours_allocated : 0;

/** Says which meter counts the use, so that there is nothing to start; null without one, and while a session runs. */
export const countedText = ({ recorded_by: meter, active_session: running }: SharedAsset): string | null =>
  typeof meter === 'string' && !running ? t('Recorded by {meter}', { meter }) : null;

export const isOffer = ({ status }: Pick<SharedAsset, 'status'>): boolean => status === 'offered';

/** Whether the share was accepted and can be used now. */
export const hasAccess = ({ status }: Pick<SharedAsset, 'status'>): boolean => status === 'accepted';

export const isPast = ({ status }: Pick<SharedAsset, 'status'>): boolean => status === 'past';

/** Says when or why a past share stopped giving access. */
export const pastText = ({ ended_at: at, owner }: Pick<SharedAsset, 'ended_at' | 'owner'>): string =>
  at === null ? t('Archived by {owner}', { owner }) : t('Access ended on {day}', { day: pastDayText(at, serverNow()) });

/** Returns shares with offers first, then running ones, then by last use; unused ones keep their order. */
export function byLastUse(shares: SharedAsset[]): SharedAsset[] {
  const time = (instant: string | null) => (instant === null ? 0 : Date.parse(instant));
  return shares.toSorted(
    (a, b) =>
      Number(isOffer(b)) - Number(isOffer(a)) ||
      time(b.active_since) - time(a.active_since) ||
      time(b.last_used_at) - time(a.last_used_at),
  );
}

/** Returns "Last used yesterday". */
export function lastUsedText({ last_used_at: instant }: Pick<SharedAsset, 'last_used_at'>, now = serverNow()): string {
  if (instant === null) return t('Not used yet');
  const days = daysAgo(instant, now);
  if (days === 0) return t('Last used today');
  if (days === 1) return t('Last used yesterday');
  return t('Last used {day}', { day: pastDayText(instant, now) });
}

type OfferTerms = NonNullable<SharedAsset['offer']>;

/** Says how the price of an offered asset is split, to the one who decides about it. */
export function offerSplitText({ split_method: method, base_percent: base, members }: OfferTerms): string {
  if (method === 'allocation') return t('Split by allowance: you pay for your hours, used or not.');
  if (method === 'equal')
    return t('Split evenly among {count, plural, one {# person} other {# people}}, including you.', {
      // The owner, and who accepts now.
      count: members + 2,
    });
  if (base > 0)
    return t('{percent} of the price is split by allowance, used or not, the rest by use.', {
      percent: percentText(base),
    });
  return method === 'share_of_use' ? shareOfUseText() : t('Split by use: you only pay for the hours you use.');
}

const shareOfUseText = () => t("Each person pays their part of everyone's use, up to a limit per hour.");

/** Returns the error message for a failed share. */
export function shareFailureText(error: unknown, username: string): string {
  if (!(error instanceof ApiError)) return t('Failed to share asset. Please try again.');
  if (error.message) return errorText(error);
  if (error.status === 404) return t('User "{name}" not found', { name: username });
  if (error.status === 400) return t('Failed to share asset. Asset may already be shared with this user.');
  return t('Failed to share asset: {reason}', { reason: error.remark ?? t('Unknown error') });
}

/** Says how someone who is invited will share the price. */
export function invitedSplitText({
  split_method: method,
  base_percent: base,
  owner,
}: Pick<Invitation, 'split_method' | 'base_percent' | 'owner'>): string {
  if (method === 'equal') return t('Everyone pays the same, including {owner}.', { owner });
  if (method === 'allocation') return t('Each person pays for their allowance, used or not.');
  if (base === 0)
    return method === 'share_of_use'
      ? shareOfUseText()
      : t('You pay for the hours you use. {owner} covers unused hours.', { owner });
  return t('{percent} of the price is split by allowance, the rest by the hours each of you uses.', {
    percent: percentText(base),
  });
}

/**
 * Returns the instants of a day and two local times of it, the end on the next day if it is before the start; null if one is
 * missing, or the name of one that the clocks skipped. Of two instants with the same local time, those are meant that are chosen, or
 * else the first that can be.
 */
export function sessionTimes(
  { day, start, end }: { day: string; start: string; end: string },
  which: { start?: Which | undefined; end?: Which | undefined } = {},
): { start_time: string; end_time: string } | 'start' | 'end' | null {
  const [startLocal, endLocal] = [`${day}T${start}`, `${day}T${end}`];
  if (Number.isNaN(Date.parse(startLocal)) || Number.isNaN(Date.parse(endLocal))) return null;
  const startsAt = instantOf(startLocal, { which: which.start ?? 'first', near: 0 });
  if (startsAt === null) return 'start';
  const ends = instantsOf(endLocal);
  const isSameDay = ends.length === 0 ? end >= start : ends.some((instant) => instant >= startsAt);
  const [first, second] = isSameDay ? ends : instantsOf(`${dayAfter(day)}T${end}`);
  if (first === undefined) return 'end';
  const isSecond = second !== undefined && (which.end === undefined ? first < startsAt : which.end === 'second');
  return {
    start_time: new Date(startsAt).toISOString(),
    end_time: new Date(isSecond ? second : first).toISOString(),
  };
}

/** Returns the last hours, up to the minute. A few seconds are left for the server's clock to have passed, too. */
export function lastHours(hours: number, now: number): { start_time: string; end_time: string } {
  const end = Math.floor((now - 5_000) / 60_000) * 60_000;
  return { start_time: new Date(end - hours * 3_600_000).toISOString(), end_time: new Date(end).toISOString() };
}

function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
