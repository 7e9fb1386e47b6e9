import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import type { SharedAsset } from '@hourshare/contract/shares';
import { ApiError } from '../../lib/http-errors.ts';
import type { StripTone } from '../../ui/progress.tsx';

export const usedHours = (share: Pick<SharedAsset, 'current_usage'> & Partial<SharedAsset>): number =>
  share.usage_this_month ?? share.current_usage;

/** Use as a part of the allocation, not capped. */
export const usedPart = (share: SharedAsset): number =>
  share.monthly_hours_allocated > 0 ? usedHours(share) / share.monthly_hours_allocated : 0;

/** Too much is said before running now: the clock says the latter too. */
export function toneOf(share: SharedAsset): StripTone {
  if (usedPart(share) > 1) return 'over';
  return share.active_session ? 'live' : 'accent';
}

export type ShareInput = { username: string; hours: string };

/** What is wrong with the form as a whole, or null. */
export const incompleteProblem = ({ username, hours }: ShareInput): string | null =>
  username.trim() === '' || hours.trim() === '' ? 'Username and monthly hours are required' : null;

export function hoursProblem(text: string): string | null {
  const hours = Number(text);
  const good = Number.isInteger(hours) && hours >= ALLOCATION_MIN_HOURS && hours <= ALLOCATION_MAX_HOURS;
  return good ? null : `Monthly hours must be a whole number from ${ALLOCATION_MIN_HOURS} to ${ALLOCATION_MAX_HOURS}`;
}

/** The catalogue's sentence for a share that failed. */
export function shareFailureText(error: unknown, username: string): string {
  if (!(error instanceof ApiError)) return 'Failed to share asset. Please try again.';
  if (error.message) return error.message;
  if (error.status === 404) return `User "${username}" not found`;
  if (error.status === 400) return 'Failed to share asset. Asset may already be shared with this user.';
  return `Failed to share asset: ${error.remark ?? 'Unknown error'}`;
}
