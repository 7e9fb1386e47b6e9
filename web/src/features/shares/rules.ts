import type { SharedAsset } from '@hourshare/contract/shares';
import { errorText } from '../../lib/error-texts.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { t } from '../../lib/messages.ts';
import type { StripTone } from '../../ui/progress.tsx';

export const usedHours = (share: Pick<SharedAsset, 'current_usage'> & Partial<SharedAsset>): number =>
  share.usage_this_month ?? share.current_usage;

/** Returns use as a fraction of the allowance, not capped at 1. */
export const usedPart = (share: SharedAsset): number =>
  share.monthly_hours_allocated > 0 ? usedHours(share) / share.monthly_hours_allocated : 0;

/** Overuse wins over a running session, which the clock shows too. */
export function shareTone(share: SharedAsset): StripTone {
  if (usedPart(share) > 1) return 'over';
  return share.active_session ? 'live' : 'accent';
}

/** Returns the error message for a failed share. */
export function shareFailureText(error: unknown, username: string): string {
  if (!(error instanceof ApiError)) return t('Failed to share asset. Please try again.');
  if (error.message) return errorText(error);
  if (error.status === 404) return t('User "{name}" not found', { name: username });
  if (error.status === 400) return t('Failed to share asset. Asset may already be shared with this user.');
  return t('Failed to share asset: {reason}', { reason: error.remark ?? t('Unknown error') });
}
