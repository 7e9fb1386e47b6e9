import { CHECK_MINUTES } from '@hourshare/contract/limits';

/** Returns until when a check made at a given time counts as recent. */
export const checkExpiry = (checkedAt: Date): Date => new Date(checkedAt.getTime() + CHECK_MINUTES * 60_000);

/** Returns whether a check, if there was one, still counts as recent. */
export const isRecent = (checkedAt: Date | null, now: Date): boolean =>
  checkedAt !== null && checkExpiry(checkedAt) > now;
