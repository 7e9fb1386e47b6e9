import type { SharedAsset } from '@hourshare/contract/shares';
import { errorText } from '../../lib/error-texts.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { t } from '../../lib/messages.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { daysAgo, pastDayText } from '../../lib/time.ts';

export const usedHours = (share: Pick<SharedAsset, 'current_usage'> & Partial<SharedAsset>): number =>
  share.usage_this_month ?? share.current_usage;

/** Returns use as a fraction of the allowance, not capped at 1. */
export const usedPart = (share: SharedAsset): number =>
  share.monthly_hours_allocated > 0 ? usedHours(share) / share.monthly_hours_allocated : 0;

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

/** Returns shares with running ones first, then by last use; unused ones keep their order. */
export function byLastUse(shares: SharedAsset[]): SharedAsset[] {
  const time = (instant: string | null) => (instant === null ? 0 : Date.parse(instant));
  return shares.toSorted(
    (a, b) => time(b.active_since) - time(a.active_since) || time(b.last_used_at) - time(a.last_used_at),
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

/** Returns the error message for a failed share. */
export function shareFailureText(error: unknown, username: string): string {
  if (!(error instanceof ApiError)) return t('Failed to share asset. Please try again.');
  if (error.message) return errorText(error);
  if (error.status === 404) return t('User "{name}" not found', { name: username });
  if (error.status === 400) return t('Failed to share asset. Asset may already be shared with this user.');
  return t('Failed to share asset: {reason}', { reason: error.remark ?? t('Unknown error') });
}
