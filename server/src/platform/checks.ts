import { CHECK_MINUTES } from '@hourshare/contract/limits';

/** Returns until when a check made at a given time counts as recent. */
export const checkExpiry = (checkedAt: Date): Date => new Date(checkedAt.getTime() + CHECK_MINUTES * 60_000);
