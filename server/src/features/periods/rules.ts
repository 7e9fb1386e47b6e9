import type { SplitMethod } from '@hourshare/contract/fields';

/** How an owner has an asset's price split. */
export interface SplitTerms {
  method: SplitMethod;
  /** 0 to 100; with `usage`, this share of the price is split by allowance. */
  basePercent: number;
  /** Whole hours a month reserved for the owner. */
  ownerHours: number;
}

/** Days of a month, `YYYY-MM`. */
export const daysIn = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();

/** Months since January 2000, `YYYY-MM`: where the odd cents of that month begin. */
export const monthsSince2000 = (month: string): number =>
  (Number(month.slice(0, 4)) - 2000) * 12 + Number(month.slice(5, 7)) - 1;
